"""A plan that --dry-run --json printed, replayed, is the direct run over again."""
import json
import os

from fathom_test import SWEEP as LONG_SWEEP
from fathom_test import check, document, run, scratch

SWEEP = [*LONG_SWEEP, '--budget', '400ms']


def without_words(result):
    result['fathom'].pop('argv', None)
    result['fathom'].pop('seed', None)
    return result


def patterns(names):
    """Without those that repeat the one before."""
    return [name for i, name in enumerate(names) if i == 0 or name != names[i - 1]]


for extra in ([], ['--max-size', '1M'], ['--max-size', '1M', '--pattern', 'both'],
              ['--max-size', '1M', '--no-control'], ['--pattern', 'independent'],
              ['--window', '16K'], ['--laps', '3', '--samples'],
              ['--max-size', '1M', '--link', 'index32', '--node', '4']):
    planned = run('latency', *SWEEP, *extra, '--dry-run', '--json')
    plan = document(planned)
    check(plan['specs'], 'an empty plan')
    direct = without_words(document(run('latency', *SWEEP, *extra, '--json')))
    piped = without_words(document(run('run', '-', '--json', input=planned.stdout)))
    check(direct == piped, extra, 'differs when replayed')
    check(patterns([spec['pattern'] for spec in plan['specs']]) ==
          [curve['points'][0]['pattern'] for curve in direct['curves']], extra, 'other curves')
    measured = {(point['pattern'], point['size_bytes'])
                for curve in direct['curves'] for point in curve['points']}
    check(measured >= {(spec['pattern'], spec['size_bytes']) for spec in plan['specs']},
          extra, 'not all that was planned')

# What was printed before plans had a control: one curve is a plan still.
plan = document(run('latency', *SWEEP, '--max-size', '1M', '--dry-run', '--json'))
alone = [spec for spec in plan['specs'] if spec['pattern'] == 'random_cycle']
check(0 < len(alone) < len(plan['specs']), 'no control to leave out')
replayed = run('run', '-', '--json', input=json.dumps({**plan, 'specs': alone}))
check(len(document(replayed)['curves']) == 1)

with scratch() as folder:
    path = os.path.join(folder, 'plan.json')
    check(run('latency', *SWEEP, '--dry-run', '-o', path).returncode == 0)
    again = document(run('run', path, '--dry-run', '--json'))
    with open(path, encoding='utf-8') as file:
        check(again == json.load(file), 'the plan changes when it is read')

text = run('latency', *SWEEP, '--dry-run')
check(text.returncode == 0 and 'MiB' in text.stdout, 'no plan for people:', text.stdout)
other = document(run('latency', *SWEEP, '--json', '--seed', '0x8'))
check(without_words(other) != direct, 'the seed changes nothing')
