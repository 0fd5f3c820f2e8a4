"""A folder of many files: the time that they take grows as their number does, and they are not kept."""
import json
import os
import resource
import sys
import time

from fathom_test import SOURCE, check, run, scratch

sys.path.insert(0, os.path.join(SOURCE, 'bench'))
import fleets  # noqa: E402

FEW, MANY = 2000, 20000


def fill(folder, first, last):
    """Small documents of nodes, and one in a hundred that is damaged."""
    made = fleets.document(fleets.KINDS[0], '@HOST@', 'many')
    made = {name: made[name] for name in ('schema', 'kind', 'fathom', 'machine', 'quality', 'clock', 'curves')}
    text = json.dumps(made)
    for i in range(first, last):
        with open(os.path.join(folder, f'run.{i}.json'), 'w', encoding='utf-8') as file:
            file.write('{' if i % 100 == 99 else text.replace('@HOST@', f'n{i}'))


def seconds_of(folder, count):
    started = time.monotonic()
    done = run('fleet', folder, '--json', timeout=400)
    found = json.loads(done.stdout)
    check(done.returncode == 5, done.returncode, done.stderr)
    check(found['documents'] == count * 99 // 100 and len(found['damaged']) == count // 100)
    return time.monotonic() - started


with scratch() as root:
    fill(root, 0, FEW)
    few = seconds_of(root, FEW)
    fill(root, FEW, MANY)
    many = seconds_of(root, MANY)
    check(many < 6 * (MANY / FEW) * max(few, 0.05), 'not linear:', few, many)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    check(used < 400, used, 'MB')
    print(f'{FEW}: {few:.2f} s, {MANY}: {many:.2f} s, {used:.0f} MB')
