"""Which prefetcher acts is found on simulated machines that have it, and on none that has not."""
import json

from fathom_test import check, document, run

MACHINE = 'sim:noise=0.2%,outliers=0,drift=0,placement=even,l2=256K/8/lru/16c,l3=off'


def effects(machine):
    result = document(run('patterns', '--ablate', '--machine', machine, '--size', '2M', '--seed',
                          '5', '--budget', '5s', '--steps', '200000', '--json', '--quiet'))
    check([curve['experiment'] for curve in result['curves']] == 8 * ['ablation'])
    for effect in result['effects']:
        check(effect['low_ns'] <= effect['ns'] <= effect['high_ns'], 'no interval:', effect)
        check(not effect['acts'] or effect['low_ns'] > 0, 'it may do nothing:', effect)
    return {effect['name']: effect for effect in result['effects']}


for keys, acting in (('', set()), (',stride=8', {'stride'}), (',adjacent=on', {'adjacent line'}),
                     (',stride=8,adjacent=on', {'stride', 'adjacent line'})):
    found = effects(MACHINE + keys)
    check(set(found) == {'stride', 'adjacent line', 'temporal'}, found)
    check({name for name in found if found[name]['acts']} == acting, keys, 'acting:', found)
# The other line of a pair comes from the second cache, 16 cycles, in place of memory, 90 ns.
worth = effects(MACHINE + ',adjacent=on')['adjacent line']['ns']
check(0.8 < worth / (90 - 16 / 3.6) < 1.1, 'adjacent line is worth', worth)

text = run('patterns', '--ablate', '--machine', MACHINE + ',stride=8', '--size', '2M', '--seed', '5',
           '--budget', '5s', '--steps', '200000')
lines = [line.split() for line in text.stdout.splitlines()]
check(any(line[:1] == ['stride'] and line[-1:] == ['acts'] for line in lines), text.stdout)
check(any(line[:1] == ['temporal'] and line[-2:] == ['not', 'seen'] for line in lines), text.stdout)

# Where the other pair's second line comes as soon, no difference tells what the prefetcher does.
near = document(run('patterns', '--ablate', '--machine', MACHINE + ',adjacent=on', '--size', '2M', '--seed', '5',
                    '--budget', '5s', '--steps', '200000', '--json', '--quiet'))
pairs = [curve['points'][0] for curve in near['curves'] if curve['points'][0]['pattern'] == 'line_pair']
least = min(pairs, key=lambda point: point['latency_ns'])
for point in pairs:
    point.update({key: least[key] for key in least if key.startswith('latency_') or key == 'blocks_ns'})
for effect in near['effects']:
    if effect['name'] == 'adjacent line':
        effect.update(ns=0, low_ns=-1, high_ns=1, acts=False)
text = run('report', '-', '--format', 'text', input=json.dumps(near)).stdout
lines = [line.split() for line in text.splitlines()]
check(any(line[:2] == ['adjacent', 'line'] and line[-1:] == ['undecided'] for line in lines), text)
check('the second hop of a pair takes about' in ' '.join(text.split()), text)

# Batches that are disturbed are repeated; that leaves no point without its last block.
for seed in '1', '3':
    noisy = document(run('patterns', '--ablate', '--machine', 'sim:outliers=30%', '--size', '8M',
                         '--seed', seed, '--budget', '500ms', '--json', '--quiet'))
    few = [point['pattern'] for curve in noisy['curves'] for point in curve['points']
           if point['latency_low_ns'] is None]
    check(not few and noisy['elapsed_s'] < 0.6, 'no interval:', few, noisy['elapsed_s'])
