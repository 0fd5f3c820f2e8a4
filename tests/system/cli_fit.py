"""fathom fit: the levels of a file or of the standard input, in every format, under every name."""
import json
import os

from fathom_test import SOURCE, SWEEP, check, document, run, scratch

# A textbook curve: 1.5 ns to 32 KiB, 5 ns to 1 MiB, 90 ns beyond, in steps.
SIZES = [1024 * 2 ** (i / 4) for i in range(65)]
POINTS = [(round(size), 1.5 if size < 33000 else 5.0 if size < 1.05e6 else 90.0) for size in SIZES]
CSV = 'size_bytes,latency_ns\n' + ''.join(f'{size},{ns}\n' for size, ns in POINTS)


def cycle_ns(size):
    """Of a cycle through 8-way caches of 32 KiB, 512 KiB and 4 MiB under LRU."""
    ns = 1.1
    for cache, more in ((1 << 15, 3), (1 << 19, 10), (1 << 22, 80)):
        x = size / cache
        ns += more * (1 - (1 if x <= 1 else max(0, 1 - 8 * (x - 1)) / x))
    return ns


def points_of(result):
    return [(point['size_bytes'], point['latency_ns']) for point in result['curves'][0]['points']]


def check_fit(*arguments, tool, **more):
    result = document(run('fit', *arguments, '--json', '-q', **more))
    check(result['kind'] == 'result' and result['machine'] is None, 'not a foreign result')
    check(result['curves'][0]['tool'] == tool, tool, 'became', result['curves'][0]['tool'])
    check(points_of(result) == POINTS, tool, 'changes the points')
    check('levels' in result, 'no list of levels')
    return result


with scratch() as folder:
    def write(name, text):
        path = os.path.join(folder, name)
        with open(path, 'w', encoding='utf-8', newline='') as file:
            file.write(text)
        return path

    # The content counts, not the name.
    csv = write('curve.json', CSV)
    fitted = check_fit(csv, tool='csv')
    check(fitted['fathom']['argv'][1:3] == ['fit', csv], fitted['fathom']['argv'])
    check_fit('-', tool='csv', input=CSV)
    blanks = write('blanks', ''.join(f'{ns} {size / 1024!r}\n' for size, ns in POINTS))
    check_fit(blanks, '--columns', '2,1', '--size-unit', 'KiB', '--value-unit', 'ns', tool='table')
    markdown = '| size | ns |\n|--|--|\n' + ''.join(f'| {s} B | {ns} |\n' for s, ns in POINTS)
    check_fit(write('notes.csv', markdown), tool='markdown')

    # What it prints it reads again.
    for name, tool in (('again.json', 'csv'), ('again.csv', 'csv')):
        path = os.path.join(folder, name)
        done = run('fit', csv, '-o', path)
        check(done.returncode == 0 and not done.stdout, done.stderr)
        check_fit(path, tool=tool)
    text = run('fit', csv)
    check(text.returncode == 0 and '1 KiB' in text.stdout and '90' in text.stdout, text.stdout)
    check(run('fit', csv, '--all', '--y', 'throughput').returncode == 0, 'cannot draw pictures')

    # Our own document keeps its machine, and how it was measured.
    path = os.path.join(folder, 'own.json')
    done = run('latency', *SWEEP, '-o', path)
    check(done.returncode == 0, done.stderr)
    with open(path, encoding='utf-8') as file:
        own = json.load(file)
    again = document(run('fit', path, '--json', '-q'))
    for key in ('fathom', 'machine', 'clock', 'measured_at', 'elapsed_s', 'measured_line_bytes', 'curves'):
        check(again[key] == own[key], key, 'changes when fitted again')
    check('readings' not in again, 'readings that nobody asked for')

    # A cycle under LRU has cliffs: no order that is declared makes it another.
    cycle = ''.join(f'{size:.0f},{cycle_ns(size)}\n' for size in (2 ** (10 + i / 8) for i in range(120)))
    for order, ids in (('cycle', []), ('independent', ['order-unlikely'])):
        done = run('fit', '-', '--order', order, '--json', '-q', input=cycle)
        found = [w['id'] for w in document(done)['warnings'] if w['id'] in ('order-unlikely', 'coarse')]
        check(found == ids, order, found)
    octaves = ''.join(cycle.splitlines(keepends=True)[::8])
    done = run('fit', '-', '--json', '-q', input=octaves)
    check(any(w['id'] == 'coarse' for w in document(done)['warnings']), 'one size per octave')

    # Of accesses that overlap a step tells where a cache ends at most: here the homework's table.
    homework = os.path.join(SOURCE, 'docs', 'textbook.md')
    done = run('fit', homework, '--order', 'overlapping', '--caches', '32K,256K,4M', '--json', '-q')
    levels = document(done)['levels']
    check([level['kind'] for level in levels] == ['cache'] * 3 + ['unknown'], levels)
    for level, true_bytes in zip(levels, (32 << 10, 256 << 10, 4 << 20)):
        check(level['size_low_bytes'] < true_bytes < level['size_high_bytes'], level)
        check(level['confidence'] is None and 'overlap' in level['evidence'], level)

    # Warnings: in the document, and for people on the error output.
    noisy = CSV + 'nan,1\n'.replace('nan', '77777') + '88888,nan\n'
    done = run('fit', '-', '--json', input=noisy)
    check(any(w['id'] == 'rows-left-out' for w in document(done)['warnings']), done.stdout)
    check('1 without a value' in done.stderr, done.stderr)
    check(run('fit', '-', '--json', '-q', input=noisy).stderr == '', 'not quiet')
    check('1 without a value' in run('fit', '-', input=noisy).stdout, 'no warning for people')
