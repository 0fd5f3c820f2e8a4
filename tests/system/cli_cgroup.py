"""In a control group with little memory everything fits, or is refused: nothing is killed."""
import contextlib
import os

from fathom_test import check, check_refused, run, skip


def own_group():
    """The folder of our own group in the hierarchy that limits memory, and its file for the limit."""
    groups = {}
    with open('/proc/self/cgroup', encoding='utf-8') as file:
        for line in file:
            _, controllers, path = line.rstrip('\n').split(':', 2)
            for name in controllers.split(','):
                groups[name] = path
    with open('/proc/self/mounts', encoding='utf-8') as file:
        for line in file:
            _, folder, kind, options = line.split()[:4]
            if kind == 'cgroup' and 'memory' in options.split(',') and 'memory' in groups:
                return folder + groups['memory'], 'memory.limit_in_bytes'
    return '/sys/fs/cgroup' + groups.get('', '/'), 'memory.max'


@contextlib.contextmanager
def group(mib):
    parent, name = own_group()
    folder = os.path.join(parent, f'fathom-test-{os.getpid()}')
    try:
        os.mkdir(folder)
    except OSError as reason:
        skip(f'no control group can be made here: {reason.strerror}')
    try:
        try:
            with open(os.path.join(folder, name), 'w', encoding='ascii') as file:
                file.write(str(mib << 20))
        except OSError as reason:
            skip(f'memory cannot be limited here: {reason.strerror}')
        yield folder
    finally:
        os.rmdir(folder)


def join(folder):
    def write():
        with open(os.path.join(folder, 'cgroup.procs'), 'w', encoding='ascii') as file:
            file.write(str(os.getpid()))
    return write


for mib in (64, 128):
    with group(mib) as folder:
        for words in (['pages', '--budget', '1500ms'], ['parallelism', '--budget', '1s'],
                      ['survey', '--no-report', '--budget', '5s']):
            done = run(*words, prepare=join(folder))
            check(done.returncode == 0, mib, 'MiB:', words, 'exit code', done.returncode,
                  done.stderr)

for mib in (4, 6, 12):
    with group(mib) as folder:
        for words in (['latency'], ['pages'], ['bandwidth'], ['survey', '--no-report']):
            # Meson has malloc() touch what nobody uses.
            done = run(*words, '--budget', '500ms', '-q', env={'MALLOC_PERTURB_': '0'},
                       prepare=join(folder))
            if done.returncode:
                check_refused(done, 3, 'cgroup memory limit')
