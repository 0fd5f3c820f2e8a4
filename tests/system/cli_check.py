"""fathom check: a baseline measured again, on the machine that it was simulated on or another."""
import json
import os

from fathom_test import check, check_refused, document, run, scratch

SIM = 'sim:l1=16K/8/lru/4c,l2=128K/8/lru/{}c,l3=off,mem=80ns,placement=even,dtlb=off,bandwidth=64c/{}c'
SHORT = ['--seed', '3', '--budget', '600ms', '-q']


def measure(experiment, path, *more):
    done = run(experiment, '--machine', SIM.format(14, 16), *more, '--seed', '1', '-q', '-o', path)
    check(done.returncode == 0, done.stderr)
    return path


with scratch() as folder:
    base = measure('latency', os.path.join(folder, 'base.json'), '--max-size', '2M',
                   '--per-octave', '4', '--budget', '600ms')

    done = run('check', base, *SHORT)
    check(done.returncode == 0 and 'is the same' in done.stdout, done.returncode, done.stderr)
    done = run('check', base, '--machine', SIM.format(15, 16), *SHORT, '--json')
    check(done.returncode == 6 and "'this run' differs" in done.stderr, done.stderr)
    slower = [part['name'] for part in json.loads(done.stdout)['runs'][0]['parts']
              if part['verdict'] == 'slower']
    check(slower == ['L2'], slower)
    # Faster is told, and is no failure.
    done = run('check', base, '--machine', SIM.format(12, 16), *SHORT)
    check(done.returncode == 0 and '! L2 is' in done.stdout, done.returncode, done.stdout)

    # In a short budget sizes between levels have no interval: no verdict is held back for that.
    random = 'sim:l1=16K/8/lru/4c,l2=128K/8/lru/{}c,l3=off,mem=80ns'
    brief = os.path.join(folder, 'brief.json')
    done = run('latency', '--machine', random.format(14), '--max-size', '1M', '--budget', '300ms',
               '--seed', '1', '-q', '-o', brief)
    with open(brief, encoding='utf-8') as file:
        sizes = [point for curve in json.load(file)['curves'] for point in curve['points']]
    bare = sum(point['latency_low_ns'] is None for point in sizes) / len(sizes)
    check(bare > 0.25, bare)
    done = run('check', brief, '--machine', random.format(15), '--budget', '300ms', '--seed', '3', '-q')
    check(done.returncode == 6 and 'L2: slower' in done.stderr, done.returncode, done.stderr)

    # A disturbed run that shows but a part of the levels is no all-clear, however alike that part is.
    with open(base, encoding='utf-8') as file:
        part = json.load(file)
    for curve in part['curves']:
        curve['points'] = [point for point in curve['points'] if point['size_bytes'] <= 12 << 10]
    part['levels'] = []
    for busy_cpus, code in ((0, 0), (1, 4)):
        part['busy_cpus'] = busy_cpus
        path = os.path.join(folder, 'part.json')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(part, file)
        done = run('compare', base, path, '--json', '-q')
        verdicts = {one['name']: one['verdict'] for one in json.loads(done.stdout)['runs'][0]['parts']}
        check(verdicts.get('L1') == 'same' and 'memory' not in verdicts, verdicts)
        check(done.returncode == code, busy_cpus, done.returncode, done.stderr)

    # The plan is that of the baseline.
    plan = document(run('check', base, '--dry-run', '--json', '--budget', '3s', '--seed', '9'))
    with open(base, encoding='utf-8') as file:
        points = [point for curve in json.load(file)['curves'] for point in curve['points']]
    check(plan['kind'] == 'plan' and plan['budget_s'] == 3, plan['kind'])
    check([spec['size_bytes'] for spec in plan['specs']]
          == [point['size_bytes'] for point in points], 'other sizes')
    check({spec['seed'] for spec in plan['specs']} == {'0x9'}, 'other seeds')

    # Another study: point by point.
    read = measure('bandwidth', os.path.join(folder, 'read.json'), '--size', '8K,64K', '--op',
                   'read', '--threads', '1', '--budget', '20ms')
    briefly = ['--seed', '3', '--budget', '20ms', '-q']
    done = run('check', read, *briefly, '--json')
    check(done.returncode == 0, done.returncode, done.stderr)
    names = [part['name'] for part in json.loads(done.stdout)['runs'][0]['parts']]
    check(any(name.startswith('read') and '64 KiB' in name for name in names), names)
    done = run('check', read, '--machine', SIM.format(14, 8), *briefly)
    check(done.returncode == 6 and '64 KiB: slower' in done.stderr, done.returncode, done.stderr)

    # What cannot be measured again.
    foreign = os.path.join(folder, 'foreign.csv')
    with open(foreign, 'w', encoding='utf-8') as file:
        file.write('size_bytes,latency_ns\n1024,1.5\n65536,4\n1048576,80\n')
    check_refused(run('check', foreign), 5, "curve of another tool")
    # Of two curves that a tool does not tell apart one is compared, and none twice.
    done = run('compare', base, foreign, '--json', '-q')
    alone = [one['text'] for one in json.loads(done.stdout)['warnings'] if one['id'] == 'curves-left-out']
    check(len(alone) == 1 and '1 of' in alone[0] and '0 of' in alone[0], alone)
    # A survey that was cut short after two stages is checked by its sweep.
    cut = os.path.join(folder, 'cut.json')
    with open(base, encoding='utf-8') as file:
        survey = json.load(file)
    with open(read, encoding='utf-8') as file:
        survey['curves'] += json.load(file)['curves']
    survey['survey'] = True
    with open(cut, 'w', encoding='utf-8') as file:
        json.dump(survey, file)
    done = run('check', cut, '--dry-run', *SHORT)
    check(done.returncode == 0 and 'random_cycle' in done.stdout, done.returncode, done.stdout, done.stderr)
    check_refused(run('check'), 2, "needs a baseline")
    check_refused(run('check', base, os.path.join(folder, 'none.json')), 5, 'none.json')
