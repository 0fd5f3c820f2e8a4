"""Kinds of core: each has a curve and levels of its own in one result, as the simulated machine has
them, and what is written, read, compared and measured again of it knows which is whose."""
import csv
import io
import os

from fathom_test import check, check_refused, document, run, scratch

KINDS = ('sim:noise=0,outliers=0,drift=0,dtlb=off,placement=even,l3=off,cpus=6,mem=80ns,'
         'l1=48K/12/lru/5c,l2=512K/8/lru/14c,clock=4G,kind=4-5:clock=2G:l1=16K/8/lru/3c')
SHORT = ['--max-size', '2M', '--per-octave', '4', '--no-control', '--budget', '400ms', '--seed',
         '1', '-q']


def latency(*options, machine=KINDS):
    return run('latency', '--machine', machine, *SHORT, *options)


def near(value, truth, share):
    return abs(value - truth) <= share * truth


def levels_of(found, cpu):
    return [level for level in found['levels'] if found['curves'][level['curve']]['cpu'] == cpu]


found = document(latency('--cpu', 'kinds', '--json'))
check([curve['cpu'] for curve in found['curves']] == [0, 4], found['curves'])
check([(kind['name'], kind['cpus'], kind['relative_speed'])
       for kind in found['machine']['cpu_kinds']] ==
      [('performance', '0-3', 1), ('efficiency', '4-5', 0.5)], found['machine']['cpu_kinds'])
for cpu, truth in ((0, ((48, 1.25), (512, 3.5))), (4, ((16, 1.5), (512, 7)))):
    caches = [level for level in levels_of(found, cpu) if level['kind'] == 'cache']
    check(len(caches) == 2, cpu, caches)
    for level, (kib, latency_ns) in zip(caches, truth):
        check(near(level['size_bytes'], kib * 1024, 0.05), cpu, level)
        check(near(level['latency_ns'], latency_ns, 0.02), cpu, level)
        check(level['reported_bytes'] == kib * 1024, cpu, level)
    check([level['name'] for level in levels_of(found, cpu)][:3] == ['L1', 'L2', 'memory'], cpu)
check(found['quality'] != 'do-not-quote', found['quality_reason'])  # two clocks are no movement

# A list of CPUs, in its order; one that is not there, is named twice, or is no CPU.
found = document(latency('--cpu', '5,0-1', '--json'))
check([curve['cpu'] for curve in found['curves']] == [5, 0, 1], found['curves'])
check(found['machine']['cpu_kinds'][1]['name'] == 'efficiency')
check(not [one for one in found['warnings'] if one['id'] == 'kind-left-out'], found['warnings'])
found = document(latency('--cpu', '0,1', '--json'))
check([one['where'] for one in found['warnings'] if one['id'] == 'kind-left-out'] ==
      ['efficiency'], found['warnings'])
# Bandwidth of one thread on each; its tables stand apart.
done = run('bandwidth', '--machine', KINDS, '--cpu', 'kinds', '--size', '1M', '--operation', 'read', '--budget',
           '300ms', '--seed', '1', '--json', '-q')
rates = document(done)
check([curve['cpu'] for curve in rates['curves']] == [0, 4] and
      {point['threads'] for curve in rates['curves'] for point in curve['points']} == {1}, rates['curves'])
text = run('report', '-', input=done.stdout).stdout
for cpu in (0, 4):
    check(f'CPU {cpu}' in text, text)
with scratch() as folder:
    path = os.path.join(folder, 'rates.json')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(done.stdout)
    compared = document(run('check', path, '--budget', '300ms', '--json', '-q'))
check(len({part['name'] for part in compared['runs'][0]['parts']}) ==
      len(compared['runs'][0]['parts']) >= 2, compared['runs'][0]['parts'])
check_refused(run('bandwidth', '--machine', KINDS, '--cpu', 'kinds', '--threads', '2', '--size', '1M'), 2,
              'one thread')
check_refused(latency('--cpu', '0,6'), 2, "'6'")
check_refused(latency('--cpu', '0,1,0'), 2, "'0'", 'twice')
check_refused(latency('--cpu', '0,'), 2, '--cpu', "'0,'")
check_refused(latency('--cpu', 'all'), 2, '--cpu', "'all'")
check_refused(run('pages', '--machine', KINDS, '--cpu', '0,1'), 2, '--cpu', "'0,1'")

# One kind: the same as without, and a word about it.
one = document(latency('--cpu', 'kinds', '--json', machine='sim:l3=off,dtlb=off'))
check(len(one['curves']) == 1 and one['levels'], one['curves'])
check(any(warning['id'] == 'one-kind' for warning in one['warnings']), one['warnings'])
check('the OS knows of one' in latency('--cpu', 'kinds', machine='sim:l3=off,dtlb=off').stdout)

with scratch() as folder:
    path, plan = os.path.join(folder, 'kinds.json'), os.path.join(folder, 'plan.json')
    check(latency('--cpu', 'kinds', '-o', path).returncode == 0)

    def shown(*arguments):
        done = run(*arguments)
        check(done.returncode == 0, done.stderr)
        return done.stdout
    text = shown('report', path)
    check('CPUs 0, 4' in text and text.count('  level ') == 2, text)
    for name in ('CPU 0 (performance)', 'CPU 4 (efficiency)'):
        check(name in text, name, text)
        check(name in shown('report', path, '--format', 'gnuplot'), 'no such curve in the figure')
        check(name in shown('report', path, '--format', 'html'), 'no such curve in the page')
    rows = list(csv.DictReader(io.StringIO(shown('report', path, '--csv'))))
    check({row['cpu'] for row in rows} == {'0', '4'}, rows[0])
    metrics = shown('report', path, '--format', 'prometheus').splitlines()
    check(len({line.split(' ')[0] for line in metrics if 'level="L1"' in line}) ==
          len([line for line in metrics if 'level="L1"' in line]), 'a metric is there twice')
    check(any('level="L1"' in line and 'cpu="4"' in line for line in metrics), metrics)

    # What the OS says besides is held against each, and says of which CPU it speaks.
    odd = KINDS.replace('l1=16K/8/lru/3c', 'l1=16K/8/lru/3c:os_l2=4M').replace(
        'sim:', 'sim:os_l2=2M,')
    told = document(latency('--cpu', 'kinds', '--json', machine=odd))['warnings']
    check({one['where'] for one in told if one['id'] == 'reach-differs'} ==
          {'L2, CPU 0', 'L2, CPU 4'}, told)

    # What was found, found again; what was measured, measured again and held against it.
    again = document(run('fit', path, '--json', '-q'))
    check([(level['name'], level['curve']) for level in again['levels']] ==
          [(level['name'], level['curve'])
           for level in document(run('report', path, '--json'))['levels']], again['levels'])
    compared = document(run('check', path, '--budget', '400ms', '--json', '-q'))
    parts = {part['name']: part for part in compared['runs'][0]['parts']}
    for name in ('L1, CPU 0', 'L2, CPU 0', 'L1, CPU 4', 'L2, CPU 4'):
        check(parts[name]['verdict'] == 'same', name, parts)

    # A plan of several CPUs is printed and replayed.
    with open(plan, 'w', encoding='utf-8') as file:
        file.write(shown('latency', '--machine', KINDS, *SHORT, '--cpu', 'kinds', '--dry-run',
                         '--json'))
    found = document(run('run', plan, '--json', '-q'))
    check([curve['cpu'] for curve in found['curves']] == [0, 4], found['curves'])

# They are measured in turns: what disturbs nearly half of the run is no difference between two like CPUs.
LIKE = ('sim:noise=0,outliers=0,drift=0,dtlb=off,placement=even,l3=off,cpus=4,mem=80ns,l1=32K/8/lru/5c,'
        'l2=256K/8/lru/14c,clock=4G,disturb=280ms:500ns@lanes=1')
found = document(run('latency', '--machine', LIKE, *SHORT, '--budget', '600ms', '--cpu', '0,1', '--json'))
for name in ('L2', 'memory'):
    first, second = (level['latency_ns'] for level in found['levels'] if level['name'] == name)
    check(near(first, second, 0.02), name, first, second)
# One that is taken away is left out, whichever it is; where all are, there is no number.
for lost, left in ((0, 1), (1, 0)):
    found = document(latency('--cpu', '0,1', '--json', machine=LIKE.split(',disturb')[0] + f',lost={lost}/100ms'))
    check([curve['cpu'] for curve in found['curves']] == [left], lost, found['curves'])
    check([one['where'] for one in found['warnings'] if one['id'] == 'cpu-failed'] == [f'CPU {lost}'], found['warnings'])
check_refused(latency('--cpu', '0,1', machine=LIKE + ',lost=0-1/100ms'), 3, 'cpu 0 was taken away')

# Memory of another node, in which the latency is that node's.
NODES = ('sim:noise=0,outliers=0,drift=0,dtlb=off,l3=off,l2=off,cpus=2x1x2x1,node_memory=1G/1G/2G,'
         'node_mem=90ns/140ns/250ns+140ns/90ns/260ns')
for options, truth in (((), 90), (('--memory-node', '1'), 140), (('--memory-node', '2'), 250),
                       (('--memory-node', '2', '--cpu', '3'), 260)):
    found = document(latency(*options, '--json', machine=NODES))
    memory = [level for level in found['levels'] if level['kind'] == 'memory'][0]
    check(near(memory['latency_ns'], truth, 0.02), options, memory)
    curve = found['curves'][0]
    check(curve.get('memory_node') == (int(options[1]) if options else None), options)
    check(curve.get('node_share') == (1 if options else None), options)
check_refused(latency('--memory-node', '3', machine=NODES), 2, 'NUMA node 3')
check_refused(latency('--memory-node', '1', machine=NODES.replace('1G/1G', '1G/0')), 2,
              'NUMA node 1')
