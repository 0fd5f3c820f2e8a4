"""Fleets of machines that do not exist: documents of nodes that are alike but for what makers and firmware leave
to chance, of which some have one fault each.

    fleets.py FOLDER [--nodes N] [--seed S] [--faults SHARE] [--curves BYTES] ...

What a fault does is written here from what it is in hardware: channels, clocks, slices, tables. It knows nothing of
the rules by which `fathom fleet` tells causes (src/model/fleet/fleet_rules.c).
"""
import argparse
import copy
import json
import math
import os
import random

# The spread of a number between nodes, and the noise within one: the half-width of 95 %, as fathom's intervals are.
BETWEEN = 0.02
WITHIN = 0.01
SIGMA_95 = 1.96

KINDS = [
    {'name': 'epyc', 'cpu': 'AMD EPYC 9354 32-Core Processor', 'signature': 'family 25, model 17, stepping 1',
     'microcode': '0xa101148', 'cores': 64, 'smt': 2, 'clock_ghz': 3.75, 'all_clock_ghz': 3.45, 'l1_cycles': 4,
     'l1_kib': 32, 'l2_cycles': 14, 'l2_kib': 1024, 'l3_core_cycles': 46, 'l3_ns': 0.5, 'l3_kib': 32768,
     'fabric_ns': 52, 'dram_ns': 38, 'burst_cycles': 50, 'channels': 12, 'mts': 4800, 'numa': 1, 'lines': 24,
     'prefetch': 2.4, 'tlb1': 72, 'tlb2': 3072, 'walk_cycles': 22, 'core_near_ns': 24, 'core_far_ns': 118,
     'memory_gib': 768, 'read_bytes': 64, 'hypervisor': None, 'thp': 'madvise'},
    {'name': 'xeon', 'cpu': 'Intel(R) Xeon(R) Platinum 8480+', 'signature': 'family 6, model 143, stepping 8',
     'microcode': '0x2b000603', 'cores': 112, 'smt': 2, 'clock_ghz': 3.8, 'all_clock_ghz': 3.0, 'l1_cycles': 5,
     'l1_kib': 48, 'l2_cycles': 16, 'l2_kib': 2048, 'l3_core_cycles': 26, 'l3_ns': 26, 'l3_kib': 107520,
     'fabric_ns': 40, 'dram_ns': 40, 'burst_cycles': 60, 'channels': 8, 'mts': 4800, 'numa': 2, 'lines': 16,
     'prefetch': 3.0, 'tlb1': 96, 'tlb2': 2048, 'walk_cycles': 28, 'core_near_ns': 58, 'core_far_ns': 140,
     'memory_gib': 512, 'read_bytes': 128, 'hypervisor': None, 'thp': 'always'},
    {'name': 'guest', 'cpu': 'Neoverse-V2', 'signature': 'implementer 0x41, part 0xd4f', 'microcode': None,
     'cores': 48, 'smt': 1, 'clock_ghz': 2.8, 'all_clock_ghz': 2.8, 'l1_cycles': 4, 'l1_kib': 64, 'l2_cycles': 11,
     'l2_kib': 2048, 'l3_core_cycles': 30, 'l3_ns': 22, 'l3_kib': 36864, 'fabric_ns': 38, 'dram_ns': 42,
     'burst_cycles': 55, 'channels': 12, 'mts': 5600, 'numa': 1, 'lines': 32, 'prefetch': 1.8, 'tlb1': 48,
     'tlb2': 2048, 'walk_cycles': 26, 'core_near_ns': 46, 'core_far_ns': 62, 'memory_gib': 192, 'read_bytes': 48,
     'hypervisor': 'KVM', 'thp': 'madvise'},
]


# ---- what a machine has: physics ----

def numbers_of(machine):
    """Of its parts to what is measured, without chance. ns, bytes, bytes a second."""
    clock, uncore = machine['clock_ghz'], machine.get('uncore', 1)
    l1, l2 = machine['l1_cycles'] / clock, machine['l2_cycles'] / clock
    l3 = machine['l3_core_cycles'] / clock + machine['l3_ns'] / uncore
    l3 *= machine.get('l3_queue', 1)
    # A burst and the controller follow the memory's clock (half its transfers), the array of the DRAM does not.
    memory = l3 + machine['fabric_ns'] + machine['dram_ns'] + machine['burst_cycles'] / (machine['mts'] / 2000)
    memory += machine.get('memory_more_ns', 0)
    memory *= machine.get('memory_queue', 1) * machine.get('latency', 1)
    # The leaf tables of a large array lie in L3: most walks read one line there.
    walk = machine['walk_cycles'] / clock + 0.5 * l3
    large = memory + walk if machine.get('splintered') else memory
    thp = machine['thp'] != 'never'
    default = large if machine['thp'] == 'always' else memory + walk
    peak = machine['channels'] * machine['mts'] * 1e6 * 8 * 0.8 * machine.get('bandwidth', 1)
    peak *= machine.get('bandwidth_left', 1)
    best = large if thp else memory + walk
    in_order = memory + (0 if thp and not machine.get('splintered') else walk / 64)  # a walk a page, not a line
    one = machine['lines'] * 64 / in_order * 1e9 * machine['prefetch'] / 2 * machine.get('bandwidth', 1)
    one *= machine.get('one_left', 1)
    # More cores than one queue at the controllers: the less there is, the earlier.
    overlap = machine['lines'] * 0.8
    reach = machine['l3_kib'] * 1024 * 0.85
    return {
        'clock': clock * 1e9,
        'l1': l1, 'l1_cycles': machine['l1_cycles'], 'l1_size': machine['l1_kib'] * 1024,
        'l2': l2, 'l2_cycles': machine['l2_cycles'], 'l2_size': machine['l2_kib'] * 1024,
        'l3': l3, 'l3_cycles': l3 * clock, 'l3_size': reach,
        'memory': default, 'base': memory + walk, 'large': large if thp else None, 'lane': best, 'overlap': overlap,
        'pages': max(walk if not machine.get('splintered') else 0.02 * walk, 0.05) if thp else None,
        'tlb1': machine['tlb1'], 'tlb2': machine['tlb2'],
        'l1_all': machine['cores'] * machine['read_bytes'] * machine['all_clock_ghz'] * 1e9 *
        (1.0 if machine['smt'] > 1 else machine.get('no_smt', 1)),
        'read': min(one, peak), 'read_all': peak,
        'node': memory if machine['numa'] > 1 else None,
        'node_read': peak / machine['numa'] if machine['numa'] > 1 else None,
        'near': machine['core_near_ns'] * (0.4 + 0.6 * machine['clock_0'] / clock),
        'far': machine['core_far_ns'] * (0.7 + 0.3 * machine['clock_0'] / clock),
    }


# Which part makes a number vary between nodes, where parts vary and not numbers.
PART_OF = {'clock': 'clock', 'l1': 'clock', 'l2': 'clock', 'l3': 'l3', 'l3_cycles': 'l3', 'l1_cycles': None,
           'l2_cycles': None, 'memory': 'memory', 'base': 'memory', 'large': 'memory', 'lane': 'memory', 'node': 'memory',
           'read': 'memory', 'read_all': 'channels', 'node_read': 'channels', 'l1_all': 'clock',
           'near': 'mesh', 'far': 'mesh'}
TURNED = {'l1', 'l2', 'read'}  # more of the part is less of these


# ---- faults ----

def channel_missing(machine, draw):
    k = machine['channels']
    machine['channels'] = k - 1
    machine['memory_gib'] *= (k - 1) / k if draw.random() < 0.7 else 1


def memory_clock(machine, draw):
    machine['mts'] = draw.choice([0.67, 0.75, 0.83, 0.9]) * machine['mts']


def core_clock(machine, draw):
    share = draw.uniform(0.6, 0.93)
    machine['clock_ghz'] *= share
    machine['all_clock_ghz'] *= share
    if draw.random() < 0.3:
        machine['governor'] = 'powersave'


def thp_off(machine, _):
    machine['thp'] = 'never'


def splintered(machine, _):
    machine['splintered'] = True


def l3_less(machine, draw):
    machine['l3_kib'] *= draw.choice([1 - 1 / 8, 1 - 1 / 16 * 3, 0.75, 0.5, 0.25])


def numa_setting(machine, draw):
    before = machine['numa']
    machine['numa'] = draw.choice([n for n in (1, 2, 4) if n != before])
    # A part of the channels, which is nearer on average; or all of them.
    machine['memory_more_ns'] = 7 * (math.log2(before) - math.log2(machine['numa']))


def smt(machine, draw):
    machine['no_smt'] = draw.uniform(0.97, 1.03)
    machine['smt'] = 1 if machine['smt'] > 1 else 2


def power_cap(machine, draw):
    machine['all_clock_ghz'] *= draw.uniform(0.6, 0.92)
    machine['bandwidth_left'] = draw.uniform(0.93, 1)


def neighbour(machine, draw):
    takes = draw.uniform(0.15, 0.5)  # of cache and memory
    machine['l3_kib'] *= 1 - takes
    machine['l3_queue'] = 1 + 0.2 * takes
    machine['memory_queue'] = 1 + draw.uniform(0.25, 0.5) * takes
    machine['bandwidth_left'] = 1 - draw.uniform(0.5, 0.9) * takes
    machine['one_left'] = 1 - draw.uniform(0.2, 0.5) * takes
    machine['noise'] = draw.uniform(1.8, 4)


def microcode(machine, draw):
    machine['microcode'] = '0x' + ''.join(draw.choice('0123456789abcdef') for _ in range(7))
    machine['l2_cycles'] *= draw.choice([1, 1, 1.02])
    machine['walk_cycles'] *= draw.choice([1, 1.1])


def bandwidth_5(machine, _):
    machine['bandwidth'] = 0.95


def latency_3(machine, _):
    machine['latency'] = 1.03


def clock_5(machine, _):
    machine['clock_ghz'] *= 0.95
    machine['all_clock_ghz'] *= 0.95


# Name: (what it does, the causes that are right). The three small ones are judged by being found.
FAULTS = {
    'memory-channel': (channel_missing, {'memory-channel'}),
    'memory-clock': (memory_clock, {'memory-clock'}),
    'core-clock': (core_clock, {'core-clock'}),
    'thp-off': (thp_off, {'thp-off'}),
    'splintered': (splintered, {'splintered'}),
    'l3-less': (l3_less, {'l3-less'}),
    'numa-setting': (numa_setting, {'numa-setting'}),
    'smt': (smt, {'smt'}),
    'power-cap': (power_cap, {'power-cap'}),
    'neighbour': (neighbour, {'neighbour'}),
    'microcode': (microcode, {'microcode'}),
    'bandwidth -5 %': (bandwidth_5, {'memory-bandwidth'}),
    'latency +3 %': (latency_3, {'memory-timings'}),
    'clock -5 %': (clock_5, {'core-clock'}),
}

def can_have(kind, fault):
    return not (fault == 'microcode' and not kind['microcode']) and not (fault == 'smt' and kind['name'] == 'guest')


# ---- a node's document ----

class Chance:
    """What a node has by chance: between nodes, once; within, anew in each run."""

    def __init__(self, seed, between, by_part):
        self.draw = random.Random(seed)
        self.sigma = between / SIGMA_95
        self.by_part = by_part
        self.own = {}

    def of(self, name):
        key = PART_OF.get(name, name) if self.by_part else name
        if key is None:
            return 1
        if key not in self.own:
            self.own[key] = math.exp(self.draw.gauss(0, self.sigma))
        return self.own[key] ** (-1 if self.by_part and name in TURNED else 1)


def interval(value, sigma, draw):
    """Measured, with a 95 % interval whose width is itself an estimate."""
    if value is None:
        return None, None, None
    measured = value * math.exp(draw.gauss(0, sigma))
    half = SIGMA_95 * sigma * math.exp(draw.gauss(0, 0.15))
    return measured, measured * math.exp(-half), measured * math.exp(half)


def level(name, value, size=None, cycles=None):
    ns, low, high = value
    entry = {'name': name, 'kind': 'memory' if name == 'memory' else 'cache', 'curve': 0, 'confidence': 1.0,
             'size_bytes': None, 'size_low_bytes': None, 'size_high_bytes': None, 'latency_ns': ns,
             'latency_low_ns': low, 'latency_high_ns': high, 'latency_cycles': None, 'latency_low_cycles': None,
             'latency_high_cycles': None, 'at_bytes': 1 << 30 if name == 'memory' else None}
    if size:
        entry.update(zip(('size_bytes', 'size_low_bytes', 'size_high_bytes'), (int(v) for v in size)))
    if cycles:
        entry.update(zip(('latency_cycles', 'latency_low_cycles', 'latency_high_cycles'), cycles))
    return entry


def rate(name, value):
    return {f'{name}_bytes_per_second': value[0], f'{name}_low_bytes_per_second': value[1],
            f'{name}_high_bytes_per_second': value[2]}


def cost(value):
    return {'ns': value[0], 'low_ns': value[1], 'high_ns': value[2]}


def machine_of(machine, host):
    caches = [{'level': 1, 'kind': 'data', 'size_bytes': machine['l1_kib'] * 1024, 'line_bytes': 64, 'ways': 8,
               'shared_cpus': machine['smt']}]
    return {'description': None, 'hostname': host, 'cpu_model': machine['cpu'],
            'cpu_signature': machine['signature'], 'microcode': machine['microcode'], 'architecture': 'x86_64',
            'kernel': machine.get('kernel', 'Linux 6.12.9'), 'hypervisor': machine['hypervisor'], 'container': None,
            'allowed_cpus': f'0-{machine["cores"] * machine["smt"] - 1}',
            'online_cpus': machine['cores'] * machine['smt'], 'smt_threads': machine['smt'], 'cpu_kinds': [],
            'caches': caches, 'nodes': [{'id': i, 'memory_bytes': None, 'cpus': None}
                                        for i in range(machine['numa'])],
            'default_cpu': 0, 'base_page_bytes': 4096, 'thp_page_bytes': 2 << 20, 'thp_state': machine['thp'],
            'governor': machine.get('governor', 'performance'), 'boost': True,
            'memory_bytes': int(machine['memory_gib'] * 2 ** 30 * 0.985), 'conditions': []}


def filler(size):
    """Curves of that many bytes, as a survey has them; no fleet reads them."""
    point = {'pattern': 'random_cycle', 'warmth': 'warm', 'link': 'pointer', 'size_bytes': 6144, 'nodes': 96,
             'node_bytes': 64, 'lanes': 1, 'threads': 1, 'page_kind': 'default', 'latency_ns': 1.36,
             'blocks_ns': [1.36512345] * 12, 'evidence': 'a text with [ and "quotes"'}
    count = max(1, size // len(json.dumps(point)))
    return [{'experiment': 'latency', 'axis': 'size', 'cpu': 0, 'points': [point] * count}]


def document(kind, host, seed, fault=None, between=BETWEEN, within=WITHIN, by_part=False, run=0, disturbed=None):
    """What fathom would write of that node, without curves. `run`: another time on the same node."""
    machine = copy.deepcopy(kind)
    machine['clock_0'] = kind['clock_ghz']
    if fault:
        FAULTS[fault][0](machine, random.Random(f'{seed} fault'))
    chance = Chance(f'{seed} node', between, by_part)
    draw = random.Random(f'{seed} run {run}')
    sigma = within / SIGMA_95 * machine.get('noise', 1) * (6 if disturbed else 1)
    shift = draw.uniform(1.05, 1.6) if disturbed else 1
    value = {}
    for name, number in sorted(numbers_of(machine).items()):
        moved = None if number is None else number * chance.of(name) * (shift if name != 'clock' else 1)
        value[name] = interval(moved, sigma * (0.2 if name == 'clock' else 1), draw)
    thp = value['large'][0] is not None
    parallel = [{'curve': 0, 'level': 'L1', 'size_bytes': 16384, 'saturated': True, 'limit': 'loop',
                 **rate('all', value['l1_all'])},
                {'curve': 0, 'level': 'memory', 'size_bytes': 1 << 30, 'saturated': True, 'limit': 'buffers',
                 'latency_ns': value['lane'][0], 'latency_low_ns': value['lane'][1],
                 'latency_high_ns': value['lane'][2], 'speedup': value['overlap'][0],
                 'speedup_low': value['overlap'][1], 'speedup_high': value['overlap'][2],
                 **rate('read', value['read']), **rate('all', value['read_all'])}]
    tlbs = [{'entries': value[name][0], 'entries_low': value[name][1], 'entries_high': value[name][2]}
            for name in ('tlb1', 'tlb2')]
    translations = [{'page_kind': '4k', 'page_bytes': 4096, 'entry_bytes': 4096, 'splintered': None,
                     'nested': bool(machine['hypervisor']), 'tlbs': tlbs, 'walks': []}]
    if thp:
        translations.append({'page_kind': 'thp', 'page_bytes': 2 << 20, 'entry_bytes': 2 << 20,
                             'splintered': bool(machine.get('splintered')), 'nested': False, 'tlbs': [],
                             'walks': []})
    made = {
        'schema': 'fathom/1', 'kind': 'result',
        'fathom': {'version': '0.1.0', 'argv': ['fathom', '--quick'], 'seed': '0x1'},
        'machine': machine_of(machine, host), 'interrupted': False, 'survey': True,
        'measured_at': f'2026-11-{10 + run:02d}T12:00:{random.Random(seed).randrange(60):02d}Z', 'elapsed_s': 14.2,
        'busy_cpus': machine['cores'] * 0.5 if disturbed == 'busy' else 0.0,
        'quality': 'do-not-quote' if disturbed == 'quality' else 'usable' if machine.get('noise') else 'good',
        'quality_reason': '58 % of the samples were rejected' if disturbed == 'quality' else None,
        'measured_line_bytes': 64,
        'clock': {'min_hz': value['clock'][1], 'median_hz': value['clock'][0], 'max_hz': value['clock'][2],
                  'drift': 0.0, 'missing': None},
        'warnings': [], 'curves': [],
        'levels': [level('L1', value['l1'], value['l1_size'], value['l1_cycles']),
                   level('L2', value['l2'], value['l2_size'], value['l2_cycles']),
                   level('L3', value['l3'], value['l3_size'], value['l3_cycles']),
                   level('memory', value['memory'])],
        'parallelism': parallel, 'translations': translations,
        'core_classes': [{'kind': 'same_cache', 'curve': 0, 'pairs': 9, 'members': [], **dict(zip(
            ('latency_ns', 'latency_low_ns', 'latency_high_ns'), value[name]))} for name in ('near', 'far')],
    }
    if value['node'][0] is not None:
        made['nodes'] = [{'cpu': 0, 'cpu_node': 0, 'memory_node': 0, 'threads': machine['cores'],
                          'latency_ns': value['node'][0], 'latency_low_ns': value['node'][1],
                          'latency_high_ns': value['node'][2], **rate('read', value['node_read'])}]
    if thp:
        made['page_differences'] = [{'base_curve': 0, 'large_curve': 0, 'size_bytes': 1 << 30, 'pairs': 6,
                                     **cost(value['pages'])}]
        made['decompositions'] = [{'curve': 0, 'size_bytes': 1 << 30, 'total': cost(value['base']), 'parts': {
            'memory': cost(value['large']), 'second_tlb': cost((None, None, None)),
            'walk': cost(value['pages']), 'residual': cost((None, None, None))}, 'memory_curve': 0}]
    return made


def draw_fleet(seed, nodes, fault_share=0.05, disturbed_share=0.03, faults=None):
    """(host, kind, fault or None, disturbed or None) of each node."""
    draw = random.Random(f'{seed} fleet')
    names = faults or list(FAULTS)
    fleet = []
    for i in range(nodes):
        kind = KINDS[i % len(KINDS)]
        fault = disturbed = None
        if draw.random() < fault_share:
            fault = draw.choice([name for name in names if can_have(kind, name)])
        elif draw.random() < disturbed_share:
            disturbed = draw.choice(['busy', 'quality'])
        fleet.append((f'n{i:05d}', kind, fault, disturbed))
    return fleet


def write_fleet(folder, seed, nodes, run=0, fault_share=0.05, disturbed_share=0.03, faults=None, sound=False,
                curve_bytes=0, **how):
    """Documents in the folder; returns what each node is: {host: (fault, disturbed)}. `sound`: the same nodes
    before anything was wrong with them."""
    os.makedirs(folder, exist_ok=True)
    truth = {}
    curves = json.dumps(filler(curve_bytes)) if curve_bytes else '[]'
    for host, kind, fault, disturbed in draw_fleet(seed, nodes, fault_share, disturbed_share, faults):
        made = document(kind, host, f'{seed} {host}', None if sound else fault, run=run,
                        disturbed=None if sound else disturbed, **how)
        with open(os.path.join(folder, f'run.{host}.json'), 'w', encoding='utf-8') as file:
            file.write(json.dumps(made).replace('"curves": []', f'"curves": {curves}', 1))
        truth[host] = (fault, disturbed)
    return truth


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder')
    parser.add_argument('--nodes', type=int, default=500)
    parser.add_argument('--seed', default='1')
    parser.add_argument('--faults', type=float, default=0.05)
    parser.add_argument('--between', type=float, default=BETWEEN)
    parser.add_argument('--within', type=float, default=WITHIN)
    parser.add_argument('--by-part', action='store_true')
    parser.add_argument('--curves', type=int, default=0)
    parser.add_argument('--run', type=int, default=0)
    asked = parser.parse_args()
    write_fleet(asked.folder, asked.seed, asked.nodes, run=asked.run, fault_share=asked.faults,
                between=asked.between, within=asked.within, by_part=asked.by_part, curve_bytes=asked.curves)


if __name__ == '__main__':
    main()
