#!/usr/bin/env python3
"""Holds the pages against the sources: ARCHITECTURE.md and README.md keep their size, each folder is
named in ARCHITECTURE.md or in a README.md above it, each path that a page names exists, as does
each tool that the Makefile calls, and README.md has the commands that there are.

    check_docs.py ROOT        one line a violation, exit 1 if there is any
"""
import os
import re
import sys

# Page: most lines, most words.
SIZES = {'ARCHITECTURE.md': (110, 1300), 'README.md': (160, None)}
MOST_COLUMNS = 120
# Names what there was.
HISTORY = 'CHANGELOG.md'
# Their folders must be named. A recorded machine, and what is expected of outputs, is a tree of its
# own.
NAMED_TOPS = ('src', 'cli', 'tests')
RECORDED = re.compile(r'tests/(machines|golden/expected)/.')

TOPS = ('bench', 'cli', 'corpus', 'docs', 'examples', 'include', 'manual', 'packaging', 'src', 'tests', 'tools',
        'web')
FENCE = re.compile(r'^```.*?^```', re.MULTILINE | re.DOTALL)
LINK = re.compile(r'\]\(([^)#\s]+)[^)]*\)')
IN_TOP = re.compile(r'(?<![\w./<-])(?:' + '|'.join(TOPS) + r')/[\w./*-]*\w/?')
SOURCE_NAME = re.compile(r'`([\w./-]+\.(?:c|h|S|py|mjs|js|build))`')
FOLDER_NAME = re.compile(r'`([\w.-]+(?:/[\w.-]+)*/)`')
TOOL = re.compile(r'(?<![\w/.])tools/[\w.-]+')
# Of the table of README.md, of cli/commands.c, and of a command; options in [] are not in the table.
COMMAND_ROW = re.compile(r'^\| `(fathom[^`]*)` \|', re.MULTILINE)
COMMAND = re.compile(r'&(\w+)_command')
ARGUMENTS = re.compile(r'\.arguments = "([^"\[]+)"')
PLACEHOLDER = re.compile(r'NAME|ISA|ROOM|\*')


def walk(root):
    """All files and folders (which end in a slash), as paths from the root on."""
    found = set()
    for folder, folders, names in os.walk(root):
        here = os.path.relpath(folder, root).replace(os.sep, '/')
        here = '' if here == '.' else here + '/'
        folders[:] = [name for name in folders
                      if name not in ('__pycache__', '.git', 'node_modules') and
                      not os.path.exists(os.path.join(folder, name, 'build.ninja'))]
        found |= {here + name for name in names} | {here + name + '/' for name in folders}
    return found


def read(root, path):
    with open(os.path.join(root, path), encoding='utf-8') as file:
        return file.read()


def is_there(path, paths):
    """From the root on, or, where no top folder is named, anywhere; placeholders stand for
    anything."""
    wanted = re.escape(PLACEHOLDER.sub('\0', path)).replace(re.escape('\0'), '[^/]*')
    anywhere = '' if path.startswith(tuple(top + '/' for top in TOPS)) else '(?:.*/)?'
    pattern = re.compile(anywhere + wanted.removesuffix('/') + '/?')
    return any(pattern.fullmatch(candidate) for candidate in paths)


def check_size(page, text):
    lines, words = SIZES[page]
    rows = text.splitlines()
    found = [f'{page}:{number}: {len(row)} columns, {MOST_COLUMNS} at most'
             for number, row in enumerate(rows, 1) if len(row) > MOST_COLUMNS]
    if len(rows) > lines:
        found.append(f'{page}: {len(rows)} lines, {lines} at most')
    if words and len(text.split()) > words:
        found.append(f'{page}: {len(text.split())} words, {words} at most')
    return found


def check_paths(page, text, paths):
    prose = FENCE.sub(lambda match: '\n' * match.group(0).count('\n'), text)
    found = []
    for number, row in enumerate(prose.splitlines(), 1):
        links = [os.path.normpath(os.path.join(os.path.dirname(page), target))
                 for target in LINK.findall(row) if '://' not in target]
        wrong = [target for target in links
                 if target not in paths and target + '/' not in paths]
        rest = LINK.sub(']', row)
        wrong += [path for pattern in (IN_TOP, SOURCE_NAME, FOLDER_NAME)
                  for path in pattern.findall(rest) if not is_there(path, paths)]
        found += [f'{page}:{number}: there is no {path}' for path in dict.fromkeys(wrong)]
    return found


def check_tools(text, paths):
    return [f'Makefile:{number}: there is no {tool}' for number, row in enumerate(text.splitlines(), 1)
            for tool in TOOL.findall(row) if tool not in paths]


def check_commands(root, paths):
    """The first command is what `fathom` alone does."""
    if 'cli/commands.c' not in paths:
        return []
    wanted = []
    for name in COMMAND.findall(read(root, 'cli/commands.c')):
        arguments = ARGUMENTS.search(read(root, f'cli/commands/{name}.c'))
        wanted.append(f'fathom {name}' + (' ' + arguments.group(1) if arguments else ''))
    wanted[0] = 'fathom'
    rows = COMMAND_ROW.findall(read(root, 'README.md'))
    if rows == wanted:
        return []
    return [f'README.md: the table of commands has {", ".join(rows)}, not {", ".join(wanted)}']


def folders_of_map(text):
    """Those that ARCHITECTURE.md names. In a row, what follows a whole path may be short: what
    stands beside it, or in it."""
    named = set()
    for row in text.splitlines():
        whole = None
        for folder in re.findall(r'`([\w./-]+)/`', row):
            if folder.split('/')[0] in TOPS:
                whole = folder
                named.add(folder)
            elif whole:
                named |= {f'{os.path.dirname(whole)}/{folder}', f'{whole}/{folder}'}
    return named


def is_named_above(folder, root, paths):
    name = re.compile(r'`(?:[\w./-]+/)?' + re.escape(os.path.basename(folder)) + r'/?`')
    above = os.path.dirname(folder)
    while above:
        if above + '/README.md' in paths and name.search(read(root, above + '/README.md')):
            return True
        above = os.path.dirname(above)
    return False


def check_tree(root):
    paths = walk(root)
    found = []
    named = folders_of_map(read(root, 'ARCHITECTURE.md'))
    for page in sorted(path for path in paths if path.endswith('.md') and path != HISTORY):
        text = read(root, page)
        if page in SIZES:
            found += check_size(page, text)
        found += check_paths(page, text, paths)
    if 'Makefile' in paths:
        found += check_tools(read(root, 'Makefile'), paths)
    found += check_commands(root, paths)
    for folder in sorted(path[:-1] for path in paths if path.endswith('/')):
        if folder.split('/')[0] in NAMED_TOPS and not RECORDED.match(folder) and \
           folder not in named and not is_named_above(folder, root, paths):
            found.append(f'{folder}: named neither in ARCHITECTURE.md nor in a README.md above it')
    return found


def main():
    found = check_tree(sys.argv[1])
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
