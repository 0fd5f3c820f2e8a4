"""Every command of docs/commands.md that measures is understood; those that read files read them."""
import os
import re

from fathom_test import MACHINE, SOURCE, SWEEP, check, run, scratch

MEASURING = {'', 'survey', 'latency', 'patterns', 'parallelism', 'bandwidth', 'pages', 'frequency'}
# 0, or 3: understood, but not this machine (multi-size THP).
UNDERSTOOD = (0, 3)


def documented():
    with open(os.path.join(SOURCE, 'docs', 'commands.md'), encoding='utf-8') as file:
        block = file.read().split('```\n')[1]
    found = [re.split(r'\s{2,}', line)[0].split()[1:] for line in block.splitlines()
             if line.startswith('fathom')]
    check(len(found) > 30, 'where are the commands?', found)
    return found


def make_files(folder, commands):
    """What the commands read, each of a run of its own."""
    names = {name for words in commands for word in words for name in word.split(',')
             if re.fullmatch(r'\w+\.(json|csv)', name)}
    for seed, name in enumerate(sorted(names)):
        plan = ['--dry-run', '--json'] if name == 'plan.json' else []
        done = run('latency', *SWEEP, *plan, '--seed', str(seed), '-o', os.path.join(folder, name))
        check(done.returncode == 0, name, done.stderr)


def understood(words, folder):
    """Does not measure; the files are read."""
    command = words[0] if words and not words[0].startswith('-') else ''
    is_measuring = command in MEASURING and not any(word.endswith('.json') for word in words[1:2])
    if is_measuring or command in ('check', 'run'):
        # No plan is written as these.
        words = [word for word in words if word not in ('--csv', '-o', 'run.html', 'run.json')]
        words += [word for word in (*MACHINE, '--dry-run') if word not in words]
    elif command == 'report':
        words = ['report', words[1], '-o', 'figure.gp']
    done = run(*words, cwd=folder)
    # All files are of one clock.
    expected = (5,) if words[:2] == ['frequency', 'slow.json'] else UNDERSTOOD
    check(done.returncode in expected, words, done.returncode, done.stderr)


commands = documented()
check(['latency', '--spacing', '4'] in commands, 'the loop of the textbooks')
with scratch() as folder:
    make_files(folder, commands)
    for words in commands:
        understood(words, folder)
