"""--strict: the answer is given, and the exit code says that it is not as exact as asked."""
import json

from fathom_test import SWEEP, check, run

hopeless = ['latency', *SWEEP, '--target', '0.0001%', '--json']
done = run(*hopeless)
check(done.returncode == 0, 'exit code', done.returncode, done.stderr)
strict = run(*hopeless, '--strict')
check(strict.returncode == 4, 'exit code', strict.returncode, strict.stderr)
check('miss the requested target' in strict.stderr and '  hint: ' in strict.stderr, strict.stderr)
check(json.loads(strict.stdout)['curves'], 'no answer')
easy = run('latency', *SWEEP, '--max-size', '16K', '--target', '50%', '--json', '--strict')
check(easy.returncode == 0, 'exit code', easy.returncode, easy.stderr)
