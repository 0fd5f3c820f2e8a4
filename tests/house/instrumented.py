"""A build under AddressSanitizer and UBSan, for who fuzzes it and who runs the tests in it: with clang
also libFuzzer's targets, by whichever test comes first."""
import os
import shutil
import subprocess

from fathom_test import BUILD, SOURCE, check, need_tool, scratch, skip

FOLDER = os.path.join(BUILD, 'sanitized')
FLAGS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']
ENVIRONMENT = {**os.environ, 'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1'}


def step(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**ENVIRONMENT, **more.pop('env', {})}, **more)
    check(done.returncode == 0, *command, '\n', done.stdout[-6000:], done.stderr[-6000:])
    return done.stdout


def works(compiler, flags, source, run=True):
    """Can it make such programs, and do they run?"""
    with scratch() as folder:
        program = os.path.join(folder, 'try')
        tried = subprocess.run([compiler, *flags, '-x', 'c', '-', '-o', program], input=source,
                               capture_output=True, text=True, check=False)
        return tried.returncode == 0 and (not run or subprocess.run(
            [program], check=False, capture_output=True).returncode == 0)


def can_fuzz():
    return shutil.which('clang') and works(
        'clang', ['-fsanitize=fuzzer,address,undefined'],
        'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n > 9 ? 0 : 0; }\n',
        run=False)


def set_up():
    """Of optimisation little: half the time to build, and to run."""
    need_tool('meson')
    fuzzes = can_fuzz()
    compiler = 'clang' if fuzzes else need_tool('cc', 'gcc', 'clang')
    if not works(compiler, FLAGS, 'int main(void) { return 0; }\n'):
        skip('the compiler has no working sanitizers')
    if os.path.exists(os.path.join(FOLDER, 'build.ninja')):
        return
    own = ['-Dfuzz=true', '-Dc_args=-gline-tables-only -fsanitize=fuzzer-no-link'] if fuzzes else \
        ['-Dc_args=-g1']
    step('meson', 'setup', FOLDER, SOURCE, '-Doptimization=1', '-Db_sanitize=address,undefined',
         '-Db_lundef=false', *own, env={'CC': compiler})
