"""A short, fixed run of every fuzz target (tests/fuzz): no text given to a parser makes it
misbehave. Longer: `make fuzz`, of which FUZZ_SECONDS are for each."""
import glob
import os
from concurrent.futures import ThreadPoolExecutor

from fathom_test import SOURCE, check, need_tool, scratch
from instrumented import cached, need_instrument, set_up, step

SECONDS = int(os.environ.get('FUZZ_SECONDS', '4'))
RUNS = 10000 * SECONDS
STOPS = {'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1'}

targets = sorted(os.path.basename(path)[:-2]
                 for path in glob.glob(os.path.join(SOURCE, 'tests', 'fuzz', 'fuzz_*.c')))
check(targets, 'there is no fuzz target')

need_instrument(need_tool('clang'), '-fsanitize=fuzzer,address,undefined',
                'clang has no libFuzzer (libclang-rt-14-dev)', run=False,
                source='int LLVMFuzzerTestOneInput(const char *d, unsigned long n)'
                       '{ return d && n > 9 ? 0 : 0; }\n')
own = set_up('fuzzed', '-Dfuzz=true', '-Db_sanitize=address,undefined',
             '-Dc_args=-gline-tables-only -fsanitize=fuzzer-no-link', env={'CC': cached('clang')})
step('ninja', '-C', own, *['tests/fuzz/' + name for name in targets])


def fuzz(name):
    with scratch() as corpus:
        seeds = os.path.join(SOURCE, 'tests', 'fuzz', name[len('fuzz_'):])
        step(os.path.join(own, 'tests', 'fuzz', name), corpus, seeds, '-seed=1', f'-runs={RUNS}',
             f'-max_total_time={SECONDS}', '-max_len=8192', '-timeout=10', '-verbosity=0',
             cwd=corpus, env=STOPS)


with ThreadPoolExecutor(os.cpu_count()) as pool:
    for result in [pool.submit(fuzz, name) for name in targets]:
        result.result()
