"""Without /proc the page size is not known, which is said, and all else is measured; with too few open
files the machine cannot measure, and the hint says what would help. Files are written whole all the
same, and a signal leaves nothing."""
import json
import os
import resource
import signal
import subprocess
import time

from fathom_test import (COMMAND, MACHINE, NO_PROC, become_ordinary, check, check_refused, run,
                         scratch, skip)

SHORT = ['--max-size', '16K', '--per-octave', '1', '--no-control', '--budget', '300ms', '--json']


def limit(files):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))


for count in (4, 6, 8):
    done = run('latency', *SHORT, '-q', prepare=limit(count))
    if done.returncode or count == 4:
        check_refused(done, 3, 'Too many open files')

if subprocess.run([*NO_PROC, 'true'], capture_output=True, check=False).returncode != 0:
    skip('no /proc can be hidden here')
done = subprocess.run([*NO_PROC, COMMAND, 'latency', *SHORT], capture_output=True, text=True,
                      check=False)
check(done.returncode == 0, done.returncode, done.stderr)
result = json.loads(done.stdout)
points = [point for curve in result['curves'] for point in curve['points']]
check(points and all(point['latency_ns'] > 0 for point in points), points)
check(all(point['page_bytes'] is None and point['page_share'] is None for point in points), points)
warnings = {warning['id']: warning for warning in result['warnings']}
check('/proc' in warnings['pages-unknown']['hint'], warnings)
check('multi-size' not in warnings['pages-unknown']['text'], warnings)

# A file without a name cannot be given one: it has a temporary one, which goes as well.
with scratch() as folder:
    path = os.path.join(folder, 'x.json')
    for _ in range(2):  # made, and replaced
        done = subprocess.run([*NO_PROC, COMMAND, 'info', *MACHINE, '-o', path],
                              capture_output=True, text=True, check=False)
        check(done.returncode == 0 and not done.stderr, done.stderr)
        with open(path, encoding='utf-8') as file:
            check(json.load(file)['machine'], 'no document')
        check(os.listdir(folder) == ['x.json'], os.listdir(folder))
    waiting = subprocess.Popen([*NO_PROC, COMMAND, 'check', '-', '-o', path],
                               stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=become_ordinary)
    deadline = time.monotonic() + 60
    while len(os.listdir(folder)) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    check(any(name.endswith('.tmp') for name in os.listdir(folder)), os.listdir(folder))
    waiting.send_signal(signal.SIGINT)
    check(waiting.wait(timeout=60) == 130, waiting.communicate()[1])
    check(os.listdir(folder) == ['x.json'], os.listdir(folder))
