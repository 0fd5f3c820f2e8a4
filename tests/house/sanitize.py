"""The unit tests and the simulated ones under AddressSanitizer and UBSan, in a build of their own: of
the slow ones some, and of the outputs those that unit tests write."""
import json

from fathom_test import check, need_tool
from instrumented import need_instrument, set_up, step

# Of the slow ones, which simulate for long what others simulate shortly, those that take and free
# most memory.
SLOW = ['levels', 'levels_end', 'levels_replacement', 'levels_translation', 'fitting_fails']
# And of the others not those that take longest for what shorter ones run, too.
LONG = ['again', 'cli_cores_whole']
STOPS = {'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1'}


def is_chosen(test):
    suites = {suite.split(':')[-1] for suite in test['suite']}
    return (suites & {'unit', 'simulated'} and not suites & {'slow', 'golden'} or
            test['name'] in SLOW) and test['name'] not in LONG


need_instrument(need_tool('cc', 'gcc', 'clang'), '-fsanitize=address,undefined',
                'the compiler has no working sanitizers')
# What runs takes longer than what compiles: a third less of the one is more than the other grows by.
own = set_up('sanitized', '-Dc_args=-g1', '-Db_sanitize=address,undefined', optimization=2)
# meson builds what the chosen ones need, and not the benchmarks.
chosen = [test['name'] for test in json.loads(step('meson', 'introspect', own, '--tests'))
          if is_chosen(test)]
check(set(SLOW) <= set(chosen) and not set(LONG) & set(chosen), chosen)
step('meson', 'test', '-C', own, '--timeout-multiplier', '5', '--print-errorlogs',
     *chosen, env=STOPS)
