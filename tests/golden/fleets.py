"""Writes documents/fleets/: thirty nodes of three kinds before and now, some with a fault, one with a hostile name.

    fleets.py FATHOM

For those who need a fleet with what fathom has learnt since; `make golden` does not call it."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'bench'))
import fleets  # noqa: E402 pylint: disable=wrong-import-position

FAULTS = {3: 'memory-channel', 7: 'core-clock', 11: 'l3-less'}
ALWAYS = {12: 'microcode'}
HOSTILE, DISTURBED, OLD, AHEAD, NEW, GONE = 11, 17, 5, 8, 25, 26


def write(folder, run):
    for i in range(30):
        if i == (GONE if run else NEW):
            continue
        host = 'n20\x1b[31m"}<b>|x' if i == HOSTILE else f'n{i:02d}'
        fault = ALWAYS.get(i) or (FAULTS.get(i) if run else None)
        made = fleets.document(fleets.KINDS[i % 3], host, f'golden {i}', fault, run=run,
                               disturbed='quality' if i == DISTURBED and run else None)
        if i == OLD:
            made['fathom']['version'] = '0.0.9'
        if i == AHEAD:
            made['measured_at'] = '2031-01-01T00:00:00Z'
        with open(os.path.join(folder, f'run.n{i:02d}.json'), 'w', encoding='utf-8') as file:
            json.dump(made, file)


for run, name in enumerate(('before', 'now')):
    with tempfile.TemporaryDirectory() as scratch:
        write(scratch, run)
        subprocess.run([os.path.abspath(sys.argv[1]), 'fleet', '.', '-q', '-o',
                        os.path.join(HERE, 'documents', 'fleets', f'{name}.json')], cwd=scratch, check=False)
