"""Memory of NUMA nodes: latency and bandwidth from the CPUs of each node to the memory of each, as the
simulated machine has them, nodes without CPUs and without memory included."""
import csv
import io
import json
import os

from fathom_test import check, check_refused, document, run, scratch

GB = 1e9
LATENCY = ((90, 140, 250), (150, 80, 260))
BANDWIDTH = ((8, 4, 2), (3, 9, 1.5))


def matrix(rows, unit):
    return '+'.join('/'.join(f'{part:g}{unit}' for part in row) for row in rows)


SIM = ('sim:noise=0,outliers=0,drift=0,dtlb=off,l2=off,l3=off,placement=even,cpus=2x1x2x1,'
       f'node_mem={matrix(LATENCY, "ns")},node_bandwidth={matrix(BANDWIDTH, "G")}')
SHORT = ['--nodes', '--size', '1M', '--budget', '600ms', '--seed', '1', '-q']


def cores(*options, machine=SIM):
    return run('cores', '--machine', machine, *SHORT, *options)


def near(value, truth, share):
    return abs(value - truth) <= share * truth


found = document(cores('--json'))
check(len(found['nodes']) == 6, found['nodes'])
for access in found['nodes']:
    row, column = access['cpu_node'], access['memory_node']
    check(access['cpu'] == 2 * row and access['threads'] == 2, access)
    check(near(access['latency_ns'], LATENCY[row][column], 0.06), access)  # of 1 MiB some in L1
    check(near(access['read_bytes_per_second'], BANDWIDTH[row][column] * GB, 0.05), access)
    # What is written is fetched first, and of a copy one half is.
    check(near(access['write_bytes_per_second'], BANDWIDTH[row][column] * GB / 2, 0.05), access)
    check(near(access['copy_bytes_per_second'], BANDWIDTH[row][column] * GB * 2 / 3, 0.05), access)
    check(access['node_share'] == 1, access)
    for name in ('latency', 'read', 'write', 'copy'):
        unit = 'ns' if name == 'latency' else 'bytes_per_second'
        low, value, high = (access[f'{name}_{end}{unit}'] for end in ('low_', '', 'high_'))
        check(low <= value <= high, access)
check(len(found['curves']) == 24 and found['quality'] == 'good', found['quality_reason'])
check({curve['experiment'] for curve in found['curves']} == {'nodes'}, found['curves'][0])

# In text, a page, CSV, and what hwloc-annotate takes: ns, MiB/s, the CPUs of a node as a set.
with scratch() as folder:
    path, plan = os.path.join(folder, 'nodes.json'), os.path.join(folder, 'plan.json')
    check(cores('-o', path).returncode == 0)

    def shown(*arguments):
        done = run(*arguments)
        check(done.returncode == 0, done.stderr)
        return done.stdout
    text = shown('report', path)
    for words in ('latency, ns', 'reading, GB/s', 'CPUs of node 1', 'node 2', '1.6 to 3.2 times',
                  '100 % of each'):
        check(words in text, words, text)
    check('CPUs of node 1' in shown('report', path, '--format', 'html'))
    rows = list(csv.DictReader(io.StringIO(shown('report', path, '--csv'))))
    check({(row['cpu'], row['memory_node']) for row in rows} ==
          {(cpu, node) for cpu in '02' for node in '012'}, rows[0])
    lines = shown('report', path, '--format', 'hwloc').splitlines()
    for access in found['nodes']:
        cpus = '0x00000003' if access['cpu_node'] == 0 else '0x0000000c'
        wanted = (f'hwloc-annotate "$1" "$1" -- numanode:{access["memory_node"]} -- memattr '
                  f'ReadBandwidth {cpus} ')
        values = [int(line[len(wanted):]) for line in lines if line.startswith(wanted)]
        check(len(values) == 1 and
              near(values[0], BANDWIDTH[access['cpu_node']][access['memory_node']] * GB / 2**20,
                   0.05), wanted, lines)
    check(len([line for line in lines if ' memattr ' in line]) == 24, lines)

    # Found again, measured again, replayed.
    again = document(run('fit', path, '--json', '-q'))
    check(len(again['nodes']) == 6, again['nodes'])
    compared = document(run('check', path, '--budget', '600ms', '--json', '-q'))
    parts = {part['name']: part['verdict'] for part in compared['runs'][0]['parts']}
    check(len([name for name in parts if 'memory of node 2' in name]) == 8, parts)
    check(set(parts.values()) <= {'same', 'unknown'}, parts)
    with open(plan, 'w', encoding='utf-8') as file:
        file.write(shown('cores', '--machine', SIM, *SHORT, '--dry-run', '--json'))
    check(document(run('run', plan, '--json', '-q'))['nodes'] == found['nodes'])

# One node alone, of those that are there; without memory, without CPUs that may be used.
found = document(cores('--memory-node', '2', '--json'))
check([access['memory_node'] for access in found['nodes']] == [2, 2], found['nodes'])
check_refused(cores('--memory-node', '3'), 2, 'NUMA node 3')
bare = document(cores('--json', machine=SIM + ',node_memory=1G/0/1G'))
check({access['memory_node'] for access in bare['nodes']} == {0, 2}, bare['nodes'])
check([one['where'] for one in bare['warnings'] if one['id'] == 'node-without-memory'] ==
      ['node 1'], bare['warnings'])
small = document(cores('--json', machine=SIM + ',node_memory=1G/64K/1G'))
check(any(one['id'] == 'nodes-failed' and one['where'] == 'node 0 to node 1, and 1 more'
          for one in small['warnings']) and len(small['nodes']) == 4, small['warnings'])
lone = document(cores('--json', machine=SIM + ',offline=2+3'))
check({access['cpu_node'] for access in lone['nodes']} == {0}, lone['nodes'])

# A node that loses its CPU is left out: none of its numbers is of another CPU. Where no memory may be bound,
# that of the CPU's own node is measured.
gone = document(cores('--json', machine=SIM + ',lost=2+3/60ms'))
check({access['cpu_node'] for access in gone['nodes']} == {0} and len(gone['nodes']) == 3, gone['nodes'])
check([(one['where'], 'cpu 2' in one['text']) for one in gone['warnings'] if one['id'] == 'nodes-failed'] ==
      [('node 1 to node 0, and 2 more', True)], gone['warnings'])
check_refused(cores('--json', machine=SIM + ',lost=0-2/60ms'), 3, 'cpu 0')
shut = document(cores('--json', machine=SIM + ',membind=off'))
check([(access['cpu_node'], access['memory_node']) for access in shut['nodes']] == [(0, 0), (1, 1)], shut['nodes'])
check([(one['where'], bool(one['hint'])) for one in shut['warnings'] if one['id'] == 'nodes-failed'] ==
      [('node 0 to node 1, and 3 more', True)], shut['warnings'])
check_refused(cores('--memory-node', '2', machine=SIM + ',membind=off'), 3, 'cannot bind memory')

# Beside pairs, of the CPUs that were asked for, in what time is left; nothing of what is not past the
# caches. (Less bandwidth is fewer simulated accesses.)
LESS = [[part / 8 for part in row] for row in BANDWIDTH]
SMALL = (SIM.replace('l2=off,l3=off', 'l1=16K/8/lru/5c,l2=64K/8/lru/14c,l3=256K/16/lru/46c')
         .replace(matrix(BANDWIDTH, 'G'), matrix(LESS, 'G')) + ',node_memory=16M/16M/16M')


def beside(*options, machine=SMALL):
    return document(run('cores', '--machine', machine, '--seed', '1', '--json', '-q', *options))


def noted(result, name):
    return [one['text'] for one in result['warnings'] if one['id'] == name]


found = beside()
check([one['kind'] for one in found['core_classes']] == ['same_cache', 'other_socket'],
      found['core_classes'])
check(len(found['nodes']) == 6 and found['contention'] and found['shared_caches'], found.keys())
for access in found['nodes']:
    row, column = access['cpu_node'], access['memory_node']
    check(near(access['latency_ns'], LATENCY[row][column], 0.06), access)
    check(near(access['read_bytes_per_second'], LESS[row][column] * GB, 0.05), access)
    check(access['size_bytes'] >= 2 * 256 * 1024, access)
with scratch() as folder:
    path = os.path.join(folder, 'cores.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(found, file)
    again = document(run('check', path, '--dry-run', '--json'))
    check(again['experiment'] == 'core_to_core' and again['nodes'] and 'pairs_only' not in again, again)
    parts = document(run('compare', path, path, '--json', '-q'))['runs'][0]['parts']
check(len([part for part in parts if 'memory of node 2' in part['name']]) == 8, parts)
text = run('report', '-', input=json.dumps(found)).stdout
check('same cache' in text and 'CPUs of node 1' in text, text)
some = beside('--cpu', '2-3')
check({(access['cpu'], access['cpu_node']) for access in some['nodes']} == {(2, 1)}, some['nodes'])
check('nodes' not in beside('--pairs-only'))
late = beside('--budget', '300ms')
check('nodes' not in late and noted(late, 'nodes-left-out'), late['warnings'])
tight = beside('--budget', '500ms', machine=SMALL + ',os_l3=60M')
check('nodes' not in tight and 'too little memory' in noted(tight, 'nodes-left-out')[0],
      tight['warnings'])
moved = beside(machine=SMALL + ',moving=5ms')
check('nodes' not in moved and noted(moved, 'cpus-moved') and 'moved' in noted(moved, 'nodes-left-out')[0],
      moved['warnings'])
alone = beside(machine='sim:cpus=2,l1=16K/8/lru/5c,l2=64K/8/lru/14c,l3=off')
check('nodes' not in alone and noted(alone, 'one-node'), alone['warnings'])
# In a survey too, whose other numbers are not of them.
FEW = SMALL.replace('cpus=2x1x2x1', 'cpus=2x1x1x1') + ',dram=1x16/25.6ns/28ns/8ns/300ns'
survey = document(run('survey', '--machine', FEW, '--seed', '1', '--budget', '2s', '--max-size', '512K',
                      '--no-report', '--json', '-q'))
check(len(survey['nodes']) == 6, survey.get('nodes'), survey['warnings'])
for access in survey['nodes']:
    check(near(access['latency_ns'], LATENCY[access['cpu_node']][access['memory_node']], 0.06), access)
text = run('report', '-', input=json.dumps(survey)).stdout
check('Memory of another node takes 1.6 to 3.2 times' in ' '.join(text.split()), text)
check('CPUs 0, 2' not in text, text)

# One node: nothing to hold it against, and no number.
check_refused(cores(machine='sim:cpus=4'), 3, 'one NUMA node')
check_refused(cores('--size', '1M,2M'), 2, 'one size')
check_refused(run('report', '--format', 'hwloc', '-', input='1024,1\n2048,2\n4096,3\n'), 5, 'NUMA')
