"""'fathom cores' as it is: pairs, contention, shared caches and NUMA nodes of one small simulated machine in
one short budget, shown in every format; and lists of CPUs that are none, or name what is not there."""
import json
import os

from fathom_test import check, check_refused, document, run, scratch

SIM = ('sim:cpus=2x1x2x1,node_memory=4M/4M,node_mem=90ns/140ns+150ns/80ns,l1=4K/8/lru/5c,l2=16K/8/lru/14c,'
       'l3=64K/16/lru/46c')

with scratch() as folder:
    path = os.path.join(folder, 'cores.json')
    done = run('cores', '--machine', SIM, '--seed', '1', '--budget', '400ms', '-q', '-o', path)
    check(done.returncode == 0, done.returncode, done.stderr)
    with open(path, encoding='utf-8') as file:
        found = json.load(file)
    for part in ('core_classes', 'contention', 'shared_caches', 'nodes', 'cpus'):
        check(found[part], part, found.keys(), found['warnings'])
    for form in ('text', 'markdown', 'csv', 'html', 'prometheus', 'gnuplot', 'hwloc', 'json'):
        done = run('report', path, '--format', form)
        check(done.returncode == 0 and done.stdout, form, done.stderr)
    for figure in ('cores', 'nodes'):
        check(run('report', path, '--figure', figure, '--plot').returncode == 0, figure)
    parts = document(run('compare', path, path, '--json', '-q'))['runs'][0]['parts']
    verdicts = {part['name']: part['verdict'] for part in parts}
    for name in ('same cache', 'add, one line, 2 threads, same cache', 'hop in L3 beside another CPU, same cache'):
        check(verdicts[name] == 'same', name, verdicts)
    again = document(run('check', path, '--dry-run', '--json'))
    check(again['nodes'] and again['cpus'] == '0-3', again)


def planned(cpus, *more):
    return run('cores', '--machine', 'sim:cpus=8,offline=3+5', '--cpu', cpus, '--dry-run', '--json', *more)


# Holes are fine, and CPUs that are named twice are one.
for cpus, wanted in (('0-2,4', '0-2,4'), ('6,0,2', '0,2,6'), ('0,0,1', '0-1')):
    plan = document(planned(cpus))
    check(plan['cpus'] == wanted and plan['cpu'] in (0, None), plan)
for cpus in ('', '3-0', '0-1,', 'a', '0--1', ' 0-1', '0-99999'):
    check_refused(planned(cpus), 2, 'no list of CPUs')
for cpus, missing in (('0-4', '3'), ('5', '5'), ('0,9', '9')):
    check_refused(planned(cpus), 2, f"cpu '{missing}' is not available")
check_refused(planned('0,0'), 2, 'two CPUs')
check_refused(run('cores', '--machine', 'sim:cpus=2x1x2x1', '--size', '1M'), 2, '--size is for NUMA nodes')
check_refused(run('cores', '--machine', 'sim:cpus=4', '--nodes', '--pairs-only'), 2, 'pairs-only')
