"""`fathom fit --distribution` reads a series of single accesses: percentiles, modes, refresh."""
import json
import math
import os
import random

from fathom_test import check, check_refused, run, scratch

PERIOD_NS = 7800
drawn = random.Random(7)


def series(refreshed):
    """Of 90 ns or, each fifth, 140 ns; with a refresh of 300 ns each 7.8 us."""
    now_ns, rows = 0.0, []
    for _ in range(60000):
        ns = (140 if drawn.random() < 0.2 else 90) * math.exp(drawn.gauss(0, 0.02))
        into = (now_ns + 50) % PERIOD_NS
        if refreshed and into < 300:
            ns += 300 - into
        rows.append((now_ns, ns))
        now_ns += ns + 30
    return rows


def fitted(path, *options):
    done = run('fit', '--distribution', path, *options)
    check(done.returncode == 0, done.stderr)
    return done.stdout


with scratch() as folder:
    path = os.path.join(folder, 'series.csv')

    def write(text):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)

    write('time_ns,latency_ns\n' + ''.join(f'{time:.1f},{ns:.2f}\n' for time, ns in series(True)))
    one, = json.loads(fitted(path, '--json'))['distributions']
    check(one['accesses'] == 60000 == sum(bin['accesses'] for bin in one['bins']), one)
    check(abs(one['refresh_period_ns'] / PERIOD_NS - 1) < 0.01, one)
    usual = [mode for mode in one['modes'] if mode['kind'] == 'unknown']
    check(abs(usual[0]['share'] - 0.78) < 0.04 and abs(usual[0]['latency_ns'] - 90) < 3, one['modes'])
    text = fitted(path)
    check('9 in 10 ' in text and '999 in 1000' in text, text)
    check('refreshed each 7.80' in text and '1 in 1000 accesses takes longer' in text, text)
    check('fathom_access_seconds{' in fitted(path, '--format', 'prometheus'), 'prometheus')
    check('low_ns,high_ns,accesses' in fitted(path, '--csv'), 'CSV')
    # A document is read again, and says the same.
    document = os.path.join(folder, 'run.json')
    fitted(path, '-o', document)
    check('refreshed each 7.80' in run('report', document, '--format', 'text').stdout, document)
    check(json.loads(run('fit', document, '--json').stdout)['distributions'] == [one], 'again')

    compared = run('compare', document, document).stdout
    check('99.9th percentile of accesses' in compared and 'slower' not in compared, compared)
    check_refused(run('check', document), 5, 'cannot be measured again')

    write('\n'.join(f'{ns:.2f}' for _, ns in series(True)))
    text = fitted(path)
    check('when each access began is not known' in ' '.join(text.split()), text)
    write('# time latency\n' + '\n'.join(f'{time:.0f}\t{ns:.2f}' for time, ns in series(False)))
    check('no refresh of memory is visible' in fitted(path), 'false refresh')
    write('1 90\n2 91\n')
    check('needs' in run('fit', '--distribution', path).stdout, 'few')

    # What is no such file is refused, with the line.
    for text, words in (('', 'empty'), ('time,ns\n', 'no access'), ('1 90\n2 x\n', 'line 2'),
                        ('1 90\n2 -4\n', 'line 2'), ('1 2 3\n1 2 3\n', 'line 2')):
        write(text)
        check_refused(run('fit', '--distribution', path), 5, words)
    check_refused(run('fit', '--distribution', '--order', 'cycle', path), 2, '--order')
