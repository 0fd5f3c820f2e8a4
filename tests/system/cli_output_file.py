"""-o: the format by the extension, the file replaced whole or left as it was."""
import json
import os
import stat

from fathom_test import MACHINE, SWEEP, check, check_refused, run, scratch


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


with scratch() as folder:
    path = os.path.join(folder, 'result.json')
    link = os.path.join(folder, 'link.json')
    done = run('latency', *SWEEP, '-o', path)
    check(done.returncode == 0 and not done.stdout, done.stderr, done.stdout)
    check(json.loads(read(path))['schema'] == 'fathom/1', 'the wrong document')

    # What it replaces keeps its permissions, and a link stays a link.
    os.chmod(path, 0o640)
    os.symlink('result.json', link)
    check(run('info', '-o', link).returncode == 0)
    check(os.path.islink(link), 'the link was replaced')
    check(stat.S_IMODE(os.stat(path).st_mode) == 0o640, 'other permissions')
    before = read(path)
    check('curves' not in json.loads(before), 'the file was not replaced')

    # A measurement that fails leaves it alone: one timed run does not arrive.
    broken = [word.replace('sim:', 'sim:corrupt=1000') for word in SWEEP]
    check_refused(run('latency', *broken, '-o', path), 1)
    check(read(path) == before, 'the file was changed')

    # What is no regular file is written to, not replaced. (A pipe stands for devices: were this
    # broken, root would lose a device.)
    pipe = os.path.join(folder, 'pipe.json')
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    check(run('info', *MACHINE, '-o', pipe).returncode == 0)
    check(json.loads(os.read(reader, 1 << 20)), 'nothing came through the pipe')
    os.close(reader)
    check(stat.S_ISFIFO(os.stat(pipe).st_mode), 'the pipe was replaced')
    os.unlink(pipe)

    # - is the standard output, and has no extension.
    for words in (['-o', '-'], ['--output=-']):
        done = run('info', *MACHINE, *words, cwd=folder)
        check(done.returncode == 0 and 'CPU' in done.stdout, words, done.stdout, done.stderr)
    done = run('info', *MACHINE, '-o', '-', '--json', cwd=folder)
    check(json.loads(done.stdout)['machine'], 'no document')
    check(read(path) == before, 'the file was changed')

    csv = os.path.join(folder, 'result.csv')
    check(run('latency', *SWEEP, '-o', csv).returncode == 0)
    check(len(read(csv).splitlines()) > 5, 'no table:', read(csv))
    check(run('latency', *SWEEP, '--format', 'json', '-o', csv).returncode == 0)
    check(json.loads(read(csv)), '--format does not override')
    plain = os.path.join(folder, 'result')
    check(run('latency', *SWEEP, '-o', plain).returncode == 0)
    check('KiB' in read(plain) and '\x1b' not in read(plain), 'no text:', read(plain))
    check(sorted(os.listdir(folder)) == ['link.json', 'result', 'result.csv', 'result.json'],
          os.listdir(folder))
