#!/usr/bin/env python3
"""Counts the instructions of an operation of each data structure, as cores make them: a compare and
its branch are one, a product of twice as many bits two. Usage: instructions.py COUNTER

What src/model/predict/structures says of an operation and of a turn is what is left of these when
those of its steps are taken off. COUNTER (bench/instructions.c) is what is stepped through and
disassembled: x86-64, and the compiler that built it."""
import re
import subprocess
import sys

OPERATIONS = 64
KEYS = 1011, 32364
MODES = 'dependent', 'independent', 'interleaved'
NODE_BYTES, LOADS = 256, {'open-hash': 0.5, 'cuckoo': 0.45}
STRUCTURES = ('array', 'array-random', 'list', 'list-shuffled', 'bsearch', 'bsearch-branchy', 'bsearch-prefetch',
              'eytzinger', 'eytzinger-prefetch', 'btree', 'stree', 'bst', 'bst-random', 'chained-hash',
              'open-hash', 'cuckoo', 'radix-tree', 'skip-list', 'radix-partition', 'hash-join')
INSTRUCTION = re.compile(r'\s*([0-9a-f]+):\t(\S+)')


def read_weights(program):
    """{offset: how many a core makes of the instruction there}"""
    text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', program], capture_output=True, text=True,
                          check=True).stdout
    weights, before = {}, ''
    for match in filter(None, map(INSTRUCTION.match, text.splitlines())):
        name = match[2]
        joined = name.startswith('j') and name != 'jmp' and re.fullmatch('(cmp|test)[bwlq]?', before)
        weights[int(match[1], 16)] = 0 if joined else 2 if name in ('mul', 'mulq') else 1
        before = name
    return weights


def count(program, weights, structure, mode, keys):
    """None: it cannot be run in that way (exit code 3)."""
    done = subprocess.run([program, structure, str(mode), str(keys), str(OPERATIONS), str(NODE_BYTES),
                           str(LOADS.get(structure, 1))], capture_output=True, text=True, check=False)
    if done.returncode == 3:
        return None
    if done.returncode:
        sys.exit(done.stderr or f'{program}: exit code {done.returncode}')
    lines = (line.split() for line in done.stdout.splitlines())
    return sum(weights.get(int(at, 16), 0) * int(times) for at, times in lines) / OPERATIONS


def main(program):
    weights = read_weights(program)
    print(f'{"structure":20s}{"keys":>7s}' + ''.join(f'{mode:>13s}' for mode in MODES))
    for structure in STRUCTURES:
        for keys in KEYS:
            found = [count(program, weights, structure, mode, keys) for mode in range(len(MODES))]
            print(f'{structure:20s}{keys:7d}' +
                  ''.join(f'{"-" if one is None else format(one, ".1f"):>13s}' for one in found), flush=True)


main(*sys.argv[1:])
