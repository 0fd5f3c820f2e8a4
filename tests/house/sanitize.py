"""The unit tests and the simulated ones under AddressSanitizer and UBSan, in a build of their own: of
the slow ones some, and of the outputs those that unit tests write."""
import json

from fathom_test import check
from instrumented import FOLDER, set_up, step

# Of the slow ones, which simulate for long what others simulate shortly, those that take and free
# most memory.
SLOW = ['levels', 'levels_end', 'levels_replacement', 'levels_translation', 'fitting_fails']


def is_chosen(test):
    suites = {suite.split(':')[-1] for suite in test['suite']}
    return (suites & {'unit', 'simulated'} and not suites & {'slow', 'golden'} or
            test['name'] in SLOW)


set_up()
step('ninja', '-C', FOLDER)
chosen = [test['name'] for test in json.loads(step('meson', 'introspect', FOLDER, '--tests'))
          if is_chosen(test)]
check(set(SLOW) <= set(chosen), chosen)
step('meson', 'test', '-C', FOLDER, '--no-rebuild', '--timeout-multiplier', '5', '--print-errorlogs',
     *chosen)
