"""The help, the man pages and the completions have every option of every command, with its
description, and none besides; what is offered as a value is taken."""
import json
import os
import re
import shutil
import subprocess

from fathom_test import BUILD, check, check_refused, need_tool, run, scratch, skip

VALUES = {'SIZE': '1M', 'SIZES': '1M', 'TIME': '1s', 'N': '7', 'NUMBERS': '7', 'SHARE': '1%'}
MANUAL = os.path.join(BUILD, 'manual')
if not os.path.exists(os.path.join(MANUAL, 'fathom.1')):
    skip('this build has no manual')


def read(name):
    with open(os.path.join(MANUAL, name), encoding='utf-8') as file:
        return file.read()


def helped(command):
    """Of --help: the spellings of all options, and what needs a value."""
    text = run('help', command).stdout
    found, valued = set(), set()
    for line in re.findall(r'^ {1,6}(-.*)$', text, re.M):
        entry = re.match(r'(?:-(\w)(?:, |$))?(?:--([\w-]+))?(=\S+)?', line)
        names = {'-' + entry.group(1)} if entry.group(1) else set()
        names |= {'--' + entry.group(2)} if entry.group(2) else set()
        found |= names
        valued |= names if entry.group(3) else set()
    return found, valued


def in_page(command):
    entries = re.findall(r'^\.TP\n\\fB(\\-.*)$', read(f'fathom-{command}.1'), re.M)
    text = '\n'.join(entries).replace('\\-', '-')
    return set(re.findall(r'(?:^|, )(--?[\w-]+)', text, re.M))


def complete(*words):
    """What bash offers after `fathom` and these words, the last of which is not finished."""
    parts = ' '.join("'" + word + "'" for word in ('fathom', *words))
    script = (f'source {MANUAL}/fathom; COMP_WORDS=({parts}); COMP_CWORD={len(words)}; _fathom; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(['bash', '--norc', '-c', script], capture_output=True, text=True,
                          check=False)
    check(done.returncode == 0 and not done.stderr, words, done.stderr)
    return set(done.stdout.split())


def fish_lines(command):
    return re.findall(f"^complete -c fathom -n '__fathom_is {command}' (.*)$",
                      read('fathom.fish'), re.M)


def zsh_lines(command):
    return read('_fathom').split(f'\n\t{command})\n')[1].split('\n\t\t;;\n')[0].split('\n')


def in_fish(command):
    found = set()
    for line in fish_lines(command):
        names = re.match(r'(?:-s (\w) )?(?:-l ([\w-]+) )?', line)
        found |= {'-' + names.group(1)} if names.group(1) else set()
        found |= {'--' + names.group(2)} if names.group(2) else set()
    return found


def in_zsh(command):
    return set(re.findall(r"^\t\t\t'(?:\([\w -]+\))?(--?[\w-]+)[=+]?\[",
                          '\n'.join(zsh_lines(command)), re.M))


def given(option):
    """The option with some value."""
    value = option['choices'][0] if option['choices'] else VALUES.get(option['value'], 'x')
    return ['--' + option['long']] + ([value] if option['value'] else [])


need_tool('bash')
overall = run('help').stdout.split('Commands:')[1].split('\n\n')[0]
commands = set(re.findall(r'^  (\w+)  ', overall, re.M)) - {'help'}
check(len(commands) > 10, commands)

# The commands.
pages = {name for name in os.listdir(MANUAL) if name.endswith('.1')}
check(pages == {'fathom.1'} | {f'fathom-{command}.1' for command in commands}, pages ^ commands)
check(complete('') == commands | {'help'}, complete(''))
check(complete('pa') == {'patterns', 'parallelism', 'pages'}, complete('pa'))
check(complete('help', 'inf') == {'info'}, complete('help', 'inf'))
check(set(re.findall(r"^\t\t'(\w+):", read('_fathom'), re.M)) == commands, 'zsh')
check(set(re.findall(r' -a (\w+) -d ', read('fathom.fish'))) == commands, 'fish')
check(set(re.findall(r'^\.TP\n\\fB(\w+)\\fR\n', read('fathom.1').split('.SH EXAMPLES')[0], re.M)) ==
      commands, 'fathom.1')

# Every option that the tables describe is in the help, described.
for command in json.loads(read('description.json'))['commands']:
    text = ' '.join(run('help', command['name']).stdout.split())
    for option in command['options']:
        value = f"={option['value']}" if option['value'] else ''
        entry = f"--{option['long']}{value} {option['doc']}"
        check(entry in text, command['name'], 'does not say', entry)
        # Sizes of pages are described as a range.
        for choice in option['choices']:
            check(choice in option['doc'].lower() or re.fullmatch(r'\d+k', choice), choice, entry)
    check(sorted('--' + option['long'] for option in command['options']) ==
          sorted(name for name in helped(command['name'])[0] if name.startswith('--')), command['name'])
    for option in command['options']:
        for name in option['excludes'].split():
            other = [other for other in command['options'] if other['long'] == name][0]
            check_refused(run(command['name'], *given(option), *given(other)), 2,
                          f"'--{option['long']}'", f"'--{name}'")

# The options of each, and the values that are offered.
offered, tried = 0, set()
for command in sorted(commands):
    options, valued = helped(command)
    check({'--help', '-h', '--output', '-o', '--quiet'} <= options, command, options)
    for name, found in (('the page', in_page(command)), ('bash', complete(command, '-')),
                        ('zsh', in_zsh(command)), ('fish', in_fish(command))):
        check(found == options, command, name, found ^ options)
    for option in sorted(valued - {'-o', '--output', '--baseline', '--from', '--with', '--since', '--reference'}):
        values = complete(command, option, '')
        check(values == complete(command, option, '=', ''), command, option, values)
        for line in [*fish_lines(command), *zsh_lines(command)]:
            if f"-l {option.strip('-')} " in line or f'{option}=[' in line:
                check(all(re.search(rf'\b{value}\b', line) for value in values), line, values)
        for value in values if (option, *sorted(values)) not in tried else ():
            done = run(command, option, value, '--help')
            check(done.returncode == 0, command, option, value, 'is refused:', done.stderr)
        tried.add((option, *sorted(values)))
        offered += len(values)
check(complete('latency', '--color', 'a') == {'auto', 'always'}, complete('latency', '--color', 'a'))
check({'latency', 'speedup'} <= complete('report', '--figure', ''), complete('report', '--figure', ''))
check(complete('pages', '--page', 'thp,1') == {'thp,1g', 'thp,16k', 'thp,128k', 'thp,1m'}, 'a list')
check(complete('latency', '--page', 'thp,1') == set(), 'one of the choices')
check(offered > 200, offered)
check(complete('-') == complete('survey', '-'), 'without a command')

# Files where files are wanted.
with scratch() as folder:
    open(os.path.join(folder, 'x.json'), 'w', encoding='utf-8').close()
    check(complete('fit', folder + '/') == {folder + '/x.json'}, complete('fit', folder + '/'))
    check(complete('latency', '-o', folder + '/') == {folder + '/x.json'}, 'after -o')
    check(not complete('latency', folder + '/'), 'latency takes no file')

# They are what their readers take.
for name in sorted(pages):
    text = read(name)
    for heading in ('NAME', 'SYNOPSIS', 'DESCRIPTION', 'EXIT STATUS', 'SEE ALSO'):
        check(f'\n.SH {heading}\n' in text, heading, 'is not in', name)
    if shutil.which('groff'):
        done = subprocess.run(['groff', '-man', '-Tutf8', '-ww', '-z', os.path.join(MANUAL, name)],
                              capture_output=True, text=True, check=False)
        check(done.returncode == 0 and not done.stderr, name, done.stderr)
for shell, file in (('zsh', '_fathom'), ('fish', 'fathom.fish')):
    if shutil.which(shell):
        done = subprocess.run([shell, '-n', os.path.join(MANUAL, file)], capture_output=True,
                              text=True, check=False)
        check(done.returncode == 0 and not done.stderr, done.stderr)
