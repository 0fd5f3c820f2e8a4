"""`fathom distribution` times single accesses: on simulated machines, whose truth is known."""
import json
import os

from fathom_test import check, check_refused, document, run, scratch

QUIET = 'sim:noise=0.02,outliers=0,drift=0,dtlb=off,placement=even'
CACHES = 'l1=16K/8/lru/4c,l2=256K/8/lru/14c,l3=off,mem=80ns'
SIM = f'{QUIET},{CACHES},dram=1x16/3.2ns/28ns/8ns/300ns'
SHORT = ['--seed', '1', '-q', '--accesses', '60K']


def measured(*options, machine=SIM):
    return run('distribution', '--machine', machine, *SHORT, *options)


def of(found, size, warmth='warm'):
    return next(one for one in found['distributions'] if
                (found['curves'][one['curve']]['chain_bytes'], found['curves'][one['curve']]['warmth']) ==
                (size, warmth))


def quantile(one, share):
    return next(each['latency_ns'] for each in one['quantiles'] if each['share'] == share)


# By default half of each cache, memory, and a page whose lines are flushed.
found = document(measured('--json'))
check([(curve['chain_bytes'], curve['warmth']) for curve in found['curves']] ==
      [(8 << 10, 'warm'), (128 << 10, 'warm'), (64 << 20, 'warm'), (4 << 10, 'cold_flushed'),
       (64 << 20, 'warm'), (32 << 20, 'cold_flushed'), (32 << 20, 'cold_flushed')], found['curves'])
check(found['quality'] == 'good', found['quality_reason'])
for one in found['distributions']:
    check(one['accesses'] == 60000 == sum(each['accesses'] for each in one['bins']), one)
    check(one['counter'] == 'simulated' and one['timing_low_ns'] <= one['timing_ns'] <= one['timing_high_ns'], one)
    check(abs(one['timing_ns'] - 18) < 0.1, one)
    if one['chain_ns']:
        check(abs(quantile(one, 0.5) / one['chain_ns'] - 1) < 0.05, one)
        # Too short for the scatter of timing: several in a run.
        check((one['run_accesses'] > 1) == (one['chain_ns'] < 4), one)

def served(one):
    return [(mode['kind'], mode['level']) for mode in one['modes'] if mode['share'] > 0.5]


# Who served most of them.
for size, warmth, by in ((8 << 10, 'warm', ('cache', 'L1')), (128 << 10, 'warm', ('cache', 'L2')),
                         (64 << 20, 'warm', ('memory', None)), (4 << 10, 'cold_flushed', ('row_hit', None))):
    one = of(found, size, warmth)
    kinds = {mode['kind'] for mode in one['modes']}
    check(by in served(one) or (warmth == 'warm' and size == 64 << 20 and 'memory' in kinds), by, one['modes'])

# The median is what 'fathom latency' says of that size.
SIZES = ['--size', '8K,128K,1M']
alone = document(run('latency', '--machine', SIM, '--seed', '1', '-q', '--json', *SIZES, '--no-control',
                     '--budget', '50ms'))
single = document(measured('--json', *SIZES))
for point in alone['curves'][0]['points']:
    there = quantile(of(single, point['size_bytes']), 0.5)
    check(abs(there / point['latency_ns'] - 1) < 0.05, there, point['latency_ns'])

# Refresh of memory is found where there is one, and where lines are in a cache there is none.
for size, warmth in ((64 << 20, 'warm'), (4 << 10, 'cold_flushed')):
    one = of(found, size, warmth)
    check(one['refresh_period_ns'] and abs(one['refresh_period_ns'] / 7800 - 1) < 0.01, one)
    # Each makes one access wait; timing takes 20 ns of an access, flushing 40.
    each_ns = one['mean_ns'] + (20 if warmth == 'warm' else 60)
    check(abs(one['refresh_share'] * 7800 / each_ns - 1) < 0.1, one['refresh_share'], each_ns)
    text = measured('--size', str(size), '--cold', 'none' if warmth == 'warm' else 'flushed').stdout
    check('refreshed each 7.80 us' in ' '.join(text.split()), text)
check(all(of(found, size)['refresh_period_ns'] is None for size in (8 << 10, 128 << 10)), 'refresh of a cache')
still = document(measured('--json', '--size', '4M', machine=SIM.replace('300ns', '0ns')))
check(still['distributions'][0]['refresh_period_ns'] is None, still['distributions'])
hot = document(measured('--json', '--size', '4M', machine=SIM.replace('300ns', '250ns/3900ns')))
check(abs(hot['distributions'][0]['refresh_period_ns'] / 3900 - 1) < 0.01, hot['distributions'])

# Modes: a cache of which random replacement keeps a part, and memory, by share.
mixed = document(measured('--json', '--size', '320K', machine=SIM.replace('8/lru/14c', '8/random/14c')
                          .replace('300ns', '0ns')))['distributions'][0]
near = sum(mode['share'] for mode in mixed['modes'] if mode['latency_ns'] < 20)
far = sum(each['accesses'] for each in mixed['bins'] if each['low_ns'] > 40) / mixed['accesses']
check(abs(near + far - 1) < 0.03 and 0.05 < near < 0.95, mixed['modes'], far)

# Each has its name where lines were flushed, too; without them none has.
served_by = document(measured('--json', '--size', '128K,320K', '--cold', 'flushed',
                              machine=SIM.replace('8/lru/14c', '8/random/14c').replace('300ns', '0ns')))
for mode in of(served_by, 320 << 10)['modes']:
    check((mode['kind'], mode['level']) == (('cache', 'L2') if mode['latency_ns'] < 20 else ('memory', None)), mode)
check(all(mode['kind'] == 'unknown' for mode in mixed['modes']), mixed['modes'])

# First accesses to pages: what the kernel takes, which is of no cache and no memory.
first = document(measured('--json', '--size', '4M', '--cold', 'untouched', machine=SIM + ',touch=900ns'))
check([curve['warmth'] for curve in first['curves']] == ['warm', 'untouched'], first['curves'])
one = of(first, 4 << 20, 'untouched')
check(abs(quantile(one, 0.5) / 900 - 1) < 0.01 and one['run_accesses'] == 1 and not one['chain_ns'], one)
check(one['refresh_period_ns'] is None and {mode['kind'] for mode in one['modes']} == {'unknown'}, one['modes'])
check('untouched' in measured('--size', '4M', '--cold', 'untouched').stdout, 'untouched')
check_refused(measured('--size', '1K', '--cold', 'untouched'), 2, 'no page of 4 KiB to touch')

# Interrupts are told: their number is known, and the tail says so.
disturbed = measured('--size', '4M', machine=SIM + ',interrupts=1ms/5us').stdout
check('1.10 us more than the median: the CPU had' in ' '.join(disturbed.split()), disturbed)

# A coarse counter needs runs; one that is far too coarse is refused.
coarse = document(measured('--json', '--size', '4M', machine=SIM + ',timer=100ns'))['distributions'][0]
check(coarse['run_accesses'] > 1 and abs(quantile(coarse, 0.5) / coarse['chain_ns'] - 1) < 0.05, coarse)
check_refused(measured('--size', '8K', machine=SIM + ',timer=10us'), 3, 'single accesses cannot be timed')
check_refused(measured('--size', '4M', '--cpu', '7'), 2, 'not available')
check_refused(run('distribution', '--machine', SIM, '--accesses', '10'), 2, '10 accesses')
check_refused(measured('--cold', 'mapped'), 2, '--cold')
corrupt = measured(machine=SIM + ',corrupt=2')
check(corrupt.returncode == 1 and 'did not arrive' in corrupt.stderr, corrupt.stderr)

# Over a time: slices of it, each with its own tail.
over = document(measured('--json', '--over', '6s', machine=SIM + ',interrupts=1ms/5us'))['distributions'][0]
check(over['slice_s'] == 0.1 and len(over['slices']) == 60, over['slice_s'], len(over['slices']))
check(sum(each['accesses'] for each in over['slices']) == over['accesses'], 'slices')
check(all(abs(each['p50_ns'] / quantile(over, 0.5) - 1) < 0.02 for each in over['slices']), over['slices'])

with scratch() as folder:
    # They are drawn, and the slowest of them named.
    path = os.path.join(folder, 'over.json')
    check(measured('--over', '6s', '--size', '4M', '-o', path).returncode == 0)
    check('over the time, 999 in 1000 take at most' in ' '.join(run('report', path).stdout.split()))
    # How many take how long, and when: the cells of a column are all of its accesses.
    plan = run('report', path, '--figure', 'slices', '--format', 'gnuplot').stdout
    cells = [line.split() for line in plan.partition('EOD\n')[2].partition('EOD')[0].splitlines()]
    check(len(cells) > 3 and {len(row) for row in cells} == {60}, len(cells))
    check(all(abs(sum(float(row[i]) for row in cells if row[i] != 'NaN') - 100) < 0.01
              for i in range(60)), 'shares of a column')
    # As HdrHistogram prints it.
    lines = run('report', path, '--format', 'hgrm').stdout.splitlines()
    check(lines[0].split() == ['Value', 'Percentile', 'TotalCount', '1/(1-Percentile)'], lines[0])
    rows = [[float(word) for word in line.split()] for line in lines[2:] if line[0] != '#']
    with open(path, encoding='utf-8') as file:
        accesses = json.load(file)['distributions'][0]['accesses']
    check(rows == sorted(rows) and rows[-1][1:] == [1, accesses] and
          all(abs(row[3] * (1 - row[1]) - 1) < 0.01 for row in rows[:-1] if row[3] < 1000), rows[-3:])
    check('$series4 ' in run('report', path, '--figure', 'tail', '--format', 'gnuplot').stdout)
    check_refused(run('report', path, '--figure', 'loaded', '--format', 'gnuplot'), 5, 'loaded')

    # A plan is replayed; the same seed gives the same document, which says the same when read.
    plan, first, second = (os.path.join(folder, name) for name in ('plan', 'a.json', 'b.json'))
    with open(plan, 'w', encoding='utf-8') as file:
        file.write(measured('--dry-run', '--json').stdout)
    for path in first, second:
        check(run('run', plan, '-q', '-o', path).returncode == 0)
    texts = [open(path, encoding='utf-8').read().replace('b.json', 'a.json') for path in (first, second)]
    check(texts[0] == texts[1])
    check(json.loads(texts[0])['distributions'] == found['distributions'], 'replayed')
    check('timing takes' in run('report', first).stdout)
    check('low_ns,high_ns,accesses' in run('report', first, '--format', 'csv').stdout)
    check('quantile="0.999"' in run('report', first, '--format', 'prometheus').stdout)

    # Another run of the machine is the same; one with slower memory, or a longer refresh, is not.
    machines = (SIM, SIM + ',seed=2', SIM.replace('mem=80ns', 'mem=90ns'), SIM.replace('8ns/300ns', '8ns/200ns'))
    paths = [os.path.join(folder, f'{number}.json') for number in range(4)]
    for path, machine in zip(paths, machines):
        check(measured('--size', '8K,4M', '-o', path, machine=machine).returncode == 0)
    slower = [[part['name'] for part in json.loads(run('compare', paths[0], path, '--json').stdout)['runs'][0]['parts']
               if part['verdict'] == 'slower'] for path in paths[1:]]
    check(slower[0] == [] and 'median, 4 MiB, default pages' in slower[1], slower)
    faster = json.loads(run('compare', paths[0], paths[3], '--json').stdout)['runs'][0]['parts']
    check([part['name'] for part in faster if part['verdict'] == 'faster'] and slower[2] == [], faster)
    check(run('check', paths[0], '-q').returncode == 0)
    check_refused(run('compare', paths[0], first.replace('a.json', 'none.json')), 5, 'none.json')
check_refused(run('report', '--format', 'hgrm', '-', input='1024,1\n2048,2\n4096,3\n'), 5, 'single')
