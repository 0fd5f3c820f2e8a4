"""-o: what is there already stays what it is but for its bytes: a link that leads to nothing yet, a
file of several names, of another owner, with a long name, in a folder that takes no new files. And
whatever ends the process, no other file is left."""
import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import time

from fathom_test import COMMAND, MACHINE, become_ordinary, check, run, scratch

LONG = ['--max-size', '4M', '--budget', '100000s', '--target', '0.0001%']
NOBODY = 65534


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def write(path, text='x' * 100000):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def info(path, **more):
    """What is there in the end is the whole document, and nothing of what was there before."""
    done = run('info', *MACHINE, '-o', path, **more)
    check(done.returncode == 0 and not done.stderr, path, done.stderr)
    check(json.loads(read(path))['machine'], path)


def check_links(folder):
    os.mkdir(os.path.join(folder, 'deep'))
    for name, target, real in (('a.json', 'deep/b.json', 'deep/b.json'),
                               ('c.json', os.path.join(folder, 'd.json'), 'd.json'),
                               ('e.json', 'f.json', 'deep/g.json')):
        link = os.path.join(folder, name)
        os.symlink(target, link)
        if name == 'e.json':
            os.symlink('deep/g.json', os.path.join(folder, target))
        info(link)
        check(os.readlink(link) == target, name, 'is no link any more')
        check(stat.S_ISREG(os.lstat(os.path.join(folder, real)).st_mode), 'no file at', real)


def check_names(folder):
    path, other = os.path.join(folder, 'one.json'), os.path.join(folder, 'two.json')
    write(path)
    os.link(path, other)
    info(path)
    check(os.path.samefile(path, other) and json.loads(read(other)), 'the names are apart')
    info(os.path.join(folder, 'n' * 250 + '.json'))


def check_mode(folder):
    """A new file has the mode of the umask, one that is replaced keeps its own."""
    path = os.path.join(folder, 'mode.json')
    info(path, prepare=lambda: os.umask(0o027))
    check(stat.S_IMODE(os.stat(path).st_mode) == 0o640, oct(os.stat(path).st_mode))
    os.chmod(path, 0o604)
    info(path)
    check(stat.S_IMODE(os.stat(path).st_mode) == 0o604, oct(os.stat(path).st_mode))


def become_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def check_owner(folder):
    """As root: the file stays its owner's. Not as root: so does a file of somebody else's that may be
    written, also in a folder where only that."""
    path = os.path.join(folder, 'owned.json')
    write(path)
    os.chown(path, NOBODY, NOBODY)
    info(path)
    status = os.stat(path)
    check((status.st_uid, status.st_gid) == (NOBODY, NOBODY), 'another owner', status)
    os.chmod(folder, 0o755)
    own = os.path.join(folder, 'root.json')
    command = shutil.copy(COMMAND, folder)  # the build may be where nobody else gets to, as in /root
    for mode in (0o755, 0o777):
        write(own)
        os.chmod(own, 0o666)
        os.chmod(folder, mode)
        info(own, command=command, prepare=become_nobody)
        check(os.stat(own).st_uid == 0, 'another owner', os.stat(own))


def check_folder(folder):
    path = os.path.join(folder, 'writable.json')
    write(path)
    os.chmod(folder, 0o555)
    info(path)
    os.chmod(folder, 0o755)


def become_coreless():
    become_ordinary()
    # A shell that starts the tests in the background has it ignored.
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def check_killed(number):
    """The process is far from its end; the file that was there stays."""
    with scratch() as folder:
        path = os.path.join(folder, 'result.json')
        write(path, 'old')
        child = subprocess.Popen([COMMAND, 'latency', *MACHINE, *LONG, '-o', path],
                                 stderr=subprocess.DEVNULL, preexec_fn=become_coreless)
        time.sleep(0.5)
        check(child.poll() is None, 'it has ended')
        child.send_signal(number)
        child.wait(timeout=60)
        check(read(path) == 'old' and os.listdir(folder) == ['result.json'], number,
              os.listdir(folder))


def knows_nameless(folder):
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
        return True
    except OSError:
        return False


with scratch() as top:
    check_links(top)
    check_names(top)
    check_mode(top)
    if os.geteuid() == 0:
        check_owner(top)
    else:
        check_folder(top)
    check(not [name for name in os.listdir(top) if name.endswith('.tmp')], os.listdir(top))
    if knows_nameless(top):
        for each in (signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1, signal.SIGKILL):
            check_killed(each)
