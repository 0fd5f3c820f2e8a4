"""The pages keep their size, name each folder and no path that is not there; and the checker sees
every kind of violation."""
import os
import subprocess
import sys

from fathom_test import SOURCE, check, scratch

CHECKER = os.path.join(SOURCE, 'tools', 'check_docs.py')

ARCHITECTURE = '''# Architecture
| `src/`, `cli/`, `tests/` | folders |
| `src/base/`, `kernels/`, `cli/commands/` | more, and the placeholder `src/base/read_NAME.c` |
'''
COMMANDS = '| `fathom` | a |\n| `fathom fit FILE` | b |\n'
# Path: text. A good tree.
TREE = {
    'ARCHITECTURE.md': ARCHITECTURE,
    'README.md': '[a page](docs/page.md) and [a place](docs/page.md#place), [far](https://a.b/c)\n'
                 + COMMANDS,
    'cli/commands.c': '&survey_command, &fit_command',
    'cli/commands/survey.c': '.arguments = "[X]"', 'cli/commands/fit.c': '.arguments = "FILE",',
    'CHANGELOG.md': '`src/base/gone.c` was there\n',
    'docs/page.md': '[back](../README.md), `error.h`, `base/`, /proc/cpuinfo, `build/src/x`\n'
                    '```\nsrc/base/made_up.c\n```\n',
    'src/base/error.h': '', 'src/base/read_a.c': '', 'src/kernels/a.c': '', 'src/kernels/x86_64/a.c': '',
    'src/kernels/README.md': 'variants in `x86_64`\n', 'cli/main.c': '',
    'tests/README.md': '`machines/`\n', 'tests/machines/one/proc/cpuinfo': '',
    'build/build.ninja': '', 'build/src/any/a.c': '',
}
# Path: (text, words that the report must have), one after the other in the good tree.
WRONG = [
    ('ARCHITECTURE.md', ARCHITECTURE + '\n' * 108, '111 lines, 110 at most'),
    ('ARCHITECTURE.md', ARCHITECTURE + 'word ' * 20 + '\n' + ('word ' * 20 + '\n') * 64,
     'words, 1300 at most'),
    ('README.md', COMMANDS + '\n' * 159, '161 lines, 160 at most'),
    ('README.md', COMMANDS + 'x' * 121 + '\n', '121 columns, 120 at most'),
    ('README.md', COMMANDS.replace('fit FILE', 'fit'), 'the table of commands has fathom, fathom fit'),
    ('README.md', '| `fathom` | a |\n', 'not fathom, fathom fit FILE'),
    ('docs/page.md', '[gone](gone.md)\n', 'there is no docs/gone.md'),
    ('docs/page.md', 'see src/base/gone.c.\n', 'there is no src/base/gone.c'),
    ('docs/page.md', 'see src/error.h\n', 'there is no src/error.h'),
    ('docs/page.md', 'see `gone.c`\n', 'there is no gone.c'),
    ('docs/page.md', 'see `gone/`\n', 'there is no gone/'),
    ('docs/page.md', 'see `cli/read_NAME.c`\n', 'there is no cli/read_NAME.c'),
    ('Makefile', 'all:\n\t@build/tools/made && tools/gone build\n', 'Makefile:2: there is no tools/gone'),
    ('src/secret/a.c', '', 'src/secret: named neither'),
    ('src/kernels/riscv64/a.c', '', 'src/kernels/riscv64: named neither'),
    ('tests/more/a.py', '', 'tests/more: named neither'),
]


def write(root, path, text):
    os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
    with open(os.path.join(root, path), 'w', encoding='utf-8') as file:
        file.write(text)


def report(root):
    done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True,
                          check=False)
    check(not done.stderr, done.stderr)
    return done.returncode, done.stdout.splitlines()


for changed, content, words in [(None, None, None), *WRONG]:
    with scratch() as folder:
        for name, good in TREE.items():
            write(folder, name, good)
        if changed:
            write(folder, changed, content)
        code, lines = report(folder)
        if words:
            check(code == 1 and len(lines) == 1 and words in lines[0], words, 'is not reported:',
                  lines)
        else:
            check(code == 0, 'a good tree is reported:', lines)

code, lines = report(SOURCE)
check(code == 0, '\n'.join(lines))
