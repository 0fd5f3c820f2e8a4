#!/usr/bin/env python3
"""Compares runs on simulated machines, unchanged and with one level slower, and writes what is told
to docs/accuracy-compare.md. Usage: accuracy_compare.py PROGRAM SOURCE [SEED]

Exit code 1: a target was missed.
"""
import concurrent.futures
import csv
import os
import statistics
import subprocess
import sys
import time

PAIRS = 100
PART = 5  # pairs that one process measures
CHANGE = 0.05
FOUND, ALARMS = 95, 5  # targets, of 100 pairs

HEADER = """# How well a difference is told

This page is what `make accuracy` printed last. `fathom compare` is right about a pair of runs where it
finds what changed and nothing else (docs/comparing.md).

## How it is made

**Machines.** {pairs} simulated machines (docs/simulated-machines.md), drawn from a seed: two or three LRU caches of
8 ways, L1 8 to 16 KiB, each next one 6 to 10 times as large and 2.5 to 4 times as slow, memory of 60 to 150 ns, 2 to
5 GHz; 4 KiB pages, at random places on half of the machines. Noise of 0.2 to 1.5 % on every timed run, up to 3 % of
the runs 1.2 to 4 times as long, a core clock that swings by 2 %. The caches are small so that many can be
simulated.

**Runs.** As `fathom latency --per-octave 4 --no-control --page 4K --budget 700ms` makes them, up to 8 times the last cache. Each run has
a noise, pages and an order of its own.

**Pairs.** One run against one baseline, against three, or against one where neither tells intervals, as other tools'
files: unchanged, or with one level {change:.0%} slower, each level in
turn. A change is found where that level is told to be slower; an alarm is any level that is told to
differ and has not changed. What differs between runs besides is what a simulated machine knows: noise and places.
"""


class Pair:
    def __init__(self, words):
        self.changed, self.factor = words[1], float(words[2])
        parts = [words[i:i + 4] for i in range(3, len(words), 4)]
        self.verdicts = {part[0]: part[1] for part in parts}
        self.speedups = {part[0]: float(part[2]) for part in parts}
        self.visible = {part[0]: float(part[3]) for part in parts}
        self.found = self.verdicts.get(self.changed) == 'slower'
        self.alarm = any(verdict in ('slower', 'faster') for name, verdict in self.verdicts.items()
                         if name != self.changed)


def measure(program, seed, first, baselines, change):
    done = subprocess.run([program, seed, str(PART), str(first), str(baselines), str(change)],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f'{program}: exit code {done.returncode}')
    return [Pair(words) for words in csv.reader(done.stdout.splitlines())]


def collect(pool, program, seed, baselines, change):
    parts = pool.map(lambda first: measure(program, seed, first, baselines, change),
                     range(0, PAIRS, PART))
    return [pair for part in parts for pair in part]


def visible(pairs):
    values = sorted(value for pair in pairs for name, value in pair.visible.items()
                    if name != 'core clock' and value == value)
    return f'{statistics.median(values):.1%}, 95 %: {values[len(values) * 95 // 100]:.1%}'


def lines_of(same, slower):
    found = [pair for pair in slower if pair.found]
    errors = sorted(abs(pair.speedups[pair.changed] * pair.factor - 1) for pair in slower
                    if pair.changed in pair.speedups)
    lines = [f'  unchanged, alarmed                 {sum(pair.alarm for pair in same):4} of {len(same)}',
             f'  {CHANGE:.0%} slower, found                   {len(found):4} of {len(slower)}',
             f'  of these with another level alarmed{sum(pair.alarm for pair in slower):4}']
    for name in sorted({pair.changed for pair in slower}):
        some = [pair for pair in slower if pair.changed == name]
        lines.append(f'    {name:8} {sum(pair.found for pair in some):4} of {len(some)}')
    lines.append(f'  error of the speed-up              median {statistics.median(errors):.2%}, '
                 f'95 % {errors[len(errors) * 95 // 100]:.2%}')
    lines.append(f'  least difference that would be told, median {visible(same)}')
    return lines


def main():
    program, source = sys.argv[1:3]
    seed = sys.argv[3] if len(sys.argv) > 3 else '1'
    start = time.monotonic()
    pool = concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)))
    text = [HEADER.format(pairs=PAIRS, change=CHANGE)]
    missed = []
    for baselines, title in ((1, 'One baseline'), (3, 'Three baselines'),
                             (0, 'One baseline, no run tells intervals')):
        same = collect(pool, program, seed, baselines, 0)
        slower = collect(pool, program, seed, baselines, CHANGE)
        text += [f'## {title}\n', '```', *lines_of(same, slower), '```\n']
        if sum(pair.alarm for pair in same) > ALARMS or sum(pair.found for pair in slower) < FOUND:
            missed.append(title)
    text = '\n'.join(text)
    print(text)
    with open(os.path.join(source, 'docs', 'accuracy-compare.md'), 'w', encoding='utf-8') as file:
        file.write(text)
    print(f'{time.monotonic() - start:.0f} s in all')
    if missed:
        print(f'missed a target: {", ".join(missed)}')
    return bool(missed)


sys.exit(main())
