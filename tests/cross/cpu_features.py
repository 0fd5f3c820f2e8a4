#!/usr/bin/env python3
"""Are vectors used only where the CPU has them? Runs the kernels on CPUs that lack some.

Usage: cpu_features.py PROGRAM, the built tests/cross/check_kernels, under qemu-user's models of
CPUs; 8 bytes are those of the portable streams. Exit 77: skipped."""
import platform
import shutil
import subprocess
import sys

CPUS = {
    'Nehalem': {8, 16},
    'SandyBridge': {8, 16},  # AVX, but not AVX2
    'Haswell': {8, 16, 32},
}
EMULATOR = 'qemu-x86_64'


def run(cpu, *command):
    return subprocess.run([EMULATOR, '-cpu', cpu, *command], capture_output=True, text=True,
                          timeout=100, check=False)


def usable_widths(table):
    streams = [line.split() for line in table.splitlines() if line.startswith('stream ')]
    return {int(line[3]) for line in streams if line[-1] == 'usable'}


def main():
    program, failures = sys.argv[1], 0
    if platform.machine() != 'x86_64' or not shutil.which(EMULATOR):
        print(f'skipped: no x86-64, or no {EMULATOR}')
        return 77
    for cpu, expected in CPUS.items():
        widths = usable_widths(run(cpu, program, 'list').stdout)
        done = run(cpu, program)
        if widths != expected or done.returncode != 0:
            failures += 1
            print(f'FAILED: {cpu}: streams of {sorted(widths)} bytes instead of '
                  f'{sorted(expected)}\n{done.stdout}{done.stderr}')
        else:
            print(f'{cpu}: streams of {sorted(widths)} bytes; {done.stdout.strip()}')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
