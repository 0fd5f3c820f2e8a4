"""A run that is moved to another CPU says so, and its curves name the CPU that they are of."""
import json
import os
import signal
import subprocess
import time

from fathom_test import COMMAND, check, skip

cpus = sorted(os.sched_getaffinity(0))
if len(cpus) < 2:
    skip('there is one CPU only')
here, there = cpus[1], cpus[0]
child = subprocess.Popen([COMMAND, 'latency', '--budget', '3s', '--max-size', '64K', '--per-octave',
                          '1', '--cpu', str(here), '--json'], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
try:
    deadline = time.monotonic() + 60
    while os.sched_getaffinity(child.pid) != {here} and time.monotonic() < deadline:
        time.sleep(0.005)
    bound = os.sched_getaffinity(child.pid) == {here}
    os.sched_setaffinity(child.pid, {there})
    time.sleep(3)
    child.send_signal(signal.SIGINT)  # where sizes within their target would end it much later
    out, errors = child.communicate(timeout=120)
except BaseException:
    child.kill()
    raise
if not bound:
    skip('binding to a CPU is not permitted')
found = json.loads(out)
moved = [warning for warning in found['warnings'] if warning['id'] == 'moved']
rejected = sum(point['rejected'].get('migration', 0)
               for curve in found['curves'] for point in curve['points'])
check(len(moved) == 1, 'not told:', found['warnings'])
check(f'cpu {there}' in moved[0]['text'] and f'cpu {here}' in moved[0]['text'], moved)
check(rejected > 0, 'no batch counts as migrated')
check([curve['cpu'] for curve in found['curves']] == [there] * len(found['curves']),
      'a curve is said to be of', [curve['cpu'] for curve in found['curves']])
