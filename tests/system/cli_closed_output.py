"""A standard output that is closed, or whose reader is gone, is a failure and not a signal."""
import json
import os

from fathom_test import MACHINE, SWEEP, check, check_refused, run, scratch

LONG = ['latency', *MACHINE, '--max-size', '256M', '--budget', '100000s']

for arguments in ([*LONG, '--json'], ['info'], ['--help'], ['--version']):
    check_refused(run(*arguments, stdout=None, prepare=lambda: os.close(1), timeout=30), 1,
                  'standard output')

reader, writer = os.pipe()
os.close(reader)
check_refused(run('latency', *SWEEP, '--json', stdout=writer), 1, 'standard output')
os.close(writer)

# With -o nothing is needed of the three, and nothing of theirs ends in the file.
with scratch() as folder:
    path = os.path.join(folder, 'result.json')
    done = run('latency', *SWEEP, '-o', path, stdout=None, prepare=lambda: os.closerange(0, 3))
    check(done.returncode == 0, 'exit code', done.returncode)
    with open(path, encoding='utf-8') as file:
        check(json.load(file)['curves'], 'no answer')
