"""Streams through a simulated machine are as fast as it is said to be, and told in full."""
import re

from fathom_test import check, document, run

# 64 bytes a cycle of 1 ns, 64 GB/s in the first cache, 12 from memory.
MACHINE = ['--machine', 'sim:clock=1G,bandwidth=64c/32c/20G/12G,cpus=4,noise=0,outliers=0,drift=0',
           '--seed', '3']
# Short, and of a slow clock: each line is simulated.
OPTIONS = ['bandwidth', *MACHINE, '--budget', '40ms', '--operation', 'read,write,write_nt,copy']


def points(result):
    return {(point['pattern'], point['threads'], point['size_bytes']): point
            for curve in result['curves'] for point in curve['points']}


def near(value, truth, tolerance=0.05):
    return abs(value / truth - 1) < tolerance


result = document(run(*OPTIONS, '--size', '16K', '--threads', '1,all', '--json', '-q'))
found = points(result)
check(len(found) == 8, found.keys())
for (pattern, threads, _), point in found.items():
    check(point['latency_ns'] is None, pattern, 'is no latency')
    value = point['bandwidth_bytes_per_second']
    counted = 128 if pattern == 'copy' else 64
    check(near(value, counted * threads / point['ns_per_access'] * 1e9, 1e-6), pattern, value)
    check(point['bandwidth_best_bytes_per_second'] >= value, pattern)
    times = {'read': 1, 'write': 2, 'write_nt': 1, 'copy': 1.5}[pattern]
    check(near(point['traffic_bytes_per_second'], times * value, 1e-6), pattern)
    truth = 12e9 if (pattern, threads) == ('write_nt', 4) else 64e9 * threads
    check(pattern == 'write_nt' and threads == 1 or near(value, truth), pattern, threads, value)

# From memory all threads together have what it hands out; half of it where lines go back, too.
result = document(run(*OPTIONS, '--operation', 'read,write', '--size', '64M', '--threads', '4',
                      '--budget', '60ms', '--json', '-q'))
found = points(result)
check(near(found['read', 4, 64 << 20]['bandwidth_bytes_per_second'], 12e9), found)
check(near(found['write', 4, 64 << 20]['bandwidth_bytes_per_second'], 6e9), found)

# With six blocks there is an interval; without, the quality that was asked for was not reached.
result = document(run(*OPTIONS, '--operation', 'write_nt', '--size', '16K', '--threads', '4',
                      '--budget', '50ms', '--json', '-q'))
point = points(result)['write_nt', 4, 16 << 10]
value = point['bandwidth_bytes_per_second']
check(point['bandwidth_low_bytes_per_second'] <= value <= point['bandwidth_high_bytes_per_second'], point)
check(point['bandwidth_low_bytes_per_second'] > 0.99 * value, point)
check(run(*OPTIONS, '--size', '16K', '--budget', '6ms', '--strict').returncode == 4, 'not strict')

# For people: a table of sizes for each number of threads, or one size in detail.
text = run(*OPTIONS, '--operation', 'read', '--size', '8K,16K', '--threads', '1,4', '--budget', '20ms')
check(text.returncode == 0, text.stderr)
for words in ('one thread:', '4 threads together', 'per thread, average of 4', 'GB are 10^9 bytes'):
    check(words in text.stdout, words, 'is not in', text.stdout)
# Where a cache ends, as for a chain: of a stream nothing hits at twice its size.
done = run('bandwidth', '--machine', 'sim:l1=16K/8/lru/4c,l2=off,l3=off,clock=1G,bandwidth=64c/12G,noise=0,outliers=0',
           '--seed', '3', '--operation', 'read', '--size', '8K,16K,32K,64K', '--threads', '1', '--budget', '40ms', '--json', '-q')
text = run('report', '-', '--format', 'text', '--explain', input=done.stdout).stdout
check(re.search(r'\n  L1  +16 KiB +[89]\.\d+ \S+ +9\.\d+ \S+ +1\.00 \S+\n', text), done.stderr, text)
check('The cliffs' not in run('report', '-', '--format', 'text', input=done.stdout).stdout, 'unasked')
text = run(*OPTIONS, '--size', '16K', '--threads', '1')
check('operation  threads  median' in text.stdout, text.stdout)
for line in text.stdout.splitlines():
    check(len(line) <= 80, 'wider than 80 columns:', line)

# A plan is replayed.
plan = run(*OPTIONS, '--operation', 'read', '--size', '16K', '--threads', '1', '--dry-run',
           '--json').stdout
again = run('run', '-', '--json', '-q', input=plan)
result = document(again)
check(list(points(result)) == [('read', 1, 16 << 10)], result['curves'])
