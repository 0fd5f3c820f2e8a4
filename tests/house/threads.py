"""Teams of threads under ThreadSanitizer, in a build of their own: the unit tests of what runs on
threads, a measurement of bandwidth on two of them, of two CPUs in turns, and of what two CPUs hand over
and share."""
import os

from fathom_test import need_tool
from instrumented import need_instrument, set_up, step

TESTS = ['team', 'meter_streams', 'pairs', 'siblings']
STOPS = {'TSAN_OPTIONS': 'halt_on_error=1'}

need_instrument(need_tool('cc', 'gcc', 'clang'), '-fsanitize=thread',
                'the compiler has no working ThreadSanitizer')
own = set_up('threads', '-Dc_args=-g1', '-Db_sanitize=thread')
fathom = os.path.join(own, 'cli', 'fathom')
step('ninja', '-C', own, 'cli/fathom', 'tests/unit/unit_measure')
step('meson', 'test', '-C', own, '--no-rebuild', '--timeout-multiplier', '5', '--print-errorlogs',
     *TESTS, env=STOPS)
step(fathom, 'bandwidth', '--size', '64K,1M', '--threads', '1,2',
     '--budget', '2s', '--quiet', env=STOPS)
step(fathom, 'latency', '--machine', 'sim:cpus=2,l3=off', '--cpu', '0,1',
     '--max-size', '512K', '--per-octave', '2', '--budget', '200ms', '--quiet', env=STOPS)
if len(os.sched_getaffinity(0)) > 1:
    step(fathom, 'cores', '--budget', '2s', '--no-wait', '--quiet', env=STOPS)
