"""Builds under instruments (sanitizers, fuzzers), each in a folder of its own in the build folder."""
import os
import subprocess

from fathom_test import BUILD, SOURCE, check, need_tool, scratch, skip


def need_instrument(compiler, flag, why, source='int main(void) { return 0; }\n', run=True):
    """Skips unless the compiler makes such programs of the source, and, where asked, they run."""
    with scratch() as folder:
        program = os.path.join(folder, 'try')
        tried = subprocess.run([compiler, flag, '-x', 'c', '-', '-o', program], input=source,
                               capture_output=True, text=True, check=False)
        if tried.returncode or (run and subprocess.run([program], check=False,
                                                       capture_output=True).returncode):
            skip(why)


def step(*command, env=None, cwd=None):
    """Runs a command, with `env` besides the environment; returns what it wrote."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd,
                          env={**os.environ, **(env or {})})
    check(done.returncode == 0, *command, '\n', done.stdout[-6000:], done.stderr[-6000:])
    return done.stdout


def set_up(name, *options, optimization=1, env=None):
    """Configures the build once; returns its folder. Of optimisation little: half the time to build."""
    need_tool('meson')
    folder = os.path.join(BUILD, name)
    if not os.path.exists(os.path.join(folder, 'build.ninja')):
        step('meson', 'setup', folder, SOURCE, f'-Doptimization={optimization}', '-Db_lundef=false',
             *options, env=env)
    return folder
