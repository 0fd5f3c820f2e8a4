#!/usr/bin/env python3
"""Runs every command of docs/textbook.md, and makes one page with each answer and figure beside its
command: index.html, which needs nothing beside it.

    textbook.py FATHOM ROOT FOLDER [--simulated]     --simulated: in little time, for a test

The commands run in FOLDER, in the order of the page; those that come again are shown once. Only
the first that measures waits for other programs: the whole has its time, too. Without gnuplot the
figures are drawn in characters; curves drawn so have no Braille on the page. Exit code 1 if a command
fails other than because this machine cannot measure that (3)."""
import base64
import html
import os
import re
import shutil
import subprocess
import sys
import time

import commands

PAGE = 'docs/textbook.md'
UNABLE = 3
# A browser's monospace font need not have Braille, and what takes its place has another width.
PLAIN = {0x2800: ' ', **{glyph: '*' for glyph in range(0x2801, 0x2900)}}
STYLE = '''body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
pre{overflow-x:auto;padding:.6rem .8rem;background:#f4f4f2;font-size:13px;line-height:1.25}
pre.command{background:#22313f;color:#fff}pre.command,pre.error,pre.warning{white-space:pre-wrap}
pre.error,pre.warning{border-left:4px solid #d55e00}
td,th{padding:0 1rem 0 0;text-align:right}img{max-width:100%}code{background:#f4f4f2;padding:0 .2rem}'''


class Answers:
    """What the commands printed, each once."""
    def __init__(self, fathom, folder, simulated):
        self.fathom = os.path.abspath(fathom)
        self.folder = folder
        self.simulated = simulated
        self.places = {}
        self.waited = False
        self.failed = []

    def run(self, words):
        if self.simulated:
            words = commands.simulated(words)
        elif commands.is_measuring(words):
            words = words + ['--no-wait'] if self.waited else words
            self.waited |= not {'--show-code', '--dry-run'} & set(words)
        environment = {**os.environ, 'LC_ALL': 'C.UTF-8', 'COLUMNS': '100', 'NO_COLOR': '1'}
        return subprocess.run([self.fathom, *words], cwd=self.folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, encoding='utf-8',
                              check=False)

    def show(self, line, row):
        """HTML of one command; the title of the row is for the next time."""
        words = commands.line_words(line)
        shown = f'<pre class="command">{html.escape(line)}</pre>'
        if words is None:
            return shown
        if line in self.places:
            return shown + f'<p>Its answer stands under {html.escape(self.places[line])}.</p>'
        self.places[line] = row
        begin = time.monotonic()
        done = self.run(words)
        print(f'{row:4} {time.monotonic() - begin:6.1f} s  {line}', file=sys.stderr)
        if done.returncode not in (0, UNABLE):
            self.failed.append(f'{row}: {line}: exit code {done.returncode}: {done.stderr}')
        answer = self.answer(words, done)
        if done.returncode == UNABLE and words[-2] == '-o':  # no gnuplot: in characters
            answer += self.answer([], self.run([*words[:-2], '--plot']))
        return shown + answer

    def answer(self, words, done):
        text = ''
        if done.returncode == 0 and words and words[-1].endswith('.svg'):
            with open(os.path.join(self.folder, words[-1]), 'rb') as file:
                data = base64.b64encode(file.read()).decode()
            text = f'<img alt="{html.escape(words[-1])}" src="data:image/svg+xml;base64,{data}">'
        if done.stdout:
            text += f'<pre>{html.escape(done.stdout.translate(PLAIN))}</pre>'
        reported = words and words[-1].endswith('.json')  # with the same warnings
        if done.stderr and (done.returncode or not (done.stdout or reported)):
            kind = 'error' if done.returncode else 'warning'
            text += f'<pre class="{kind}">{html.escape(done.stderr)}</pre>'
        return text


def paragraph(text):
    text = html.escape(re.sub(r'\s*\n\s*', ' ', text))
    spans = re.split(r'`([^`]+)`', text)  # between them words, whose stars mean something
    for i, span in enumerate(spans):
        span = span if i % 2 else re.sub(r'\*\*([^*]+)\*\*', r'<b>\1</b>', span)
        spans[i] = f'<code>{span}</code>' if i % 2 else re.sub(r'\*([^*]+)\*', r'<i>\1</i>', span)
    return ''.join(spans)


def part(block, answers, row):
    """HTML of what stands between two empty lines."""
    heading = re.match(r'(#+) (.*)', block)
    if heading:
        level = len(heading.group(1))
        return f'<h{level}>{html.escape(heading.group(2))}</h{level}>'
    if block.startswith('```'):
        return '\n'.join(answers.show(line, row) for line in block.splitlines()[1:-1])
    if block.startswith('|'):
        rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in block.splitlines()]
        return ('<table><tr>' + ''.join(f'<th>{paragraph(cell)}</th>' for cell in rows[0]) +
                ''.join('<tr>' + ''.join(f'<td>{paragraph(cell)}</td>' for cell in row)
                        for row in rows[2:]) + '</table>')
    if block.startswith('- '):
        items = re.split(r'\n?- ', block)[1:]
        return '<ul>' + ''.join(f'<li>{paragraph(item)}</li>' for item in items) + '</ul>'
    return f'<p>{paragraph(block)}</p>'


def make_page(source, answers):
    row, parts = '', []
    for block in source.strip().split('\n\n'):
        found = re.match(r'### (\w+)\.', block)
        row = found.group(1) if found else row
        parts.append(part(block, answers, row))
    return ('<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>The textbook, measured'
            f'</title><style>{STYLE}</style>' + '\n'.join(parts) + '</html>\n')


def main(fathom, root, folder, *options):
    os.makedirs(folder, exist_ok=True)
    answers = Answers(fathom, folder, '--simulated' in options)
    shutil.copy(os.path.join(root, PAGE), folder)  # it has a table that it reads itself
    with open(os.path.join(root, PAGE), encoding='utf-8') as file:
        page = make_page(file.read(), answers)
    path = os.path.join(folder, 'index.html')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(page)
    for failure in answers.failed:
        print(failure, file=sys.stderr)
    print(path)
    return 1 if answers.failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
