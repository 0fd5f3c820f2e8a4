"""A core beside siblings that are idle, compute and stream: a curve and levels for each state, as the
simulated machine has them; where there is no other thread there is no number."""
import os

from fathom_test import check, check_refused, document, run, scratch

SIM = ('sim:noise=0,outliers=0,drift=0,dtlb=off,placement=even,cpus=1x1x2x2,mem=80ns,sibling=1.5,'
       'l1=32K/8/lru/4c,l2=256K/8/lru/16c,l3=1M/16/lru/20ns,clock=4G,bandwidth=off/off/off/8G')
SHORT = ['--max-size', '4M', '--per-octave', '4', '--no-control', '--budget', '1s', '--seed', '1',
         '-q']


def latency(*options, machine=SIM):
    return run('latency', '--machine', machine, *SHORT, *options)


def near(value, truth, share):
    return abs(value - truth) <= share * truth


TRUTH = {'idle': ((32, 1), (256, 4), (1024, 20)), 'computes': ((32, 1.5), (256, 6), (1024, 20)),
         'streams': ((16, 1.5), (128, 6), (1024, 20))}
found = document(latency('--sibling', 'all', '--json'))
check([curve['sibling'] for curve in found['curves']] == list(TRUTH), found['curves'])
for state, truth in TRUTH.items():
    caches = [level for level in found['levels'] if level['kind'] == 'cache' and
              found['curves'][level['curve']]['sibling'] == state]
    check(len(caches) == 3, state, caches)
    for level, (kib, latency_ns) in zip(caches, truth):
        check(near(level['size_bytes'], kib * 1024, 0.15), state, level)
        check(near(level['latency_ns'], latency_ns, 0.02), state, level)
check([one['where'] for one in found['warnings'] if one['id'] == 'reach-differs'] ==
      ['L1, CPU 0, sibling streams', 'L2, CPU 0, sibling streams'], found['warnings'])

# What the streams go through is memory of the plan: sizes are chosen beside it, or it is refused.
def planned(*options, machine=SIM, command='latency'):
    return run(command, '--machine', machine, *options, '--seed', '1', '--dry-run', '--json')


one, two, streams = (document(planned('--sibling', state, '--max-size', '4M'))['memory_bytes']
                     for state in ('idle', 'idle,computes', 'idle,streams'))
check(two == 2 * one, 'each state has its own memory', one, two)
check(64 << 20 <= streams - two <= 80 << 20, two, streams)
TIGHT = SIM + ',memory=100M'
largest = {state: max(spec['size_bytes'] for spec in document(
    planned('--sibling', state, machine=TIGHT))['specs']) for state in ('idle', 'streams')}
check(largest['streams'] <= 36 << 20 < largest['idle'], largest)
check_refused(planned('--sibling', 'streams', '--max-size', '64M', machine=TIGHT), 3, 'in total')
check_refused(planned('--sibling', 'streams', machine=SIM + ',memory=60M'), 3, 'sibling that streams')

# As text, as a figure, again, and against itself.
with scratch() as folder:
    path = os.path.join(folder, 'sibling.json')
    check(latency('--sibling', 'idle,streams', '-o', path).returncode == 0)
    text = run('report', path).stdout
    check('sibling idle' in text and 'sibling streams' in text and text.count('  level ') == 2, text)
    check('sibling streams' in run('report', path, '--format', 'gnuplot').stdout)
    metrics = run('report', path, '--format', 'prometheus').stdout.splitlines()
    names = [line.split(' ')[0] for line in metrics if 'level="L1"' in line]
    check(len(names) == len(set(names)) > 0, names)
    check(any('sibling="streams"' in name for name in names), names)
    compared = document(run('check', path, '--budget', '1s', '--json', '-q'))
    parts = {part['name']: part['verdict'] for part in compared['runs'][0]['parts']}
    check(parts['L1, CPU 0, sibling streams'] == parts['L2, CPU 0, sibling idle'] == 'same', parts)

# Bandwidth of one thread; its tables stand apart.
SIZE = ['--size', '2M', '--operation', 'read', '--budget', '60ms', '-q']
done = run('bandwidth', '--machine', SIM, *SIZE, '--sibling', 'all', '--json')
found = document(done)
rates = {curve['sibling']: curve['points'][0]['bandwidth_bytes_per_second']
         for curve in found['curves']}
for state, gb in (('idle', 8), ('computes', 8), ('streams', 4)):
    check(near(rates[state], gb * 1e9, 0.05), rates)
check({curve['points'][0]['threads'] for curve in found['curves']} == {1}, found['curves'])
text = run('report', '-', input=done.stdout).stdout
for state in TRUTH:
    check('sibling ' + state in text, state, text)

# No other thread, not one that may be used; words that say nothing.
check_refused(latency('--sibling', 'all', machine='sim:cpus=4'), 3, 'no other thread')
check_refused(latency('--sibling', 'streams', machine=SIM + ',offline=2'), 3, 'cpu 0')
check_refused(latency('--sibling', 'idle,idle'), 2, "'idle,idle'")
check_refused(latency('--sibling', 'sleeps'), 2, "'sleeps'")
check_refused(run('bandwidth', '--machine', SIM, *SIZE, '--sibling', 'idle', '--threads', '2'), 2,
              'one thread')
