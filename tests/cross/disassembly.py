#!/usr/bin/env python3
"""Do the timed loops of this ISA hold what the table says, and nothing else?

Usage: disassembly.py PROGRAM [--objdump OBJDUMP] [--wrapper COMMAND...]

PROGRAM is the built tests/cross/check_kernels; its `list` prints the table. The loop of each ISA
kernel must be KERNEL_UNROLL times the same hop, of the table's instructions and loads, without the
stack but for the one store of what is `_kept`; the loops of the clock probes must touch no memory.
The loop of several lanes must be rounds of one hop of each, without the stack but where the cursors
live on it, in a function that keeps its caller's registers. The two loops of a stream must load and
store each vector of their lines once, of the table's width, and do no more than that kind asks for.
Exit 77: skipped."""
import argparse
import re
import shutil
import subprocess
import sys

from disassembly_lanes import check_kept, check_round

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


def find_loops(function):
    """The instructions from the target of each backward branch to that branch."""
    loops = []
    for address, instruction in function:
        match = BRANCH.match(instruction)
        if match and int(match[2], 16) <= address and int(match[2], 16) >= function[0][0]:
            loops.append([text for at, text in function if int(match[2], 16) <= at <= address])
    return loops


def find_loop(function):
    loops = find_loops(function)
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
    on_stack = [text for text in loop if STACK[machine].search(text)]
    stores = name.endswith('_kept')  # to a variable on the stack
    if len(on_stack) != unroll * stores:
        raise ValueError(f'{len(on_stack)} uses of the stack instead of {unroll * stores}: {on_stack[:1]}')
    found = sum(1 for text in loop if MEMORY[machine].search(text))
    if found != unroll * (loads + stores):
        raise ValueError(f'{found} memory accesses instead of {unroll} x {loads + stores}')
    print(f'{name}: {unroll} x "{"; ".join(hop)}"')


def check_lanes(functions, machine, name, lanes, rounds, loads, stores, instructions):
    """`instructions` in a round."""
    if name not in functions:
        raise ValueError('no such function')
    loop = find_loop(functions[name])
    one_round = check_repeats(loop, rounds, instructions)
    on_stack = sum(1 for text in loop if STACK[machine].search(text))
    expected = 2 * lanes if '_stack_' in name else 0  # each cursor is loaded and stored there
    if on_stack != rounds * expected:
        raise ValueError(f'{on_stack} uses of the stack instead of {rounds} x {expected}')
    check_round(machine, one_round, lanes, loads, stores)
    check_kept(machine, functions[name])
    print(f'{name}: {rounds} x {lanes} lanes, the last "{one_round[-1]}"')


def expected_lanes(table):
    """(function, lanes, rounds, loads a hop, stores a hop, instructions a round)"""
    for line in table.splitlines():
        kind, isa, name, *numbers = line.split()
        if kind == 'lanes' and isa != 'portable':
            yield f'chase_{name}', *map(int, numbers)


# What the loop of a stream may hold: loads and stores of vectors, sums of them, steps of pointers.
X86_VECTOR = r'%(?P<size>[xyz])mm\d+'
X86_PLACE = r'(?P<offset>0x[0-9a-f]+)?\((?P<pointer>%r\w+)\)'
NEON_PAIR = r'(?P<size>q)\d+, q\d+, \[(?P<pointer>x\d+)(?:, #(?P<offset>\d+))?\]'
STREAM_STEPS = {
    'x86-64': {
        'load': rf'v?movaps {X86_PLACE},{X86_VECTOR}',
        'store': rf'v?movaps {X86_VECTOR},{X86_PLACE}',
        'store_nt': rf'v?movntps {X86_VECTOR},{X86_PLACE}',
        'sum': rf'v?paddq %[xyz]mm0,{X86_VECTOR}(?:,%[xyz]mm\d+)?',
        'step': r'(?:add \$|sub \$-)(?P<offset>0x[0-9a-f]+),(?P<pointer>%r\w+)',
    },
    'aarch64': {
        'load': rf'ldp {NEON_PAIR}',
        'store': rf'stp {NEON_PAIR}',
        'store_nt': rf'stnp {NEON_PAIR}',
        'sum': r'add v\d+\.2d, v\d+\.2d, v0\.2d',
        'step': r'add (?P<pointer>x\d+), (?P=pointer), #(?P<offset>0x[0-9a-f]+)',
    },
}
STREAM_SIZES = {'x': (16, 1), 'y': (32, 1), 'z': (64, 1), 'q': (16, 2)}  # bytes, vectors at once
# What each kind does, each to lines that follow one another.
STREAM_KINDS = {
    'read': ['load'],
    'write': ['store'],
    'write_nt': ['store_nt'],
    'copy': ['load', 'store'],
    'copy_nt': ['load', 'store_nt'],
    'update': ['load', 'store'],
}
LINE_BYTES = 64
# What a run past the caches ends with.
FENCES = {'x86-64': 'sfence', 'aarch64': 'dsb ishst'}


def read_stream_loop(loop, steps, vector_bytes):
    """{'load': {pointer: [offsets]}, ... 'step': {pointer: [bytes]}, 'sum': count}"""
    found = {name: {} for name in steps}
    found['sum'] = 0
    for text in loop[:-LOOP_END]:
        name, match = next(((name, match) for name, step in steps.items()
                            if (match := re.fullmatch(step, text))), (None, None))
        if not name:
            raise ValueError(f'"{text}" has no place there')
        if name == 'sum':
            found['sum'] += 1
            continue
        first = int(match['offset'] or '0', 0)
        width, count = STREAM_SIZES[match['size']] if 'size' in match.groupdict() else (0, 1)
        if name != 'step' and width != vector_bytes:
            raise ValueError(f'"{text}" is not {vector_bytes} bytes wide')
        found[name].setdefault(match['pointer'], []).extend(
            first + width * i for i in range(count))
    return found


def check_stream_loop(loop, machine, kind, vector_bytes):
    """Each vector of each stream once, and nothing else; returns the lines a round."""
    found = read_stream_loop(loop, STREAM_STEPS[machine], vector_bytes)
    moves = {name: found[name] for name in ('load', 'store', 'store_nt') if found[name]}
    if sorted(moves) != sorted(STREAM_KINDS[kind]):
        raise ValueError(f'{sorted(moves)} instead of {STREAM_KINDS[kind]}')
    steps = {pointer: sum(step) for pointer, step in found['step'].items()}
    vectors = max(steps.values()) // vector_bytes
    for name, pointers in moves.items():
        expected = [vector_bytes * i for i in range(vectors)]
        if len(pointers) != 1 or [sorted(at) for at in pointers.values()] != [expected]:
            raise ValueError(f'{name}: {pointers} instead of each of {vectors} vectors once')
    used = {pointer for pointers in moves.values() for pointer in pointers}
    if len(used) != (2 if kind.startswith('copy') else 1) or set(steps) != used or \
            len(set(steps.values())) != 1:
        raise ValueError(f'the pointers {used} move by {steps}')
    if found['sum'] != (vectors if kind == 'update' else 0):
        raise ValueError(f'{found["sum"]} sums of {vectors} vectors')
    return vectors * vector_bytes / LINE_BYTES


def check_stream(functions, machine, name, vector_bytes, loads, instructions):
    """The loop of several lines and that of one line; the table's numbers are those of a line."""
    function, kind = f'lines_{name}', name.rsplit('_', 1)[0]
    if function not in functions:
        raise ValueError('no such function')
    loops = find_loops(functions[function])
    lines = [check_stream_loop(loop, machine, kind, vector_bytes) for loop in loops]
    if len(lines) != 2 or lines[0] < 2 or lines[1] != 1:
        raise ValueError(f'loops of {lines} lines instead of several and 1')
    for loop, count in zip(loops, lines):
        found = sum(1 for text in loop if re.fullmatch(STREAM_STEPS[machine]['load'], text))
        if found != count * loads:
            raise ValueError(f'{found} loads instead of {count} x {loads}')
        steps = 2 if kind.startswith('copy') else 1
        if len(loop) - steps - LOOP_END != count * instructions:
            raise ValueError(f'{len(loop)} instructions instead of {count} x {instructions}')
    texts = [text for _, text in functions[function]]
    if machine == 'x86-64' and vector_bytes > 16 and 'vzeroupper' not in texts:
        raise ValueError('the upper halves of registers are left as they are')
    fenced = FENCES[machine] in [text for _, text in functions[f'stream_{name}']]
    if fenced != kind.endswith('_nt'):
        raise ValueError('a fence too many' if fenced else 'no fence at the end')
    print(f'{function}: loops of {lines[0]:.0f} lines and 1, {loads} loads a line')


def expected_streams(table):
    """(name, vector bytes, loads, instructions) of the ISA's own streams."""
    for line in table.splitlines():
        what, isa, name, *rest = line.split()
        if what == 'stream' and isa != 'portable':
            yield name, *map(int, rest[:3])


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
    checks += [(check_stream, stream) for stream in expected_streams(table)]
    for check, (name, *expected) in checks:
        try:
            check(functions, machine, name, *expected)
        except ValueError as error:
            print(f'FAILED: {name}: {error}')
            failures += 1
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
