"""A plan that --dry-run --json printed, replayed, is the direct run over again."""
import json
import os

from fathom_test import SWEEP, check, document, run, scratch


def without_words(result):
    result['fathom'].pop('argv', None)
    result['fathom'].pop('seed', None)
    return result


for extra in ([], ['--pattern', 'independent'], ['--window', '16K'],
              ['--laps', '3', '--samples'], ['--link', 'index32', '--node', '4']):
    planned = run('latency', *SWEEP, *extra, '--dry-run', '--json')
    plan = document(planned)
    check(plan['specs'], 'an empty plan')
    direct = without_words(document(run('latency', *SWEEP, *extra, '--json')))
    piped = without_words(document(run('run', '-', '--json', input=planned.stdout)))
    check(direct == piped, extra, 'differs when replayed')
    check([point['size_bytes'] for point in direct['curves'][0]['points']] ==
          [spec['size_bytes'] for spec in plan['specs']], extra, 'other sizes than planned')

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
