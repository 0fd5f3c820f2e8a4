"""transcripts.txt and variants.txt: sections of lines for the shell, each with all that it prints and its exit code. A
comment above a line stands in the transcript as well.

`edit DOCUMENT.json CHANGE... | COMMAND` gives the command a changed document. `vary DOCUMENT.json
CHANGE... [| COMMAND]` shows by which lines its answer differs from that for the document as it is;
without a command, `fathom report - --format text`. A change is PATH=VALUE:

    levels[0].latency_ns=1.5      a value as JSON
    curves[*].points[*].lanes=    no such field, in any of them
    curves[+]=@curves[0]          one more, a copy of that"""
import copy
import difflib
import json
import os
import re
import shlex

import programs


REPORT = 'fathom report - --format text'


def read(path):
    """Each section's name and lines; what stands above the first is nobody's."""
    sections, lines = {}, []
    with open(path, encoding='utf-8') as file:
        for line in file.read().splitlines():
            if heading := re.fullmatch(r'\[([\w-]+)\]', line):
                lines = sections.setdefault(heading.group(1), [])
            elif line and not line.startswith('# ----'):
                lines.append(line)
    return sections.items()


# ---- documents with changes ----

def places(holder, keys):
    """What holds the places of a path, and their keys in that."""
    key, rest = keys[0], keys[1:]
    if key == '*':
        for index in range(len(holder)):
            yield from places(holder, [index, *rest])
    elif rest:
        yield from places(holder[key], rest)
    else:
        yield holder, key


def keys_of(path):
    """'levels[0].size_bytes': 'levels', 0, 'size_bytes'."""
    return [int(index) if re.fullmatch(r'-?\d+', index) else index or name
            for name, index in re.findall(r'(\w+)|\[([*+]|-?\d+)\]', path)]


def change(document, path, value):
    if value.startswith('@'):
        (source, source_key), = places(document, keys_of(value[1:]))
        made = source[source_key]
    elif value:
        made = json.loads(value)
    for holder, key in list(places(document, keys_of(path))):
        if not value:
            holder.pop(key, None) if isinstance(holder, dict) else holder.pop(key)
        elif key == '+':
            holder.append(copy.deepcopy(made))
        else:
            holder[key] = copy.deepcopy(made)


def edited(path, changes):
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    for one in changes:
        change(document, *one.split('=', 1))
    return json.dumps(document)


# ---- lines ----

def answer(command, folder, text=''):
    return programs.transcript(command, programs.execute(['sh', '-c', command], cwd=folder,
                                                         text=text))


def edit(line, folder):
    """The document of a line that begins with edit or vary, changed and as it is; the command."""
    words, _, command = line.partition(' | ')
    _, name, *changes = shlex.split(words)
    path = os.path.join(folder, name)
    return edited(path, changes), edited(path, []), command or REPORT


def vary(line, folder):
    changed, document, command = edit(line, folder)
    before, after = (answer(command, folder, text) for text in (document, changed))
    if after.startswith(programs.ERRORS):  # refused
        return after
    lines = list(difflib.unified_diff(before.split('\n'), after.split('\n'), n=0, lineterm=''))[2:]
    return ''.join(line + '\n' for line in lines if not line.startswith('@@'))


def perform_line(line, folder):
    if line.startswith('vary '):
        return vary(line, folder)
    if line.startswith('edit '):
        changed, _, command = edit(line, folder)
        return answer(command, folder, changed)
    return answer(line, folder)


def perform(lines, folder):
    """All lines of a section, in the folder of the documents."""
    out = ''
    for line in lines:
        out += line + '\n' if line.startswith('#') else \
            f'$ {line}\n' + perform_line(line, folder) + '\n'
    return programs.without_version(out.rstrip('\n') + '\n')
