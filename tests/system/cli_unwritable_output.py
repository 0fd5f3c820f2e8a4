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
    check_refused(run(*LONG, '-o', os.path.join(folder, 'n' * 300 + '.json'), timeout=30), 1,
                  'File name too long')
    loop = os.path.join(folder, 'loop.json')
    os.symlink('loop.json', loop)
    check_refused(run(*LONG, '-o', loop, timeout=30), 1, loop)
    os.unlink(loop)
    # No machine is looked at for an answer that its format cannot hold: there is none here.
    for words in (['info', '--csv'], ['info', '-o', os.path.join(folder, 'machine.csv')],
                  ['info', '--format', 'csv'], ['latency', '--dry-run', '--csv'],
                  ['run', 'no-such-plan', '--dry-run', '--csv']):
        check_refused(run(*words, '--machine', 'sim:nothing', timeout=30), 2, "'csv'")
    if os.geteuid() != 0:
        path = os.path.join(folder, 'result.json')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('before')
        os.chmod(path, 0o444)
        check_refused(run(*LONG, '-o', path, timeout=30), 1, path)
        os.chmod(folder, 0o555)
        check_refused(run(*LONG, '-o', path + '.json', timeout=30), 1, path + '.json')
        os.chmod(folder, 0o755)
        check(os.listdir(folder) == ['result.json'], os.listdir(folder))
