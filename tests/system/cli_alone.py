"""One process measures on a node where a launcher started it, or --alone says so: another one is refused
with the PID of the first. Nothing that is left behind, or put there, is in the way."""
import os
import subprocess
import sys
import time

from fathom_test import COMMAND, MACHINE, become_ordinary, check, check_refused, document, run, skip

# Lock files of our own: other tests of this machine, and its users, have theirs.
INSIDE = 'mount -t tmpfs none /run && mkdir -m 1777 /run/lock && : >/run/other && ' \
    '{ [ -e /tmp/fathom.lock ] || (umask 222; : >/tmp/fathom.lock); } && ' \
    'mount --bind /run/other /tmp/fathom.lock && exec "$@"'
LOCK = '/run/lock/fathom.lock'
SHORT = ['latency', '--size', '4K', '--budget', '50ms', '--no-wait', '--json']
LAUNCHED = {'SLURM_PROCID': '0'}


def enter():
    as_user = [] if os.getuid() == 0 else ['--map-root-user']
    inside = ['unshare', *as_user, '--mount', 'sh', '-c', INSIDE, 'sh']
    try:
        if subprocess.run([*inside, 'true'], stderr=subprocess.PIPE, check=False).returncode:
            skip('no folders of our own to be had')
    except FileNotFoundError:
        skip('unshare is not installed')
    sys.exit(subprocess.run([*inside, sys.executable, *sys.argv, 'inside'], check=False).returncode)


def has_lock(process):
    folder = f'/proc/{process.pid}/fd'
    for file in os.listdir(folder):
        try:
            if os.readlink(f'{folder}/{file}') == LOCK:
                return True
        except FileNotFoundError:
            pass  # closed meanwhile
    return False


def start_first():
    """Under way, with the lock."""
    first = subprocess.Popen([COMMAND, 'bandwidth', '--size', '16K', '--threads', '1', '--budget', '60s',
                              '--no-wait', '--alone', '-q'], stdout=subprocess.DEVNULL,
                             preexec_fn=become_ordinary)
    deadline = time.monotonic() + 60
    while not has_lock(first):
        check(time.monotonic() < deadline and first.poll() is None, 'it has not begun')
        time.sleep(0.01)
    time.sleep(0.1)
    return first


def check_second(first):
    has_kernel = 'FLOCK' in open('/proc/locks', encoding='utf-8').read()
    who = [str(first.pid)] if has_kernel else ['another process']
    for done in (run(*SHORT, '--alone'), run(*SHORT, env=LAUNCHED), run('--alone', '--no-report')):
        check_refused(done, 3, *who, 'measures on this node', LOCK)
    document(run(*SHORT))  # nobody asked for it
    document(run('latency', *MACHINE, '--size', '4K', '--budget', '1s', '--json', '--alone'))
    document(run(*SHORT, '--alone', '--dry-run'))
    if os.access(COMMAND, os.X_OK) and 'as_root' in sys.argv:
        try:
            check_refused(run(*SHORT, '--alone', prepare=lambda: os.setuid(65534)), 3, *who)
        except (subprocess.SubprocessError, PermissionError):
            pass  # it cannot reach the command


def check_odd_places():
    os.remove(LOCK)
    os.symlink('/run/target', LOCK)
    document(run(*SHORT, '--alone'))
    check(not os.path.exists('/run/target'), 'the link was followed')
    os.remove(LOCK)
    os.mkfifo(LOCK)
    document(run(*SHORT, '--alone'))  # by the other file
    subprocess.run(['umount', '/tmp/fathom.lock'], check=True)
    subprocess.run(['mount', '--bind', LOCK, '/tmp/fathom.lock'], check=True)
    check_refused(run(*SHORT, '--alone'), 1, 'can be locked')
    done = run(*SHORT, env=LAUNCHED)
    check(document(done) and 'would not be seen' in done.stderr, done.stderr)


if 'inside' not in sys.argv:
    if os.getuid() == 0:
        sys.argv.append('as_root')
    enter()
first = start_first()
try:
    check_second(first)
finally:
    first.kill()
    first.wait()
document(run(*SHORT, '--alone'))  # a stale lock is none
check(os.path.getsize(LOCK) == 0, 'something was written')
check_odd_places()
