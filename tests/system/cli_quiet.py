"""The standard output holds the answer alone; --quiet silences the rest; no progress without a
terminal, and colors only on one that has some."""
import json
import os
import pty

from fathom_test import SWEEP, check, run, skip

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


def on_terminal(**variables):
    try:
        terminal, its_end = pty.openpty()
    except OSError as reason:
        skip(f'no terminal to be had: {reason}')
    done = run('latency', *sweep, '--quiet', stdout=its_end, env=variables)
    os.close(its_end)
    check(done.returncode == 0, done.stderr)
    seen = b''
    try:
        while piece := os.read(terminal, 65536):
            seen += piece
    except OSError:  # no one has the other end any more
        pass
    os.close(terminal)
    check(b'KiB' in seen, seen)
    return seen


check(b'\x1b' in on_terminal(TERM='xterm'), 'no color on a terminal')
check(b'\x1b' not in on_terminal(TERM='dumb'), 'color on a dumb terminal')
