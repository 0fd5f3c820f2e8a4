"""Each row of docs/textbook.md has a command, all of them run, in their order and at their sizes, on a
simulated machine, and the page has a figure for each that one of them draws."""
import html
import os
import re
import shutil
import subprocess
import sys

from fathom_test import COMMAND, SOURCE, check, scratch, skip

ROWS = ([f'A{number}' for number in range(1, 16)] + [f'B{number}' for number in range(1, 14)] +
        [f'C{number}' for number in range(1, 9)] +
        ['D1', 'D1b', 'D2', 'D3', 'D4', 'D4b', 'D5', 'D6', 'D7'])

if not shutil.which('gnuplot'):
    skip('gnuplot is not installed')
with open(os.path.join(SOURCE, 'docs', 'textbook.md'), encoding='utf-8') as file:
    source = file.read()
rows = re.split(r'^### (\w+)\. ', source, flags=re.MULTILINE)
check(rows[1::2] == ROWS, rows[1::2])
for row, text in zip(rows[1::2], rows[2::2]):
    check('\n```\nfathom ' in text and '\nSee: ' in text, row, 'has no command, or nothing to see')

with scratch() as folder:
    done = subprocess.run([sys.executable, os.path.join(SOURCE, 'tools', 'textbook.py'), COMMAND,
                           SOURCE, folder, '--simulated'], capture_output=True, encoding='utf-8',
                          check=False)
    check(done.returncode == 0, done.stderr)
    with open(os.path.join(folder, 'index.html'), encoding='utf-8') as file:
        page = file.read()
figures = re.findall(r'-o (\S+\.svg)$', source, flags=re.MULTILINE)
check(len(figures) > 10 and len(figures) == len(set(figures)), figures)
for figure in figures:
    check(f'<img alt="{figure}" src="data:image/svg+xml;base64,' in page, figure, 'is not drawn')
answers = re.sub(r'\s+', ' ', html.unescape(' '.join(re.findall(r'<pre>(.*?)</pre>', page, re.DOTALL))))
for row, text in zip(rows[1::2], rows[2::2]):
    for words in re.findall(r'"([^"]+)"', re.sub(r'\s+', ' ', text.partition('\nSee: ')[2])):
        check(words in answers, row, words, 'is in no answer')
check(not re.search('[\u2800-\u28ff]', page), 'has Braille, which few fonts do')
check('class="error"' not in page, re.findall(r'class="error">(.*?)</pre>', page, flags=re.DOTALL))
for words in ('law of independent', 'MiB·ns', 'x0 = C/l', 'registers', 'OS says', 'follow', 'Little'):
    check(words in page, words, 'is nowhere')
