"""A simulated machine that is described wrongly is refused, and the wrong part quoted: as usage,
unless a file describes it."""
import json
import os

from fathom_test import SWEEP, check_refused, document, run, scratch

CASES = [
    ('sim:l1', 'l1'), ('sim:l1=', 'l1'), ('sim:l1=48K/12/lru', '48K/12/lru'),
    ('sim:l1=48K/12/fifo/5c', 'fifo'), ('sim:nonsense=1', 'nonsense'), ('sim:line=48', 'line'),
    ('sim:noise=-1', 'noise'), ('sim:mem=fast', 'fast'), ('sim:l1=48K/12/lru/5c,l1=off', 'l1'),
    ('sim:=', '='), ('sim:l1=off', 'l1'), ('sum:', 'sum:'), ('', ''),
    ('sim:l1=999999999T/12/lru/5c', 'l1'), ('sim:\x1b[31m=1', r'\x1b[31m'),
]
for text, quoted in CASES:
    for command in ('latency', 'info', 'survey', 'frequency'):
        check_refused(run(command, '--machine', text), 2, quoted)

with scratch() as folder:
    plan = document(run('latency', *SWEEP, '--dry-run', '--json'))
    plan['machine_description'] = 'sim:nonsense=1'
    path = os.path.join(folder, 'plan.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(plan, file)
    check_refused(run('run', path), 5, 'nonsense')
    check_refused(run('run', path, '--machine', 'sim:nothing=1'), 2, 'nothing')
