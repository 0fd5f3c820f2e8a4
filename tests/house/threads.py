"""Teams of threads under ThreadSanitizer, in a build of their own: the unit tests of what runs on
threads, a measurement of bandwidth on two of them, of two CPUs in turns, and of what two CPUs hand over
and share."""
import os
import subprocess

from fathom_test import BUILD, SOURCE, check, need_tool, scratch, skip

TESTS = ['team', 'meter_streams', 'stream', 'streams', 'simulated_stream', 'bandwidth', 'pairs',
         'siblings']
PROGRAMS = ['unit_measure', 'unit_simulate', 'unit_kernels']
cc = need_tool('cc', 'gcc', 'clang')
need_tool('meson')

with scratch() as folder:
    program = os.path.join(folder, 'try')
    tried = subprocess.run([cc, '-fsanitize=thread', '-x', 'c', '-', '-o', program],
                           capture_output=True, input='int main(void) { return 0; }\n', text=True,
                           check=False)
    if tried.returncode or subprocess.run([program], check=False, capture_output=True).returncode:
        skip('the compiler has no working ThreadSanitizer')

own = os.path.join(BUILD, 'threads')
environment = {**os.environ, 'TSAN_OPTIONS': 'halt_on_error=1'}


def step(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    check(done.returncode == 0, *command, '\n', done.stdout[-6000:], done.stderr[-6000:])


if not os.path.exists(os.path.join(own, 'build.ninja')):
    step('meson', 'setup', own, SOURCE, '-Doptimization=1', '-Dc_args=-g1',
         '-Db_sanitize=thread', '-Db_lundef=false')
step('ninja', '-C', own, 'cli/fathom', *('tests/unit/' + name for name in PROGRAMS))
step('meson', 'test', '-C', own, '--no-rebuild', '--timeout-multiplier', '5', '--print-errorlogs',
     *TESTS)
step(os.path.join(own, 'cli', 'fathom'), 'bandwidth', '--size', '64K,1M', '--threads', '1,2',
     '--budget', '2s', '--quiet')
step(os.path.join(own, 'cli', 'fathom'), 'latency', '--machine', 'sim:cpus=2,l3=off', '--cpu', '0,1',
     '--max-size', '512K', '--per-octave', '2', '--budget', '200ms', '--quiet')
if len(os.sched_getaffinity(0)) > 1:
    step(os.path.join(own, 'cli', 'fathom'), 'cores', '--budget', '2s', '--no-wait', '--quiet')
