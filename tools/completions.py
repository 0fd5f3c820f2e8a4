"""Completions of bash, zsh and fish, of what cli/describe.c prints: each option, and the values of
those that have names for them."""
import re


def spellings(option):
    return ['--' + option['long']] + (['-' + option['short']] if option['short'] else [])


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


# ---- bash ----

BASH = '''# Completion of fathom for bash; made by tools/completions.py of the tables of options.
_fathom()
{
	local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
	local command= word options= choices= list= arguments= index
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
	# What stands before the last comma of a list stays.
	if [[ -n $list && $current == *,* ]]; then
		list=${current%,*},
		current=${current##*,}
	else
		list=
	fi
	if [[ -n $choices ]]; then
		COMPREPLY=($(compgen -P "$list" -W "$choices" -- "$current"))
	elif [[ $current == -* ]]; then
		COMPREPLY=($(compgen -W "$options" -- "$current"))
	elif [[ $arguments == files ]]; then
		COMPREPLY=($(compgen -f -- "$current"))
	elif [[ -n $arguments ]]; then
		COMPREPLY=($(compgen -W "$arguments" -- "$current"))
	elif [[ -z $command || $command == help ]]; then
		COMPREPLY=($(compgen -W "@COMMANDS@" -- "$current"))
	fi
}
complete -o filenames -F _fathom fathom
'''


def bash_value(command, option):
    pattern = '|'.join(quoted(f"{command['name']} {name}") for name in spellings(option))
    action = 'return'
    if option['choices']:
        action = f"choices='{' '.join(option['choices'])}'" + (' list=1' if option['list'] else '')
    elif option['files']:
        action = 'arguments=files; options='
    return f'\t{pattern}) {action} ;;\n'


def bash(commands, names):
    options, values = '', ''
    for place, command in enumerate(commands):
        pattern = command['name'] + ('' if place else "|''")
        words = ' '.join(name for option in command['options'] for name in spellings(option))
        files = ' arguments=files' if command['arguments'] else ''
        if command['choices']:
            files = f" arguments='{' '.join(command['choices'])}'"
        options += f"\t{pattern}) options='{words}'{files} ;;\n"
        values += ''.join(bash_value(command, option) for option in command['options']
                          if option['value'])
    return {'@NAMES@': '|'.join(names + ['help']), '@FIRST@': names[0], '@OPTIONS@': options,
            '@VALUES@': values, '@COMMANDS@': ' '.join(names + ['help'])}


# ---- zsh ----

ZSH = '''#compdef fathom
# Completion of fathom for zsh; made by tools/completions.py of the tables of options.
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


def zsh_option(option):
    doc = re.sub(r'([\[\]:])', r'\\\1', option['doc'])
    action = ' '
    if option['choices']:
        words = ' '.join(option['choices'])
        action = f'_values -s , {option["value"]} {words}' if option['list'] else f'({words})'
    elif option['files']:
        action = '_files'
    value = option['value'].replace(':', '\\:') if option['value'] else ''
    excludes = ' '.join(f'--{name}' for name in option['excludes'].split())
    lines = []
    for name in spellings(option):
        joint = '' if not value else '=' if name.startswith('--') else '+'
        lines.append((f'({excludes})' if excludes else '') + f'{name}{joint}[{doc}]'
                     + (f':{value}:{action}' if value else ''))
    return ''.join(f'\t\t\t{quoted(line)} \\\n' for line in lines)


def zsh(commands, names):
    listed, cases = '', ''
    for command in commands:
        listed += '\t\t' + quoted(f"{command['name']}:{command['summary']}") + '\n'
        rest = '*:file:_files' if command['arguments'] else '*: : '
        if command['choices']:
            rest = f"*:{command['arguments']}:({' '.join(command['choices'])})"
        cases += (f"\t{command['name']})\n\t\t_arguments -S \\\n"
                  + ''.join(zsh_option(option) for option in command['options'])
                  + f"\t\t\t'{rest}'\n\t\t;;\n")
    return {'@COMMANDS@': listed, '@NAMES@': '|'.join(names), '@FIRST@': names[0],
            '@CASES@': cases}


# ---- fish ----

FISH = '''# Completion of fathom for fish; made by tools/completions.py of the tables of options.
function __fathom_command
	for word in (commandline -opc)[2..-1]
		if contains -- $word @NAMES@
			echo $word
			return
		end
	end
end
function __fathom_is
	set -l command (__fathom_command)
	test "$command" = $argv[1]; or test -z "$command" -a $argv[1] = @FIRST@
end
complete -c fathom -f
@COMMANDS@@OPTIONS@'''


def fish_option(command, option):
    words = ['complete -c fathom -n', quoted('__fathom_is ' + command['name'])]
    words += ['-s ' + option['short']] if option['short'] else []
    words += ['-l ' + option['long'], '-d ' + quoted(option['doc'])]
    if option['value']:
        words.append('-rF' if option['files'] else '-x')
    if option['choices']:
        choices = ' '.join(option['choices'])
        words.append('-a ' + quoted(f'(__fish_append , {choices})' if option['list'] else choices))
    return ' '.join(words) + '\n'


def fish(commands, names):
    listed, options = '', ''
    for command in commands:
        listed += ("complete -c fathom -n 'test -z (__fathom_command)' "
                   f"-a {command['name']} -d {quoted(command['summary'])}\n")
        if command['choices']:
            options += (f"complete -c fathom -n '__fathom_is {command['name']}' "
                        f"-a {quoted(' '.join(command['choices']))}\n")
        elif command['arguments']:
            options += f"complete -c fathom -n '__fathom_is {command['name']}' -F\n"
        options += ''.join(fish_option(command, option) for option in command['options'])
    return {'@NAMES@': ' '.join(names), '@FIRST@': names[0], '@COMMANDS@': listed,
            '@OPTIONS@': options}


def make(document):
    """File names to texts."""
    commands = document['commands']
    names = [command['name'] for command in commands]
    files = {}
    for file, template, fill in (('fathom', BASH, bash), ('_fathom', ZSH, zsh),
                                 ('fathom.fish', FISH, fish)):
        for mark, text in fill(commands, names).items():
            template = template.replace(mark, text)
        files[file] = template
    return files
