"""A mispredicted branch and a lock cost what the simulated machine says, whatever memory does."""
from fathom_test import check, document, run

COMMON = ['patterns', '--seed', '7', '--size', '16K', '--cold', 'none', '--budget', '2s', '--steps',
          '20000', '--quiet']


def cost(result, pattern):
    return next(point['ns_per_access'] for curve in result['curves'] for point in curve['points']
                if point['pattern'] == pattern)


for mispredict, lock in ((15, 40), (24, 90)):
    machine = f'sim:clock=2G,noise=0,outliers=0,drift=0,mispredict={mispredict}c,lock={lock}c'
    result = document(run(*COMMON, '--machine', machine, '--json'))
    branch = 2 * (cost(result, 'branches_random') - cost(result, 'branches_same'))
    check(abs(branch / (mispredict / 2) - 1) < 0.02, branch)
    check(abs(cost(result, 'locks') / (lock / 2 + 0.5) - 1) < 0.05, cost(result, 'locks'))
    text = run(*COMMON, '--machine', machine).stdout
    row = next(line for line in text.splitlines() if 'mispredicted' in line)
    check(abs(float(row.split('adds')[1].split()[0]) / (mispredict / 2) - 1) < 0.02, row)
