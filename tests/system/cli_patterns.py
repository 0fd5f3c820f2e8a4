"""The table of patterns and its words, on simulated machines whose truth is known."""
import re

from fathom_test import check, document, run

# L1 hits 5 cycles, L2 16 cycles (4.44 ns), memory 90 ns; a page walk costs nothing.
EXACT = 'sim:noise=0,outliers=0,drift=0,placement=even,dtlb=off,l2=256K/8/lru/16c,l3=off,overlap=8'
L1_NS, L2_NS, MEMORY_NS = 5 / 3.6, 16 / 3.6, 90


def patterns(machine, *options):
    return document(run('patterns', '--machine', machine, '--seed', '3', '--budget', '5s', '--json',
                        '--quiet', '--steps', '200000', *options))


def times(result):
    """{(pattern, warmth, size): ns}, and no point has both kinds of value or neither."""
    found = {}
    for curve in result['curves']:
        for point in curve['points']:
            overlaps = point['pattern'] in ('index_array', 'stride_loop', 'linear_sum', 'locks',
                                             'branches_random', 'branches_same')
            check(overlaps == ('ns_per_access' in point), 'the wrong kind of value:', point)
            check(overlaps == (point['latency_ns'] is None), 'a latency of what overlaps:', point)
            ns = point['ns_per_access'] if overlaps else point['latency_ns']
            check(point['accesses'] >= (1 if point['warmth'] != 'warm' else 200000), point)
            low = point['low_ns_per_access'] if overlaps else point['latency_low_ns']
            check(low is not None and low <= ns, 'no interval:', point)
            found[point['pattern'], point['warmth'], point['size_bytes']] = ns
    return found


def near(value, wanted, tolerance, *what):
    check(abs(value / wanted - 1) <= tolerance, *what, value, 'instead of', wanted)


SIZE = 1 << 20
plain = times(patterns(EXACT, '--size', '1M', '--cold', 'both'))
dependent = 'random_cycle', 'sequential', 'reverse', 'strided', 'page_local'
for name in dependent:
    for warmth in 'warm', 'cold_flushed':
        near(plain[name, warmth, SIZE], MEMORY_NS, 0.03, name, warmth)
# Writing left the last quarter in L2: who begins at the end finds it, who begins at the start has
# pushed it out before.
near(plain['sequential', 'cold_mapped', SIZE], MEMORY_NS, 0.01, 'sequential after mapping')
near(plain['reverse', 'cold_mapped', SIZE], (3 * MEMORY_NS + L2_NS) / 4, 0.01, 'reverse after it')
near(plain['one_per_page', 'cold_flushed', SIZE], MEMORY_NS, 0.01, 'cold, one per page')
check(plain['one_per_page', 'warm', SIZE] < 2 * L2_NS, 'its 256 lines fit in L2')
# The index is read beside the line; 16 indexes share a line.
index_ns = (MEMORY_NS + 15 / 16 * L1_NS + MEMORY_NS / 16) / 8
near(plain['index_array', 'warm', SIZE], index_ns, 0.03, 'index array')
near(plain['stride_loop', 'cold_flushed', SIZE], MEMORY_NS / 8, 0.01, 'stride loop')
near(plain['linear_sum', 'warm', SIZE], MEMORY_NS / 8, 0.01, 'linear sum')

# Cold is cold: the first lap of a buffer that the second cache holds; a range is a curve.
small = times(patterns(EXACT, '--size', '1K..128K'))
for size in (1 << bits for bits in range(10, 18)):
    near(small['random_cycle', 'cold_flushed', size], MEMORY_NS, 0.02, 'cold', size)
near(small['random_cycle', 'warm', 1 << 14], L1_NS, 0.02, 'warm in L1')
near(small['random_cycle', 'warm', 1 << 17], L2_NS, 0.1, 'warm in L2')
check(small['random_cycle', 'cold_flushed', 1 << 17] >= 5 * small['random_cycle', 'warm', 1 << 17])

# A stride prefetcher leaves random accesses alone; 61 of 64 lines of a page come ahead of time.
ahead = times(patterns(EXACT + ',stride=8', '--size', '1M'))
near(ahead['random_cycle', 'warm', SIZE], MEMORY_NS, 0.01, 'random')
near(ahead['page_local', 'warm', SIZE], MEMORY_NS, 0.1, 'page-local')
near(ahead['sequential', 'warm', SIZE], (3 * MEMORY_NS + 61 * L2_NS) / 64, 0.05, 'sequential')
near(ahead['reverse', 'warm', SIZE], (3 * MEMORY_NS + 61 * L2_NS) / 64, 0.05, 'reverse')
near(ahead['strided', 'warm', SIZE], (3 * MEMORY_NS + 13 * L2_NS) / 16, 0.05, 'strided')
# An adjacent-line prefetcher brings every other line of a sequence.
pairs = times(patterns(EXACT + ',adjacent=on', '--size', '1M'))
near(pairs['sequential', 'warm', SIZE], (MEMORY_NS + L2_NS) / 2, 0.03, 'sequential')
# Of a random order it brings what is gone again before its turn, in a buffer 4 times the cache.
check(0.8 < pairs['random_cycle', 'warm', SIZE] / MEMORY_NS <= 1, pairs)

# What people read.
text = run('patterns', '--machine', EXACT + ',stride=8', '--seed', '3', '--budget', '5s', '--size',
           '1M', '--stride', '256,1K', '--steps', '200000')
check(text.returncode == 0, text.stderr)
words = ' '.join(text.stdout.split())
for row in ('random cycle', 'sequential', 'reverse', 'strided 256 B', 'strided 1 KiB', 'page-local',
            'one per page', r'index array \*', r'stride loop 256 \*', r'stride loop 1K \*',
            r'linear sum \*'):
    check(re.search(rf'^  {row} +[\d.]+~? +', text.stdout, re.M), 'no row', row, text.stdout)
for line in text.stdout.splitlines():
    check(len(line) <= 80 or line.startswith('sim:'), 'wider than 80 columns:', line)
check(re.search(r'dependent accesses take 9[\d.]+ ns, overlapping ones \(index array\) 11\.\d+ ns each: the core kept '
                r'[78]\.\d+ accesses in flight', words), 'no gap:', words)
# The ratios of the textbook, as the column /random has them.
for name, what in (('stride loop 256', r'an access of the stride loop, which reads independent words every 256 B'),
                   ('linear sum', 'the linear sum, which iterates in order, takes for each 64 B')):
    found = re.search(rf'a dependent random access takes ([\d.]+) times (?:\([^)]*\) )?as long as {what}', words)
    row = re.search(rf'^  {name} .*? ([\d.]+) +\d+ +[\d.]+$', text.stdout, re.M)
    check(found and row, 'no ratio to', name, words)
    check(abs(float(found[1]) * float(row[1]) - 1) < 0.05, 'not what /random says:', found[1], row[0])
check(re.search(r'a dependent access in sequence costs 8\.4[56] ns: 91 % of the random latency is hidden', words), words)
check(re.search(r'a dependent random access into 1 MiB costs 9[\d.]+ ns here; streaming the same '
                r'data costs 1\.\d+ ns for each 64 B', words), 'no sentence:', words)

# Fewer accesses where --steps says so; replayed it is the same.
few = run('patterns', '--machine', EXACT, '--seed', '3', '--size', '64K', '--steps', '100000',
          '--dry-run', '--json')
plan = document(few)
check(plan['steps'] == 100000 and plan['experiment'] == 'patterns', plan)
direct = patterns(EXACT, '--size', '64K', '--steps', '100000')
replayed = document(run('run', '-', '--json', '--quiet', input=few.stdout))
check(len(replayed['curves']) == len(direct['curves']))
check(direct['elapsed_s'] < 1, 'many more steps than asked', direct['elapsed_s'])
