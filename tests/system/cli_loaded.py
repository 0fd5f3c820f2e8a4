"""Latency while other CPUs make traffic, on simulated memories whose truth is known."""
import json
import os

from fathom_test import check, check_refused, document, run, scratch

# 8 channel-lines of 64 bytes every 3.2 ns are 40 GB/s at most.
SIM = 'sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,mem=80ns,outliers=0,cpus=8,dram=2x16/3.2ns/28ns/8ns/0ns'
BUS = 2 * 64 / 3.2e-9
SHORT = ['--seed', '1', '-q', '--size', '4M']


def loaded(*options, machine=SIM):
    return run('loaded', '--machine', machine, *SHORT, *options)


found = document(loaded('--json', '--traffic', 'reads,1:1'))
check(found['quality'] == 'good', found['quality_reason'])
check([(curve['traffic'], curve['page']) for curve in found['curves']] ==
      [('reads', '4k'), ('1:1', '4k'), ('reads', 'thp'), ('1:1', 'thp')], found['curves'])
for curve, law in zip(found['curves'], found['load_laws']):
    check(curve['traffic_threads'] == 7 and curve['chain_bytes'] == 4 << 20, curve)
    loads = curve['loads']
    check(loads[0]['wanted_bytes_per_second'] == 0, loads[0])
    check(loads[-1]['wanted_bytes_per_second'] is None, loads[-1])
    # Rates well below the greatest are met.
    greatest = max(load['bandwidth_bytes_per_second'] for load in loads)
    for load in loads[1:-1]:
        if load['wanted_bytes_per_second'] < 0.6 * greatest:
            check(abs(load['bandwidth_bytes_per_second'] / load['wanted_bytes_per_second'] - 1) < 0.15, load)
        check(load['late_bursts'] <= load['bursts'], load)
    for load in loads:
        for name, unit in ('latency', 'ns'), ('bandwidth', 'bytes_per_second'):
            low, value, high = (load[f'{name}_{end}{unit}'] for end in ('low_', '', 'high_'))
            check(low <= value <= high, load)
        # What is changed goes over the bus twice; of the chain every line once.
        twice = load['bandwidth_bytes_per_second'] - load['program_bytes_per_second']
        others = load['bandwidth_bytes_per_second'] - 64e9 / load['latency_ns']
        share = 0.5 if curve['traffic'] == '1:1' else 0
        check(abs(twice - share * others) <= 0.02 * load['bandwidth_bytes_per_second'], load)
        check(load['concurrency'] == 1 and load['bandwidth_bytes_per_second'] < BUS, load)
    check(curve['one_bytes_per_second'] < curve['all_bytes_per_second'] < BUS, curve)
    # Without traffic, and where threads get no more through, what was measured is the answer.
    check(all(law[f'idle_latency_{end}ns'] == loads[0][f'latency_{end}ns'] for end in ('low_', '', 'high_')), law)
    check(loads[-1]['latency_ns'] > 1.5 * loads[0]['latency_ns'], loads[-1])
    check(law['peak_bytes_per_second'] == greatest < BUS, law)
reads = found['load_laws'][2]
check(0.6 * BUS < reads['knee_bytes_per_second'] < BUS, reads)
check(not any(law['bends_back'] for law in found['load_laws'][::2]), found['load_laws'])

# Without traffic it is the latency of 'fathom latency' at that size.
for curve in found['curves'][::2]:
    alone = document(run('latency', '--machine', SIM, *SHORT, '--page', curve['page'], '--json',
                         '--budget', '300ms'))
    there = [point for point in alone['curves'][0]['points'] if point['size_bytes'] == 4 << 20][0]
    idle = curve['loads'][0]['latency_ns']
    check(abs(idle / there['latency_ns'] - 1) < 0.03, idle, there['latency_ns'])

# Many threads keep each other from open rows, and get less through than on a schedule: what memory
# gives is looked for above, up to its bus, between a rate that is kept and one that is not.
BENT = ('sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,dtlb=off,mem=120ns,overlap=14,outliers=0,cpus=17,'
        'dram=2x16/2.7ns/34ns/9ns/0ns')
bent = document(loaded('--json', '--traffic', 'reads', '--page', 'thp', machine=BENT))
loads = bent['curves'][0]['loads']
rates = {load['wanted_bytes_per_second']: load['bandwidth_bytes_per_second'] - 64e9 / load['latency_ns']
         for load in loads[1:-1]}
kept = max(rate for rate, found in rates.items() if found > 0.98 * rate)
missed = min(rate for rate in rates if rate > kept)
check(kept > 1.05 * loads[-1]['bandwidth_bytes_per_second'] and missed < 1.05 * kept, rates)
check(bent['load_laws'][0]['bends_back'] and
      bent['load_laws'][0]['peak_bytes_per_second'] > 0.93 * 2 * 64 / 2.7e-9, bent['load_laws'])

# Memory's own counters see every line that the threads count, and no other.
def counted(machine, traffic):
    result = document(loaded('--json', '--page', 'thp', '--traffic', traffic, machine=machine))
    return result, [load for curve in result['curves'] for load in curve['loads']]


COUNTERS = SIM + ',memory_counters=on'
result, loads = counted(COUNTERS, 'reads,1:1,nt')
count = result['memory_counts'][0]
check(count['agreement'] == 'agrees' and count['on_share'] == 1 and len(count['counters']) == 2, count)
check(0.99 < count['ratio_low'] <= count['ratio'] <= count['ratio_high'] < 1.01, count)
check(count['other_bytes_per_second'] < 0.01e9, count)
for load in loads:
    sides = [[load[f'counted_{side}_{end}bytes_per_second'] for end in ('low_', '', 'high_')]
             for side in ('read', 'write')]
    check(all(low <= value <= high for low, value, high in sides), load)
    read, written = (side[1] for side in sides)
    check(abs((read + written) / load['bandwidth_bytes_per_second'] - 1) < 0.02, load)
for curve in result['curves']:
    for load in curve['loads']:
        # Of the chain lines are read alone; of the threads none, every second or all are written.
        chain, wrote = 64e9 / load['latency_ns'], load['counted_write_bytes_per_second']
        share = {'reads': 0, '1:1': 0.5, 'nt': 1}[curve['traffic']]
        bus = load['bandwidth_bytes_per_second']
        check(abs(wrote - share * (bus - chain)) < 0.03 * bus, curve['traffic'], load)
text = ' '.join(loaded('--page', 'thp', '--traffic', 'reads', '--all', machine=COUNTERS).stdout.split())
check('1.00 (1.00' in text and 'times what the threads counted: they agree' in text, text)
check("read, written: by memory's own counters" in text, text)

# Others use memory: so much more is counted, without the threads' traffic, too.
result, loads = counted(COUNTERS + ',other_traffic=6G', 'reads')
count = result['memory_counts'][0]
check(count['agreement'] == 'others' and count['ratio_low'] > 1.1, count)
check(abs(count['other_bytes_per_second'] / 6e9 - 1) < 0.02, count)
for load in loads:
    more = load['counted_read_bytes_per_second'] + load['counted_write_bytes_per_second']
    check(more - load['bandwidth_bytes_per_second'] < 6.2e9, load)
text = ' '.join(loaded('--page', 'thp', '--traffic', 'reads', machine=COUNTERS + ',other_traffic=6G').stdout.split())
check('something else uses memory, 6.0' in text and 'GB/s while they make no traffic' in text, text)

# Where there are none the reason is told once, and nothing is worse for it.
result, loads = counted(SIM, 'reads')
check(result['memory_counts'] == [{'missing': 'no memory counters: this simulated machine has none'}])
check(result['quality'] == 'good' and not result['warnings'], result['quality_reason'], result['warnings'])
check(not any(name.startswith('counted') for load in loads for name in load))
text = loaded('--page', 'thp', '--traffic', 'reads').stdout
check(' '.join(text.split()).count('no memory counters: this simulated machine has none') == 1, text)

# One thread does not reach the knee, and the text says what it reaches.
one = ' '.join(loaded('--traffic', 'reads', '--page', 'thp', '--threads', '1').stdout.split())
check('does not reach the knee' in one and 'of what 2 CPUs read together' in one, one)
check('>= ' in one and 'ends before it tells the peak, which is at least' in one, one)

# A plan is replayed; the same seed gives the same document.
with scratch() as folder:
    plan, first, second = (os.path.join(folder, name) for name in ('plan', 'a.json', 'b.json'))
    with open(plan, 'w', encoding='utf-8') as file:
        file.write(loaded('--dry-run', '--json', '--traffic', 'nt', '--page', 'thp').stdout)
    for path in first, second:
        check(run('run', plan, '-q', '-o', path).returncode == 0)
    texts = [open(path, encoding='utf-8').read().replace('b.json', 'a.json') for path in (first, second)]
    check(texts[0] == texts[1])
    csv = run('report', first, '--format', 'csv').stdout
    check('late_bursts' in csv.splitlines()[0], csv[:200])
    check('non-temporal writes' in run('report', first).stdout)

# Another run of the machine is the same, one with slower memory is not.
with scratch() as folder:
    paths = [os.path.join(folder, f'{name}.json') for name in 'abc']
    for path, machine in zip(paths, (SIM, SIM + ',seed=2', SIM.replace('mem=80ns', 'mem=100ns'))):
        check(loaded('--traffic', 'reads', '--page', 'thp', '-o', path, machine=machine).returncode == 0)
    parts = [{part['name']: part['verdict'] for part in run_['parts']} for run_ in
             json.loads(run('compare', *paths, '--json', '-q').stdout)['runs']]
    name = 'idle latency, reads, thp pages'
    check(parts[0][name] != 'slower' and parts[1][name] == 'slower', parts)
    check(set(parts[0]) == {f'{what}, reads, thp pages' for what in ('idle latency', 'knee', 'peak')}, parts)
    plan = json.loads(run('check', paths[0], '--machine', SIM, '--dry-run', '--json', '-q').stdout)
    check(plan['cpus'] == '0,1,2,3,4,5,6,7' and plan['traffic'] == 'reads', plan)

# Who is alone, and what else there is none of.
check_refused(loaded(machine='sim:'), 3, 'needs a CPU beside')
check_refused(loaded('--threads', '8'), 2, 'too few CPUs')
check_refused(loaded('--size', '4M,8M'), 2, 'one size')
check_refused(loaded('--traffic', 'writes'), 2, 'writes')
check_refused(loaded(machine=SIM + ',affinity=off'), 3, 'cannot bind')
check_refused(loaded(machine=SIM + ',memory=2M'), 3, 'exceeds')
check_refused(loaded(machine=SIM + ',lost=3/1ms'), 3, 'not available any more')
corrupt = loaded(machine=SIM + ',corrupt=3')
check(corrupt.returncode == 1 and 'did not arrive' in corrupt.stderr, corrupt.stderr)
