#!/usr/bin/env python3
"""Makes the man pages and the completions from the tables of options.

    manual.py DESCRIPTION FOLDER    DESCRIPTION: what cli/describe.c prints

FOLDER gets fathom.1, fathom-COMMAND.1, fathom (bash), _fathom (zsh) and fathom.fish."""
import itertools
import json
import os
import re
import sys

import completions

ENVIRONMENT = [('NO_COLOR', 'No colours, whatever the terminal can show.'),
               ('TERM', 'A dumb terminal gets no colors.'),
               ('TMPDIR', 'Where a measurement is kept that the place of the answer does not take; '
                'default: /tmp.'),
               ('LC_ALL, LC_CTYPE, LANG', 'Without UTF-8 all output is ASCII.'),
               ('PATH', "Where 'fathom report' looks for gnuplot.")]
INTERRUPTED = ('What was measured until SIGINT, SIGTERM or SIGHUP is kept. A second SIGINT ends at '
               "once, and keeps nothing; commands that measure nothing, and 'check', end at the "
               'first.')


def roff(text):
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return re.sub(r"^([.'])", r'\\&\1', text, flags=re.M)


def option_entry(option):
    names = [f"\\-{option['short']}"] if option['short'] else []
    value = f"\\fR=\\fI{roff(option['value'])}" if option['value'] else ''
    names.append(f"\\-\\-{roff(option['long'])}{value}")
    return f".TP\n\\fB{', '.join(names)}\\fR\n{roff(option['doc'])}\n"


def definitions(heading, pairs):
    return f'.SH {heading}\n' + ''.join(f'.TP\n\\fB{roff(name)}\\fR\n{roff(text)}\n'
                                        for name, text in pairs)


def examples(lines):
    return '.SH EXAMPLES\n.EX\n' + ''.join(f'{roff(line)}\n' for line in lines) + '.EE\n'


def exit_status(codes):
    return definitions('EXIT STATUS', codes) + f'.PP\n{roff(INTERRUPTED)}\n'


def head(name, version, summary):
    return (f'.\\" Made by tools/manual.py of the tables of options.\n'
            f'.TH "{roff(name.upper())}" 1 "" "fathom {version}" "User Commands"\n'
            f'.SH NAME\n{roff(name)} \\- {roff(summary)}\n')


def command_page(command, document):
    arguments = f" \\fI{roff(command['arguments'])}\\fR" if command['arguments'] else ''
    page = head(f"fathom-{command['name']}", document['version'], command['summary'])
    page += (f".SH SYNOPSIS\n\\fBfathom {command['name']}\\fR [\\fIOPTION\\fR...]{arguments}\n"
             f".SH DESCRIPTION\n{roff(command['about'])}\n.SH OPTIONS\n")
    for group, options in itertools.groupby(command['options'], lambda option: option['group']):
        page += f'.SS {roff(group)}\n' + ''.join(option_entry(option) for option in options)
    if command['notes']:
        page += f".SH NOTES\n{roff(command['notes'])}\n"
    if command['examples']:
        page += examples(command['examples'].splitlines())
    return page + exit_status(document['exit_codes']) + '.SH SEE ALSO\n\\fBfathom\\fR(1)\n'


def main_page(document):
    first = document['commands'][0]
    page = head('fathom', document['version'], 'what memory really costs on a machine')
    page += ('.SH SYNOPSIS\n\\fBfathom\\fR [\\fICOMMAND\\fR] [\\fIOPTION\\fR...]\n'
             '.SH DESCRIPTION\n'
             'Measures how far each cache and TLB reaches, what a dependent access costs in each '
             'level, how many accesses overlap, what pages and bandwidth add; with intervals. '
             f"Without a command: \\fBfathom {first['name']}\\fR. The answer goes to the standard "
             'output or to \\fB\\-o\\fR \\fIFILE\\fR, progress and warnings to the error output. '
             'A file is replaced whole or left as it was; its owner, mode and links stay. '
             'Each command has a page of its own, \\fBfathom\\-\\fICOMMAND\\fR(1), and '
             '\\fBfathom help\\fR \\fICOMMAND\\fR.\n')
    page += definitions('COMMANDS', [(command['name'], command['summary'])
                                     for command in document['commands']])
    page += examples(f'{line:30}{what}' for line, what in document['most_used'])
    page += exit_status(document['exit_codes']) + definitions('ENVIRONMENT', ENVIRONMENT)
    pages = [f"\\fBfathom\\-{command['name']}\\fR(1)" for command in document['commands']]
    return page + '.SH SEE ALSO\n' + ',\n'.join(pages) + '\n'


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        document = json.load(file)
    files = {'fathom.1': main_page(document), **completions.make(document)}
    for command in document['commands']:
        files[f"fathom-{command['name']}.1"] = command_page(command, document)
    for name, text in files.items():
        with open(os.path.join(sys.argv[2], name), 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    main()
