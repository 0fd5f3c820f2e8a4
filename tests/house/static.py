"""`make static` makes a file that needs no shared library and measures as the ordinary one does. Those
of other ISAs are run under qemu-user where `make static ISA=...` has made them: that takes minutes."""
import json
import os
import shutil
import struct
import tempfile

from fathom_test import BUILD, check, document, run

SURVEY = ['--machine', 'sim:cpus=2,noise=0,outliers=0,drift=0', '--seed', '5', '--max-size', '256K',
          '--budget', '40ms', '--no-report', '--json', '--quiet']
LATENCY = ['latency', '--machine', 'sim:', '--seed', '5', '--size', '16K', '--budget', '1s', '--json', '--quiet']
INTERPRETER = 3  # PT_INTERP


def check_file(path):
    with open(path, 'rb') as file:
        header = file.read(64)
        check(header[:6] == b'\x7fELF\x02\x01', path, 'is no 64-bit ELF file')
        start, = struct.unpack_from('<Q', header, 32)
        size, count = struct.unpack_from('<HH', header, 54)
        file.seek(start)
        kinds = [struct.unpack_from('<I', file.read(size))[0] for _ in range(count)]
    check(INTERPRETER not in kinds, path, 'asks for shared libraries')


def measured(arguments, **how):
    found = document(run(*arguments, **how))
    return json.dumps([found[part] for part in ('curves', 'levels', 'warnings')])


own = os.path.join(BUILD, 'cli', 'fathom-static')
check_file(own)
with tempfile.TemporaryDirectory() as folder:
    copy = shutil.copy(own, folder)  # nothing beside it is needed
    check(run('--version', command=copy).stdout == run('--version').stdout)
    check(measured(SURVEY, command=copy, cwd=folder) == measured(SURVEY), 'it measures otherwise')
    check(run('info', command=copy).stdout == run('info').stdout, 'it sees another machine')
for isa in ('aarch64', 'riscv64'):
    other = os.path.join(BUILD, f'static-{isa}', 'build', 'cli', 'fathom-static')
    if not os.path.exists(other):
        print(f'no static {isa} to be checked: make static ISA={isa}')
        continue
    check_file(other)
    if shutil.which(f'qemu-{isa}'):
        check(run(other, '--version', command=f'qemu-{isa}').stdout.startswith('fathom '))
        check(document(run(other, *LATENCY, command=f'qemu-{isa}'))['curves'], isa)
