"""Does the loop of a kernel of several lanes walk that many chains, and does the function give back
the registers that are its caller's? A part of disassembly.py.

One round of the loop is followed value by value: each register or slot of an array that lives on
from round to round is a lane, and must come out as what one load found at its own old value."""
import re

# Operands: memory, its registers and all others. Names of one register are made the same.
MEMORY = {
    'x86-64': re.compile(r'\('),
    'aarch64': re.compile(r'\['),
    'riscv': re.compile(r'\('),
}
REGISTER = {
    'x86-64': re.compile(r'%(\w+)'),
    'aarch64': re.compile(r'\b([wxsdv]\d+)\b'),
    'riscv': re.compile(r'\b(f?[ast]\d+|ra)\b'),
}
SAME = {
    'x86-64': [(re.compile(r'^e(\w\w)$'), r'r\1'), (re.compile(r'^(r\d+)d$'), r'\1')],
    'aarch64': [(re.compile(r'^w'), 'x'), (re.compile(r'^[sd]'), 'v')],
    'riscv': [],
}
COMMA = re.compile(r',\s*(?![^(\[]*[)\]])')  # not inside an address
STORE = re.compile(r'^f?s[dwt]')  # where the first operand of a load is what is loaded


def registers(machine, operand):
    names = REGISTER[machine].findall(operand)
    for pattern, name in SAME[machine]:
        names = [pattern.sub(name, old) for old in names]
    return names


def split(machine, text):
    """(destination, sources) of an instruction, both as operands."""
    mnemonic, _, rest = text.partition(' ')
    operands = COMMA.split(rest.split(' #')[0] if machine == 'x86-64' else rest)
    if machine == 'x86-64' or STORE.match(mnemonic):
        operands.reverse()
    return operands[0], operands[1:]


class Round:
    """What a round does to each value: the name that it came from, and the loads since."""

    def __init__(self, machine, instructions):
        self.machine = machine
        self.memory = MEMORY[machine]
        self.values = {}
        self.carried = set()  # read before they were written: they live on
        self.loads = self.stores = 0
        steps = [split(machine, text) for text in instructions]
        self.written = {name for to, _ in steps if not self.memory.search(to)
                        for name in registers(machine, to)}
        for text, (to, sources) in zip(instructions, steps):
            self.step(text, to, sources)

    def read(self, name):
        if name not in self.values:
            self.carried.add(name)
        return self.values.get(name, (name, 0))

    def step(self, text, to, sources):
        found = [value for source in sources for value in self.read_operand(source)]
        if len(found) != 1:
            raise ValueError(f'"{text}" takes {len(found)} values that change')
        if self.memory.search(to):
            self.stores += 1
            if self.changing(to):
                raise ValueError(f'"{text}" stores elsewhere than in the array')
            self.values[to] = found[0]
        else:
            self.values[registers(self.machine, to)[0]] = found[0]

    def changing(self, operand):
        return [name for name in registers(self.machine, operand) if name in self.written]

    def read_operand(self, operand):
        names = self.changing(operand)
        if not self.memory.search(operand):
            return [self.read(name) for name in names]
        self.loads += 1
        if not names: # a slot of the array
            return [self.read(operand)]
        if len(names) != 1:
            raise ValueError(f'"{operand}" is made of several values')
        origin, loads = self.read(names[0])
        return [(origin, loads + 1)]


def check_round(machine, instructions, lanes, loads, stores):
    """One round of a loop makes one hop of each of `lanes` chains, and nothing else."""
    round_ = Round(machine, instructions)
    if (round_.loads, round_.stores) != (lanes * loads, lanes * stores):
        raise ValueError(f'{round_.loads} loads and {round_.stores} stores instead of {lanes} x '
                         f'{loads} and {lanes} x {stores}')
    if len(round_.carried) != lanes:
        raise ValueError(f'{len(round_.carried)} chains instead of {lanes}')
    for name in round_.carried:
        if round_.values[name] != (name, 1):
            raise ValueError('"{}" comes from "{}" by {} loads'.format(name, *round_.values[name]))


# What a function must leave as it found it.
KEPT = {
    'x86-64': {'rbx', 'rbp', 'r12', 'r13', 'r14', 'r15'},
    'aarch64': {f'x{i}' for i in range(19, 31)} | {f'v{i}' for i in range(8, 16)},
    'riscv': {'ra'} | {f'{kind}s{i}' for kind in ('', 'f') for i in range(12)},
}
SLOT = re.compile(r'\[sp(?:, #(?P<after>\d+))?\]|(?P<before>\d+)\(sp\)|\[sp, #-\d+\]!')


def slots_of(text):
    """The places on the stack of the one or two registers that this loads or stores."""
    match = SLOT.search(text)
    first = int(match['after'] or match['before'] or 0) if match else None
    return [] if first is None else [first, first + 8]


def check_kept(machine, function):
    """Straight through the function: in the end each kept register has its first value again."""
    values = {name: name for name in KEPT[machine]}
    stack, slots = [], {}
    for _, text in function:
        mnemonic, _, rest = text.partition(' ')
        names = registers(machine, rest.split('[')[0].split('(')[0])
        if mnemonic == 'push':
            stack.append(values.get(names[0]))
        elif mnemonic == 'pop':
            values[names[0]] = stack.pop()
        elif STORE.match(mnemonic) and machine != 'x86-64':
            slots.update(zip(slots_of(text), [values.get(name) for name in names]))
        elif slots_of(text):
            values.update(zip(names, map(slots.get, slots_of(text))))
        elif rest:
            to, _ = split(machine, text)
            values.update((name, None) for name in registers(machine, to)[:1])
    lost = sorted(name for name in KEPT[machine] if values[name] != name)
    if lost or stack:
        raise ValueError(f'{lost} are not given back' if lost else 'the stack is not given back')
