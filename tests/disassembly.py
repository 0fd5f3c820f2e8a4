#!/usr/bin/env python3
"""Do the timed loops of this ISA hold what the table says, and nothing else?

Usage: disassembly.py PROGRAM [--objdump OBJDUMP] [--wrapper COMMAND...]

PROGRAM is the built tests/cross/check_kernels; its `list` prints the table. The loop of each ISA
kernel must be KERNEL_UNROLL times the same hop, of the table's instructions and loads, without
the stack; the loops of the clock probes must touch no memory. The loop of several lanes must be
rounds of one hop of each, without the stack. Exit 77: skipped."""
import argparse
import re
import shutil
import subprocess
import sys

from disassembly_lanes import check_round

# What touches memory, and the stack's registers, by the architecture that objdump names.
MEMORY = {
    'x86-64': re.compile(r'\('),
    'aarch64': re.compile(r'\['),
    'riscv': re.compile(r'\(\w+\)'),
}
STACK = {
    'x86-64': re.compile(r'%[er]?sp\b'),
    'aarch64': re.compile(r'\bw?sp\b'),
    'riscv': re.compile(r'\bsp\b'),
}
FUNCTION = re.compile(r'^([0-9a-f]+) <(\w+)>:$')
INSTRUCTION = re.compile(r'^\s*([0-9a-f]+):\t(.*)$')
BRANCH = re.compile(r'^(j\w+|b\.\w+|cbnz|b\w+)\s.*?\b([0-9a-f]+) <')
LOOP_END = 2  # a count and a branch


def output_of(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_functions(text):
    """{name: [(address, instruction)]} of objdump -d --no-show-raw-insn."""
    functions, current = {}, []
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            current = functions.setdefault(match[2], [])
        elif match := INSTRUCTION.match(line):
            instruction = ' '.join(match[2].split())
            current.append((int(match[1], 16), instruction))
    return functions


def find_loop(function):
    """The instructions from the target of the one backward branch to that branch."""
    loops = []
    for address, instruction in function:
        match = BRANCH.match(instruction)
        if match and int(match[2], 16) <= address and int(match[2], 16) >= function[0][0]:
            loops.append([text for at, text in function if int(match[2], 16) <= at <= address])
    if len(loops) != 1:
        raise ValueError(f'{len(loops)} loops instead of 1')
    return loops[0]


def check_repeats(loop, unroll, per_hop):
    """The loop is `unroll` times its first `per_hop` instructions; returns these."""
    if len(loop) != unroll * per_hop + LOOP_END:
        raise ValueError(f'{len(loop)} instructions instead of {unroll} x {per_hop} + {LOOP_END}')
    hop = loop[:per_hop]
    for i in range(unroll * per_hop):
        if loop[i] != hop[i % per_hop]:
            raise ValueError(f'instruction {i} is "{loop[i]}" instead of "{hop[i % per_hop]}"')
    return hop


def check_loop(functions, machine, name, unroll, per_hop, loads):
    if name not in functions:
        raise ValueError('no such function')
    loop = find_loop(functions[name])
    hop = check_repeats(loop, unroll, per_hop)
    for text in loop:
        if STACK[machine].search(text):
            raise ValueError(f'the stack is used: "{text}"')
    found = sum(1 for text in loop if MEMORY[machine].search(text))
    if found != unroll * loads:
        raise ValueError(f'{found} memory accesses instead of {unroll} x {loads}')
    print(f'{name}: {unroll} x "{"; ".join(hop)}"')


def check_lanes(functions, machine, name, lanes, rounds, loads, stores, instructions):
    """`instructions` in a round."""
    if name not in functions:
        raise ValueError('no such function')
    loop = find_loop(functions[name])
    one_round = check_repeats(loop, rounds, instructions)
    for text in loop:
        if STACK[machine].search(text):
            raise ValueError(f'the stack is used: "{text}"')
    check_round(machine, one_round, lanes, loads, stores)
    print(f'{name}: {rounds} x {lanes} lanes, the last "{one_round[-1]}"')


def expected_lanes(table):
    """(function, lanes, rounds, loads a hop, stores a hop, instructions a round)"""
    for line in table.splitlines():
        kind, isa, name, *numbers = line.split()
        if kind == 'lanes' and isa != 'portable':
            yield f'chase_{name}', *map(int, numbers)


def expected_loops(table):
    """(function, unroll, instructions a hop, loads a hop) of the ISA's own loops."""
    for line in table.splitlines():
        kind, isa, *rest = line.split()
        if isa == 'portable':
            continue
        if kind == 'kernel':
            yield f'chase_{rest[0]}', int(rest[1]), int(rest[3]), int(rest[2])
        elif kind == 'probe':
            yield 'chase_add', int(rest[0]), 1, 0
            yield 'chase_multiply', int(rest[0]), 1, 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--objdump', default='objdump')
    parser.add_argument('--wrapper', nargs=argparse.REMAINDER, default=[])
    options = parser.parse_args()
    if not shutil.which(options.objdump):
        print(f'skipped: no {options.objdump}')
        return 77
    table = output_of([*options.wrapper, options.program, 'list'])
    loops = list(expected_loops(table))
    if not loops:
        print('skipped: no loops of its own for this ISA')
        return 77
    text = output_of([options.objdump, '-d', '--no-show-raw-insn', options.program])
    file_format = re.search(r'file format (\S+)', text)[1]
    machine = next((known for known in MEMORY if known in file_format), None)
    if not machine:
        print('skipped: an architecture that this test does not read')
        return 77
    functions, failures = read_functions(text), 0
    checks = [(check_loop, loop) for loop in loops]
    checks += [(check_lanes, lanes) for lanes in expected_lanes(table)]
    for check, (name, *expected) in checks:
        try:
            check(functions, machine, name, *expected)
        except ValueError as error:
            print(f'FAILED: {name}: {error}')
            failures += 1
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
