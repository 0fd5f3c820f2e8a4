"""Every header compiles alone as C17, the public one as C++ too."""
import glob
import os
import subprocess

from fathom_test import SOURCE, check, need_tool

cc = need_tool('cc', 'gcc', 'clang')
headers = [path for top in ('include', 'src', 'cli')
           for path in glob.glob(os.path.join(SOURCE, top, '**', '*.h'), recursive=True)
           if not path.endswith('_template.h')]
check(len(headers) > 10, 'where are the headers?', headers)


def compiles(command, header):
    done = subprocess.run([*command, '-Wall', '-Wextra', '-Werror', '-fsyntax-only',
                           *(f'-I{os.path.join(SOURCE, top)}' for top in ('include', 'src', 'cli')),
                           '-'], input=f'#include "{header}"\n#include "{header}"\n',
                          capture_output=True, text=True, check=False)
    return '' if done.returncode == 0 else f'{header} does not compile alone:\n{done.stderr}'


problems = [compiles([cc, '-std=c17', '-D_GNU_SOURCE', '-x', 'c'], header) for header in headers]
public = os.path.join(SOURCE, 'include', 'fathom.h')
problems.append(compiles([cc, '-std=c17', '-x', 'c'], public))
problems.append(compiles([need_tool('c++', 'g++', 'clang++'), '-std=c++11', '-pedantic', '-x',
                          'c++'], public))
check(not any(problems), '\n'.join(filter(None, problems)))
