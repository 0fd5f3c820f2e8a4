"""A run that is moved to another CPU says so, and its curves name the CPU that they are of."""
import json
import os
import pty
import select
import signal
import subprocess
import time

from fathom_test import COMMAND, become_ordinary, check, scratch, skip

WAIT_S = 100
BOUNCES, BOUNCE_S = 3, 3e-3

cpus = sorted(os.sched_getaffinity(0))
if len(cpus) < 2:
    skip('there is one CPU only')
here, there = cpus[1], cpus[0]
try:
    terminal, child_terminal = pty.openpty()
except OSError as reason:
    skip(f'no terminal to be had: {reason}')
deadline = time.monotonic() + WAIT_S
seen = b''


def read_progress(wait_s):
    """Takes what the child has said by then; False: nothing."""
    global seen
    if not select.select([terminal], [], [], wait_s)[0]:
        return False
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # it is gone
        return False
    seen += piece
    return bool(piece)


def measure_until(visits):
    """Waits for so many lines of progress with a latency, of which one comes after each visit of a point, or for
    the end of the run; False: it has ended."""
    while seen.count(b' ns') < visits:
        if not read_progress(max(0, deadline - time.monotonic())):
            return False
    return True


with scratch() as folder:
    place = os.path.join(folder, 'moved.json')
    # It is interrupted long before the budget is spent or the target met.
    child = subprocess.Popen([COMMAND, 'latency', '--budget', f'{WAIT_S}s', '--target', '0.0001%',
                              '--max-size', '64K', '--per-octave', '1', '--cpu', str(here), '--json',
                              '-o', place], stderr=child_terminal, preexec_fn=become_ordinary)
    os.close(child_terminal)
    try:
        check(measure_until(1), 'it ended too early:', seen)
        bound = os.sched_getaffinity(child.pid) == {here}
        for cpu in BOUNCES * [there, here] + [there]:  # some of these moves come within a batch
            os.sched_setaffinity(child.pid, {cpu})
            time.sleep(BOUNCE_S)
        while read_progress(0):  # of visits before, which nobody had read yet
            pass
        measure_until(3 * seen.count(b' ns') + 20)  # most of the run is after it
        child.send_signal(signal.SIGINT)
        while read_progress(WAIT_S):
            pass
        child.wait(timeout=WAIT_S)
    except BaseException:
        child.kill()
        raise
    if not bound:
        skip('binding to a CPU is not permitted')
    with open(place, encoding='utf-8') as file:
        found = json.load(file)
moved = [warning for warning in found['warnings'] if warning['id'] == 'moved']
rejected = sum(point['rejected'].get('migration', 0)
               for curve in found['curves'] for point in curve['points'])
check(len(moved) == 1, 'not told:', found['warnings'])
check(f'cpu {there}' in moved[0]['text'] and f'cpu {here}' in moved[0]['text'], moved)
check(rejected > 0, 'no batch counts as migrated')
check([curve['cpu'] for curve in found['curves']] == [there] * len(found['curves']),
      'a curve is said to be of', [curve['cpu'] for curve in found['curves']])
