"""Under 'ulimit -v' what does not fit is refused by name; nothing ever crashes."""
import resource

from fathom_test import check, check_refused, run

MIB = 1 << 20


def limit(bytes_):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))


done = run('latency', '--max-size', '8G', prepare=limit(512 * MIB))
check_refused(done, 3)
check('ulimit -v' in done.stderr, done.stderr)

# Less than what the line is measured in is no reason to write past it.
check_refused(run('latency', '--max-size', '16K', '--budget', '0.2s', prepare=limit(10 * MIB)), 3)

# Whatever happens with hardly any room, it is an answer or an error of ours.
for mib in (24, 32, 48, 64, 128):
    done = run('--max-size', '64K', '--budget', '0.2s', '--json', prepare=limit(mib * MIB))
    check(done.returncode in (0, 1, 3, 127), mib, 'MiB: exit code', done.returncode, done.stderr)
    if done.returncode == 3:
        check_refused(done, done.returncode)
    elif done.returncode == 1:  # lines before it may say who disturbed the run
        check(done.stderr.splitlines()[-1].startswith('fathom: ') and not done.stdout, mib, done.stderr)
