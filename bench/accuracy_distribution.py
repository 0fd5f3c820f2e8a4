#!/usr/bin/env python3
"""Times single accesses of simulated machines, and writes how well their distribution is found to
docs/accuracy-distribution.md. Usage: accuracy_distribution.py FATHOM SOURCE [SEED] [-v]

Exit code 1: a target was missed.
"""
import concurrent.futures
import json
import os
import random
import subprocess
import sys

MACHINES = 50
QUIET = 100
CONTROLLED = 32
CONTROLLED_ACCESSES = 100000
ACCESSES = 200000
TRUTH_ACCESSES = 600000
POINTS = 0.03
TAIL = 0.05
PERIOD = 0.01
MEDIAN = 0.05
TARGET = 0.95

HEADER = """# How well the distribution of single accesses is found

This page is what `make accuracy` printed last. `fathom distribution` times accesses one by one (docs/distribution.md).

## How it is made

**Machines.** {machines} simulated machines, drawn by the script: a first cache of 16 to 48 KiB, a second of 128 KiB to 1 MiB with
random replacement, memory of 70 to 130 ns behind it in one channel; the chain is 1.1 to 2 times the second cache, so that part of
the accesses hit it. Three of four refresh memory each 2 to 15 us, or each 3.9 or 7.8, for 100 to 350 ns; every second has timer
interrupts of 2 to 20 us each 0.25 to 1 ms. The noise of an access is 0.5 to 3 %; outliers (1.2 to 4 times as long) are none, or 3 in
1,000. Each run times {accesses:,} accesses. The truth of shares is the same run without disturbances, whose accesses are sorted by
the latencies that the machine was given: memory within 10 %, the second cache within a factor of 2; of the tail, {truth:,} accesses along
another cycle; of refresh, that which it was given.

- *shares*: of the second cache and of memory that waits for nothing, both within 3 points
- *p99.9*: within 5 %; *holds*: its interval holds the truth
- *refresh*: its period within 1 %; where there is none, that none is found
- *median*: of a chain of half the second cache, within 5 % of what an access takes of many timed at once

**Without refresh.** {quiet} more such machines without refresh: none must be found.

**Controls.** {controlled} more machines, timed as without options ({controlled_accesses:,} accesses of each chain): a second cache of
128 to 512 KiB, memory of 70 to 130 ns in one or two channels of 8 to 32 banks, frames at random. A quarter each has TLBs (32 to 96
and 256 to 2,048 entries) and rows (15 to 35 ns to open one), TLBs alone, rows alone, neither. Every fifth gives no large pages, every
third is a guest of a host with pages of 2 MiB. Noise is 0.5 to 3 %; every second has outliers, interrupts and refresh, drawn as above.
The truth is what the machine was given: an access to memory that walks no tables takes `mem`, or less by opening a row.

- *rows*: machines with rows and large pages on which flushed lines in random order mostly miss rows, the same page after page mostly
  hit, and memory on large pages mostly misses: all three named so
- *TLB misses*: modes of memory on base pages with over 1 % of the accesses and over 8 % longer than `mem`, on machines with TLBs and large
  pages, that are named; refresh may have their name instead
- *false names*: modes named `row_hit` or `row_miss` that are not within 5 % of the one or the other, or on a machine without rows; named
  `tlb_miss` without TLBs, or no longer than `mem`; or named at all without large pages
"""


def draw_machine(seed, refreshed=None):
    draw = random.Random(seed)
    second = draw.choice([128, 256, 512, 1024])
    memory, row = draw.uniform(70, 130), draw.uniform(15, 35)
    each = draw.choice([3900, 7800, draw.uniform(2000, 15000), draw.uniform(2000, 15000)])
    lasts = draw.uniform(100, min(350, each / 5))
    refreshed = seed % 4 != 0 if refreshed is None else refreshed
    cycles = draw.randint(12, 20)
    machine = (f'sim:l1={draw.choice([16, 32, 48])}K/8/lru/4c,l2={second}K/8/random/{cycles}c,l3=off,dtlb=off,placement=even,'
               f'drift=0,mem={memory:.1f}ns,dram=1x{draw.choice([8, 16, 32])}/3.2ns/{row:.1f}ns/8ns/'
               f'{lasts if refreshed else 0:.0f}ns/{each:.0f}ns')
    noise, outliers = f',noise={draw.uniform(0.005, 0.03):.4f}', f',outliers={draw.choice([0, 0.003])}'
    timer = f',interrupts={draw.uniform(250, 1000):.0f}us/{draw.uniform(2, 20):.1f}us' if seed % 2 else ''
    size = int(second * draw.uniform(1.1, 2)) * 1024
    return {'machine': machine, 'disturbed': noise + outliers + timer, 'size': size, 'half': second * 512,
            'near_ns': cycles / 3.6, 'far_ns': memory, 'period_ns': float(f'{each:.0f}') if refreshed else None}


def measure(fathom, machine, seed, size, accesses):
    done = subprocess.run([fathom, 'distribution', '--machine', machine, '--seed', str(seed), '--size', str(size),
                           '--accesses', str(accesses), '--json', '-q'], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)['distributions'][0]


def within(value, centre):
    """Below half of memory there is the second cache alone, whose few ns timing blurs."""
    times = 2 if centre < 20 else 1.1
    return centre / times <= value <= centre * times


def quantile(one, share, end=''):
    return next(each[f'latency_{end}ns'] for each in one['quantiles'] if each['share'] == share)


def share_of_bins(one, centre):
    return sum(each['accesses'] for each in one['bins']
               if within((each['low_ns'] + each['high_ns']) / 2, centre)) / one['accesses']


def share_of_modes(one, centre):
    return sum(mode['share'] for mode in one['modes'] if within(mode['latency_ns'], centre))


def judge(fathom, seed):
    drawn = draw_machine(seed)
    found = measure(fathom, drawn['machine'] + drawn['disturbed'], seed, drawn['size'], ACCESSES)
    same = measure(fathom, drawn['machine'] + ',noise=0,outliers=0', seed, drawn['size'], ACCESSES)
    longer = measure(fathom, drawn['machine'] + drawn['disturbed'] + ',seed=2', seed + 10 ** 6, drawn['size'],
                     TRUTH_ACCESSES)
    half = measure(fathom, drawn['machine'] + drawn['disturbed'], seed, drawn['half'], ACCESSES)
    shares = [(share_of_modes(found, drawn[name]), share_of_bins(same, drawn[name])) for name in ('near_ns', 'far_ns')]
    median = quantile(half, 0.5) / half['chain_ns'] - 1
    tail, wanted_tail = quantile(found, 0.999), quantile(longer, 0.999)
    period, wanted = found['refresh_period_ns'], drawn['period_ns']
    result = {'shares': all(abs(a - b) <= POINTS for a, b in shares),
              'p99.9': abs(tail / wanted_tail - 1) <= TAIL,
              'holds': quantile(found, 0.999, 'low_') <= wanted_tail <= quantile(found, 0.999, 'high_'),
              'refresh': abs(period / wanted - 1) <= PERIOD if period and wanted else period == wanted,
              'median': abs(median) <= MEDIAN}
    if '-v' in sys.argv:
        print(seed, drawn, [f'{a:.3f} {b:.3f}' for a, b in shares], f'{tail / wanted_tail:.3f} {period} {median:.3f}', result,
              flush=True)
    return result


def is_false(fathom, seed):
    drawn = draw_machine(seed, False)
    period = measure(fathom, drawn['machine'] + drawn['disturbed'], seed, drawn['size'], ACCESSES)['refresh_period_ns']
    if period and '-v' in sys.argv:
        print('false', seed, drawn, period, flush=True)
    return period is not None


def draw_controlled(seed):
    draw = random.Random(seed)
    tlbs, rows = seed % 4 in (0, 1), seed % 4 in (0, 2)
    memory, row = round(draw.uniform(70, 130), 1), round(draw.uniform(15, 35), 1) if rows else 0
    refresh, disturbed = 0, ''
    if draw.random() < 0.5:
        refresh = round(draw.uniform(100, 350))
        disturbed = f',outliers=0.003,interrupts={draw.uniform(250, 1000):.0f}us/{draw.uniform(2, 20):.1f}us'
    dtlb, stlb = draw.choice([32, 64, 96]), draw.choice([256, 512, 1024, 2048])
    large = draw.random() >= 0.2
    machine = (f'sim:l1=32K/8/lru/4c,l2={draw.choice([128, 256, 512])}K/8/lru/14c,l3=off,drift=0,mem={memory}ns,'
               f'dram={draw.choice([1, 2])}x{draw.choice([8, 16, 32])}/3.2ns/{row}ns/8ns/{refresh}ns,'
               f'noise={draw.uniform(0.005, 0.03):.4f},outliers=0'.replace(',outliers=0', disturbed or ',outliers=0') +
               (f',dtlb={dtlb}/4/lru/0c,stlb={stlb}/8/lru/7c' if tlbs else ',dtlb=off') +
               ('' if large else ',thp=off') + (',host=2M' if draw.random() < 1 / 3 else ''))
    return {'machine': machine, 'tlbs': tlbs, 'rows': rows, 'large': large, 'hit_ns': memory - row, 'miss_ns': memory}


def is_near(mode, ns):
    return abs(mode['latency_ns'] / ns - 1) <= 0.05


def is_wrong(drawn, mode):
    if mode['kind'] == 'row_hit':
        right = drawn['rows'] and is_near(mode, drawn['hit_ns'])
    elif mode['kind'] == 'row_miss':
        right = drawn['rows'] and is_near(mode, drawn['miss_ns'])
    else:
        right = mode['kind'] != 'tlb_miss' or (drawn['tlbs'] and mode['latency_ns'] > drawn['miss_ns'])
    return not right or (not drawn['large'] and mode['kind'] in ('row_hit', 'row_miss', 'tlb_miss'))


def judge_names(fathom, seed):
    drawn = draw_controlled(seed)
    done = subprocess.run([fathom, 'distribution', '--machine', drawn['machine'], '--seed', str(seed), '--json', '-q',
                           '--accesses', str(CONTROLLED_ACCESSES)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    series = [(found['curves'][one['curve']], one['modes']) for one in found['distributions']]
    wrong = [mode for _, modes in series for mode in modes if is_wrong(drawn, mode)]
    result = {'false': len(wrong), 'named': sum(mode['kind'] in ('row_hit', 'row_miss', 'tlb_miss')
                                                for _, modes in series for mode in modes)}
    mains = [max(modes, key=lambda mode: mode['share'])['kind'] for curve, modes in series
             if curve['page_bytes'] > 4096 and curve['chain_bytes'] >= 32 << 20]
    if drawn['rows'] and drawn['large']:
        result['rows'] = mains == ['row_miss', 'row_miss', 'row_hit']
    if drawn['tlbs'] and drawn['large']:
        longer = [mode for curve, modes in series if curve['chain_bytes'] == 64 << 20 and curve['page_bytes'] == 4096
                  for mode in modes if mode['kind'] in ('memory', 'tlb_miss') and mode['share'] > 0.01 and
                  mode['latency_ns'] > 1.08 * drawn['miss_ns']]
        result['longer'] = len(longer)
        result['told'] = sum(mode['kind'] == 'tlb_miss' for mode in longer)
    if '-v' in sys.argv:
        print(seed, drawn, result, mains, wrong, [[(mode['kind'], round(mode['share'], 3), round(mode['latency_ns'], 1))
              for mode in modes] for curve, modes in series if curve['chain_bytes'] == 64 << 20], flush=True)
    return result


def tell_names(results):
    rows = [result['rows'] for result in results if 'rows' in result]
    told, longer = (sum(result.get(name, 0) for result in results) for name in ('told', 'longer'))
    false, named = (sum(result[name] for result in results) for name in ('false', 'named'))
    lines = [f'  rows        {sum(rows):>4} of {len(rows)}', f'  TLB misses  {told:>4} of {longer}',
             f'  false names: {false} of {named}']
    return lines, false == 0 and sum(rows) >= TARGET * len(rows)


def main():
    fathom, source = sys.argv[1], sys.argv[2]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3].isdigit() else 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        judged = list(pool.map(lambda i: judge(fathom, seed * 1000 + i), range(MACHINES)))
        false = sum(pool.map(lambda i: is_false(fathom, seed * 1000 + 500 + i), range(QUIET)))
        named = list(pool.map(lambda i: judge_names(fathom, seed * 1000 + 800 + i), range(CONTROLLED)))
    lines, met = [], false == 0
    for name in 'shares', 'p99.9', 'holds', 'refresh', 'median':
        good = sum(result[name] for result in judged)
        met &= name == 'holds' or good >= TARGET * MACHINES
        lines.append(f'  {name:12}{good:>4} of {MACHINES}')
    lines.append(f'  refresh found where there is none: {false} of {QUIET}')
    names, right = tell_names(named)
    lines += names
    page = HEADER.format(machines=MACHINES, quiet=QUIET, accesses=ACCESSES, truth=TRUTH_ACCESSES,
                         controlled=CONTROLLED, controlled_accesses=CONTROLLED_ACCESSES)
    page += '\n## Found\n\n```\n' + '\n'.join(lines) + '\n```\n'
    with open(os.path.join(source, 'docs', 'accuracy-distribution.md'), 'w', encoding='utf-8') as file:
        file.write(page)
    print('\n'.join(lines))
    return 0 if met and right else 1


if __name__ == '__main__':
    sys.exit(main())
