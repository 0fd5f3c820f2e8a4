"""Bytes in random order: one at a time, and through an index array as simple benchmarks do it, with
the least of ten means beside the estimate."""
import json
import re

from fathom_test import check, check_refused, document, run

MACHINE = ['--machine', 'sim:l1=4K/4/lru/4c,l2=64K/8/lru/14c,l3=off,mem=80ns,noise=0,outliers=0,'
           'disturb=2%:20us', '--seed', '7']


def points(result, pattern):
    return [point for curve in result['curves'] for point in curve['points']
            if point['pattern'] == pattern]


done = run('patterns', *MACHINE, '--spacing', '1', '--size', '1K,32K,256K', '--cold', 'none',
           '--budget', '2s', '--steps', '100000', '--json', '--quiet')
rows = points(document(done), 'index_array')
check(not points(document(done), 'index_volatile'), 'it is in the table only on request')
check([point['size_bytes'] for point in rows] == [1 << 10, 32 << 10, 256 << 10], rows)
for point in rows:
    check(point['node_bytes'] == 1 and point['link'] == 'byte', point)
    # What is stolen from some batches is in the means, and not in the estimate.
    check(0.99 < point['least_mean_ns_per_access'] / point['ns_per_access'] < 3, point)
text = run('patterns', *MACHINE, '--spacing', '1', '--size', '1K,32K', '--cold', 'none', '--budget',
           '2s', '--steps', '100000', '--quiet').stdout
check('least of 10 means' in text, text)

# The index array alone: every point has its ten means.
done = run('patterns', *MACHINE, '--pattern', 'index_array', '--spacing', '1', '--size', '1K,32K',
           '--cold', 'none', '--budget', '1s', '--steps', '100000', '--json', '--quiet')
result = document(done)
check({point['pattern'] for curve in result['curves'] for point in curve['points']} ==
      {'index_array'}, result['curves'])
rows = points(result, 'index_array')
check(len(rows) == 2, rows)
check(all(point['least_mean_ns_per_access'] for point in rows), rows)

# The same loop with a store to a volatile variable.
done = run('patterns', *MACHINE, '--pattern', 'index_array,index_volatile', '--spacing', '1',
           '--size', '1K,32K', '--cold', 'none', '--budget', '1s', '--steps', '100000', '--json', '--quiet')
result = document(done)


def store_sentence(intervals):
    """Of this result with so many ns, and that interval, at 1 KiB: without the store, and with it."""
    for pattern, (value, low, high) in zip(('index_array', 'index_volatile'), intervals):
        points(result, pattern)[0].update(ns_per_access=value, low_ns_per_access=low, high_ns_per_access=high,
                                          blocks_ns=[value] * 10, within_target=False,
                                          cycles_per_access=None,
                                          low_cycles_per_access=None, high_cycles_per_access=None)
    text = run('report', '-', '--format', 'text', input=json.dumps(result)).stdout
    return re.search(r'at [\d.]+ KiB an access takes .* volatile variable: .*?(?= estimate:)', ' '.join(text.split())).group()


check(re.match('at 1 KiB .* no difference beyond the intervals', store_sentence([(0.32, 0.31, 0.34), (0.33, 0.32, 0.36)])),
      'intervals that meet')
check(re.match(r'at 1 KiB .* 25 % \(18 to 33\) more', store_sentence([(0.32, 0.31, 0.33), (0.40, 0.39, 0.41)])), 'a difference')
check(store_sentence([(0.314, 0.31, 0.38), (0.381, 0.01, 0.60)]).startswith('at 32 KiB'), 'a wide interval')

# On this machine; what it has no time for on a busy one is left out.
for budget in ('500ms', '4s', '30s'):
    result = document(run('patterns', '--pattern', 'index_array,index_volatile', '--spacing', '4', '--size', '4K',
                          '--cold', 'none', '--budget', budget, '--json', '--quiet'))
    found = points(result, 'index_array') + points(result, 'index_volatile')
    if len(found) == 2:
        break
without, kept = found
check(kept['instructions_per_access'] in (0, without['instructions_per_access'] + 1), kept)
check(kept['least_mean_ns_per_access'] > 0, kept)
check_refused(run('patterns', '--pattern', 'stride_loop', '--stride', '100', '--dry-run'), 2,
              'stride_loop')

# One at a time: a byte costs what its cache does, whatever the link.
done = run('latency', *MACHINE, '--pattern', 'independent', '--spacing', '1', '--max-size', '512K',
           '--per-octave', '1', '--budget', '1s', '--json', '--quiet')
latencies = {point['size_bytes']: point['latency_ns'] for point in
             points(document(done), 'independent')}
check(abs(latencies[1 << 10] - 4 / 3.6) < 0.05, latencies)
check(latencies[512 << 10] > 40, latencies)

# What cannot be is refused with both options named, and what can be instead.
check_refused(run('latency', '--spacing', '1', '--dry-run'), 2, 'random_cycle', '--spacing')
check_refused(run('latency', '--spacing', '4', '--link', 'pointer', '--dry-run'), 2, '--spacing',
              '--link pointer')
