"""A full device or a file over its limit is a failure, told, with nothing left behind there. What was
measured is not lost: it goes to TMPDIR, or to the standard output."""
import json
import os
import resource

from fathom_test import MACHINE, SWEEP, check, check_refused, run, scratch


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))


def check_saved(done, folder, *words):
    """The hint names the one file in `folder`."""
    check_refused(done, 1, *words)
    files = os.listdir(folder)
    check(len(files) == 1 and f"'{os.path.join(folder, files[0])}'" in done.stderr, files,
          done.stderr)
    return os.path.join(folder, files[0])


for arguments in (['info'], ['help'], ['--version'], ['latency', *SWEEP, '--dry-run']):
    with open('/dev/full', 'w', encoding='utf-8') as full, scratch() as refuge:
        check_refused(run(*arguments, stdout=full, env={'TMPDIR': refuge}), 1, 'standard output')
        check(not os.listdir(refuge), arguments, os.listdir(refuge))

# Measured, and the place of the answer is full.
with open('/dev/full', 'w', encoding='utf-8') as full, scratch() as refuge:
    done = run('latency', *SWEEP, '--json', stdout=full, env={'TMPDIR': refuge})
    with open(check_saved(done, refuge, 'standard output'), encoding='utf-8') as file:
        check(json.load(file)['curves'], 'no answer')
with scratch() as folder, scratch() as refuge:
    link = os.path.join(folder, 'full.json')
    os.symlink('/dev/full', link)
    saved = check_saved(run('latency', *SWEEP, '-o', link, env={'TMPDIR': refuge}), refuge, link)
    check(saved.endswith('.json'), saved)
    check(os.path.islink(link), 'the link is gone')

# No file can be written at all, nor its folder of temporary ones.
with scratch() as folder:
    path = os.path.join(folder, 'result.json')
    done = run('latency', *SWEEP, '-o', path, prepare=limit_files, env={'TMPDIR': folder})
    check(done.returncode == 1 and 'standard output' in done.stderr, done.returncode, done.stderr)
    check(json.loads(done.stdout)['curves'], 'no answer')
    check(not os.listdir(folder), os.listdir(folder))
    check_refused(run('info', *MACHINE, '-o', path, prepare=limit_files), 1, path)
    check(not os.listdir(folder), os.listdir(folder))

# Of a survey the report and its data are saved, and the rest is printed.
with scratch() as folder, scratch() as refuge:
    os.symlink('/dev/full', os.path.join(folder, 'x.json'))
    done = run('survey', *MACHINE, '--seed', '5', '--max-size', '64K', '--budget', '20ms', '-o',
               os.path.join(folder, 'x.html'), env={'TMPDIR': refuge})
    check(done.returncode == 1 and 'KiB' in done.stdout, done.returncode, done.stderr)
    check(os.path.getsize(os.path.join(folder, 'x.html')) > 10000, 'no report')
    check(refuge in done.stderr and len(os.listdir(refuge)) == 1, done.stderr)
