"""A document that contradicts itself is refused by all that read one, and the field is named; what
only a disturbed run can have led to is withheld."""
import copy
import json
import os

from fathom_test import check, check_refused, document, run, scratch

LANES = ['parallelism', '--machine', 'sim:', '--seed', '3', '--size', '4M', '--lanes', '8', '--budget',
         '150ms', '-q', '--json']
STREAMS = ['bandwidth', '--machine', 'sim:cpus=2', '--seed', '3', '--size', '8K,1M', '--threads', '1,2', '--budget',
           '40ms', '-q', '--json']
LATENCY = ['latency', '--machine', 'sim:', '--seed', '7', '--max-size', '1M', '--budget', '20ms', '-q',
           '--json']

latency = document(run(*LATENCY))
lanes = document(run(*LANES))
streams = document(run(*STREAMS))
point = latency['curves'][0]['points'][3]
ns, cycles = point['latency_ns'], point['latency_cycles']


def at_point(**fields):
    return lambda result: result['curves'][0]['points'][3].update(fields)


def at_level(which, **fields):
    return lambda result: result['levels'][which].update(fields)


def at_top(**fields):
    return lambda result: result.update(fields)


HOSTILE = [
    (at_point(latency_low_ns=2 * ns, latency_high_ns=3 * ns), 'points[3].latency_ns'),
    (at_point(latency_cycles=100 * cycles, latency_low_cycles=None, latency_high_cycles=None),
     'points[3].latency_cycles'),
    (at_point(blocks_ns=[-value for value in point['blocks_ns']]), 'points[3].blocks_ns'),
    (at_point(blocks_ns=[1e6 * value for value in point['blocks_ns']]), 'points[3].blocks_ns'),
    (at_point(blocks_ns=[1.02 * value for value in point['blocks_ns']]), 'points[3].blocks_ns'),
    (at_point(within_target=True, latency_low_ns=ns / 2, latency_high_ns=1.5 * ns),
     'points[3].within_target'),
    (at_point(latency_mean_ns=1e-9), 'points[3].latency_mean_ns'),
    (at_point(latency_mean_ns=-1), 'points[3].latency_mean_ns'),
    (at_point(page_bytes=4097), 'points[3].page_bytes'),
    (at_point(lines_touched=10 ** 9), 'points[3].lines_touched'),
    (at_point(placements=0), 'points[3].placements'),
    (at_point(accesses=1), 'points[3].accesses'),
    (at_point(watched=4, rejected={'sibling': 5}), 'points[3].watched'),
    (at_point(clock_hz=-3e9), 'points[3].clock_hz'),
    (at_point(page_share=5), 'points[3].page_share'),
    (at_point(page_share=-1), 'points[3].page_share'),
    (at_point(lanes=10 ** 9), 'points[3].lanes'),
    (at_point(lanes=0), 'points[3].lanes'),
    (at_point(node_bytes=2 ** 63 - 1), 'points[3].node_bytes'),
    (at_point(nodes=0), 'points[3].nodes'),
    (at_point(nodes=point['nodes'] + 1), 'points[3].nodes'),
    (at_top(elapsed_s=-1), 'elapsed_s'),
    (at_top(measured_at='yesterday'), 'measured_at'),
    (at_top(measured_at='2026-13-01T00:00:00Z'), 'measured_at'),
    (lambda result: result['clock'].update(min_hz=5e9), 'clock'),
    (at_level(0, size_bytes=-1), 'levels[0].size_bytes'),
    (at_level(0, confidence=1.5), 'levels[0].confidence'),
    (at_level(1, latency_ns=100 * latency['levels'][1]['latency_ns']), 'levels[1].latency_ns'),
    (at_level(1, latency_ns=0.01, latency_low_ns=None, latency_high_ns=None),
     'levels[1].latency_ns'),
    (at_level(0, latency_cycles=2 * latency['levels'][0]['latency_cycles'], latency_low_cycles=None,
              latency_high_cycles=None), 'levels[0].latency_cycles'),
    (at_level(1, size_bytes=1024, size_low_bytes=None, size_high_bytes=None),
     'levels[1].size_bytes'),
]

threads = next(i for i, curve in enumerate(streams['curves']) if curve['points'][0]['threads'] > 1)


def at_stream(**fields):
    return lambda result: result['curves'][threads]['points'][1].update(fields)


HOSTILE_STREAMS = [
    (at_stream(threads=3), 'bandwidth_bytes_per_second'),
    (at_stream(bandwidth_best_bytes_per_second=1), 'bandwidth_best_bytes_per_second'),
    (at_stream(traffic_bytes_per_second=1), 'traffic_bytes_per_second'),
    (at_stream(bandwidth_fastest_thread_bytes_per_second=1,
               bandwidth_slowest_thread_bytes_per_second=2),
     'bandwidth_fastest_thread_bytes_per_second'),
    (at_stream(mean_ns_per_access=1e-6), 'mean_ns_per_access'),
]

with scratch() as folder:
    path = os.path.join(folder, 'run.json')
    whole = os.path.join(folder, 'whole.json')

    def write(result, name=path):
        with open(name, 'w', encoding='utf-8') as file:
            json.dump(result, file)

    write(latency, whole)
    for change, field in HOSTILE:
        result = copy.deepcopy(latency)
        change(result)
        write(result)
        check_refused(run('fit', path), 5, path, field)
        check_refused(run('report', path, '--format', 'markdown'), 5, field)
        check_refused(run('compare', whole, path), 5, field)

    for change, field in HOSTILE_STREAMS:
        result = copy.deepcopy(streams)
        change(result)
        write(result)
        check_refused(run('report', path), 5, path, f"points[1].{field}'")
    # A row of CSV is no better.
    write(streams)
    csv = run('report', path, '--csv').stdout
    heading = csv.splitlines()[0].split(',')
    rows = [line.split(',') for line in csv.splitlines()[1:]]
    rows[0][heading.index('bandwidth_best_bytes_per_second')] = '1'
    done = run('report', '-', input='\n'.join(','.join(row) for row in [heading, *rows]))
    check_refused(done, 5, "line 2: 'bandwidth_best_bytes_per_second'")

    # Of cold caches the cost of reading the clock may be more than a short lap.
    result = copy.deepcopy(latency)
    at_point(warmth='cold_flushed', latency_ns=-0.1, latency_low_ns=None, latency_high_ns=None,
             latency_cycles=None, latency_low_cycles=None, latency_high_cycles=None,
             blocks_ns=[-0.1], latency_mean_ns=-0.2, within_target=False)(result)
    write(result)
    check(run('report', path, '--csv').returncode == 0, 'what cold memory gives is refused')

    # Levels that another version found are told to be others than those that this one finds.
    result = copy.deepcopy(latency)
    at_level(0, size_bytes=20000, size_low_bytes=19000, size_high_bytes=21000)(result)
    write(result)
    changed = [one['text'] for one in document(run('fit', path, '--json'))['warnings']
               if one['id'] == 'levels-changed']
    check(len(changed) == 1, changed)
    result['levels'][-1]['name'] = 'step 9'
    del result['levels'][1]
    write(result)
    changed = [one['text'] for one in document(run('fit', path, '--json'))['warnings']
               if one['id'] == 'levels-changed']
    check(len(changed) == 1 and '; gone: step 9; new: ' in changed[0], changed)
    result = copy.deepcopy(latency)
    second = next(i for i, level in enumerate(result['levels']) if level['name'] == 'L2')
    del result['levels'][second]
    write(result)
    changed = [one['text'] for one in document(run('fit', path, '--json'))['warnings']
               if one['id'] == 'levels-changed']
    check(len(changed) == 1 and changed[0].startswith('in the document it is not a level; '), changed)
    check('levels-changed' not in run('fit', whole, '--json').stdout)

    # One lane that was disturbed makes an MLP that cannot be: it is left out, and a warning says so.
    along = lanes['parallelism'][-1]['curve']
    slow = lanes['curves'][along]['points'][0]
    check(slow['lanes'] == 1, slow)
    slow['blocks_ns'] = [3 * value for value in slow['blocks_ns']]
    for name in ('latency_ns', 'latency_low_ns', 'latency_high_ns', 'latency_cycles',
                 'latency_low_cycles', 'latency_high_cycles'):
        slow[name] = slow[name] and 3 * slow[name]
    lanes['parallelism'][-1].update(speedup=20, speedup_low=19, speedup_high=21)
    write(lanes)
    for command in (['fit', path, '--json'], ['report', path, '--format', 'json']):
        read = document(run(*command))
        check(read['parallelism'][-1]['speedup'] is None, read['parallelism'][-1])
        check(read['curves'][along]['points'][0]['latency_ns'] is None)
        check('one-lane-disturbed' in [one['id'] for one in read['warnings']], read['warnings'])
    markdown = run('report', path, '--format', 'markdown').stdout
    table = markdown.split('## Memory-level parallelism')[1].split('\n## ')[0].splitlines()
    rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in table
            if line.startswith('|')]
    check(rows[-1][rows[0].index('MLP')] == '-', rows)
