#!/usr/bin/env python3
"""Makes both sets of simulated machines, fits them and the published curves, prints the report
and writes it to docs/accuracy.md. Usage: accuracy.py PROGRAM SOURCE BUILD [--keep | --real]

--keep takes the sets that an earlier run left in BUILD. --real fits real machines alone, and keeps what the page says
of simulated ones. Exit code 1: a target was missed.
"""
import concurrent.futures
import os
import subprocess
import sys
import time

# Name, seed, machines, options.
SETS = [('tuning', 1, 300, []), ('held-out', 2, 300, []),
        ('guests tuning', 3, 100, ['--guests']), ('guests held-out', 4, 100, ['--guests'])]
PARTS = 10  # a set is made in so many pieces, by as many processes as there are cores
MODES = [('Main and control curve, as `fathom latency` has them', []),
         ('The single main curve, as `fathom fit` has it of a foreign file', ['--single'])]

HEADER = """# How well the levels are found

This page is what `make accuracy` printed last; it makes all of it anew, `make accuracy-real` what follows
"Published curves". What fits the curves is the library's own `fathom_fit`, without any knowledge of where they are from.

## How it is made

**Machines.** Two sets of 300 simulated machines (docs/simulated-machines.md), each drawn from a
seed: 2 to 4 cache levels, L1 16 to 128 KiB, L2 256 KiB to 4 MiB, the last up to 64 MiB, sizes log-uniform; 4 to
20 ways; LRU, PLRU, random, SRRIP, BRRIP and DRRIP replacement; every fifth last cache a victim of the
one before; 4 KiB or 2 MiB pages (35 %), physical frames in one run or at random; two TLBs or none (12 %), with page tables
that are walked through the caches; 1.5 to 5.2 GHz. Neighbouring levels are a factor of 3 apart in reach and of
1.4 in latency, and the first TLB has 24 entries or more. The first set was there to tune the inference with,
the second never was.

**Guests.** Two more sets, of 100 machines each, a tuning and a held-out one, have what the others lack. Co-tenants
use the last cache: in each sweep the share that they leave swings two and a half times, by up to a third of the ways up
and down, and its mean is the size that is to be found. Prefetchers help the control: they have a share of 10 to 60 % of
the lines of a window in the second cache in time (none on 30 % of the machines). The OS reports 2 to 16 times the last
cache (40 %), half to a sixteenth of it (10 %), 32 KiB, 256 KiB and 8 MiB whatever there is (15 %), nothing (10 %), or
the truth (25 %). No last cache of a guest is a victim or PLRU.

**Curves.** The main curve is one random cycle of 64-byte nodes at 4 sizes an octave, from 4 KiB to between 4.5 and
16 times the reach of the last cache (4.5 times where that is over 32 MiB; 512 MiB at most). The control visits the same
lines in windows of 64 KiB, every eighth line of each in a pass, at 2 sizes an octave, to twice the last reach.
Every address goes through the simulated caches, page tables and TLBs; the frames and the order are new for
each block. A cycle is warmed until its share of hits is within 1 % of where it ends up (behind a cache that
resists thrashing for eight laps), then 120 000 hops count, or the whole lap where a cache resists thrashing:
what it keeps comes one after the other. Loads that cannot hit anything are not simulated.
`accuracy trace SEED INDEX` makes the curves of a machine with these caps and, for comparison, with 12 laps of
warm-up and 3 that count.

**Trouble.** Six blocks a size, on six placements where a size is below 1.5 MiB and on one or two where it is larger
than 4 MiB (two are enough where frames are one run), with normal noise such that their median scatters by 0.2 to 1.5 %; up to 6 % of the points are
off as a whole, by a factor of 1.1 to 2, with an interval that does not tell; the core clock swings by 2 % while
the sizes are visited in random order, all blocks of a size at once on half of the machines, in six rounds
on the others. A point is the median of its blocks, with the 95 % interval of order statistics, and knows the clock that
it was measured at, to a tenth of its noise (a lone curve of another tool does not).

**Judgement.** A cache is found if one is reported with a reach within 30 % and a latency within 10 % of the
truth. The reach is the longest cycle that misses nowhere: the size of the cache, and what the caches before it keep of a
longer cycle for good, which is all of a cache whose victims it takes, and all but a way of a BRRIP or DRRIP one.
Memory is found if its latency is within 10 % of what the simulator takes at that size without noise,
translation included. Any other reported cache is a false one. A machine is right if all its levels are found and no cache
is false. Errors, intervals and widths are those of every reported cache nearer than a factor of 2 to a true one,
right or wrong. A TLB step is one that adds at least 5 % and ends within the curve. Translation that sets in
where a cache ends cannot be taken apart in a lone curve: there the latency may be anything between that of a hit
alone and that with what translation takes at the reach.

The text after `sim:` makes the same machine again: `fathom latency --machine sim:... --page ...`.
"""

PUBLISHED = """## Published curves

Curves that others measured on machines with documented caches, as their authors print them: the sources are in
`bench/published-truth.csv`, the numbers in `bench/published-curves.csv`, and documented TLB sizes in
`bench/published-tlbs.csv`.

**Sets.** Nothing is tuned on the set `validate`: of its curves only these totals are printed, and each look at them is
listed in [inference.md](inference.md). All curves of one core, the microarchitecture, are in one set, since they have
the same caches and TLBs; what a vendor sells under several names without changing these is one core (Kaby Lake and
Coffee Lake are Skylake). The rule is the SHA-256 of the core's name, as in the column `core`: odd is `tune`, even is
`validate`. Of the curves of `validate`, 36 were in the repository, in full view, while the inference was tuned before
this split; the others are `not seen before`.

**Grades.** A is exact and certain. B has a caveat: a shared or virtual machine, a further cache outside the cores. C is
there for robustness: a prefetcher that learnt the order, a share of a cache far below the documented size.

**Judgement.** Most curves have one size an octave, so that the end of a cache is known no better than the two sizes that
bracket it: a cache counts as found within 30 %, or between the same two sizes as the truth. Caches that end beyond half
the largest size are not asked for. A curve is right if all its caches are found and none is false.

**Orders.** `random_cycle`: several nodes a line on most. `bit_reversed`: a fixed order that visits every line.
`independent`: uniform random addresses, most as time over an L1 hit. The others are random pages, random order within a
page, a stride, and a permutation of several rings.

**Other readers.** Three naive ways to read a curve, of at most 60 lines each (`bench/baselines/`): the steepest places
of log latency; the size at half height between two plateaus; change points of log latency, their number by the modified
BIC of Zhang and Siegmund (2007). Their few constants are the best of some values on `tune`. The last two columns are of
curves that only one of fathom and that reader has right: by chance as many on either side (McNemar's test). What the
inference cannot do better than these is not worth its lines. Mind that curves of one core are alike: 19 of `tune` are of
Zen 2, 15 of these of one machine.

The curves of `tune`, one a line; `accuracy published-tune` prints them alone:
"""

DOCUMENTS = """## Documents of real machines

What fathom measured on machines whose CPUs are documented (`corpus/documents/`), fitted anew: the curves are the same
as long as the file stands there. A cache of a core is found within 30 %. A guest has a share of the last cache that
nobody knows: any one cache between L2 and the size of the last is that. A TLB is found if its entries are within 15 % of
a documented one. A survey is not among the sweeps that are compared with each other. The core of these guests is of the
set `tune`.
"""


def output(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f'{command}: exit code {done.returncode}')
    return done.stdout, done.returncode == 0


def make_set(program, pool, seed, machines, options, path):
    size = machines // PARTS
    parts = [f'{path}.{part}' for part in range(PARTS)]
    done = [pool.submit(output, program, 'generate', str(seed), str(size), part, str(i * size),
                        *options)
            for i, part in enumerate(parts)]
    return parts, done


def join(parts, path):
    with open(path, 'w', encoding='utf-8') as whole:
        for part in parts:
            with open(part, encoding='utf-8') as piece:
                whole.write(piece.read())
            os.remove(part)


def make_sets(program, pool, paths):
    begun = [make_set(program, pool, *rest, path) for (_, *rest), path in zip(SETS, paths)]
    for (parts, done), path in zip(begun, paths):
        for one in done:
            one.result()
        join(parts, path)


def section(title, text):
    return f'{title}\n\n```\n{text.rstrip()}\n```\n'


def simulated(program, pool, build):
    """The report on simulated machines, and which targets were missed."""
    paths = [os.path.join(build, f'accuracy-set-{seed}') for _, seed, *_ in SETS]
    if '--keep' not in sys.argv or not all(map(os.path.exists, paths)):
        make_sets(program, pool, paths)
    runs = [(mode, name, pool.submit(output, program, 'score', path, *options))
            for mode, options in MODES for (name, *_), path in zip(SETS, paths)]
    report, missed, mode_before = [HEADER], [], None
    for mode, name, run in runs:
        text, good = run.result()
        report += [f'## {mode}\n'] if mode != mode_before else []
        report.append(section(f'### The {name} set', text))
        missed += [] if good else [f'{mode}, the {name} set']
        mode_before = mode
    return report, missed


def real(program, pool):
    runs = [(title, pool.submit(output, program, what))
            for title, what in ((PUBLISHED, 'published'), (DOCUMENTS, 'documents'))]
    return [section(title, run.result()[0]) for title, run in runs]


def main():
    program, source, build = sys.argv[1:4]
    page = os.path.join(source, 'docs', 'accuracy.md')
    start = time.monotonic()
    pool = concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)))
    if '--real' in sys.argv:
        with open(page, encoding='utf-8') as file:
            before, missed = [file.read().partition(PUBLISHED.splitlines()[0])[0].rstrip('\n') + '\n'], []
    else:
        before, missed = simulated(program, pool, build)
    text = '\n'.join(before + real(program, pool))
    print(text)
    with open(page, 'w', encoding='utf-8') as file:
        file.write(text)
    print(f'{time.monotonic() - start:.0f} s in all')
    for one in missed:
        print(f'missed a target: {one}')
    return bool(missed)


sys.exit(main())
