"""56 KiB of stack are enough, as a small thread of a program that uses the library has them."""
import os
import resource

from fathom_test import MACHINE, SWEEP, check, run, scratch

# What the command is given lies there, too, and it begins at random up to 8 KiB below the top.
GIVEN_BYTES = sum(len(name) + len(value) + 16 for name, value in os.environ.items())
STACK_BYTES = (56 << 10) + (8 << 10) + GIVEN_BYTES


def limit_stack():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, STACK_BYTES))


with scratch() as folder:
    curve, stairs = os.path.join(folder, 'curve.json'), os.path.join(folder, 'stairs.csv')
    with open(stairs, 'w', encoding='utf-8') as file:  # many steps
        file.write('size,latency\n')
        for i in range(120):
            file.write(f'{int(1024 * 2 ** (i / 8))},{1.25 ** (i // 8)}\n')
    for words in (['latency', *SWEEP, '--json', '-o', curve], ['fit', stairs], ['fit', curve, '--all'],
                  ['compare', curve, curve], ['report', curve, '--format', 'html'], ['info'],
                  ['report', curve, '--plot'],
                  ['parallelism', *MACHINE, '--size', '16K', '--budget', '100ms'],
                  ['pages', *SWEEP], ['latency', *SWEEP, '--pattern', 'both'],
                  ['latency', '--max-size', '16K', '--per-octave', '1', '--budget', '200ms']):
        done = run(*words, prepare=limit_stack)
        check(done.returncode == 0, words, 'exit code', done.returncode, done.stderr)
