"""A fleet: groups, outliers with their causes, exit codes; what is damaged is named and passed over."""
import json
import os
import shutil
import sys

from fathom_test import SOURCE, check, run, scratch

sys.path.insert(0, os.path.join(SOURCE, 'bench'))
import fleets  # noqa: E402

FAULTS = ['memory-channel', 'core-clock', 'l3-less', 'microcode']


def fleet_of(*arguments, code):
    done = run('fleet', *arguments, '--json')
    check(done.returncode == code, done.returncode, done.stderr)
    return json.loads(done.stdout)


with scratch() as folder:
    runs = os.path.join(folder, 'runs')
    truth = fleets.write_fleet(runs, 'test', 120, faults=FAULTS)
    bad = {host for host, (fault, _) in truth.items() if fault}
    disturbed = {host for host, (_, how) in truth.items() if how}
    found = fleet_of(runs, code=6)
    check(found['schema'] == 'fathom-fleet/1' and found['kind'] == 'fleet')
    check({one['host'] for one in found['outliers']} == bad, found['outliers'], bad)
    check({one['host'] for one in found['disturbed']} == disturbed, found['disturbed'], disturbed)
    check([group['nodes'] for group in found['groups']] == [40, 40, 40], found['groups'])
    for one in found['outliers']:
        right = fleets.FAULTS[truth[one['host']][0]][1]
        check(one['causes'][0]['name'] in right, one, right)

    # Its document has all that the fleet needs, and can be merged.
    whole = os.path.join(folder, 'fleet.json')
    done = run('fleet', runs, '-o', whole)
    check(done.returncode == 6, done.stderr)
    again = fleet_of(whole, code=6)
    check([one['host'] for one in again['outliers']] == [one['host'] for one in found['outliers']])

    # A document that is read twice is no other one; each group has its numbers.
    check(not fleet_of(runs, whole, code=6)['superseded'])
    lines = run('fleet', runs).stdout.splitlines()
    check(sum(line.startswith('  core clock ') for line in lines) == 2, lines)

    # Against itself nothing changed; nodes that are gone are named.
    changed = fleet_of(runs, '--since', whole, code=6)
    check(not changed['changes'] and not changed['vanished'], changed['changes'])
    os.remove(os.path.join(runs, 'run.n00000.json'))
    check([one['host'] for one in fleet_of(runs, '--since', whole, code=6)['vanished']] == ['n00000'])

    # Of what a fleet missed a merged one says what still is.
    with open(whole, encoding='utf-8') as file:
        part = json.load(file)
    part['missing'] = [{'host': host, 'file': None, 'reason': 'no answer', 'command': None}
                       for host in ('n00000', 'n00009', 'dead')]
    part['damaged'] = [{'host': None, 'file': name, 'reason': 'it is empty', 'command': 'measure again'}
                       for name in ('runs/run.dead.json', part['nodes'][0]['file'])]
    for name in ('one', 'two'):
        with open(os.path.join(folder, f'{name}.json'), 'w', encoding='utf-8') as file:
            json.dump(part, file)
    merged = fleet_of(*(os.path.join(folder, f'{name}.json') for name in ('one', 'two')), code=6)
    check([one['host'] for one in merged['missing']] == ['dead'], merged['missing'])
    check([one['file'] for one in merged['damaged']] == ['runs/run.dead.json'], merged['damaged'])

    # What changed says what to run, where that node deviates from no other.
    names = [os.path.join(folder, name) for name in ('then', 'now')]
    for i, name in enumerate(names):
        fleets.write_fleet(name, 'changed', 60, run=i, sound=not i, between=0.06, within=0.003, faults=['latency +3 %'],
                           disturbed_share=0)
    done = run('fleet', names[1], '--since', names[0])
    check(done.returncode == 6 and ': 0 outliers, ' in done.stdout, done.stdout)
    check('what to run on the node:\n- memory latency higher\n  -> sudo dmidecode' in done.stdout, done.stdout)

    # A healthy fleet has no outlier.
    shutil.rmtree(runs)
    fleets.write_fleet(runs, 'healthy', 90, fault_share=0, disturbed_share=0)
    check(not fleet_of(runs, code=0)['outliers'])

    # Half a file, an empty one and another document are damaged; the rest is judged.
    with open(os.path.join(runs, 'run.n00001.json'), encoding='utf-8') as file:
        text = file.read()
    for name, content in (('half', text[:len(text) // 2]), ('empty', ''), ('other', '{"schema": "x"}')):
        with open(os.path.join(runs, f'{name}.json'), 'w', encoding='utf-8') as file:
            file.write(content)
    damaged = fleet_of(runs, code=5)
    check(len(damaged['damaged']) == 3 and damaged['documents'] == 90, damaged['damaged'])

    # Too few nodes to say what is usual, and none at all.
    few = [os.path.join(runs, f'run.n0000{i}.json') for i in range(4)]
    check(not any(group['judged'] for group in fleet_of(*few, code=4)['groups']))
    check('false alarms' not in run('fleet', *few).stdout)
    check('false alarms' in run('fleet', runs).stdout)

    # A reference of one node does not say how much nodes differ; one of many does.
    one = fleet_of(few[0], '--reference', few[3], code=4)
    check(not one['groups'][0]['judged'] and not one['groups'][0]['by_reference'], one['groups'][0])
    check(one['nodes'][0]['reason'] == 'too few nodes are like it', one['nodes'])
    many = os.path.join(folder, 'many')
    fleets.write_fleet(many, 'healthy', 90, fault_share=0, disturbed_share=0)
    check(fleet_of(few[0], '--reference', many, code=0)['groups'][0]['by_reference'])
    # Its disturbed nodes say nothing, and nor does memory's latency at another size.
    for i, name in enumerate(sorted(os.listdir(many))):
        with open(os.path.join(many, name), encoding='utf-8') as file:
            text = json.load(file)
        if i < 60:
            text['quality'] = 'do-not-quote'
        for level in text['levels']:
            level['at_bytes'] = 1 << 20 if level['at_bytes'] else None
        with open(os.path.join(many, name), 'w', encoding='utf-8') as file:
            json.dump(text, file)
    numbers = {number['name']: number for number in
               fleet_of(few[0], '--reference', many, code=0)['groups'][0]['numbers']}
    check(numbers['clock_hz']['nodes'] == 10, numbers['clock_hz'])
    check(numbers['memory_latency_ns']['centre'] is None, numbers['memory_latency_ns'])
    os.mkdir(os.path.join(folder, 'none'))
    check(run('fleet', os.path.join(folder, 'none')).returncode == 5)
    check(run('fleet').returncode == 2)
