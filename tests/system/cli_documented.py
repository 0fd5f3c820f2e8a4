"""Every command line of README.md and docs/ does what it should, at its own sizes, on a simulated
machine; files that it reads and no line before has made are made of runs. textbook_page runs those of
docs/textbook.md and makes its page of them."""
import concurrent.futures
import os
import re
import shutil
import sys

from fathom_test import SOURCE, SWEEP, check, run, scratch

sys.path.insert(0, os.path.join(SOURCE, 'tools'))
from commands import SIMULATED, commands_of, pages, simulated  # noqa: E402

# 6: something differs, as it may.
DONE = (0, 6)
UNTOLD = 'cannot be told from the baseline'  # exit code 4, where this machine left too little time
SMALL = ['--machine', SIMULATED, '--budget', '50ms', '--max-size', '256K', '--per-octave', '2']
# Names that say what is in them.
MADE = {
    'plan.json': ['latency', *SWEEP, '--dry-run', '--json'],
    'slow.json': ['latency', *SMALL, '--machine', SIMULATED + ',clock=2G'],
    'fast.json': ['latency', *SMALL, '--machine', SIMULATED + ',clock=4G'],
    'bandwidth.json': ['bandwidth', *SMALL[:4]],
    'frequency.json': ['frequency', *SMALL, '--khz', '2000000,3500000'],
    'parallelism.json': ['parallelism', *SMALL[:4], '--size', '8K,1M'],
    'cores.json': ['cores', '--machine', SIMULATED.replace('cpus=2,', 'cpus=16,'), '--budget', '1s'],
    'nodes.json': ['cores', '--nodes', '--machine', SIMULATED.replace('cpus=2,', 'cpus=2x1x1x1,'),
                   '--budget', '200ms'],
}
SURVEY = ['survey', '--no-report', *SMALL[:2], '--budget', '1s']
TABLES = {
    'table.csv': 'kb,cycles\n1,4\n4,4\n16,4\n64,14\n256,60\n1024,200\n4096,210\n',
    'notes.md': 'size KB | ns\n---|---\n1 | 1.1\n16 | 1.1\n64 | 4\n512 | 80\n4096 | 81\n',
    'series.csv': 'time_ns,latency_ns\n' + ''.join(f'{100 * i},{90 + i % 7}\n' for i in range(200)),
    'curve.csv': 'bytes,ns\n1024,1.1\n8192,1.1\n16384,1.1\n65536,4\n524288,80\n4194304,81\n',
}


def only_once(words):
    """The last --machine counts."""
    at = [i for i, word in enumerate(words) if word == '--machine']
    for i in reversed(at[:-1]):
        del words[i:i + 2]
    return words


def make(folder, name, seed):
    if name == 'textbook.md':
        shutil.copy(os.path.join(SOURCE, 'docs', name), folder)
        return
    if name in TABLES:
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.write(TABLES[name])
        return
    words = only_once(list(MADE.get(name, ['latency', *SMALL])))
    done = run(*words, '--seed', str(seed), '-o', os.path.join(folder, name))
    check(done.returncode == 0, name, done.stderr)


def make_nodes(folder):
    """Documents of as many nodes as a fleet needs: simulated ones are named by their files."""
    os.mkdir(os.path.join(folder, 'runs'))
    for i in range(8):
        with open(os.path.join(folder, 'runs', f'run.n{i}.json'), 'w', encoding='utf-8') as file:
            file.write(TABLES['run.json'])


def make_fleet(folder, name):
    done = run('fleet', 'runs/', '-q', '-o', name, cwd=folder)
    check(done.returncode in DONE, name, done.stderr)


def files_of(words):
    """What it reads."""
    read = [word for i, word in enumerate(words) if i and words[i - 1] != '-o']
    return {name for word in read for name in word.split(',')
            if re.fullmatch(r'[\w.-]+\.(json|csv|txt|md)', name)}


def try_page(path):
    """In a folder of its own. Returns how many lines it has."""
    with open(path, encoding='utf-8') as file:
        lines = commands_of(file.read())
    seed = 0
    with scratch() as folder:
        os.symlink(os.path.join(SOURCE, 'corpus'), os.path.join(folder, 'corpus'))
        make_nodes(folder)
        for words in lines:
            reads = files_of(words)
            line = simulated(words)
            if not reads and '-o' not in words:
                if tuple(line) in TRIED:  # on another page, or with another budget
                    continue
                TRIED.add(tuple(line))
            for name in sorted(reads):
                if os.path.exists(os.path.join(folder, name)):
                    continue
                seed += 1
                if words[0] == 'fleet':
                    make_fleet(folder, name)
                else:
                    make(folder, name, seed)
            picture = re.fullmatch(r'.*\.(svg|pdf|png)', line[-1]) and not shutil.which('gnuplot')
            if picture:  # the script can be written all the same
                line = [*line[:-1], 'figure.gp']
            done = run(*line, cwd=folder, timeout=600)
            untold = done.returncode == 4 and UNTOLD in done.stderr
            if done.returncode not in DONE and not untold or not (done.stdout or '-o' in line):
                FAULTS.append(f'{os.path.basename(path)}: fathom {" ".join(line)}: '
                              f'exit code {done.returncode}: {done.stderr}')
    return len(lines)


FAULTS = []
TRIED = set()
# What takes longest is made once, for all pages.
with scratch() as made:
    check(run(*SURVEY, '-o', os.path.join(made, 'run.json')).returncode == 0, SURVEY)
    with open(os.path.join(made, 'run.json'), encoding='utf-8') as document:
        TABLES['run.json'] = document.read()
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    counts = list(pool.map(try_page, [page for page in pages(SOURCE)
                                      if os.path.basename(page) != 'textbook.md']))
check(not FAULTS, '\n'.join(FAULTS))
check(sum(counts) > 60, 'where are the commands?', counts)
