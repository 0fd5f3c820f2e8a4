"""A simulated machine that is described wrongly is refused, and the wrong part quoted."""
from fathom_test import check_refused, run

CASES = [
    ('sim:l1', 'l1'), ('sim:l1=', 'l1'), ('sim:l1=48K/12/lru', '48K/12/lru'),
    ('sim:l1=48K/12/fifo/5c', 'fifo'), ('sim:nonsense=1', 'nonsense'), ('sim:line=48', 'line'),
    ('sim:noise=-1', 'noise'), ('sim:mem=fast', 'fast'), ('sim:l1=48K/12/lru/5c,l1=off', 'l1'),
    ('sim:=', '='), ('sim:l1=off', 'l1'), ('sum:', 'sum:'), ('', ''),
    ('sim:l1=999999999T/12/lru/5c', 'l1'), ('sim:\x1b[31m=1', '?[31m'),
]
for text, quoted in CASES:
    for command in ('latency', 'info'):
        check_refused(run(command, '--machine', text), 5, quoted)
