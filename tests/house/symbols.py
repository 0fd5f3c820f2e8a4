"""The library exports what fathom.h declares, all of it and nothing else."""
import os
import re
import subprocess

from fathom_test import BUILD, SOURCE, check, need_tool

need_tool('nm')
library = os.path.join(BUILD, 'src', 'libfathom.so')
table = subprocess.run(['nm', '-D', '--defined-only', library], capture_output=True, text=True,
                       check=True).stdout
exported = {line.split()[-1].split('@')[0] for line in table.splitlines()}
with open(os.path.join(SOURCE, 'include', 'fathom.h'), encoding='utf-8') as file:
    declared = set(re.findall(r'FATHOM_API[^;(]*?(fathom_\w+)\s*\(', file.read()))

check(len(declared) > 10, 'where are the declarations?', declared)
check(exported == declared, 'only exported:', exported - declared, 'only declared:',
      declared - exported)
