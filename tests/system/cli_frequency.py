"""fathom frequency on simulated machines: what follows the clock is told from what does not, measured
and from recorded runs; the document comes back, and fits its schema."""
import csv
import io
import os

import schema_check
from fathom_test import check, document, run, scratch

CORE = {'L1': (4, 0), 'L2': (14, 0), 'memory': (61, 78)}
MACHINE = 'sim:l1=8K/8/lru/4c,l2=64K/8/lru/14c,l3=off,mem=61c+78ns,dtlb=off,placement=even'
SWEEP = ['--seed', '11', '--max-size', '1M', '--per-octave', '4', '--no-control', '--budget']
TOLERANCE = 0.03


def near(found, wanted, of):
    return abs(found - wanted) <= TOLERANCE * of


def check_laws(answer, slow_ghz):
    laws = {law['level']: law for law in answer['clock_laws'] if law['level']}
    check(set(laws) == set(CORE), 'levels', sorted(laws))
    for level, (cycles, ns) in CORE.items():
        law = laws[level]
        check(near(law['core_cycles'], cycles, cycles), level, 'cycles', law)
        check(near(law['outside_ns'], ns, ns or cycles / slow_ghz), level, 'ns', law)
        check(law['core_low_cycles'] <= cycles * (1 + TOLERANCE) and
              law['core_high_cycles'] >= cycles * (1 - TOLERANCE), level, 'interval', law)
    check(laws['memory']['speedup'] < 1.3, 'memory follows the clock', laws['memory'])
    return laws


# Measured: forth and back where there is the time.
arguments = [word for word in SWEEP if word != '--no-control'] + ['40s', '--machine', MACHINE]
measured = document(run('frequency', '--khz', '2000000,4000000', '--json', *arguments))
check(not schema_check.problems(schema_check.load(), measured), 'the document breaks the schema')
check([clock['source'] for clock in measured['clocks']] == ['measured'] * 4, measured['clocks'])
check(abs(measured['clocks'][-1]['relative'] - 2) < 0.05, measured['clocks'])
check_laws(measured, 2)

# Recorded, in any order, two or three.
with scratch() as folder:
    paths = []
    for ghz in (4, 2, 3):
        paths.append(os.path.join(folder, f'{ghz}.json'))
        done = run('latency', '--machine', f'{MACHINE},clock={ghz}G', '-o', paths[-1], *SWEEP,
                   '8s')
        check(done.returncode == 0, done.stderr)
    check_laws(document(run('frequency', *paths[:2], '--json')), 2)
    three = document(run('frequency', *paths, '--json'))
    check([clock['curve'] for clock in three['clocks']] == [1, 2, 0], three['clocks'])
    check_laws(three, 2)

    # What was written is read again, and says the same.
    path = os.path.join(folder, 'laws.json')
    done = run('frequency', *paths, '-o', path)
    check(done.returncode == 0, done.stderr)
    again = document(run('fit', path, '--json'))
    check(again['clocks'] == three['clocks'], again['clocks'])
    check(again['clock_laws'] == three['clock_laws'], again['clock_laws'])

    # A table, with the sentence; and a row a law.
    text = run('frequency', *paths[:2]).stdout
    check('of a memory access here, 6' in text, text)
    rows = list(csv.DictReader(io.StringIO(run('frequency', *paths, '--csv').stdout)))
    check(len(rows) == len(three['clock_laws']), len(rows))
    check(rows[0]['level'] == 'L1' and abs(float(rows[0]['core_cycles']) - 4) < 0.2, rows[0])

    # Without clocks in the files they are recovered: the runs as a table of another tool.
    tables = []
    for name in paths[:2]:
        tables.append(name.replace('.json', '.csv'))
        points = document(run('fit', name, '--json'))['curves'][0]['points']
        with open(tables[-1], 'w', encoding='utf-8') as file:
            file.write('size,ns\n')
            file.writelines(f"{point['size_bytes']},{point['latency_ns']}\n" for point in points)
    blind = document(run('frequency', *tables, '--json'))
    fastest = blind['clocks'][-1]
    check(fastest['source'] == 'recovered' and fastest['hz'] is None, fastest)
    check(near(fastest['relative'], 2, 2), fastest)
    check('clock-recovered' in [warning['id'] for warning in blind['warnings']],
          blind['warnings'])
    told = document(run('frequency', *tables, '--clock', '4G,2G', '--json'))
    check([clock['source'] for clock in told['clocks']] == ['user'] * 2, told['clocks'])
    check_laws(told, 2)
