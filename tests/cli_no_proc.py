"""Without /proc the page size is not known, which is said, and all else is measured; with too few open
files the machine cannot measure, and the hint says what would help."""
import json
import resource
import subprocess

from fathom_test import COMMAND, NO_PROC, check, check_refused, run, skip

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
