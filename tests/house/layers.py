"""The rooms and the doors of the house hold; and the checker sees every kind of violation."""
import os
import subprocess
import sys

from fathom_test import SOURCE, check, scratch

CHECKER = os.path.join(SOURCE, 'tools', 'check_layers.py')

# Path: (source, words that the report must have; None: nothing to report).
TREE = {
    'src/base/a.c': ('#include "machine/machine.h"\n', 'base must not include'),
    'src/machine/a.c': ('#include "kernels/kernels.h"\n', 'machine must not include'),
    'src/kernels/a.c': ('#include "measure/spec.h"\n', 'kernels must not include'),
    'src/model/a.c': ('#include "machine/machine.h"\n', 'model must not include'),
    'src/render/a.c': ('#include "measure/spec.h"\n', 'render must not include'),
    'src/measure/a.c': ('#include "render/formats.h"\n', 'measure must not include'),
    'src/document/a.c': ('#include "readers/readers.h"\n', 'document must not include'),
    'src/views/a.c': ('#include "render/formats.h"\n', 'views must not include'),
    'src/simulate/a.c': ('#include "measure/spec.h"\n', 'simulate must not include'),
    'src/simulate/machine.c': ('#include "machine/interference.h"\n', 'simulate must not include'),
    'src/model/up.c': ('#include "model/levels/levels.h"\n', 'model must not include'),
    'src/model/laws/a.c': ('#include "model/steps/steps.h"\n', 'model/laws must not include'),
    'src/measure/sampling/a.c': ('#include "measure/schedule/sweep.h"\n',
                                 'measure/sampling must not include'),
    'cli/a.c': ('#include "model/latency_numbers.h"\n', 'cli must not include'),
    'src/nowhere/a.c': ('#include "base/text.h"\n', 'belongs to no room'),
    # An exception stands for its file, and only as long as that needs it.
    'src/simulate/simulated_disturb.h': ('#include "machine/interference.h"\n', None),
    'src/simulate/simulated_tables.c': ('#include "base/rng.h"\n', 'no longer includes'),
    'src/measure/up.c': ('#include "../base/text.h"\n', 'paths start at src/'),
    'src/render/print.c': ('\tprintf("x");\n', 'printing'),
    'src/render/stream.c': ('\tfwrite(x, 1, 1, stderr);\n', 'printing'),
    'src/base/exit.c': ('\texit(1);\n', 'exit'),
    'cli/exit.c': ('\t_exit(1);\n', 'exit'),
    'cli/environment.c': ('\tchar *home = getenv("HOME");\n', 'environment'),
    'src/measure/asm.c': ('\t__asm__ volatile("");\n', 'assembly'),
    'src/measure/intrinsic.c': ('#include <immintrin.h>\n', 'assembly'),
    'src/base/isa.c': ('#if defined(__x86_64__)\n#endif\n', 'ISA #if'),
    'src/machine/clock.c': ('\tclock_gettime(CLOCK_MONOTONIC, &now);\n', 'clock'),
    'src/machine/map.c': ('\tp = mmap(0, 1, 0, 0, 0, 0);\n', 'mapping'),
    'src/measure/advise.c': ('\tmadvise(p, 1, 0);\n', 'mapping'),
    'src/measure/thread.c': ('\tpthread_create(&t, 0, f, 0);\n', 'threads'),
    'src/machine/perf.c': ('\tsyscall(SYS_perf_event_open);\n', 'counters'),
    'cli/shell.c': ('\tsystem("ls");\n', 'shell'),
    'cli/start.c': ('\tposix_spawnp(&p, "ls", 0, 0, a, e);\n', 'programs'),
    'cli/gnuplot.c': ('\tposix_spawnp(&p, "gnuplot", 0, 0, a, e);\n', None),
    'src/base/stopwatch.c': ('\tclock_gettime(CLOCK_MONOTONIC, &now);\n', None),
    'src/measure/good.c': ('#include "measure/spec.h"\n#include "machine/interference.h"\n'
                           '#include "base/text.h"\n#include "fathom.h"\n#include <time.h>\n'
                           '/* not printf("x") nor mmap() */\n// exit(1)\n'
                           '\tmeter->ops->clock(meter, &c);\n\tsnprintf(t, 2, "exit(");\n', None),
    'src/kernels/good.c': ('#if defined(__aarch64__)\n#endif\n\t__asm__("");\n', None),
    'src/measure/plan/good.c': ('#include "measure/memory/slice.h"\n#include "measure/spec.h"\n'
                                '#include "machine/counters/counters.h"\n', None),
    'cli/good.c': ('#include "base/text.h"\n#include "fathom.h"\n#include "options.h"\n'
                   '#include "commands/perform.h"\n\tprintf("x");\n\tfputs(x, stderr);\n',
                   None),
    'cli/main.c': ('#include "base/stopwatch.h"\n\tgetenv("NO_COLOR");\n\texit(1);\n', None),
    'cli/commands/clock_settings.h': ('#include "machine/settings/cpufreq.h"\n', None),
}

# Files in a folder, lines of its README (None: it has none), and whether both will do.
FOLDERS = {
    'src/model/frequency': (30, 5, True),
    'src/model/compare': (31, 20, False),
    'src/model/checks': (1, None, False),
    'src/model/textbook': (1, 4, False),
    'src/model/parallelism': (1, 21, False),
}


def make_folder(path, files, readme_lines):
    os.makedirs(path)
    for number in range(files):
        with open(os.path.join(path, f'file{number}.c'), 'w', encoding='utf-8'):
            pass
    if readme_lines:
        with open(os.path.join(path, 'README.md'), 'w', encoding='utf-8') as file:
            file.write('a line\n' * readme_lines)


def report(root):
    done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True,
                          check=False)
    check(not done.stderr, done.stderr)
    return done.returncode, done.stdout.splitlines()


with scratch() as root:
    for path, (source, _) in TREE.items():
        os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(root, path), 'w', encoding='utf-8') as file:
            file.write(source)
    for path, (files, readme_lines, _) in FOLDERS.items():
        make_folder(os.path.join(root, path), files, readme_lines)
    code, lines = report(root)
    check(code == 1, 'the bad tree passes')
    for path, (_, words) in TREE.items():
        of_path = [line for line in lines if line.startswith(path + ':')]
        if words:
            check(any(words in line for line in of_path), path, 'is not reported:', of_path)
        else:
            check(not of_path, path, 'is reported:', of_path)
    for path, (_, _, good) in FOLDERS.items():
        of_path = [line for line in lines if line.startswith(path + ':')]
        check(len(of_path) == (0 if good else 1), path, 'is reported:', of_path)

code, lines = report(SOURCE)
check(code == 0, '\n'.join(lines))
