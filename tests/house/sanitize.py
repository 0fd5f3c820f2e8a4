"""The unit tests and the simulated ones under AddressSanitizer and UBSan, in a build of their own: of
the slow ones some, and of the outputs those that unit tests write."""
import json
import os
import subprocess

from fathom_test import BUILD, SOURCE, check, need_tool, scratch, skip

cc = need_tool('cc', 'gcc', 'clang')
need_tool('meson')
# Of the slow ones, which simulate for long what others simulate shortly, those that take and free
# most memory.
SLOW = ['levels', 'levels_end', 'levels_replacement', 'levels_translation', 'fitting_fails']
FLAGS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']

with scratch() as folder:
    program = os.path.join(folder, 'try')
    tried = subprocess.run([cc, *FLAGS, '-x', 'c', '-', '-o', program], capture_output=True,
                           input='int main(void) { return 0; }\n', text=True, check=False)
    if tried.returncode or subprocess.run([program], check=False, capture_output=True).returncode:
        skip('the compiler has no working sanitizers')

own = os.path.join(BUILD, 'sanitized')
environment = {**os.environ, 'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1'}


def step(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    check(done.returncode == 0, *command, '\n', done.stdout[-6000:], done.stderr[-3000:])
    return done.stdout


def is_chosen(test):
    suites = {suite.split(':')[-1] for suite in test['suite']}
    return (suites & {'unit', 'simulated'} and not suites & {'slow', 'golden'} or
            test['name'] in SLOW)


if not os.path.exists(os.path.join(own, 'build.ninja')):
    step('meson', 'setup', own, SOURCE, '-Doptimization=1', '-Dc_args=-g1',
         '-Db_sanitize=address,undefined', '-Db_lundef=false')
step('ninja', '-C', own)
chosen = [test['name'] for test in json.loads(step('meson', 'introspect', own, '--tests'))
          if is_chosen(test)]
check(set(SLOW) <= set(chosen), chosen)
step('meson', 'test', '-C', own, '--no-rebuild', '--timeout-multiplier', '5', '--print-errorlogs',
     *chosen)
