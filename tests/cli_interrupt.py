"""Interrupted in mid-sweep, what was measured is a valid document that says so."""
import json
import os
import pty
import signal
import subprocess

from fathom_test import COMMAND, MACHINE, become_ordinary, check, scratch, skip

# The simulated budget is never spent in the time of this test.
ENDLESS = [COMMAND, 'latency', *MACHINE, '--seed', '7', '--max-size', '4M', '--budget', '100000s',
           '--target', '0.0001%']


def interrupt(number, arguments, wanted_progress):
    """Waits until progress tells that a sweep is under way, then sends the signal."""
    try:
        terminal, child_terminal = pty.openpty()
    except OSError as reason:
        skip(f'no terminal to be had: {reason}')
    with subprocess.Popen([*ENDLESS, *arguments], stdout=subprocess.PIPE, stderr=child_terminal,
                          env={**os.environ, 'LC_ALL': 'C'}, preexec_fn=become_ordinary) as child:
        os.close(child_terminal)
        seen = b''
        while seen.count(b'\r') < wanted_progress:
            seen += os.read(terminal, 4096)
        child.send_signal(number)
        answer = child.stdout.read().decode()
        code = child.wait(timeout=60)
    said = os.read(terminal, 65536).decode()
    os.close(terminal)
    check(code == 130, 'exit code', code, said)
    check('fathom: interrupted' in said, said)
    return answer


def check_document(text):
    document = json.loads(text)
    check(document['interrupted'] is True, 'it does not say so')
    points = document['curves'][0]['points']
    check(any(point['latency_ns'] for point in points), 'nothing was kept')


check_document(interrupt(signal.SIGINT, ['--json'], 30))
check_document(interrupt(signal.SIGTERM, ['--json'], 30))
with scratch() as folder:
    path = os.path.join(folder, 'result.json')
    check(interrupt(signal.SIGHUP, ['-o', path], 30) == '', 'there is an answer elsewhere')
    with open(path, encoding='utf-8') as file:
        check_document(file.read())
    check(os.listdir(folder) == ['result.json'], os.listdir(folder))
# Before the first point the document may be empty, but it is one.
check(json.loads(interrupt(signal.SIGINT, ['--json'], 1))['interrupted'] is True)
