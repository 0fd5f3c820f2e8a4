"""Every output, compared whole with what is kept in expected/.

    golden.py PRINT_SAMPLE [--update]

A document is shown in all formats, and as text in several widths; transcripts.txt has commands of
which all that they print is kept. --update (make golden) writes expected/ anew: review its diff.
FATHOM, FATHOM_SOURCE and FATHOM_BUILD say where things are, as for all tests."""
import concurrent.futures
import difflib
import os
import shutil
import sys
import tempfile

import programs
import transcripts
from fathom_test import skip

HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENTS = os.path.join(HERE, 'documents')
EXPECTED = os.path.join(HERE, 'expected')
MANUAL = os.path.join(os.environ['FATHOM_BUILD'], 'manual')

WIDTHS = (60, 80, 120)
MOST_DIFF_LINES = 400

# Made by hand in C (samples.h), the large ones without the tables of all of their points.
TABLES = ('csv', 'json')
SAMPLES = {
    'result': (), 'levels-result': (), 'parallelism-result': (), 'pages-result': (),
    'clocks-result': (), 'empty-result': TABLES, 'poor-result': (*TABLES, 'benchmark'), 'hostile-result': TABLES,
    'foreign-result': (*TABLES, 'benchmark'), 'cycles-result': TABLES,
}
SAMPLE_MACHINES = ('machine', 'unknown-machine', 'hostile-machine')

# Whose figures are kept, and what google-benchmark's readers take.
PLOTTED = ('latency', 'parallelism', 'bandwidth', 'pages', 'frequency')
BENCHMARKED = ('latency-short', 'bandwidth-short')
# Measured to be read beside others; transcripts have them.
BESIDE = ('latency-again', 'latency-slower', 'latency-2ghz', 'latency-4ghz')


def show_documents():
    """Documents that were measured: as `fathom report` shows them."""
    for name in sorted(os.listdir(DOCUMENTS)):
        document, extension = os.path.splitext(name)
        if extension != '.json' or document in BESIDE:
            continue
        report = ['report', name]
        folder = os.path.join(EXPECTED, document)
        for columns in WIDTHS:
            for charset in ('utf8', 'ascii'):
                yield (f'{folder}/{columns}-{charset}.txt', programs.on_terminal,
                       [*report, '--format', 'text'], DOCUMENTS, columns, charset)
        yield (f'{folder}/all.txt', programs.on_terminal,
               [*report, '--format', 'text', '--all', '--explain'], DOCUMENTS, 120,
               'utf8')
        yield f'{folder}/result.md', programs.run, [*report, '--format', 'markdown'], DOCUMENTS
        yield f'{folder}/result.csv', programs.run, [*report, '--csv'], DOCUMENTS
        yield f'{folder}/result.prom', programs.run, [*report, '--format', 'prometheus'], DOCUMENTS
        # Read and written again, it is the same.
        yield os.path.join(DOCUMENTS, name), programs.rewrite, [*report, '--json'], DOCUMENTS
        if document in PLOTTED:
            yield f'{folder}/plot.txt', programs.on_terminal, [*report, '--plot'], DOCUMENTS, 80, 'utf8'
            yield f'{folder}/figure.gp', programs.run, [*report, '--format', 'gnuplot'], DOCUMENTS
        if document in BENCHMARKED:
            yield (f'{folder}/benchmark.json', programs.run, [*report, '--format', 'benchmark'],
                   DOCUMENTS)


def show_comparison():
    """The one output of several documents that depends on the width."""
    for columns in WIDTHS:
        for charset in ('utf8', 'ascii'):
            yield (os.path.join(EXPECTED, 'comparison', f'{columns}-{charset}.txt'),
                   programs.on_terminal, ['compare', 'latency.json', 'latency-slower.json'],
                   DOCUMENTS, columns, charset)


def show_samples(print_sample):
    """Documents that no measurement would give: no reader is in their way."""
    for name, tables in SAMPLES.items():
        folder = os.path.join(EXPECTED, 'sample-' + name)
        for columns in WIDTHS:
            for charset in ('utf8', 'ascii'):
                yield (f'{folder}/{columns}-{charset}.txt', programs.print_sample, print_sample,
                       [name, 'text', str(columns), charset])
        for kind in ('markdown', 'prometheus', *tables):
            yield (f'{folder}/result.{kind}', programs.print_sample, print_sample, [name, kind])
    folder = os.path.join(EXPECTED, 'sample-machines')
    for name in SAMPLE_MACHINES:
        for charset in ('utf8', 'ascii'):
            yield (f'{folder}/{name}-{charset}.txt', programs.print_sample, print_sample,
                   [name, 'text', '80', charset])
        yield f'{folder}/{name}.json', programs.print_sample, print_sample, [name, 'json']
    yield (os.path.join(EXPECTED, 'sample-plan', 'plan.txt'), programs.print_sample, print_sample,
           ['plan', 'text', '80', 'utf8'])


def keep_samples(print_sample, folder):
    """As documents, for the transcripts."""
    for name in SAMPLES:
        path = os.path.join(folder, f'sample-{name.removesuffix("-result")}.json')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(programs.print_sample(print_sample, [name, 'json']))


def show_help():
    folder = os.path.join(EXPECTED, 'help')
    yield f'{folder}/fathom.txt', programs.run_unversioned, ['help']
    for command in programs.commands():
        yield f'{folder}/{command}.txt', programs.run_unversioned, [command, '--help']
    if os.path.isdir(MANUAL):
        for page in sorted(os.listdir(MANUAL)):
            if page.endswith('.1'):
                yield (os.path.join(EXPECTED, 'man', page), programs.read_unversioned,
                       os.path.join(MANUAL, page))


def show_transcripts(folder):
    for file in ('transcripts', 'variants'):
        for name, lines in transcripts.read(os.path.join(HERE, file + '.txt')):
            yield (os.path.join(EXPECTED, file, name + '.txt'), transcripts.perform, lines, folder)


def relative(path):
    return os.path.relpath(path, HERE)


def read(path):
    try:
        with open(path, encoding='utf-8', newline='') as file:
            return file.read()
    except FileNotFoundError:
        return None


def differences(path, wanted, found):
    if wanted == found:
        return []
    if wanted is None:
        return [f'{relative(path)}: is new: `make golden` keeps it']
    return list(difflib.unified_diff(wanted.split('\n'), found.split('\n'), relative(path),
                                     'what is printed now', lineterm=''))


def compare(outputs):
    lines, count = [], 0
    for path, found in outputs.items():
        diff = [] if found is None else differences(path, read(path), found)
        lines += diff
        count += bool(diff)
    for path in stale(outputs):
        lines.append(f'{relative(path)}: nothing prints this')
        count += 1
    print('\n'.join(lines[:MOST_DIFF_LINES]))
    if len(lines) > MOST_DIFF_LINES:
        print(f'... and {len(lines) - MOST_DIFF_LINES} more lines')
    print(f'{count} of {len(outputs)} outputs differ')
    return count


def stale(outputs):
    """Files that no case writes. A build without the manual says nothing about its pages."""
    for folder, _, names in os.walk(EXPECTED):
        if folder == os.path.join(EXPECTED, 'man') and not os.path.isdir(MANUAL):
            continue
        for name in names:
            if os.path.join(folder, name) not in outputs:
                yield os.path.join(folder, name)


def update(outputs):
    for path, found in outputs.items():
        if read(path) == found:
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8', newline='') as file:
            file.write(found)
        print('wrote', relative(path))
    for path in list(stale(outputs)):
        os.remove(path)
        print('removed', relative(path))


def main(print_sample, *options):
    with tempfile.TemporaryDirectory(prefix='fathom-golden-') as scratch:
        programs.begin(scratch)
        folder = shutil.copytree(DOCUMENTS, os.path.join(scratch, 'documents'))
        keep_samples(print_sample, folder)
        cases = [*show_documents(), *show_comparison(), *show_samples(print_sample), *show_help(),
                 *show_transcripts(folder)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            made = {path: pool.submit(make, *arguments) for path, make, *arguments in cases}
            outputs = {path: future.result() for path, future in made.items()}
    without = sum(found is None for found in outputs.values())
    if '--update' in options and without:
        sys.exit('no terminal is to be had, which these outputs need')
    if '--update' in options:
        update(outputs)
    elif compare(outputs):
        return 1
    if programs.report_faults():
        return 1
    if without:
        skip(f'no terminal to be had: {without} of {len(outputs)} outputs were not made, the others are right')
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
