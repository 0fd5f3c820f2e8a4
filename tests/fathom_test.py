"""What the Python tests share: where things are, how the command is run, how to skip.

Meson sets FATHOM (the command), FATHOM_SOURCE and FATHOM_BUILD (the roots), and PYTHONPATH, by which
the tests in the folders beside find this file."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

COMMAND = os.environ['FATHOM']
SOURCE = os.environ['FATHOM_SOURCE']
BUILD = os.environ['FATHOM_BUILD']

# In front of a command: without /proc. Not to be had everywhere.
NO_PROC = ['unshare', '--map-root-user', '--mount', 'sh', '-c',
           'mount -t tmpfs none /proc && exec "$@"', 'sh']

# By which a launcher of parallel jobs is known.
RANKS = ['OMPI_COMM_WORLD_RANK', 'PMIX_RANK', 'PMI_RANK', 'SLURM_PROCID']

# A small simulated machine, whole sweeps of which take no time.
MACHINE = ['--machine', 'sim:']
SWEEP = MACHINE + ['--seed', '7', '--max-size', '64K', '--per-octave', '2', '--budget', '1s']


def skip(reason):
    print(reason)
    sys.exit(77)


def need_tool(*names):
    """The first of the tools that is there."""
    for name in names:
        if shutil.which(name):
            return name
    return skip(f"{' or '.join(names)} is not installed")


def check(condition, *what):
    if not condition:
        raise AssertionError(' '.join(str(part) for part in what))


def become_ordinary():
    """In the child: signals as a shell gives them, whatever the caller ignores."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def run(*arguments, command=COMMAND, env=None, stdout=subprocess.PIPE, prepare=None, timeout=120,
        **more):
    """Runs the command; nothing of the caller's environment changes its words."""
    environment = {**os.environ, 'LC_ALL': 'C'}
    for rank in RANKS:
        environment.pop(rank, None)
    environment.update(env or {})
    environment.pop('NO_COLOR', None)

    def before():
        become_ordinary()
        if prepare:
            prepare()

    return subprocess.run([command, *arguments], env=environment, stdout=stdout,
                          stderr=subprocess.PIPE, text=True, encoding='utf-8', timeout=timeout,
                          preexec_fn=before, check=False, **more)


def check_refused(done, code, *words):
    """The contract of all that goes wrong: exit code, one line of reason, one of hint, nothing
    on the standard output."""
    lines = done.stderr.splitlines()
    check(done.returncode == code, 'exit code', done.returncode, 'instead of', code, done.stderr)
    check(not done.stdout, 'standard output:', done.stdout)
    check(lines and lines[0].startswith('fathom: '), 'no reason:', done.stderr)
    for word in words:
        check(word in lines[0], f'{word!r} is not in', lines[0])
    check(len(lines) == 2 and lines[1].startswith('  hint: '), 'no single hint:', done.stderr)
    for line in lines:
        check('(null)' not in line and 'nan' not in line.split(), 'unfinished text:', line)


def document(done):
    """The one JSON document that a run printed."""
    check(done.returncode == 0, 'exit code', done.returncode, done.stderr)
    return json.loads(done.stdout)


def scratch():
    return tempfile.TemporaryDirectory(prefix='fathom-test-')
