"""A CPU that is not there, or not allowed, is refused; the hint lists those that are."""
import os

from fathom_test import check, check_refused, run

done = run('--cpu', '99999', '--max-size', '64K')
check_refused(done, 2, '99999')

allowed = sorted(os.sched_getaffinity(0))
if len(allowed) > 1:
    only = allowed[-1]
    done = run('--cpu', str(allowed[0]), '--max-size', '64K',
               prepare=lambda: os.sched_setaffinity(0, {only}))
    check_refused(done, 2, str(allowed[0]))
    check(str(only) in done.stderr.splitlines()[1], 'the allowed CPU is not named:', done.stderr)
