"""A short, fixed run of every fuzz target (tests/fuzz): no text given to a parser makes it
misbehave. Longer: build/sanitized/tests/fuzz/fuzz_plan -max_total_time=600."""
import glob
import os
from concurrent.futures import ThreadPoolExecutor

from fathom_test import SOURCE, check, scratch, skip
from instrumented import FOLDER, can_fuzz, set_up, step

RUNS = 100000
SECONDS = 10
targets = sorted(os.path.basename(path)[:-2]
                 for path in glob.glob(os.path.join(SOURCE, 'tests', 'fuzz', 'fuzz_*.c')))
check(targets, 'there is no fuzz target')

if not can_fuzz():
    skip('clang has no libFuzzer (libclang-rt-14-dev)')
set_up()
step('ninja', '-C', FOLDER, *['tests/fuzz/' + name for name in targets])


def fuzz(name):
    with scratch() as corpus:
        seeds = os.path.join(SOURCE, 'tests', 'fuzz', name[len('fuzz_'):])
        step(os.path.join(FOLDER, 'tests', 'fuzz', name), corpus, seeds, '-seed=1', f'-runs={RUNS}',
             f'-max_total_time={SECONDS}', '-max_len=8192', '-timeout=10', '-verbosity=0',
             cwd=corpus)


with ThreadPoolExecutor(os.cpu_count()) as pool:
    for result in [pool.submit(fuzz, name) for name in targets]:
        result.result()
