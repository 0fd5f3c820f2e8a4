"""A budget in which nothing can be measured: the answer says so, and so does the exit code. A file
that was there is not replaced by it."""
import json
import os

from fathom_test import MACHINE, check, run, scratch

for command in (['patterns'], ['patterns', '--ablate'], ['patterns', '--decay']):
    done = run(*command, *MACHINE, '--size', '1M', '--budget', '1ms', '--json', '--quiet')
    check(done.returncode == 1, command, 'exit code', done.returncode, done.stderr)
    check('nothing was measured' in done.stderr and '  hint: ' in done.stderr, done.stderr)
    result = json.loads(done.stdout)
    check(not any(curve['points'] for curve in result['curves']), result['curves'])
    warnings = {warning['id']: warning['text'] for warning in result['warnings']}
    check('sizes-left-out' in warnings and 'octave' not in str(warnings), warnings)
    check('the line size' in warnings['over-budget'], warnings)
    check(run(*command, *MACHINE, '--size', '1M', '--budget', '1s', '--steps', '1').returncode == 0)

with scratch() as folder:
    path, more = os.path.join(folder, 'old.json'), os.path.join(folder, 'new.md')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('old')
    done = run('patterns', *MACHINE, '--size', '1M', '--budget', '1ms', '-o', path, '-o', more)
    check(done.returncode == 1 and 'nothing was measured' in done.stderr, done.stderr)
    with open(path, encoding='utf-8') as file:
        check(file.read() == 'old', 'the old file is gone')
    check(os.listdir(folder) == ['old.json'], os.listdir(folder))
