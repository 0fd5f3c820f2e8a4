"""fathom fit: what is no curve, and options that make no sense, are refused in one line."""
import os

from fathom_test import check, check_refused, run, scratch

GOOD = 'name,kb,ns\na,1,1.5\nb,64,40\n'


def refuse(text, code, *words, options=()):
    done = run('fit', '-', *options, input=text)
    check_refused(done, code, *words)
    return done


check(run('fit', '-', input=GOOD).returncode == 0, 'a good table is refused')

# A bad file: 5, with its name and the line.
refuse('', 5, "'standard input': the file is empty")
refuse('no table\n', 5, 'line 1:', "'no table'")
refuse('size,ns\n1024,1.5\n2048,x\n', 5, 'line 3:', "'x'")
refuse('{"schema": "fathom/1", "kind": "plan"}', 5, 'a plan')
refuse('a,b,c\n1,2,3\n', 5, "'a', 'b', 'c'")
with scratch() as folder:
    path = os.path.join(folder, 'bad\ncurve.csv')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('size;ns\n1024;1,5\n')
    check_refused(run('fit', path), 5, 'curve.csv', 'line 2:', "'1,5'")
    check_refused(run('fit', path + '.missing'), 5, '.missing')
    check_refused(run('fit', folder), 5, folder)
    # Nothing is left where the answer was to go.
    check_refused(run('fit', path, '-o', os.path.join(folder, 'out.json')), 5, 'line 2:')
    check(os.listdir(folder) == ['bad\ncurve.csv'], os.listdir(folder))

# Bad usage: 2.
check_refused(run('fit'), 2, "'fit' needs a file")
check_refused(run('fit', 'a', 'b'), 2, "'b' after 'a'")
check_refused(run('fit', '-', '--machine', 'sim:'), 2, '--machine')
check_refused(run('fit', '-', '--format', 'xml'), 2, "'xml'")
refuse(GOOD, 2, "'parsec'", options=['--size-unit', 'parsec'])
refuse(GOOD, 2, "'MB/s'", options=['--value-unit', 'MB/s'])
done = refuse(GOOD, 2, "'size'", options=['--columns', 'size,ns'])
check("'name', 'kb', 'ns'" in done.stderr, 'does not name the columns:', done.stderr)
refuse(GOOD, 2, "'7'", options=['--columns', 'kb,7'])
refuse(GOOD, 2, 'two columns', options=['--columns', 'kb'])
refuse('"stride=64\n0.001 1\n', 2, 'lat_mem_rd', options=['--size-unit', 'K'])
