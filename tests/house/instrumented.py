"""Builds under instruments (sanitizers, fuzzers), each in a folder of its own in the build folder."""
import os
import shutil
import subprocess

from fathom_test import BUILD, SOURCE, check, need_tool, scratch, skip

# Sources are named relative to the build folder: what one checkout compiled is another's, too.
ANYWHERE = {'CCACHE_NOHASHDIR': '1'}


def need_instrument(compiler, flag, why, source='int main(void) { return 0; }\n', run=True):
    """Skips unless the compiler makes such programs of the source, and, where asked, they run."""
    with scratch() as folder:
        program = os.path.join(folder, 'try')
        tried = subprocess.run([compiler, flag, '-x', 'c', '-', '-o', program], input=source,
                               capture_output=True, text=True, check=False)
        if tried.returncode or (run and subprocess.run([program], check=False,
                                                       capture_output=True).returncode):
            skip(why)


def cached(compiler):
    """The compiler behind ccache, where that is there: Meson looks for it itself unless CC is set."""
    return f'ccache {compiler}' if shutil.which('ccache') else compiler


def step(*command, env=None, cwd=None):
    """Runs a command, with `env` besides the environment; returns what it wrote."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd,
                          env={**os.environ, **ANYWHERE, **(env or {})})
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
