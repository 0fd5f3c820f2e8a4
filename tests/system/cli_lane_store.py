"""Cursors of several lanes live where --lane-store says, and the result tells it."""
import json

from fathom_test import check, check_refused, run

# A slow first cache: the fewer hops fit in the time, the sooner they are simulated.
MACHINE = ['--machine', 'sim:l1=16K/8/lru/60c,l2=128K/8/lru/80c,l3=off,mem=80ns']
SHORT = ['--size', '4K', '--lanes', '3', '--budget', '0.02s', '--page', '4K']


def points(document):
    return [point for curve in document['curves'] if curve['axis'] == 'lanes'
            for point in curve['points']]


measured = {}
for store in ('auto', 'stack'):
    result = run('parallelism', *MACHINE, *SHORT, '--lane-store', store, '--json')
    check(result.returncode == 0, result.stderr)
    measured[store] = points(json.loads(result.stdout))
check(not any('lane_store_asked' in point for point in measured['auto']), measured['auto'])
for auto, stack in zip(measured['auto'], measured['stack']):
    check(stack['lane_store_asked'] == 'stack', stack)
    check(stack['lane_store'] == ('stack' if stack['lanes'] > 1 else 'unknown'), stack)
    if stack['lanes'] > 1: # the cursor is loaded before the word can be
        check(stack['ns_per_access'] > 1.05 * auto['ns_per_access'], (auto, stack))

text = run('parallelism', *MACHINE, *SHORT, '--lane-store', 'stack').stdout
check('cursors' in text and '  stack  ' in text, text)

# A plan is replayed with its cursors where they were.
plan = run('parallelism', *MACHINE, *SHORT, '--lane-store', 'stack', '--dry-run', '--json').stdout
replayed = run('run', '-', '--json', input=plan)
check(replayed.returncode == 0, replayed.stderr)
check({point['lane_store'] for point in points(json.loads(replayed.stdout))} ==
      {'stack', 'unknown'}, replayed.stdout)

# No ISA has 40 registers for them.
check_refused(run('parallelism', '--size', '4K', '--lanes', '40', '--lane-store', 'registers',
                  '--dry-run'), 3, 'registers')
