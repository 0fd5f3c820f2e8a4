"""A short, fixed run of every fuzz target (tests/fuzz): no text given to a parser makes it
misbehave. Longer: build/fuzzed/tests/fuzz/fuzz_plan -max_total_time=600."""
import glob
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

from fathom_test import BUILD, SOURCE, check, need_tool, scratch, skip

RUNS = 100000
SECONDS = 10
need_tool('clang')
need_tool('meson')
targets = sorted(os.path.basename(path)[:-2]
                 for path in glob.glob(os.path.join(SOURCE, 'tests', 'fuzz', 'fuzz_*.c')))
check(targets, 'there is no fuzz target')

with scratch() as folder:
    tried = subprocess.run(['clang', '-fsanitize=fuzzer,address,undefined', '-x', 'c', '-', '-o',
                            os.path.join(folder, 'try')], capture_output=True, text=True,
                           input='int LLVMFuzzerTestOneInput(const char *d, unsigned long n)'
                                 '{ return d && n > 9 ? 0 : 0; }\n', check=False)
    if tried.returncode:
        skip('clang has no libFuzzer (libclang-rt-14-dev)')

own = os.path.join(BUILD, 'fuzzed')


def step(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    check(done.returncode == 0, *command, '\n', done.stdout[-4000:], done.stderr[-6000:])


if not os.path.exists(os.path.join(own, 'build.ninja')):
    step('meson', 'setup', own, SOURCE, '-Dfuzz=true', '-Db_sanitize=address,undefined',
         '-Db_lundef=false', '-Doptimization=1',
         '-Dc_args=-gline-tables-only -fsanitize=fuzzer-no-link',
         env={**os.environ, 'CC': 'clang'})
step('ninja', '-C', own, *['tests/fuzz/' + name for name in targets])


def fuzz(name):
    with scratch() as corpus:
        seeds = os.path.join(SOURCE, 'tests', 'fuzz', name[len('fuzz_'):])
        step(os.path.join(own, 'tests', 'fuzz', name), corpus, seeds, '-seed=1', f'-runs={RUNS}',
             f'-max_total_time={SECONDS}', '-max_len=8192', '-timeout=10', '-verbosity=0',
             cwd=corpus, env={**os.environ, 'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1'})


with ThreadPoolExecutor(os.cpu_count()) as pool:
    for result in [pool.submit(fuzz, name) for name in targets]:
        result.result()
