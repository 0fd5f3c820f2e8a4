"""An answer that cannot be written is refused before anything is measured, and no file is left."""
import os

from fathom_test import MACHINE, check, check_refused, run, scratch

# Measuring this would take far longer than the test may.
LONG = ['latency', *MACHINE, '--max-size', '256M', '--budget', '100000s']

with scratch() as folder:
    inside = os.path.join(folder, 'none', 'result.json')
    check_refused(run(*LONG, '-o', inside, timeout=30), 1, inside)
    check_refused(run(*LONG, '--json', '-o', folder, timeout=30), 1, folder)
    check_refused(run(*LONG, '-o', '/dev/null/result.json', timeout=30), 1, '/dev/null/result.json')
    check_refused(run(*LONG, '--json', '-o', '', timeout=30), 1)
    check(not os.listdir(folder), os.listdir(folder))
    if os.geteuid() != 0:
        path = os.path.join(folder, 'result.json')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('before')
        os.chmod(path, 0o444)
        check_refused(run(*LONG, '-o', path, timeout=30), 1, path)
        os.chmod(path, 0o644)
        os.chmod(folder, 0o555)
        check_refused(run(*LONG, '-o', path, timeout=30), 1, path)
        os.chmod(folder, 0o755)
        check(os.listdir(folder) == ['result.json'], os.listdir(folder))
