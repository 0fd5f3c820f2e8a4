#!/usr/bin/env python3
"""Writes the samples of the pages anew: what fathom makes of a committed document, between a line
`<!-- sample: FORMAT DOCUMENT -->` or `<!-- sample: FORMAT DOCUMENT "HEADING" -->` (that section
alone) and the line `<!-- end of sample -->`; and the README's figure, where gnuplot is installed.

    samples.py FATHOM ROOT [--check]     --check: changes nothing, exit 1 if a sample would change
"""
import html
import os
import re
import shutil
import subprocess
import sys

PAGES = ('README.md', 'docs/pages.md')
FIGURE = 'docs/latency.svg'
FIGURE_OF = 'corpus/documents/genoa_guest_survey.json'
SAMPLE = re.compile(r'(<!-- sample: (\w+) (\S+)(?: "([^"]+)")? -->\n).*?(<!-- end of sample -->\n)',
                    re.DOTALL)


def render(fathom, root, document, *arguments):
    environment = {**os.environ, 'LC_ALL': 'C.UTF-8', 'COLUMNS': '80'}
    done = subprocess.run([fathom, 'report', os.path.join(root, document), *arguments],
                          env=environment, capture_output=True, encoding='utf-8', check=False)
    if done.returncode != 0:
        sys.exit(f'samples.py: {document}: {done.stderr}')
    return done.stdout


def section(text, heading):
    parts = text.split(f'\n## {heading}\n')
    if len(parts) != 2:
        sys.exit(f"samples.py: there are {len(parts) - 1} headings '{heading}'")
    return parts[1].split('\n## ')[0].strip() + '\n'


def fill(fathom, root, page):
    """The page with its samples made anew."""
    def sample(match):
        begin, kind, document, heading, end = match.groups()
        text = render(fathom, root, document, '--format', kind)
        text = '\n' + section(text, heading) + '\n' if heading else f'```\n{text}```\n'
        return begin + text + end

    filled, count = SAMPLE.subn(sample, page)
    if count == 0:
        sys.exit('samples.py: a page without a sample')
    return filled


def words_of_figure(text):
    """Its labels, without the numbers at the axes."""
    labels = (html.unescape(re.sub(r'<[^>]*>', '', label)).strip()
              for label in re.findall(r'<text>.*?</text>', text, re.DOTALL))
    return {label for label in labels if re.search(r'[a-zA-Z]{3}|L\d', label)
            and not re.fullmatch(r'\d+ [KMG]?i?B', label)}


def figure_is_true(fathom, root, text):
    """Are all its labels those of the figure as it would be drawn now? gnuplot's versions draw
    differently, so that the picture itself is not compared."""
    script = render(fathom, root, FIGURE_OF, '--format', 'gnuplot')
    words = words_of_figure(text)
    return len(words) >= 5 and all(word in script for word in words)


def read(root, path):
    with open(os.path.join(root, path), encoding='utf-8') as file:
        return file.read()


def main():
    fathom, root = sys.argv[1:3]
    is_check = sys.argv[3:] == ['--check']
    stale = []
    for path in PAGES:
        page = read(root, path)
        filled = fill(fathom, root, page)
        if filled != page:
            stale.append(path)
            if not is_check:
                with open(os.path.join(root, path), 'w', encoding='utf-8') as file:
                    file.write(filled)
    if is_check and not figure_is_true(fathom, root, read(root, FIGURE)):
        stale.append(FIGURE)
    if not is_check and shutil.which('gnuplot'):
        render(fathom, root, FIGURE_OF, '-o', os.path.join(root, FIGURE))
    for path in stale:
        print(f'{path}: the sample is not what fathom makes of the document'
              if is_check else f'{path} was written')
    return 1 if is_check and stale else 0


if __name__ == '__main__':
    sys.exit(main())
