#!/usr/bin/env python3
"""Predicts the published times of search structures on a Zen 2 from its published latency and lanes
alone, and writes how far off that is to docs/accuracy-predict.md.
Usage: accuracy_predict.py PROGRAM SOURCE

Exit code 1: the target was missed.
"""
import csv
import os
import statistics
import subprocess
import sys

TARGET = 0.20  # median of the absolute errors of all points
CLOCK = '2G'   # as the book says
SHOWN = 10     # points of a curve
AT_A_TIME = 40

# Lines of the figures and what they are here. Two more have no structure of their own here: an S+
# tree of blocks of 32, and one whose last read bypasses the caches.
CURVES = {
    ('search-eytzinger', 'std::lower_bound'): ('bsearch-branchy', 'independent'),
    ('search-eytzinger', 'branchless'): ('bsearch', 'independent'),
    ('search-eytzinger', 'eytzinger'): ('eytzinger', 'independent'),
    ('search-branchless-prefetch', 'branchless + prefetching'): ('bsearch-prefetch', 'independent'),
    ('search-latency-bplus', 'S+ tree'): ('stree', 'dependent'),
}

HEADER = """# How well data structures are predicted

This page is what `make accuracy` printed last: published times of search structures on a Zen 2 at 2 GHz
(corpus/structures), predicted by `fathom predict` from the published latency and lanes of the same machine.
Nothing was run, and no number is fitted; but the model was made with these curves in view. What the curves do
not say (instructions in flight, the price of a mispredicted branch) is taken as is usual of cores
(docs/predict.md). Errors are predicted over published, less 1. Translation is not known apart there.
"""


def read(folder):
    curves = {}
    with open(os.path.join(folder, 'zen2_search.csv'), encoding='utf-8') as file:
        for row in csv.DictReader(file):
            curves.setdefault((row['figure'], row['structure']), []).append(
                (int(row['elements_int32']), float(row['ns_per_query'])))
    return curves


def predict(program, folder, structure, mode, keys):
    predicted = []
    for first in range(0, len(keys), AT_A_TIME):
        part = ','.join(str(number) for number in keys[first:first + AT_A_TIME])
        done = subprocess.run(
            [program, 'predict', structure, '--keys', part, '--key-bytes', '4', '--payload', '0',
             f'--{mode}', '--clock', CLOCK, '--from', os.path.join(folder, 'zen2_latency.csv'),
             '--with', os.path.join(folder, 'zen2_lanes.csv'), '--csv', '--quiet'],
            check=True, capture_output=True, text=True)
        predicted += [(float(row['predicted_ns']), float(row['predicted_low_ns']),
                       float(row['predicted_high_ns']))
                      for row in csv.DictReader(done.stdout.splitlines())]
    return predicted


def main():
    program, source = sys.argv[1:3]
    folder = os.path.join(source, 'corpus', 'structures')
    curves = read(folder)
    lines = [f'  {"structure":18}{"operations":>12}{"median of |error|":>19}{"within 20 %":>13}'
             f'{"worst":>8}{"in interval":>13}']
    tables, every = [], []
    for name, (structure, mode) in CURVES.items():
        points = curves[name]
        predicted = predict(program, folder, structure, mode, [keys for keys, _ in points])
        errors = [one[0] / ns - 1 for one, (_, ns) in zip(predicted, points)]
        held = sum(low <= ns <= high for (_, low, high), (_, ns) in zip(predicted, points))
        every += errors
        near = sum(abs(error) <= 0.2 for error in errors) / len(errors)
        lines.append(f'  {structure:18}{mode:>12}{statistics.median(map(abs, errors)):>19.0%}'
                     f'{near:>13.0%}{max(errors, key=abs):>+8.0%}{held / len(errors):>13.0%}')
        tables += [f'  {structure}, {mode}', f'  {"keys":>12}{"published":>11}{"predicted":>11}'
                   f'{"error":>8}']
        step = len(points) // SHOWN
        tables += [f'  {keys:>12,}{ns:>11.1f}{one[0]:>11.1f}{one[0] / ns - 1:>+8.0%}'
                   for one, (keys, ns) in list(zip(predicted, points))[::step]]
    median = statistics.median(map(abs, every))
    lines.append(f'  all {len(every)} points: median {median:.0%}')
    text = '\n'.join([HEADER, '```', *lines, '```\n', 'Some of the points, ns a lookup:\n', '```',
                      *tables, '```', ''])
    print(text)
    with open(os.path.join(source, 'docs', 'accuracy-predict.md'), 'w', encoding='utf-8') as file:
        file.write(text)
    if median > TARGET:
        print(f'missed the target: {median:.0%}')
    return median > TARGET


sys.exit(main())
