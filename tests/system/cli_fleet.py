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

    # Against itself nothing changed; nodes that are gone are named.
    changed = fleet_of(runs, '--since', whole, code=6)
    check(not changed['changes'] and not changed['vanished'], changed['changes'])
    os.remove(os.path.join(runs, 'run.n00000.json'))
    check([one['host'] for one in fleet_of(runs, '--since', whole, code=6)['vanished']] == ['n00000'])

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
    os.mkdir(os.path.join(folder, 'none'))
    check(run('fleet', os.path.join(folder, 'none')).returncode == 5)
    check(run('fleet').returncode == 2)
