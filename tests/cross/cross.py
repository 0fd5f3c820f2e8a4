#!/usr/bin/env python3
"""Builds base and kernels for another ISA and checks them under qemu-user.

Usage: cross.py aarch64|riscv64      Exit 77: skipped, for want of a compiler or of qemu."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def main():
    isa = sys.argv[1]
    objdump = f'{isa}-linux-gnu-objdump'
    for tool in (f'{isa}-linux-gnu-gcc', f'qemu-{isa}', objdump, 'meson', 'ninja'):
        if not shutil.which(tool):
            print(f'skipped: no {tool}')
            return 77
    with tempfile.TemporaryDirectory(prefix='fathom-cross-') as build:
        steps = (
            ['meson', 'setup', build, str(ROOT), '-Dpart=kernels', '-Dwerror=true',
             '--cross-file', str(ROOT / 'tools' / 'cross' / f'{isa}.txt')],
            ['ninja', '-C', build],
            ['meson', 'test', '-C', build, '--no-rebuild', '--print-errorlogs'],
            [sys.executable, str(ROOT / 'tests' / 'cross' / 'disassembly.py'),
             f'{build}/tests/cross/check_kernels', '--objdump', objdump,
             '--wrapper', f'qemu-{isa}', '-L', f'/usr/{isa}-linux-gnu'],
        )
        for step in steps:
            print('$', *step, flush=True)
            if subprocess.run(step).returncode != 0:
                print('FAILED')
                return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
