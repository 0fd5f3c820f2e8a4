"""transcripts.txt: sections of lines for the shell, each with all that it prints and its exit code.

A line may begin with `edit DOCUMENT.json PATH=VALUE... |`: that document with other values, as JSON,
at these places; without what stands there where no value is given."""
import json
import os
import re
import shlex

import programs


def read(path):
    """Each section's name and lines."""
    sections = {}
    with open(path, encoding='utf-8') as file:
        for line in file.read().splitlines():
            if heading := re.fullmatch(r'\[([\w-]+)\]', line):
                lines = sections.setdefault(heading.group(1), [])
            elif line and not line.startswith('#'):
                lines.append(line)
    return sections.items()


def place(document, path):
    """What holds the place of 'levels[0].size_bytes', and its key in that."""
    keys = [int(part[1:-1]) if part[0] == '[' else part
            for part in re.findall(r'\[-?\d+\]|\w+', path)]
    for key in keys[:-1]:
        document = document[key]
    return document, keys[-1]


def edit(path, changes):
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    for change in changes:
        where, _, value = change.partition('=')
        holder, key = place(document, where)
        if value:
            holder[key] = json.loads(value)
        else:
            del holder[key]
    return json.dumps(document)


def perform_line(line, folder):
    command, document = line, ''
    if line.startswith('edit '):
        edited, command = line.split(' | ', 1)
        name, *changes = shlex.split(edited)[1:]
        document = edit(os.path.join(folder, name), changes)
    done = programs.execute(['sh', '-c', command], cwd=folder, text=document)
    return f'$ {line}\n' + programs.transcript(line, done)


def perform(lines, folder):
    """All lines of a section, in the folder of the documents."""
    return programs.without_version('\n'.join(perform_line(line, folder) for line in lines))
