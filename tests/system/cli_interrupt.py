"""Interrupted in mid-sweep, what was measured is a valid document that says so; while waiting for
input, there is no answer."""
import json
import os
import pty
import signal
import subprocess
import time

from fathom_test import COMMAND, MACHINE, become_ordinary, check, scratch, skip

# The simulated budget is never spent in the time of this test.
ENDLESS = [*MACHINE, '--seed', '7', '--max-size', '4M', '--budget', '100000s', '--target',
           '0.0001%']


def read_rest(terminal):
    """What a process that is gone has left there; it comes in pieces."""
    rest = b''
    try:
        while piece := os.read(terminal, 65536):
            rest += piece
    except OSError:  # no one has the other end any more
        pass
    os.close(terminal)
    return rest.decode()


def interrupt(number, arguments, wanted_progress, command='latency'):
    """Waits until progress tells that a sweep is under way, then sends the signal."""
    try:
        terminal, child_terminal = pty.openpty()
    except OSError as reason:
        skip(f'no terminal to be had: {reason}')
    with subprocess.Popen([COMMAND, command, *ENDLESS, *arguments], stdout=subprocess.PIPE, stderr=child_terminal,
                          env={**os.environ, 'LC_ALL': 'C'}, preexec_fn=become_ordinary) as child:
        os.close(child_terminal)
        seen = b''
        while seen.count(b'\r') < wanted_progress:
            seen += os.read(terminal, 4096)
        child.send_signal(number)
        answer = child.stdout.read().decode()
        code = child.wait(timeout=60)
    said = read_rest(terminal)
    check(code == 130, 'exit code', code, said)
    check('fathom: interrupted' in said, said)
    return answer


def check_document(text):
    document = json.loads(text)
    check(document['interrupted'] is True, 'it does not say so')
    points = document['curves'][0]['points']
    check(any(point['latency_ns'] for point in points), 'nothing was kept')


def is_listening(process):
    with open(f'/proc/{process.pid}/status', encoding='utf-8') as status:
        caught = next(line for line in status if line.startswith('SigCgt:'))
    return int(caught.split()[1], 16) & 1 << (signal.SIGINT - 1)


def interrupt_waiting(command):
    """Waits for input that does not come."""
    waiting = subprocess.Popen([COMMAND, command, '-'], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=become_ordinary)
    deadline = time.monotonic() + 60
    while not is_listening(waiting) and time.monotonic() < deadline:
        time.sleep(0.01)
    while waiting.poll() is None and time.monotonic() < deadline:
        waiting.send_signal(signal.SIGINT)  # the first may come right before it waits
        time.sleep(0.1)
    code = waiting.wait(timeout=1)
    output, messages = waiting.stdout.read(), waiting.stderr.read()
    check(code == 130 and not output, command, code, messages)


def start(wait_s, command, *arguments):
    """Under way for so long, and listening."""
    child = subprocess.Popen([COMMAND, command, *arguments], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, preexec_fn=become_ordinary)
    deadline = time.monotonic() + 60
    while not is_listening(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(wait_s)
    return child


def interrupt_twice(number, pause_s):
    """The answer goes into a full pipe, so that the first signal alone ends nothing."""
    with scratch() as folder:
        path = os.path.join(folder, 'pipe.json')
        os.mkfifo(path)
        pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        try:
            while os.write(pipe, bytes(4096)):
                pass
        except BlockingIOError:
            pass
        child = start(1.5, 'latency', *ENDLESS, '-o', path)
        child.send_signal(number)
        time.sleep(pause_s)
        child.send_signal(number)
        time.sleep(1)
        ended = child.poll() is not None
        while child.poll() is None:
            try:
                os.read(pipe, 65536)
            except BlockingIOError:
                pass
        os.close(pipe)
        said = child.communicate()[1]
        check(child.returncode == 130, child.returncode, said)
        return ended, said


def check_at_once():
    """What keeps nothing ends with the first signal, and leaves nothing: a staircase takes seconds."""
    with scratch() as folder:
        stairs, lower, old = (os.path.join(folder, name)
                              for name in ('stairs.csv', 'lower.csv', 'old.md'))
        for name, unit in (stairs, 1), (lower, 0.7):
            with open(name, 'w', encoding='utf-8') as file:
                file.write('size,latency\n')
                for i in range(400):
                    file.write(f'{int(1024 * 2 ** (i / 16))},{unit * 1.25 ** (i // 8)}\n')
        with open(old, 'w', encoding='utf-8') as file:
            file.write('old')
        for words in (['report', stairs, '-o', old], ['report', stairs, '--plot'], ['fit', stairs],
                      ['compare', stairs, stairs, '--json'], ['explain', 'L1', stairs],
                      ['frequency', stairs, lower, '--clock', '2G,3G', '--json']):
            child = start(0.05, *words)
            child.send_signal(signal.SIGINT)
            output, said = child.communicate(timeout=60)
            check(child.returncode == 130 and not output, words, child.returncode, said)
            check('fathom: interrupted' in said and said.count('\n') < 3, words, said)
        with open(old, encoding='utf-8') as file:
            check(file.read() == 'old', 'the file has changed')
        check(sorted(os.listdir(folder)) == ['lower.csv', 'old.md', 'stairs.csv'], os.listdir(folder))


def check_old_stays(number, wait_s):
    """Stopped in its first moments, a run leaves the old file, or a document that has points."""
    with scratch() as folder:
        path = os.path.join(folder, 'old.json')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('old')
        child = start(wait_s, 'latency', *ENDLESS, '-o', path)
        child.send_signal(number)
        said = child.communicate(timeout=60)[1]
        check(child.returncode == 130, child.returncode, said)
        with open(path, encoding='utf-8') as file:
            text = file.read()
        if text != 'old':
            check_document(text)
        check('nothing was measured yet' in said or text != 'old', said)
        check(os.listdir(folder) == ['old.json'], os.listdir(folder))


interrupt_waiting('fit')
interrupt_waiting('run')
check_at_once()
check_document(interrupt(signal.SIGINT, ['--json'], 30))
check_document(interrupt(signal.SIGTERM, ['--json'], 30))
with scratch() as folder:
    path = os.path.join(folder, 'result.json')
    check(interrupt(signal.SIGHUP, ['-o', path], 30) == '', 'there is an answer elsewhere')
    with open(path, encoding='utf-8') as file:
        check_document(file.read())
    check(os.listdir(folder) == ['result.json'], os.listdir(folder))
# Of a survey the report is written as well, and marked.
with scratch() as folder:
    path = os.path.join(folder, 'report.html')
    text = interrupt(signal.SIGINT, ['-o', path], 30, 'survey')
    check('interrupted' in text, text)
    check(sorted(os.listdir(folder)) == ['report.html', 'report.json'], os.listdir(folder))
    with open(os.path.join(folder, 'report.json'), encoding='utf-8') as file:
        check_document(file.read())
    with open(path, encoding='utf-8') as file:
        check('"interrupted":true' in file.read().replace(' ', ''), 'the page does not say so')
# A second time: at once. Two in one breath, as of `timeout`, are one; SIGTERM never is in a hurry.
ended, text = interrupt_twice(signal.SIGINT, 0.2)
check(ended and 'nothing was kept' in text, ended, text)
ended, text = interrupt_twice(signal.SIGTERM, 0.2)
check(not ended and 'measured so far were kept' in text, ended, text)
check(any(not interrupt_twice(signal.SIGINT, 0)[0] for _ in range(3)), 'ended at once')
# Before the first point the document may be empty, but it is one; no file is replaced by it.
check(json.loads(interrupt(signal.SIGINT, ['--json'], 1))['interrupted'] is True)
for number in (signal.SIGINT, signal.SIGTERM):
    for wait_s in (0, 0.003, 0.01, 0.03, 0.1):
        check_old_stays(number, wait_s)
