#!/usr/bin/env python3
"""Disassembles the timed loops of the built kernels into a C table, so that `--show-code` needs no
disassembler where it runs.

    loop_code.py LIBRARY COMPILER... >loop_code.c

COMPILER is asked for the objdump of its target; where that cannot read the library the table is
empty. Of each function the longest loop is kept: a body, how often it is repeated, and its end."""
import re
import subprocess
import sys

FUNCTION = re.compile(r'^[0-9a-f]+ <((?:chase|lines|portable)_\w+)>:$')
ANY_FUNCTION = re.compile(r'^[0-9a-f]+ <[^>]+>:$')
INSTRUCTION = re.compile(r'^\s*([0-9a-f]+):\t(.*)$')
TARGET = re.compile(r'\b([0-9a-f]+) <[^>]*>')
MOST_END = 4  # instructions after what is repeated


def disassemble(compiler, library):
    """Empty where the target has no objdump."""
    try:
        objdump = subprocess.run([*compiler, '-print-prog-name=objdump'], capture_output=True,
                                 text=True, check=True).stdout.strip()
        return subprocess.run([objdump, '-d', '--no-show-raw-insn', library], capture_output=True,
                              text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ''


def read_functions(text):
    """{name: [(address, instruction)]}"""
    functions, current = {}, None
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            current = functions.setdefault(match[1], [])
        elif ANY_FUNCTION.match(line):
            current = None
        elif current is not None and (match := INSTRUCTION.match(line)):
            current.append((int(match[1], 16), ' '.join(match[2].split(' #')[0].split())))
    return functions


def longest_loop(function):
    """From the target of the backward branch that leads farthest back to that branch."""
    longest = []
    for end, (address, text) in enumerate(function):
        target = TARGET.search(text)
        if not target or text.split()[0] in ('call', 'bl', 'jal') or int(target[1], 16) > address:
            continue
        loop = [line for line in function[:end + 1] if line[0] >= int(target[1], 16)]
        if len(loop) > len(longest):
            longest = loop
    return label(longest) if longest else []


def label(loop):
    """Its instructions, with a line `next:` before each that a branch inside it leads to."""
    targets = {int(match[1], 16) for _, text in loop[:-1] if (match := TARGET.search(text))}
    lines = []
    for address, text in loop[:-1]:
        lines += ['next:'] if address in targets else []
        match = TARGET.search(text)
        inside = match and int(match[1], 16) <= loop[-1][0]
        lines.append(TARGET.sub('next' if inside else 'elsewhere', text))
    lines += ['next:'] if loop[-1][0] in targets else []
    return [*lines, TARGET.sub('loop', loop[-1][1])]


def fold(loop):
    """(body, times, end): the shortest body that is repeated, and what stands behind it."""
    for size in range(1, len(loop) + 1):
        for end in range(min(MOST_END, len(loop) - size) + 1):
            body = loop[:len(loop) - end]
            times, rest = divmod(len(body), size)
            if not rest and times > 1 and body == body[:size] * times:
                return body[:size], times, loop[len(loop) - end:]
    return loop, 1, []


def write(functions):
    """Instructions are numbered, since loops of lanes are long and alike."""
    texts, code, rows = {}, [], []
    for name, function in sorted(functions.items()):
        loop = longest_loop(function)
        if not loop:
            continue
        body, times, end = fold(loop)
        rows.append(f'\t{{"{name}", {len(code)}, {len(body)}, {times}, {len(end)}}},')
        code += [texts.setdefault(text, len(texts)) for text in body + end]
    print('#include "kernels/loop_code.h"\n')
    print('const char *const loop_code_texts[] = {')
    print('\n'.join(f'\t"{text}",' for text in [*texts, '']), '\n};')
    print('const uint16_t loop_code_order[] = {')
    for i in range(0, len(code) + 1, 20):
        print('\t' + ', '.join(str(number) for number in [*code, 0][i:i + 20]) + ',')
    print('};')
    print('const struct loop_code loop_codes[] = {')
    print('\n'.join([*rows, '\t{0},']), '\n};')


write(read_functions(disassemble(sys.argv[2:], sys.argv[1])))
