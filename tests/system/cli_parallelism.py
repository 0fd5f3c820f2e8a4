"""Knees and what limits are found on a simulated machine whose caches can wait for so many misses."""
from fathom_test import check, document, run

MACHINE = ('sim:l1=8K/8/lru/5c,l2=64K/8/lru/15c,l3=off,mem=80ns,dtlb=off,misses=8/12,noise=0.3%,'
           'outliers=0,drift=0')
COMMON = ['parallelism', '--machine', MACHINE, '--page', '4K', '--seed', '3', '--quiet']


def near(value, truth, share=0.02):
    return abs(value / truth - 1) <= share


result = document(run(*COMMON, '--size', '4K,32K', '--lanes', '12', '--budget', '150ms', '--json'))
lanes = [curve for curve in result['curves'] if curve['axis'] == 'lanes']
check([len(curve['points']) for curve in lanes] == [12, 12])
for curve in lanes:
    for index, point in enumerate(curve['points']):
        check(point['lanes'] == index + 1 and point['pattern'] == 'random_cycle')
        check((point['latency_ns'] is None) == (index > 0), 'nobody may be off by D:', point)
first, second = result['parallelism']
# One access a cycle is issued, and a hit takes 5 cycles: 5 lanes hide it, and then the loop limits.
check(near(first['speedup'], 5) and first['knee_lanes'] == 5 and first['limit'] == 'loop', first)
# 8 misses of the first cache at a time.
check(near(second['speedup'], 8) and second['knee_lanes'] == 8, second)
check(near(second['little_lines'], 8), second)
check(near(second['bytes_per_second'], 8 * 64 / (15 / 3.6e9)), second)
check(second['read_low_bytes_per_second'] <= second['read_bytes_per_second'] <= second['read_high_bytes_per_second'], second)

# Without sizes a sweep finds the levels first.
result = document(run(*COMMON, '--max-size', '512K', '--lanes', '9', '--budget', '250ms', '--json'))
check([level['name'] for level in result['levels']] == ['L1', 'L2', 'memory'], result['levels'])
check([each['level'] for each in result['parallelism']] == ['L1', 'L2', 'memory'])
sizes = [each['size_bytes'] for each in result['parallelism']]
check(sizes[0] < 8 << 10 < sizes[1] < 64 << 10 < sizes[2], sizes)

# Separate cycles, and a plan that is printed and measured again.
plan = run(*COMMON, '--size', '4K', '--lanes', '2', '--separate', '--node', '4', '--link',
           'index32', '--budget', '40ms', '--dry-run', '--json').stdout
with open('plan.json', 'w') as file:
    file.write(plan)
result = document(run('run', 'plan.json', '--json', '--quiet'))
check([(point['pattern'], point['node_bytes'], point['lanes'])
       for point in result['curves'][0]['points']] ==
      [('separate_cycles', 4, 1), ('separate_cycles', 4, 2)])

# A pool that holds a chain, but not what all CPUs read, is left to others.
plan = document(run('parallelism', '--machine', 'sim:cpus=2,pool2m=64', '--size', '128M', '--dry-run',
                    '--json'))
check({spec['page_kind'] for spec in plan['specs']} == {'thp', '4k'}, plan['specs'][0])
# A sweep that leaves no time for the lanes says so.
SMALL = 'sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off'
result = document(run('parallelism', '--machine', SMALL, '--spacing', '4', '--max-size', '16M',
                      '--budget', '10ms', '--json', '--quiet'))
check('no-lanes' in [warning['id'] for warning in result['warnings']], result['warnings'])
