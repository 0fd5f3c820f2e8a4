"""fathom compare: verdicts on simulated machines, exit codes, formats, and what it refuses."""
import json
import os

import schema_check
from fathom_test import check, check_refused, document, run, scratch

SIM = 'sim:l1=16K/8/lru/4c,l2=128K/8/lru/{}c,l3=off,mem=80ns,placement=even,dtlb=off,seed={}'
SHORT = ['--max-size', '2M', '--per-octave', '4', '--no-control', '--budget', '600ms', '-q']


def measure(path, latency=14, seed=1, *more):
    done = run('latency', '--machine', SIM.format(latency, seed), '--seed', str(seed), *SHORT,
               '-o', path, *more)
    check(done.returncode == 0, done.stderr)
    return path


def parts(found, which=0):
    return {part['name']: part for part in found['runs'][which]['parts']}


with scratch() as folder:
    def place(name):
        return os.path.join(folder, name)

    def write(name, text):
        with open(place(name), 'w', encoding='utf-8') as file:
            file.write(text)
        return place(name)

    a, b, c, d = (measure(place(f'{seed}.json'), 14, seed) for seed in (1, 2, 3, 4))
    slow = measure(place('slow.json'), 15, 5)

    # Unchanged, with one baseline and with three.
    found = document(run('compare', a, b, '--json', '-q'))
    check(found['kind'] == 'comparison' and found['baselines'] == [a], found['baselines'])
    check(set(parts(found)) == {'L1', 'L2', 'memory', 'core clock'}, parts(found).keys())
    check(not found['runs'][0]['slower'] and not found['runs'][0]['faster'], parts(found))
    three = document(run('compare', '--baseline', f'{a},{b},{c}', d, '--json', '-q'))
    check(three['baselines'] == [a, b, c] and parts(three)['L2']['freedom'] == 10, three)
    check(schema_check.main([write('f.json', json.dumps(found)),
                             write('t.json', json.dumps(three))]) == 0, 'schema')

    # A cache of half the size shows between the levels, where there is no verdict.
    half = place('half.json')
    done = run('latency', '--machine', SIM.format(14, 6).replace('128K', '64K'), '--seed', '6',
               *SHORT, '-o', half)
    found = document(run('compare', a, half, '--json', '-q'))
    check('between-levels' in [one['id'] for one in found['warnings']], found['warnings'])

    # Loads of other widths are other loads.
    streams = ['bandwidth', '--machine', SIM.format(14, 1), '--size', '8K', '--operation', 'read',
               '--threads', '1', '--budget', '20ms', '-q']
    widths = [place('128.json'), place('256.json')]
    for path in widths:
        check(run(*streams, '--width', os.path.basename(path)[:3], '-o', path).returncode == 0)
    check_refused(run('compare', *widths), 5, 'vector_bytes')

    # Slower one way, faster the other; the table says so, and so does the exit code.
    done = run('compare', a, slow, '--json')
    check(done.returncode == 6 and 'L2: slower' in done.stderr, done.returncode, done.stderr)
    found = json.loads(done.stdout)
    check(parts(found)['L2']['verdict'] == 'slower' and parts(found)['L1']['verdict'] == 'same',
          parts(found))
    check(abs(parts(found)['L2']['speedup'] - 14 / 15) < 0.01, parts(found)['L2'])
    done = run('compare', slow, a, '-q')
    check(done.returncode == 6 and 'L2: faster' in done.stderr, done.returncode, done.stderr)
    check('! L2 is 7' in done.stdout and 'speed-up' in done.stdout, done.stdout)
    check(run('compare', a, slow, '--threshold', '20%', '-q').returncode == 0, 'over the threshold')
    done = run('compare', a, b, slow, '--csv', '-q')
    rows = [line.split(',') for line in done.stdout.splitlines()]
    check(done.returncode == 6 and rows[0][:3] == ['run', 'kind', 'name'], done.stdout[:200])
    check({row[0].strip('"') for row in rows[1:]} == {b, slow}, 'runs')

    # All runs that differ are named.
    slower = measure(place('slower.json'), 16, 7)
    done = run('compare', a, slow, slower, '-q')
    check(slow in done.stderr and slower in done.stderr, done.stderr)

    # To a file, in the format of its name.
    done = run('compare', a, b, '-o', place('out.csv'))
    check(done.returncode == 0 and not done.stdout, done.stderr)
    with open(place('out.csv'), encoding='utf-8') as file:
        check(file.readline().startswith('run,kind,name'), 'no table')

    # The same twice: told, and nothing differs.
    done = run('compare', a, a)
    check(done.returncode == 0 and 'the same measurement' in ' '.join(done.stdout.split()),
          done.stdout)
    check_refused(run('compare', '--baseline', f'{a},{a}', b), 2, 'the same measurement')

    # Any tool's table.
    table = ''.join(f'{2 ** (i / 4) * 1024:.0f},{{}}\n' for i in range(41))
    ns = write('ns.csv', 'size_bytes,latency_ns\n' + table.format(*[5.0] * 41))
    cycles = write('cycles.csv', 'size_bytes,latency_cycles\n' + table.format(*[15.0] * 41))
    other = write('other.csv', 'size_bytes,latency_ns\n' + table.format(*[6.0] * 41))
    done = run('compare', ns, other, '--json', '-q')
    check(done.returncode == 6, done.returncode, done.stderr)
    found = json.loads(done.stdout)
    check(abs(found['runs'][0]['points'][0]['speedup'] - 5 / 6) < 1e-6, found['runs'][0]['points'][0])
    # Without intervals the spread is taken from the scatter of the ratios: here there is none.
    check(all(part['verdict'] == 'slower' and 'the spread is taken from how far' in part['evidence']
              for part in found['runs'][0]['parts']), found['runs'][0]['parts'])
    stairs = write('stairs.csv', 'size_bytes,latency_ns\n' + ''.join(
        f'{1024 * 2 ** (i / 10):.0f},{1.25 ** (i // 6)}\n' for i in range(200)))
    done = run('compare', stairs, stairs, '-q')
    check(done.returncode == 0 and 'the search for levels ended early' in
          ' '.join(done.stdout.split()), done.stdout)
    few = [write(f'few{i}.csv', f'size_bytes,latency_ns\n4096,{a}\n8192,{b}\n')
           for i, (a, b) in enumerate([(1.30, 1.31), (2.6, 2.75)])]
    done = run('compare', *few, '-q')
    check(done.returncode == 0 and 'too few sizes for a verdict; a difference below a factor of' in
          ' '.join(done.stdout.split()), done.stdout)
    check_refused(run('compare', ns, cycles), 5, 'no unit in common')

    # What cannot be compared.
    sequential = measure(place('sequential.json'), 14, 1, '--pattern', 'sequential')
    check_refused(run('compare', a, sequential), 5, "'pattern' is random_cycle against sequential")
    wide = measure(place('wide.json'), 14, 1, '--node', '128')
    check_refused(run('compare', a, wide), 5, "'node_bytes' is 64 B against 128 B")
    with open(a, encoding='utf-8') as file:
        text = file.read()
    check_refused(run('compare', a, write('cut.json', text[:len(text) // 2])), 5, "cut.json'", 'JSON')
    check_refused(run('compare', a, write('later.json', text.replace('fathom/1', 'fathom/2'))), 5,
                  "later.json'", "'fathom/2'")
    check_refused(run('compare', a, place('out.json')), 5, 'out.json')
    check_refused(run('compare', a), 2, 'needs a baseline and a run')
    check_refused(run('compare'), 2, 'needs a baseline and a run')
    check_refused(run('compare', a, b, '--threshold', '0'), 2, '--threshold')
    check_refused(run('compare', a, b, '--unit', 'ms'), 2, '--unit')
    check_refused(run('fit', a, b), 2, 'unexpected argument')
