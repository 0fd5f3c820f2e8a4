#!/usr/bin/env python3
"""Makes the man pages and the completions of bash and zsh from the tables of options.

    manual.py DESCRIPTION FOLDER    DESCRIPTION: what cli/describe.c prints

FOLDER gets fathom.1, fathom-COMMAND.1, fathom (bash) and _fathom (zsh)."""
import json
import os
import re
import sys

ENVIRONMENT = [('NO_COLOR', 'No colours, whatever the terminal can show.'),
               ('TERM', 'A dumb terminal gets no colors.'),
               ('TMPDIR', 'Where a measurement is kept that the place of the answer does not take; '
                'default: /tmp.'),
               ('LC_ALL, LC_CTYPE, LANG', 'Without UTF-8 all output is ASCII.'),
               ('PATH', "Where 'fathom report' looks for gnuplot.")]
EXIT = [('0', 'ok'), ('1', 'failed: the system refused something'), ('2', 'usage'),
        ('3', 'this machine cannot measure that'),
        ('4', 'measured, but under the asked quality (--strict)'), ('5', 'a bad input file'),
        ('6', "'compare' or 'check' found a difference"),
        ('130', 'interrupted; what was measured is kept. A second SIGINT ends at once, and keeps '
         'nothing; commands that measure nothing, and \'check\', end at the first')]


def options_of(command):
    return [option for group in command['groups'] for option in group['options']]


def choices_of(option):
    """The words that the option takes, where its description begins with them: 'auto (the default),
    always or never'; 'Show ns (the default), cycles or throughput'."""
    text = re.sub(r' \(the default\)', '', option['doc'] or '')
    text = re.split(r'[;:(.]', text)[0].strip()
    text = re.sub(r'^Show ', '', text)
    words = re.split(r', | or ', text)
    plain = all(re.fullmatch(r'[a-z0-9][A-Za-z0-9_]*', word) for word in words)
    return words if option['value'] and plain and len(words) > 1 and ' or ' in text else []


def takes_files(option):
    return option['value'] in ('FILE', 'A,B,C')


# ---- man pages ----

def roff(text):
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return re.sub(r"^([.'])", r'\\&\1', text, flags=re.M)


def option_entry(option):
    names = [f"\\-{option['short']}"] if option['short'] else []
    value = f"\\fI{roff(option['value'])}\\fR" if option['value'] else ''
    names.append(f"\\-\\-{roff(option['long'])}\\fR={value}" if value
                 else f"\\-\\-{roff(option['long'])}")
    return f".TP\n\\fB{', '.join(names)}\\fR\n{roff(option['doc'])}\n"


def definitions(heading, pairs):
    return f'.SH {heading}\n' + ''.join(f'.TP\n\\fB{roff(name)}\\fR\n{roff(text)}\n'
                                        for name, text in pairs)


def after_options(text):
    """Paragraphs, and indented lines as they are."""
    out, block = [], False
    for line in text.strip('\n').split('\n'):
        if line.endswith(':') and line[:-1].isalpha():
            out += ['.EE'] if block else []
            out.append(f'.SH {line[:-1].upper()}')
            block = False
        elif line.startswith('  ') != block:
            out += ['.EE'] if block else ['.PP', '.EX']
            out.append(roff(line.strip() if not block else line))
            block = not block
        elif line:
            out.append(roff(line.strip()))
    return '\n'.join(out + (['.EE'] if block else [])) + '\n'


def head(name, version, summary):
    return (f'.\\" Made by tools/manual.py of the tables of options.\n'
            f'.TH "{roff(name.upper())}" 1 "" "fathom {version}" "User Commands"\n'
            f'.SH NAME\n{roff(name)} \\- {roff(summary)}\n')


def command_page(command, version):
    name = f"fathom-{command['name']}"
    before, _, after = (command['doc'] or '').partition('\v')
    arguments = f" \\fI{roff(command['arguments'])}\\fR" if command['arguments'] else ''
    page = head(name, version, command['summary'])
    page += (f".SH SYNOPSIS\n\\fBfathom {command['name']}\\fR [\\fIOPTION\\fR...]{arguments}\n"
             f'.SH DESCRIPTION\n{roff(before)}\n.SH OPTIONS\n')
    for group in command['groups']:
        if group['heading']:
            page += f".SS {roff(group['heading'].rstrip(':'))}\n"
        page += ''.join(option_entry(option) for option in group['options'])
    if after:
        own_heading = re.match(r'[A-Za-z]+:\n', after)
        page += ('' if own_heading else '.SH NOTES\n') + after_options(after)
    return page + definitions('EXIT STATUS', EXIT) + '.SH SEE ALSO\n\\fBfathom\\fR(1)\n'


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
    used = re.search(r'Most used:\n(.*?)\n\n', document['overall'], re.S).group(1)
    page += '.SH EXAMPLES\n' + after_options(used)
    page += definitions('EXIT STATUS', EXIT) + definitions('ENVIRONMENT', ENVIRONMENT)
    pages = [f"\\fBfathom\\-{command['name']}\\fR(1)" for command in document['commands']]
    return page + '.SH SEE ALSO\n' + ',\n'.join(pages) + '\n'


# ---- completions ----

BASH = '''# Completion of fathom for bash; made by tools/manual.py of the tables of options.
_fathom()
{
	local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
	local command= word options= choices= arguments= index
	# --option=value comes in three words.
	if [[ $current == = ]]; then
		current=
	elif [[ $before == = && COMP_CWORD -gt 1 ]]; then
		before=${COMP_WORDS[COMP_CWORD-2]}
	fi
	for ((index = 1; index < COMP_CWORD; index++)); do
		word=${COMP_WORDS[index]}
		case $word in
		@NAMES@) command=$word; break ;;
		esac
	done
	case $command in
@OPTIONS@	esac
	case "${command:-@FIRST@} $before" in
@VALUES@	esac
	if [[ -n $choices ]]; then
		COMPREPLY=($(compgen -W "$choices" -- "$current"))
	elif [[ $current == -* ]]; then
		COMPREPLY=($(compgen -W "$options" -- "$current"))
	elif [[ $arguments == files ]]; then
		COMPREPLY=($(compgen -f -- "$current"))
	elif [[ -z $command || $command == help ]]; then
		COMPREPLY=($(compgen -W "@COMMANDS@" -- "$current"))
	fi
}
complete -o filenames -F _fathom fathom
'''


def spellings(option):
    return ['--' + option['long']] + (['-' + option['short']] if option['short'] else [])


def bash_values(command):
    lines = ''
    for option in options_of(command):
        if not option['value']:
            continue
        pattern = '|'.join(f"'{command['name']} {name}'" for name in spellings(option))
        choices = choices_of(option)
        action = (f"choices='{' '.join(choices)}'" if choices
                  else 'arguments=files; options=' if takes_files(option) else 'return')
        lines += f'\t{pattern}) {action} ;;\n'
    return lines


def bash(document):
    commands = document['commands']
    names = [command['name'] for command in commands]
    options, values = '', ''
    for place, command in enumerate(commands):
        pattern = command['name'] + ('' if place else "|''")
        words = ' '.join(name for option in options_of(command) for name in spellings(option))
        files = " arguments=files" if command['arguments'] else ''
        options += f"\t{pattern}) options='{words}'{files} ;;\n"
        values += bash_values(command)
    text = BASH
    for mark, by in (('@NAMES@', '|'.join(names + ['help'])), ('@FIRST@', names[0]),
                     ('@OPTIONS@', options), ('@VALUES@', values),
                     ('@COMMANDS@', ' '.join(names + ['help']))):
        text = text.replace(mark, by)
    return text


ZSH = '''#compdef fathom
# Completion of fathom for zsh; made by tools/manual.py of the tables of options.
_fathom() {
	local -a commands
	commands=(
@COMMANDS@	)
	local command=${words[(r)(@NAMES@)]}
	if [[ -z $command && $words[CURRENT] != -* ]] || [[ $words[2] == help ]]; then
		_describe command commands
		return
	fi
	case ${command:-@FIRST@} in
@CASES@	esac
}
_fathom "$@"
'''


def zsh_quoted(text):
    return text.replace("'", "'\\''")


def zsh_option(option):
    doc = re.sub(r'([\[\]:])', r'\\\1', option['doc'] or '')
    choices = choices_of(option)
    action = f"({' '.join(choices)})" if choices else '_files' if takes_files(option) else ' '
    value = option['value'].replace(':', '\\:') if option['value'] else ''
    lines = []
    for name in spellings(option):
        joint = '' if not value else '=' if name.startswith('--') else '+'
        lines.append(f"{name}{joint}[{doc}]" + (f':{value}:{action}' if value else ''))
    return ''.join(f"\t\t\t'{zsh_quoted(line)}' \\\n" for line in lines)


def zsh(document):
    commands, cases = '', ''
    for command in document['commands']:
        summary = zsh_quoted(command['summary']).replace(':', '\\:')
        commands += f"\t\t'{command['name']}:{summary}'\n"
        rest = '*:file:_files' if command['arguments'] else '*: : '
        cases += (f"\t{command['name']})\n\t\t_arguments -S \\\n"
                  + ''.join(zsh_option(option) for option in options_of(command))
                  + f"\t\t\t'{rest}'\n\t\t;;\n")
    names = [command['name'] for command in document['commands']]
    text = ZSH
    for mark, by in (('@COMMANDS@', commands), ('@NAMES@', '|'.join(names)), ('@CASES@', cases),
                     ('@FIRST@', names[0])):
        text = text.replace(mark, by)
    return text


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        document = json.load(file)
    files = {'fathom.1': main_page(document), 'fathom': bash(document), '_fathom': zsh(document)}
    for command in document['commands']:
        files[f"fathom-{command['name']}.1"] = command_page(command, document['version'])
    for name, text in files.items():
        with open(os.path.join(sys.argv[2], name), 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    main()
