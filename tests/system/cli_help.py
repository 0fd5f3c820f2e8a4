"""Help: every option described, in 80 columns, on the standard output."""
import re

from fathom_test import check, check_refused, run


def read_help(*arguments):
    done = run(*arguments)
    check(done.returncode == 0 and not done.stderr, arguments, done.returncode, done.stderr)
    for line in done.stdout.splitlines():
        check(len(line) <= 80, 'wider than 80 columns:', line)
        check('\t' not in line, 'a tab:', line)
    return done.stdout


def check_described(text, option):
    entry = re.search(rf'^  [ -].. .*--{option}\b(=\S+)?( +(\S.*)|\n {{20,}}(\S.*))$', text, re.M)
    check(entry and (entry.group(3) or entry.group(4)), f'--{option} is not described in', text)


latency = read_help('help', 'latency')
check(latency == read_help('latency', '--help') == read_help('--help', 'latency'),
      'one command, two texts')

overall = read_help('--help')
check(overall == read_help('help'), 'one help, two texts')
commands = re.findall(r'^  (\w+)  ', overall.split('Commands:')[1].split('\n\n')[0], re.M)
check({'latency', 'fit', 'info', 'run', 'help'} <= set(commands), 'commands:', commands)
for command in commands:
    if command != 'help':
        text = read_help('help', command)
        check(f'fathom {command}' in text.splitlines()[0], text)
        headings = re.findall(r'^ ?\w.*:$', text, re.M)
        check(len(headings) == len(set(headings)), 'a heading twice:', headings)
        named = set(re.findall(r'--([\w-]+)', read_help(command, '--usage')))
        check(named == set(re.findall(r'^ {2,6}(?:-\w, )?--([\w-]+)', text, re.M)), command, named)
        for name in named:
            check_described(text, name)

# What a command cannot do it does not offer.
for command, formats in (('info', 'text or json'),
                         ('compare', 'text, json, csv or html'),
                         ('fit', 'text, json, csv, html, markdown, gnuplot, prometheus, benchmark, hwloc or hgrm')):
    text = read_help('help', command)
    check(f'--format=NAME {formats} ' in ' '.join(text.split()), 'formats of', command, text)
    done = run(command, '--format', 'xml')
    check_refused(done, 2, "--format does not know 'xml'")
    check(done.stderr.endswith(f": one of {formats.replace(' or', ',')}\n"), done.stderr)
    check(('--csv' in text) == ('csv' in formats), '--csv of', command, text)

for command, offered in (('latency', '--y=NAME Show ns, cycles or throughput (default: ns)'),
                         ('pages', '--y=NAME Show ns or cycles (default: ns)'), ('parallelism', None)):
    text = ' '.join(read_help('help', command).split())
    check(offered in text if offered else '--y' not in text, 'what --y shows of', command, text)

text = ' '.join(read_help('help', 'fit').split())
for units in ('B, K, M, G, T, P or E', 'ps, ns, us, ms, s or cycles'):
    check(units in text, 'not all units:', text)

check(re.fullmatch(r'fathom \d+\.\d+\.\d+\n', read_help('--version')), 'no version')
check(read_help('latency', '--version') == read_help('-V'), 'two versions')
check_refused(run('help', 'nothing'), 2, "'nothing'")
