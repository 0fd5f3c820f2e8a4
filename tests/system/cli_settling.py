"""What neighbours take of a last cache shows once a chain has settled, not just after it was filled."""
import json
import os
import tempfile

from fathom_test import check, check_refused, document, run

MACHINE = 'sim:noise=0,outliers=0,drift=0,placement=even,dtlb=off,l2=512K/8/lru/14c,l3=16M/16/lru/50c'
OPTIONS = ['latency', '--settled', '--size', '4M,8M', '--seed', '3', '--budget', '2500ms']


def measured(machine):
    return document(run(*OPTIONS, '--machine', machine, '--json', '--quiet'))


def times(result):
    check(not result['levels'], result['levels'])
    curves = {curve['points'][0]['warmth']: curve for curve in result['curves']}
    check(set(curves) == {'warm', 'settled'} and
          all(curve['experiment'] == 'settling' for curve in curves.values()), curves)
    for curve in curves.values():
        check(all(point['latency_low_ns'] is not None for point in curve['points']), curve)
    return {warmth: [point['latency_ns'] for point in curve['points']]
            for warmth, curve in curves.items()}


alone = times(measured(MACHINE))
check(all(abs(settled / warm - 1) < 0.02 for settled, warm in zip(alone['settled'], alone['warm'])),
      'nobody takes lines:', alone)
result = measured(f'{MACHINE},neighbours=16ns')
beside = times(result)
check(beside['settled'][1] > 1.1 * beside['warm'][1], 'they take lines as time goes by:', beside)
check(beside['settled'][1] > 1.3 * alone['settled'][1], beside, alone)
check(abs(beside['settled'][0] / alone['settled'][0] - 1) < 0.1, 'but of 4 MiB few:', beside, alone)

# In little time each size keeps the visits that it got.
sizes = [1 << power for power in range(21, 27)]
hurried = document(run(*OPTIONS[:2], '--size', ','.join(map(str, sizes)), '--seed', '3', '--budget', '1s',
                       '--machine', f'{MACHINE},neighbours=16ns', '--json', '--quiet'))
settled = [point for curve in hurried['curves'] for point in curve['points'] if point['warmth'] == 'settled']
check([point['size_bytes'] for point in settled] == sizes and all(point['blocks_ns'] for point in settled), settled)

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'settled.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(result, file)
    words = ' '.join(run('report', path).stdout.split())
check('just after the caches were filled, and after a tenth of a second of walking' in words, words)
check('what runs beside takes lines' in words and 'up to 4 MiB it makes no such difference' in words,
      words)
check_refused(run('latency', '--settled', '--pattern', 'window', '--machine', MACHINE), 2,
              "'--settled'", "'--pattern'")
