"""The standard output holds the answer alone; --quiet silences the rest; no progress without a
terminal."""
import json

from fathom_test import SWEEP, check, run

# A machine whose clock cannot be told: there is something to warn of.
sweep = [word.replace('sim:', 'sim:no_clock') for word in SWEEP]
document = run('latency', *sweep, '--json')
check(document.returncode == 0, document.stderr)
warnings = json.loads(document.stdout)['warnings']
check(warnings, 'nothing to warn of')
for warning in warnings:
    check(warning['text'] in document.stderr, warning, 'is not on the error output')
check('\r' not in document.stderr, 'progress without a terminal:', document.stderr)

quiet = run('latency', *sweep, '--json', '--quiet')
check(quiet.returncode == 0 and not quiet.stderr, quiet.stderr)
text = run('latency', *sweep)
check(text.returncode == 0 and not text.stderr, 'warnings twice:', text.stderr)
check('\x1b' not in text.stdout, 'color without a terminal')
check(text.stdout.isascii(), 'more than ASCII in the C locale')
check('\x1b' in run('latency', *sweep, '--color', 'always').stdout, 'no color')
