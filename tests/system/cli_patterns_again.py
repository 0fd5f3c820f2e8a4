"""What patterns printed as JSON and CSV is read back as it was, and shown the same."""
import json
import os

from fathom_test import MACHINE, check, document, run, scratch

COMMON = ['patterns', *MACHINE, '--seed', '7', '--budget', '1s', '--steps', '50000', '--quiet']
VALUES = ('pattern', 'warmth', 'size_bytes', 'stride_bytes', 'window_bytes', 'lap', 'latency_ns',
          'ns_per_access', 'accesses', 'low_cycles_per_access', 'instructions_per_access')


def values(result):
    return [[{name: point.get(name) for name in VALUES} for point in curve['points']]
            for curve in result['curves']]


with scratch() as folder:
    for name, options in (('table', ['--size', '16K,64K', '--cold', 'both']),
                          ('ablation', ['--size', '64K', '--ablate']),
                          ('decay', ['--size', '16K', '--decay'])):
        path = os.path.join(folder, name)
        check(run(*COMMON, *options, '-o', path + '.json').returncode == 0, name)
        first = document(run('fit', path + '.json', '--json', '--quiet'))
        again = run('fit', '-', '--json', '--quiet', input=open(path + '.json').read())
        with open(path + '.json', encoding='utf-8') as file:
            original = json.load(file)
        check(first['curves'] == original['curves'], name, 'curves differ')
        check(first.get('effects') == original.get('effects'), name, 'effects differ')
        check(values(document(again)) == values(original), name)
        text = run('fit', path + '.json')
        direct = run(*COMMON, *options)
        check(text.returncode == 0 and text.stdout == direct.stdout, name, 'is shown otherwise',
              text.stdout, direct.stdout)
        check(run('fit', path + '.json', '--csv', '-o', path + '.csv').returncode == 0, name)
        check(values(document(run('fit', path + '.csv', '--json', '--quiet'))) ==
              values(original), name, 'differs in CSV')
