"""The command lines of README.md and docs/, and how to run them on a small simulated machine."""
import glob
import os
import re
import shlex

FENCE = re.compile(r'^```.*?\n(.*?)^```', re.DOTALL | re.MULTILINE)
# What stands for something else: `fathom fit FILE`.
PLACEHOLDER = re.compile(r'(^|[ ,=])[A-Z]+($|[ ,])|\.\.\.')
MEASURING = {'', 'survey', 'latency', 'patterns', 'parallelism', 'bandwidth', 'pages', 'frequency',
             'cores', 'loaded', 'distribution', 'check', 'run'}
# With a little of everything that a command can ask for; what it measures takes next to no time: of slow
# memory there is less to simulate.
SIMULATED = ('sim:l1=16K/8/lru/16c,l2=128K/8/lru/56c,l3=off,mem=200c+60ns,cpus=2,misses=8/20,'
             'bandwidth=4c/2c/1G,pool2m=64,mthp=64K,stride=8,adjacent=on,outliers=0,'
             'dram=2x16/12.8ns/28ns/8ns/300ns')
BUDGET_MS = 100
SIZE_MS = 200   # each of a list
SWEEP_MS = 500  # what begins with one, or is of many sizes
NODES_MS = 2000  # of a size, which each node warms up
SINGLE_MS = 2000  # single accesses of a size, all of which is walked first


def pages(root):
    return [os.path.join(root, 'README.md'), *sorted(glob.glob(os.path.join(root, 'docs', '*.md')))]


def line_words(line):
    """Of `fathom latency --json   what it does`; None: the line is no command."""
    line = re.split(r' {2,}', line.strip())[0].removeprefix('sudo ')
    words = shlex.split(line, comments=True) if line.split(' ')[0] == 'fathom' else None
    return words[1:] if words else None


def commands_of(text):
    """Those of its blocks of code, and those of its sentences that are whole lines."""
    found = [line_words(line) for block in FENCE.findall(text) for line in block.splitlines()]
    for inline in re.findall(r'`(fathom [^`]+)`', FENCE.sub('', text)):
        words = inline.split()
        option_alone = len(words) == 3 and words[2].startswith('--')
        if len(words) > 2 and not option_alone and not PLACEHOLDER.search(inline):
            found.append(words[1:])
    return [words for words in found if words is not None]


def is_measuring(words):
    """And reads no curves: `fathom frequency a.json b.json` does, and `fathom predict --from`."""
    command = words[0] if words and not words[0].startswith('-') else ''
    if command == 'predict':
        return '--from' not in words
    return command in MEASURING and not (command == 'frequency' and len(words) > 1 and
                                         not words[1].startswith('-'))


def budget_ms(words):
    sizes = words[words.index('--size') + 1] if '--size' in words else None
    if sizes and ',' in sizes:
        return SIZE_MS * len(sizes.split(','))
    if sizes and words[:1] == ['distribution']:
        return SINGLE_MS
    if words[:1] in (['predict'], ['distribution']):
        return SWEEP_MS
    if sizes and '--nodes' in words:
        return NODES_MS
    if '..' in sizes if sizes else words[:1] == ['parallelism']:
        return SWEEP_MS
    return BUDGET_MS


def machine_for(words):
    """With the CPUs and nodes that the options ask for."""
    if '--nodes' in words or '--memory-node' in words:
        cpus = '2x1x1x1'
    elif '--sibling' in words:
        cpus = '1x1x2x2'
    elif 'loaded' in words:
        cpus = '10'
    else:
        cpus = '16' if {'cores', 'cores.json'} & set(words) else '2'
    return SIMULATED.replace('cpus=2,', f'cpus={cpus},')


def simulated(words):
    """The same at the same sizes, in little time, on a simulated machine."""
    words = [word for word in words if word != '--check']  # it runs programs, not simulated ones
    if not is_measuring(words):
        return words
    words = [word for word in words if word not in ('--quick', '--full')]  # budgets, too
    budget = f'{budget_ms(words)}ms'
    if '--budget' in words:
        words[words.index('--budget') + 1] = budget
    elif words[:1] != ['run']:
        words += ['--budget', budget]
    if words[:1] == ['distribution']:
        words += ['--accesses', '1000']
    if '--machine' not in words:
        words += ['--machine', machine_for(words)]
    return words
