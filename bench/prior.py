#!/usr/bin/env python3
"""Measures the prior of levels (src/model/steps/prior.c) on the published curves of the tune set.

Usage: prior.py [BENCH]. Prints of each quantity the mean and the standard deviation of its natural
logarithm, each CPU counting once. Sizes are the documented ones. A level's latency is the median
of the points between twice the size of the level before and half of its own, memory's that of the
points past eight times the last size; translation is in it. Entries are those of
published-tlbs.csv.
"""
import collections
import csv
import math
import os
import statistics
import sys

LEVELS = ('l1_bytes', 'l2_bytes', 'l3_bytes')


def rows(folder, name):
    with open(os.path.join(folder, name), encoding='utf-8') as file:
        return list(csv.DictReader(file))


def median_between(points, low, high):
    values = [value for size, value in points if low <= size <= high]
    return statistics.median(values) if values else None


def latencies(points, sizes):
    """Of each level, then of memory; None: no point shows it."""
    lows = [0, *(2 * size for size in sizes)]
    found = [median_between(points, low, size / 2) for low, size in zip(lows, sizes)]
    return [*found, median_between(points, 8 * sizes[-1], math.inf)]


def note_sizes(sizes, found):
    names = ('first size, bytes', 'second over first', 'third over second')
    for name, size, before in zip(names, sizes, [1, *sizes]):
        found[name].append(math.log(size / before))
    found['last size, bytes'].append(math.log(sizes[-1]))


def note_latencies(times_ns, found):
    for i, (here, beyond) in enumerate(zip(times_ns, times_ns[1:])):
        if here and beyond and beyond > here:
            last = i + 2 == len(times_ns)
            found['memory adds' if last else 'next cache adds'].append(math.log(beyond / here - 1))
    for i, here in enumerate(times_ns[1:-1], 1):
        if here:
            found['second cache, ns' if i == 1 else 'later cache, ns'].append(math.log(here))
    if times_ns[-1]:
        found['memory, ns'].append(math.log(times_ns[-1]))


def main(folder):
    curves = collections.defaultdict(list)
    for row in rows(folder, 'published-curves.csv'):
        curves[row['id']].append((float(row['size_bytes']), float(row['value'])))
    cpus = collections.defaultdict(lambda: collections.defaultdict(list))
    counts = {}
    for row in rows(folder, 'published-truth.csv'):
        if row['set'] != 'tune':
            continue
        found, sizes = cpus[row['cpu']], [float(row[name]) for name in LEVELS if float(row[name])]
        counts[row['cpu']] = len(sizes)
        note_sizes(sizes, found)
        if row['grade'][0] != 'C' and row['order'] != 'independent' and row['unit'] == 'latency_ns':
            note_latencies(latencies(curves[row['id']], sizes), found)
    for row in rows(folder, 'published-tlbs.csv'):
        found, first = cpus[row['core']], float(row['tlb1_entries'])
        found['first TLB, entries'].append(math.log(first))
        if row['tlb2_entries']:
            found['second TLB over first'].append(math.log(float(row['tlb2_entries']) / first))
    for name in sorted({name for found in cpus.values() for name in found}):
        values = [statistics.median(found[name]) for found in cpus.values() if found[name]]
        print(f'{name:21} {statistics.mean(values):6.2f} +-{statistics.stdev(values):.2f}  '
              f'{len(values)} CPUs')
    print('number of caches     ', dict(sorted(collections.Counter(counts.values()).items())))


main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
