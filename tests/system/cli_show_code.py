"""--show-code prints the loops that would be timed, as they were built."""
import re

from fathom_test import MACHINE, check, check_refused, run


def loops(*arguments):
    done = run(*arguments, '--show-code', *MACHINE)
    check(done.returncode == 0 and not done.stderr, arguments, done.stderr)
    return done.stdout


pointer = loops('latency', '--no-control')
check("loop 'pointer'" in pointer, pointer)
if 'not known' in pointer: # built where nothing can disassemble
    print('skipped: the build could not disassemble its loops')
    raise SystemExit(77)
check(re.search(r'^  loop:\n    \S.*\n    \(this 64 times in all\)\n(    .*\n){1,4}', pointer, re.M),
      pointer)
check(pointer.count("loop '") == 1, pointer)
check("loop 'index32'" in loops('latency', '--no-control', '--spacing', '4'), 'index32')

# A spill is seen: a cursor on the stack is loaded and stored for each hop.
few = loops('parallelism', '--size', '16K', '--lanes', '3')
spilled = loops('parallelism', '--size', '16K', '--lanes', '3', '--lane-store', 'stack')
check("loop 'pointer_registers_3'" in few and 'sp' not in few.split("registers_3'")[1], few)
check(len(re.findall(r'\(%rsp\)|\[sp|\(sp\)', spilled.split("stack_3'")[1])) >= 6, spilled)

check(all(line in loops('patterns') for line in (
    "  the same loop: page_local, one_per_page\n", "  the same loop: reverse, strided\n")), 'orders of a loop')
patterns = loops('patterns', '--spacing', '1')
for name in ('index_bytes', 'linear_sum', 'branches', 'locks'):
    check(f"loop '{name}'" in patterns, name, patterns)
check(all(f'  {label}:\n' in patterns for label in re.findall(r'\b(next)$', patterns, re.M)), 'labels')
check("loop 'copy_" in loops('bandwidth'), 'streams')
check_refused(run('latency', '--show-code', '--dry-run'), 2, '--show-code', '--dry-run')
