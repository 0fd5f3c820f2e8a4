"""Lines between CPUs: pairs and classes of simulated machines, and what cannot be measured."""
import json
import os

from fathom_test import check, run, scratch


def cores(machine, *words):
    done = run('cores', '--machine', machine, '--pairs-only', '--json', *words)
    check(done.returncode == 0, machine, 'exit code', done.returncode, done.stderr)
    return json.loads(done.stdout)


def refused(code, word, *words):
    done = run('cores', *words)
    check(done.returncode == code, words, 'exit code', done.returncode, done.stderr)
    check(word in done.stderr and not done.stdout, words, done.stderr)


result = cores('sim:cpus=2x2x4x2,seed=3', '--seed', '7')
curve = result['curves'][0]
pairs = [pair for pair in curve['pairs'] if pair['home'] == 'a' and pair['handover'] == 'store']
check(curve['experiment'] == 'core_to_core' and len(pairs) == 496, curve['experiment'], len(pairs))
check(result['quality'] == 'good', result['quality'], result['quality_reason'])
check(0 < curve['loop_ns'] < 6, curve['loop_ns'])
for pair in pairs:
    check(pair['lines'] >= 8, pair)
    check(pair['latency_low_ns'] <= pair['latency_ns'] <= pair['latency_high_ns'], pair)
check([one['pairs'] for one in result['core_classes']] == [16, 96, 128, 256], result['core_classes'])
for one, ns in zip(result['core_classes'], (6, 22, 60, 150)):
    check(abs(one['latency_ns'] / ns - 1) < 0.03 and one['swap_ns'] > 0, one)
check([one['kind'] for one in result['core_classes']] ==
      ['smt', 'same_cache', 'same_socket', 'other_socket'], result['core_classes'])
# A home on a third node is farther: two of the same socket have the line beyond the other one.
check(result['core_classes'][2]['home_other_ns'] > 1.5 * result['core_classes'][2]['latency_ns'],
      result['core_classes'][2])
check(abs(result['core_classes'][2]['home_b_ns'] / result['core_classes'][2]['latency_ns'] - 1) < 0.05,
      result['core_classes'][2])
again = cores('sim:cpus=2x2x4x2,seed=3', '--seed', '7')
check(again['curves'] == result['curves'], 'the same words, other numbers')

# What was written is found again in it.
done = run('fit', '-', '--json', input=json.dumps(result))
check(json.loads(done.stdout)['core_classes'] == result['core_classes'], done.stdout[-3000:])

# Two runs of one machine are alike; a slower cache is seen, and told by its kind.
with scratch() as folder:
    names = [os.path.join(folder, name) for name in ('a.json', 'b.json', 'c.json')]
    for name, keys in zip(names, ('seed=1', 'seed=2', 'seed=3,handover=6ns/26ns/60ns/90ns/150ns')):
        run('cores', '--machine', f'sim:cpus=2x2x4x2,{keys}', '--seed', '1', '--pairs-only', '--json', '-o',
            name)
    alike, slower = (json.loads(run('compare', names[0], name, '--json').stdout)['runs'][0]['parts']
                     for name in names[1:])
    again = run('check', names[0], '--quiet')
check(not [part for part in alike if part['verdict'] not in ('same', 'unknown')], alike)
check([part['name'] for part in slower if part['verdict'] == 'slower'] == ['same cache'], slower)
check(again.returncode == 0 and 'same cache' in again.stdout, again.returncode, again.stdout, again.stderr)

# Threads that are moved: no topology is made up.
moving = cores('sim:cpus=2x2x4x2,moving=5ms')
check('cpus-moved' in [warning['id'] for warning in moving['warnings']], moving['warnings'])
check([(one['kind'], one['latency_ns']) for one in moving['core_classes']] == [('unknown', None)],
      moving['core_classes'])
shown = run('report', '-', input=json.dumps(moving)).stdout
check('no latency: CPUs were moved' in shown, shown)
check('the OS says: SMT siblings (16 pairs), same cache (96' in ' '.join(shown.split()), shown)
check(max(len(line) for line in shown.splitlines()) <= 80, shown)
# A move in the last look (seed 1), or in its last visits (4), and one that changes nothing (8): what some pairs
# took for a while is told, and is in their intervals.
for seed, name in ((1, 'cpus-moved'), (4, 'pairs-moved'), (8, None)):
    late = json.loads(run('cores', '--machine', 'sim:cpus=1x2x4x2,moving=200ms,l1=4K/8/lru/5c,l2=16K/8/lru/14c,'
                          f'l3=64K/16/lru/46c,seed={seed}', '--seed', '1', '--json', '-q').stdout)
    told = {one['id'] for one in late['warnings']} & {'cpus-moved', 'pairs-moved'}
    check(told == ({name} if name else set()), seed, late['warnings'])
    check(late['quality'] == ('usable' if name else 'good'), seed, late['quality_reason'])
    wide = 0
    for pair in late['curves'][0]['pairs']:
        elsewhere = sum(not 0.75 < ns / pair['latency_ns'] < 1.33 for ns in pair['blocks_ns'])
        wide += elsewhere > 2
        check(elsewhere <= 2 or pair['latency_high_ns'] > 1.28 * pair['latency_low_ns'], seed, pair)
    check((wide > 0) == (name is not None), seed, wide)

# One pair: its interval is that of its class.
two = cores('sim:cpus=2')
check(two['core_classes'][0]['latency_low_ns'] == two['curves'][0]['pairs'][0]['latency_low_ns'] <
      two['core_classes'][0]['latency_ns'] < two['core_classes'][0]['latency_high_ns'], two['core_classes'])

lying = cores('sim:cpus=1x2x4x2,os_cpus=16x1x1x1')
check('topology-differs' in [warning['id'] for warning in lying['warnings']], lying['warnings'])

# Why pairs are missing, as it is: the budget was spent, CPUs were taken away, or the rest tells enough.
for machine, words, reason in (
        ('cpus=2x4x8x2', ['--all-pairs', '--budget', '1s'], 'others were not measured: the budget was spent;'),
        ('cpus=8,lost=1-7/5ms', [], 'others were not measured: CPUs were taken away;'),
        ('cpus=2x4x8x2,lost=5/5ms', [], 'CPUs were taken away, or classes are told without them;'),
        ('cpus=2x4x8x2', [], 'as many as tell the classes (--all-pairs: all);')):
    done = run('cores', '--machine', f'sim:{machine}', '--pairs-only', '--seed', '1', *words)
    text = ' '.join(done.stdout.split())
    check(reason in text and ('as many as' in text) == reason.startswith('as many as'), machine, done.stdout)
    check(('quality: good' in text) == reason.startswith('as many as'), machine, done.stdout)

# Of some CPUs alone, and what of them is there.
some = cores('sim:cpus=8,offline=3', '--cpu', '0-2,4')
check(sorted({pair['cpu_b'] for pair in some['curves'][0]['pairs']}) == [1, 2, 4], some['curves'])
shrunk = cores('sim:cpus=8,lost=3/20ms')
check([warning['id'] for warning in shrunk['warnings']] == ['cpus-lost'], shrunk['warnings'])
check('3' in shrunk['warnings'][0]['text'], shrunk['warnings'])

# At any time, whoever is taken away: CPUs that are left are measured, and those that are gone are named.
for lost, left in (('0', '1,2,3,4,5'), ('4-5', '0,1,2,3'), ('1-3', '0,4,5')):  # 4-5: the third node of 0 and 2
    for us in (1, 40, 1000, 5000):
        gone = cores(f'sim:cpus=3x1x2x1,lost={lost}/{us}us')
        told = [one['text'] for one in gone['warnings'] if one['id'] == 'cpus-lost']
        check(len(told) == 1, lost, us, gone['warnings'])
        measured = {pair[cpu] for pair in gone['curves'][0]['pairs'] for cpu in ('cpu_a', 'cpu_b')}
        check(measured >= {int(cpu) for cpu in left.split(',')}, lost, us, measured)
        if lost == '4-5' and us == 1:
            check(not [pair for pair in gone['curves'][0]['pairs']
                       if pair['home'] == 'other' and pair['cpu_a'] < 2 <= pair['cpu_b']], 'no such node is left')
refused(3, 'before a pair', '--machine', 'sim:cpus=4,lost=1-3/40us', '--pairs-only')
refused(3, 'two CPUs', '--machine', 'sim:cpus=4,lost=1-3/1us', '--pairs-only')

refused(2, "cpu '3' is not available", '--machine', 'sim:cpus=8,offline=3', '--cpu', '0-4')
refused(2, 'no list of CPUs', '--machine', 'sim:cpus=8', '--cpu', '0-')
refused(2, 'two CPUs', '--machine', 'sim:cpus=8', '--cpu', '5')
refused(3, 'two CPUs', '--machine', 'sim:')
refused(3, 'two CPUs', '--machine', 'sim:cpus=4,offline=0+2-3')
refused(3, 'bind a thread to cpu 0', '--machine', 'sim:cpus=8,affinity=off')
