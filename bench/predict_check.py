#!/usr/bin/env python3
"""Holds what is predicted of this machine against what it does, in rounds: a survey, and then data
structures are predicted from it and run. Usage: predict_check.py PROGRAM BUILD SOURCE [option...]

Twelve structures from 16 KiB (of an array) to 1 GiB, one size an octave, in all three ways to make
operations, in 12 minutes; writes docs/predict-check.md. With other options than the defaults the
report goes to BUILD/predict-check/trial.md. Options are also taken from PREDICT_CHECK_ARGS. Nothing
else should run meanwhile. What was predicted and measured is kept in BUILD/predict-check/points.json;
of such documents '--scatter' makes the rows of src/model/predict/interval.c, and says what share of
the points intervals hold by rows in which their structure had no part.
"""
import argparse
import itertools
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import time

STRUCTURES = ('array-random', 'list-shuffled', 'bsearch', 'bsearch-branchy', 'eytzinger', 'btree',
              'stree', 'bst', 'chained-hash', 'open-hash', 'cuckoo', 'radix-tree')
# Run once, from the last survey, and in none of the figures.
OTHERS = ('array', 'list', 'bsearch-prefetch', 'eytzinger-prefetch', 'bst-random', 'skip-list', 'radix-partition',
          'hash-join')
OTHER_KEYS = 2000, 30000, 300000, 3000000, 20000000
OTHER_SECONDS = 75
ELEMENT_BYTES = 16
FIRST_KEYS = 1011.4  # and twice as many, and so on: 16 KiB of an array, and no power of two
# Up to here caches of a core hold them, and up to there neighbours tell what caches hold. The largest take long
# to build, and are run in every second round.
OWN_KEYS, SHARED_KEYS = 1 << 16, 1 << 23
OWN_SHARE, SHARED_SHARE = 0.12, 0.52  # of the time for running
ROUNDS = 4
NEAR, APART, HELD, KNOWN = 0.20, 0.15, 0.95, 0.10
OWN_CACHES = 2        # of a core
HALF_AN_OCTAVE = 0.5
UNITS = {'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}

HEADER = """# Predictions, held against the machine

This page is what `make predict-check` printed last, of one machine in one go. There are {rounds} rounds: a survey, then
what `fathom predict` says of data structures from this survey alone, and what they take when they are run (`--check`,
docs/predict.md). What a shared cache keeps beside neighbours changes by the minute, so what is predicted and what is
measured of a size are means over the rounds (the largest sizes are run in every second one). "By the first survey alone"
takes the predictions of the first round for the measurements of all; intervals of cross-overs are of that survey,
too. How far anything from another time can be right says "one round, as a prediction of the others": a measurement of
the same structure, minutes away. Errors are predicted over measured, less 1.
"""


def arguments():
    parser = argparse.ArgumentParser(prog='make predict-check ARGS=...',
                                     description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('program')
    parser.add_argument('build')
    parser.add_argument('source')
    parser.add_argument('--max-size', default='1G', help='of an array with as many elements')
    parser.add_argument('--survey', type=float, default=60, help='seconds of each')
    parser.add_argument('--seconds', type=float, default=540, help='for running structures')
    parser.add_argument('--from', dest='document', help='a survey that is there already, for all rounds')
    parser.add_argument('--scatter', nargs='+', metavar='POINTS', help='measure nothing')
    options = parser.parse_args(sys.argv[1:] + shlex.split(os.environ.get('PREDICT_CHECK_ARGS', '')))
    options.whole = (options.max_size == '1G' and options.survey == 60 and options.seconds == 540
                     and not options.document)
    return options


def keys_up_to(size):
    most = int(size[:-1]) * UNITS[size[-1].upper()] / ELEMENT_BYTES
    return [int(FIRST_KEYS * 2**i) for i in range(40) if FIRST_KEYS * 2**i <= most]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f'{" ".join(command)}: {done.stderr}')
    return done.stdout


def predict(program, document, keys, *options, structures=STRUCTURES):
    return json.loads(run(program, 'predict', *structures, '--keys', ','.join(map(str, keys)),
                          '--every-mode', '--quiet', '--from', document, '--json', *options))


def check(program, document, keys, seconds, structures=STRUCTURES):
    return predict(program, document, keys, '--check', '--budget', f'{seconds:.0f}s', '--no-wait',
                   structures=structures)


def way_of(one):
    return one['structure'], one['keys'], one['mode']


def parts_of(keys, seconds, which):
    """(numbers of keys, seconds) of each check in a round: the smallest sizes together, then the others."""
    own = [count for count in keys if count <= OWN_KEYS]
    shared = [count for count in keys if OWN_KEYS < count <= SHARED_KEYS]
    largest = [count for count in keys if count > SHARED_KEYS]
    parts = [(own, OWN_SHARE)] if own else []
    parts += [([count], SHARED_SHARE / len(shared)) for count in shared]
    whole = sum(part for _, part in parts)
    share = 1 - OWN_SHARE - SHARED_SHARE  # of the largest
    if largest and which % 2 == 0:
        parts += [([count], 2 * share / len(largest)) for count in largest]
    if largest:
        whole += share
    return [(some, seconds * part / whole) for some, part in parts]


def mean_of(rounds):
    """One point of the predictions of all rounds that have it."""
    one = dict(rounds[-1])
    for field in ('predicted_ns', 'predicted_low_ns', 'predicted_high_ns', 'measured_ns'):
        one[field] = statistics.mean(each[field] for each in rounds)
    one['first_ns'] = rounds[0]['predicted_ns']
    one['rounds_ns'] = times = [each['measured_ns'] for each in rounds]
    if len(times) > 1:
        one['measured_error_ns'] = statistics.stdev(times) / math.sqrt(len(times))
    elif one['measured_high_ns']:  # a 95 % interval
        one['measured_error_ns'] = (one['measured_high_ns'] - one['measured_low_ns']) / 4
    return one


def measure(options, folder):
    """The points, the last result without them, the first survey, and the points of the other structures."""
    keys, found, documents = keys_up_to(options.max_size), {}, []
    for which in range(ROUNDS):
        documents.append(options.document or os.path.join(folder, f'survey-{which + 1}.json'))
        if not options.document:
            run(options.program, '--budget', f'{options.survey:.0f}s', '--no-report', '--quiet', '-o',
                documents[-1])
        for some, seconds in parts_of(keys, options.seconds / ROUNDS, which):
            result = check(options.program, documents[-1], some, seconds)
            for one in result['predictions']:
                if one['measured_ns']:
                    found.setdefault(way_of(one), []).append(one | {'own_bytes': own_bytes(result)})
    points = sorted(map(mean_of, found.values()),
                    key=lambda one: (STRUCTURES.index(one['structure']), one['keys'], one['mode']))
    most = max(keys)
    ring = ('ring',) if result['core_classes'] else ()  # it needs two cores
    others = check(options.program, documents[-1], [count for count in OTHER_KEYS if count <= most],
                   OTHER_SECONDS, OTHERS + ring)['predictions'] if OTHER_KEYS[0] <= most else []
    return points, result, documents[0], [one for one in others if one['measured_ns']]


def words_of(one):
    return f'{one["structure"]} of {one["keys"]:,} keys, {one["mode"]}'


def error_of(one):
    return one['predicted_ns'] / one['measured_ns'] - 1


def is_known(one):
    """To a standard error of KNOWN of it."""
    return one.get('measured_error_ns', math.inf) <= KNOWN * one['measured_ns']


def is_near(value, other):
    return abs(value / other - 1) <= NEAR


def repeats(points):
    """(near, all): each round of a size as a prediction of the others of that size. What any prediction from
    another time can reach."""
    near = found = 0
    for one in points:
        times = one['rounds_ns']
        for i, time_ns in enumerate(times if len(times) > 1 else []):
            found += 1
            near += is_near(time_ns, statistics.mean(times[:i] + times[i + 1:]))
    return near, found


def same_memory(points):
    """Those of sizes at which a random access to a plain array takes what is predicted of it: the memory is as
    it was in the survey."""
    arrays = [one for one in points if (one['structure'], one['mode']) == ('array-random', 'dependent')]

    def array_like(one):
        return min(arrays, key=lambda other: abs(math.log(other['size_bytes'] / one['size_bytes'])))
    return [one for one in points if abs(error_of(array_like(one))) <= NEAR] if arrays else []


def is_held(one):
    return one['predicted_low_ns'] <= one['measured_ns'] <= one['predicted_high_ns']


def pairs_of(points):
    """Two structures with as many keys, run in the same way."""
    def place(one):
        return one['keys'], one['mode']
    for _, group in itertools.groupby(sorted(points, key=place), place):
        yield from itertools.combinations(list(group), 2)


def order(points):
    """(right, all) of pairs that are measured to be apart."""
    right = found = 0
    for one, other in pairs_of(points):
        measured = one['measured_ns'] / other['measured_ns']
        if abs(math.log(measured)) >= math.log(1 + APART):
            found += 1
            right += (measured > 1) == (one['predicted_ns'] > other['predicted_ns'])
    return right, found


def crossing(curve, other, field):
    """log2 of the keys where two curves cross, where they do once."""
    places = sorted(set(curve) & set(other))
    logs = [math.log(curve[keys][field] / other[keys][field]) for keys in places]
    found = [(i, logs[i] / (logs[i] - logs[i + 1])) for i in range(len(logs) - 1)
             if logs[i] * logs[i + 1] < 0]
    if len(found) != 1:
        return None
    i, share = found[0]
    return math.log2(places[i]) + share * math.log2(places[i + 1] / places[i])


def crossings(points):
    """(within half an octave, all) of pairs that cross once, measured and predicted."""
    curves = {}
    for one in points:
        curves.setdefault((one['mode'], one['structure']), {})[one['keys']] = one
    near = found = 0
    for (way, curve), (other_way, other) in itertools.combinations(curves.items(), 2):
        if way[0] != other_way[0]:
            continue
        measured, predicted = (crossing(curve, other, field)
                               for field in ('measured_ns', 'predicted_ns'))
        if measured is not None and predicted is not None:
            found += 1
            near += abs(measured - predicted) <= HALF_AN_OCTAVE
    return near, found


def crossing_intervals(program, document):
    """By way and pair of structures, the intervals that their cross-overs are predicted in, log2 of the keys."""
    found = {}
    for way in ((), ('--independent',), ('--interleave', '8')):
        result = json.loads(run(program, 'predict', *STRUCTURES, '--keys', '1K', *way, '--quiet', '--from',
                                document, '--json'))
        for one in result['crossovers']:
            pair = one['mode'], frozenset((one['below'], one['above']))
            found.setdefault(pair, []).append((math.log2(one['low_keys']), math.log2(one['high_keys'])))
    return found


def held_crossings(points, intervals):
    """(held, all) of pairs that cross once, measured, and cross where they are predicted to."""
    curves = {}
    for one in points:
        curves.setdefault((one['mode'], one['structure']), {})[one['keys']] = one
    held = found = 0
    for (way, curve), (other_way, other) in itertools.combinations(curves.items(), 2):
        predicted = intervals.get((way[0], frozenset((way[1], other_way[1]))))
        measured = crossing(curve, other, 'measured_ns') if way[0] == other_way[0] else None
        if predicted and measured is not None:
            found += 1
            held += any(low <= measured <= high for low, high in predicted)
    return held, found


def place_of(one):
    """0: in the caches of a core; 1: past them."""
    return one['mode'], int(one['size_bytes'] > one['own_bytes'])


def missing(one):
    """What the interval lacks, but for the model's scatter, to hold what was measured; a logarithm."""
    error = math.log(one['measured_ns'] / one['predicted_ns'])
    bound = one['predicted_high_ns'] if error > 0 else one['predicted_low_ns']
    width = math.log(bound / one['predicted_ns'])
    inputs = max(0, width**2 - math.log(one['model_scatter'])**2)
    return math.sqrt(max(0, error**2 - inputs))


def scatter(points):
    """By place, what all but 5 % of its points lack at most."""
    lacking = {}
    for one in points:
        lacking.setdefault(place_of(one), []).append(missing(one))
    return {place: sorted(values)[math.ceil(HELD * len(values)) - 1]
            for place, values in lacking.items()}


def apart(points):
    """By way, and whether one at least is past the caches of a core, by what all but 5 % of the pairs are off
    against each other at most; a logarithm."""
    found = {}
    for one, other in pairs_of(points):
        place = one['mode'], max(place_of(one)[1], place_of(other)[1])
        found.setdefault(place, []).append(abs(math.log((1 + error_of(one)) / (1 + error_of(other)))))
    return {place: sorted(values)[math.ceil(HELD * len(values)) - 1]
            for place, values in found.items()}


def left_out(points):
    """(held, all): each structure by the scatter of the others."""
    held = found = 0
    for structure in {one['structure'] for one in points}:
        rows = scatter([one for one in points if one['structure'] != structure])
        own = [one for one in points if one['structure'] == structure and place_of(one) in rows]
        held += sum(missing(one) <= rows[place_of(one)] for one in own)
        found += len(own)
    return held, found


def print_scatter(paths):
    runs = []
    for path in paths:
        with open(path, encoding='utf-8') as file:
            runs.append(json.load(file))
    points = [one for one_run in runs for one in one_run]
    for name, rows in (('scatter', scatter(points)), ('apart, of the last run', apart(runs[-1]))):
        print(f'{name}:')
        for mode in ('dependent', 'independent', 'interleaved'):
            values = ', '.join(f'{math.exp(rows[mode, place]):.2f}' for place in (0, 1))
            print(f'\t[FATHOM_PREDICT_{mode.upper()}] = {{{values}}},')
    print(f'of {len(points)} points; held with their structure left out: {share(left_out(points))}')


def share(part):
    return f'{part[0] / part[1]:.0%} of {part[1]}' if part[1] else 'none'


def prediction_ms(program, document, keys):
    start = time.monotonic()
    run(program, 'predict', *STRUCTURES, '--keys', ','.join(map(str, keys)), '--quiet', '--from',
        document, '--json')
    return 1e3 * (time.monotonic() - start) / (len(STRUCTURES) * len(keys))


def near_of(points, low=0, high=math.inf):
    own = [one for one in points if low < one['keys'] <= high]
    return sum(is_near(one['predicted_ns'], one['measured_ns']) for one in own), len(own)


def summary(points, intervals, taken_ms):
    errors = [abs(error_of(one)) for one in points]
    worst = max(points, key=lambda one: abs(math.log(1 + error_of(one))))
    known = [one for one in points if is_known(one)]
    shared = [one for one in points if one['keys'] > OWN_KEYS]
    first = [one | {'predicted_ns': one['first_ns']} for one in points]
    held = sum(map(is_held, points)), len(points)
    rows = (
        ('median of |error|', '<= 10 %', f'{statistics.median(errors):.1%}'),
        ('within 20 %', '>= 90 %', share(near_of(points))),
        ('worst', '<= 35 %', f'{error_of(worst):+.0%}, {words_of(worst)}'),
        ('order of two that differ by 15 % or more', '>= 95 %', share(order(points))),
        ('cross-overs within half an octave', 'all', share(crossings(points))),
        ('intervals of cross-overs hold them', 'all', share(held_crossings(points, intervals))),
        ('95 % intervals hold what was measured', '>= 90 %', share(held)),
        ('time of a prediction', '< 10 ms', f'{taken_ms:.1f} ms'),
        ('of those measured to 10 %: within 20 %', '', share(near_of(known))),
        ('where an array takes what is predicted of it', '', share(near_of(same_memory(points)))),
        ('by the first survey alone: within 20 %', '', share(near_of(first))),
        (f'past {OWN_KEYS:,} keys: within 20 %', '', share(near_of(shared))),
        ('one round there, as a prediction of the others', '', share(repeats(shared))),
        *((f'{where}: within 20 %', '', share(near_of(points, low, high))) for where, low, high in (
            (f'up to {OWN_KEYS:,} keys', 0, OWN_KEYS),
            (f'from there to {SHARED_KEYS:,}', OWN_KEYS, SHARED_KEYS),
            ('beyond', SHARED_KEYS, math.inf))),
    )
    return [f'  {what:46}{wanted:>9}  {is_so}' for what, wanted, is_so in rows]


def by_structure(points):
    lines = [f'  {"structure":18}{"operations":>13}{"median of |error|":>19}{"within 20 %":>13}'
             f'{"worst":>8}{"in interval":>13}']
    ways = sorted({(one['structure'], one['mode']) for one in points},
                  key=lambda way: (STRUCTURES.index(way[0]), way[1]))
    for structure, mode in ways:
        own = [one for one in points if (one['structure'], one['mode']) == (structure, mode)]
        errors = [error_of(one) for one in own]
        near = sum(abs(error) <= NEAR for error in errors) / len(errors)
        lines.append(f'  {structure:18}{mode:>13}{statistics.median(map(abs, errors)):>19.0%}'
                     f'{near:>13.0%}{max(errors, key=abs):>+8.0%}'
                     f'{sum(map(is_held, own)) / len(own):>13.0%}')
    return lines


def every_point(points):
    lines = [f'  {"structure":18}{"operations":>13}{"keys":>13}{"predicted":>11}{"measured":>10}'
             f'{"error":>8}']
    return lines + [f'  {one["structure"]:18}{one["mode"]:>13}{one["keys"]:>13,}'
                    f'{one["predicted_ns"]:>11.1f}{one["measured_ns"]:>10.1f}{error_of(one):>+8.0%}'
                    for one in points]


def page(points, others, machine, *summed):
    about = f'Machine: {machine.get("cpu_model")}, {machine.get("kernel")}.'
    return '\n'.join([HEADER.format(rounds=ROUNDS), about, '', '```', *summary(points, *summed), '```', '',
                      'By structure:', '', '```', *by_structure(points), '```', '',
                      'Other structures, in none of the figures above, run once after the last round:', '',
                      '```', *every_point(others), '```', '',
                      'All, ns an operation:', '', '```', *every_point(points), '```', ''])


def own_bytes(result):
    """Of the caches of a core."""
    caches = [level for level in result['levels'] if level['kind'] == 'cache'
              and level.get('size_bytes')][:OWN_CACHES]
    return caches[-1]['size_bytes'] if caches else 0


def main():
    options = arguments()
    if options.scatter:
        print_scatter(options.scatter)
        return
    folder = os.path.join(options.build, 'predict-check')
    os.makedirs(folder, exist_ok=True)
    if not keys_up_to(options.max_size):
        sys.exit('no size is so small: allow a larger --max-size')
    points, result, document, others = measure(options, folder)
    if not points:
        sys.exit('nothing was measured: allow more --seconds')
    with open(os.path.join(folder, 'points.json'), 'w', encoding='utf-8') as file:
        json.dump(points, file)
    text = page(points, others, result['machine'], crossing_intervals(options.program, document),
                prediction_ms(options.program, document, keys_up_to(options.max_size)))
    print(text)
    path = (os.path.join(options.source, 'docs', 'predict-check.md') if options.whole
            else os.path.join(folder, 'trial.md'))
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    print(f'written to {path}', file=sys.stderr)


main()
