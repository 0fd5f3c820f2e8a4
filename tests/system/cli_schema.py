"""What the command prints fits the published schema: results, plans and machines."""
import os

import schema_check
from fathom_test import MACHINE, SWEEP, check, run, scratch

PATTERNS = [*MACHINE, '--seed', '7', '--budget', '100ms']
CASES = {
    'result': ['latency', *SWEEP],
    'samples': ['latency', *SWEEP, '--samples'],
    'independent': ['latency', *SWEEP, '--pattern', 'independent'],
    'window': ['latency', *SWEEP, '--window', '16K'],
    'laps': ['latency', *SWEEP, '--laps', '2', '--page', 'thp'],
    'no clock': ['latency', *[word.replace('sim:', 'sim:no_clock') for word in SWEEP]],
    'too short': ['latency', *SWEEP, '--budget', '1ms'],
    'plan': ['latency', *SWEEP, '--dry-run'],
    'patterns': ['patterns', *PATTERNS, '--size', '16K..64K', '--cold', 'both', '--samples'],
    'ablation': ['patterns', *PATTERNS, '--size', '64K', '--ablate'],
    'decay': ['patterns', *PATTERNS, '--size', '16K', '--decay'],
    'plan of patterns': ['patterns', *PATTERNS, '--size', '16K', '--dry-run'],
    'plan of decay': ['patterns', *PATTERNS, '--size', '16K', '--decay', '--dry-run'],
    'survey': ['survey', *MACHINE, '--seed', '7', '--budget', '20ms', '--max-size', '1M'],
    'plan of a survey': ['survey', *MACHINE, '--dry-run'],
    'bandwidth': ['bandwidth', *MACHINE, '--seed', '7', '--budget', '5ms', '--size', '16K'],
    'plan of bandwidth': ['bandwidth', *MACHINE, '--dry-run'],
    'frequency': ['frequency', *SWEEP, '--khz', '2000000,3000000'],
    'machine': ['info'],
    'simulated machine': ['info', *MACHINE],
}
with scratch() as folder:
    paths = []
    for name, arguments in CASES.items():
        path = os.path.join(folder, name + '.json')
        done = run(*arguments, '-o', path)
        check(done.returncode == 0, name, done.returncode, done.stderr)
        paths.append(path)
    check(schema_check.main(paths) == 0, 'documents do not fit docs/fathom-1.schema.json')
