"""fathom report: files of each format, figures, and what is refused. Nothing here needs gnuplot: what
stands for it is a script."""
import json
import os
import signal
import stat
import subprocess
import time

from fathom_test import COMMAND, SWEEP, become_ordinary, check, check_refused, run, scratch

CURVE = 'size_bytes,latency_ns\n' + ''.join(
    f'{1024 << i},{1.5 if i < 6 else 5 if i < 11 else 90}\n' for i in range(18))


def look(path):
    with open(path, 'rb') as file:
        return file.read()


with scratch() as folder:
    def place(name):
        return os.path.join(folder, name)

    def write(name, text, mode=0o644):
        with open(place(name), 'w', encoding='utf-8') as file:
            file.write(text)
        os.chmod(place(name), mode)
        return place(name)

    def gnuplot(script):
        """An environment in which gnuplot is this script of the shell."""
        write('bin/gnuplot', '#!/bin/sh\n' + script, stat.S_IRWXU)
        return {'PATH': place('bin') + ':/usr/bin:/bin'}

    os.mkdir(place('bin'))
    os.mkdir(place('nothing'))
    curve, other = place('curve.json'), place('other.json')
    for path, slow in ((curve, '90'), (other, '110')):
        done = run('fit', write('curve.csv', CURVE.replace('90', slow)), '-o', path, '-q')
        check(done.returncode == 0, done.stderr)

    # What 'fit' reads. Its levels are found, where it has none.
    done = run('report', place('curve.csv'), '--format', 'markdown', '-q')
    check('| L1 |' in done.stdout, done.stdout, done.stderr)

    # Each format by its extension.
    for name, words in (('a.md', '# Memory of '), ('a.gp', '$series1 << EOD'),
                        ('a.prom', '# TYPE fathom_'), ('a.csv', 'experiment,'),
                        ('a.json', '"schema"'), ('a.html', '<html'), ('a.txt', 'L1')):
        done = run('report', curve, '-o', place(name), '-q')
        check(done.returncode == 0 and not done.stdout, name, done.stderr)
        check(words in look(place(name)).decode(), words, 'is not in', name)
    done = run('report', curve, '--format', 'benchmark', '-q')
    check(len(json.loads(done.stdout)['benchmarks']) == 18, done.stdout)
    run('cores', '--machine', 'sim:cpus=2', '-o', place('cores.json'), '-q')
    check_refused(run('report', place('cores.json'), '--format', 'benchmark'), 5, 'no points')

    # What the measurement warned of is not said again; it stands in the answer.
    sweep = [word.replace('sim:', 'sim:no_clock') for word in SWEEP]
    done = run('latency', *sweep, '-o', place('warned.json'))
    warned = json.loads(look(place('warned.json')))['warnings'][0]['text']
    check(warned in done.stderr, done.stderr)
    done = run('report', place('warned.json'), '--format', 'markdown')
    check(not done.stderr and '## Warnings' in done.stdout, done.stderr, done.stdout)

    # Figures of one result and of several; what is drawn in characters.
    done = run('report', curve, other, '--figure', 'latency', '--format', 'gnuplot')
    check(done.stdout.count('<< EOD') == 2 and "title 'other.json'" in done.stdout, done.stdout)
    done = run('report', curve, other, '--figure', 'comparison', '--format', 'gnuplot')
    check("'speed-up over the baseline'" in done.stdout, done.stdout, done.stderr)
    done = run('report', curve, '--y', 'throughput', '--format', 'gnuplot')
    check("'throughput (million accesses/s)'" in done.stdout, done.stdout, done.stderr)
    for options in ([curve], [curve, other]):
        done = run('report', *options, '--plot')
        check(done.returncode == 0 and 'latency (ns)' in done.stdout, done.stdout, done.stderr)
        check(('other.json' in done.stdout) == (len(options) == 2), done.stdout)
    check(run('report', curve, '--plot', '-o', place('plot.txt')).returncode == 0)
    check(b'latency (ns)' in look(place('plot.txt')))
    many = [curve] * 14
    done = run('report', *many, '--format', 'gnuplot')
    check('2 curves are left out' in done.stderr, done.stderr)

    # Refused, and nothing is written.
    for code, words, *arguments in (
            (2, "'report' needs a result", '-o', place('x.svg')),
            (2, "'text' cannot hold several", curve, other),
            (2, "'x.tiff'", curve, '-o', 'x.tiff'),
            (2, "'csv' cannot hold several", curve, other, '-o', place('x.csv')),
            (2, "'html' cannot hold several", curve, other, '-o', place('x.html')),
            (2, "'markdown' cannot hold a figure", curve, '--figure', 'latency', '-o',
             place('x.md')),
            (2, "'pie'", curve, '--figure', 'pie', '-o', place('x.gp')),
            (2, "'comparison' needs two files", curve, '--figure', 'comparison', '-o',
             place('x.gp')),
            (2, "not 'csv'", curve, '--plot', '--csv'),
            (5, "'bandwidth'", curve, '--figure', 'bandwidth', '-o', place('x.gp')),
            (5, 'missing.json', place('missing.json'), '-o', place('x.gp')),
            (5, 'bad.json', write('bad.json', '{"schema": 1}'), '-o', place('x.svg')),
            (1, 'no-folder', curve, '-o', place('no-folder/x.svg'))):
        check_refused(run('report', *arguments, cwd=folder), code, words)
    check(not [name for name in os.listdir(folder) if name.startswith('x.')], os.listdir(folder))

    check_refused(run('fit', curve, '-o', place('x.svg')), 2, "'fit' cannot draw pictures", 'x.svg')

    # Pictures: what gnuplot wrote is the answer, whole or not at all.
    write('x.svg', 'old')
    missing = {'PATH': place('nothing')}
    check_refused(run('report', curve, '-o', place('x.svg'), env=missing), 3, 'not installed')
    echo = gnuplot('echo "$@"; cat')
    for extension in ('svg', 'PNG', 'pdf'):
        done = run('report', curve, '-o', place('y.' + extension), env=echo)
        check(done.returncode == 0, done.stderr)
        drawn = look(place('y.' + extension)).decode()
        check(drawn.startswith(f"-d -e format='{extension.lower()}'; output='' -\n"), drawn[:80])
        check(drawn.split('\n', 1)[1] == look(place('a.gp')).decode(), 'another script')
    done = run('report', curve, '--format', 'png', env=echo)
    check(done.stdout.startswith('-d -e'), done.stdout[:80])
    failing = gnuplot('cat >/dev/null; printf "\\n    ^\\n line 3: bad thing\\n\\n" >&2; exit 1')
    check_refused(run('report', curve, '-o', place('x.svg'), env=failing), 1,
                  'gnuplot drew nothing:', 'line 3: bad thing')
    for script, words in (('exit 0', 'gave no reason'), ('kill -9 $$', 'signal 9'),
                          ('exec >&-; cat >/dev/null; exit 3', 'drew nothing')):
        check_refused(run('report', curve, '-o', place('x.svg'), env=gnuplot(script)), 1, words)
    # More than a pipe holds, on both of its outputs, before it reads a byte.
    loud = gnuplot('head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; cat >/dev/null')
    done = run('report', curve, '-o', place('z.svg'), env=loud)
    check(done.returncode == 0 and len(look(place('z.svg'))) == 300000, done.stderr)

    # Interrupted: at once, nothing is left of it and no process either.
    slow = gnuplot(f'echo $$ >{place("id")}; exec sleep 60')
    environment = {**os.environ, 'LC_ALL': 'C', **slow}
    process = subprocess.Popen([COMMAND, 'report', curve, '-o', place('x.svg')], env=environment,
                               stderr=subprocess.PIPE, text=True, preexec_fn=become_ordinary)
    while not os.path.exists(place('id')) or not look(place('id')).strip():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=20)[1]
    check(process.returncode == 130 and 'interrupted' in errors, process.returncode, errors)
    check(not os.path.exists(f'/proc/{int(look(place("id")))}'), 'it goes on')
    check(look(place('x.svg')) == b'old', 'the file that was there is gone')
    check(not [name for name in os.listdir(folder) if name.endswith('.tmp')], os.listdir(folder))
