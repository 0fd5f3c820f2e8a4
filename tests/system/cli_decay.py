"""Lap after lap: flushed memory is cold for one, mapped memory not where it fits in a cache."""
from fathom_test import check, document, run

MACHINE = 'sim:noise=0,outliers=0,drift=0,placement=even,dtlb=off,l2=1M/16/lru/16c,l3=off'
OPTIONS = ['patterns', '--decay', '--machine', MACHINE, '--size', '512K', '--seed', '5', '--budget',
           '5s', '--steps', '50000']
result = document(run(*OPTIONS, '--json', '--quiet'))
curves = {(curve['points'][0]['pattern'], curve['points'][0]['warmth']): curve['points']
          for curve in result['curves']}
check(len(curves) == 4 and all(curve['axis'] == 'lap' for curve in result['curves']))
for key, points in curves.items():
    check([point['lap'] for point in points] == [1, 2, 3, 4, 5, 6], key)
    check(all(point['latency_low_ns'] is not None for point in points), 'no interval', key)
flushed = [point['latency_ns'] for point in curves['random_cycle', 'cold_flushed']]
mapped = [point['latency_ns'] for point in curves['random_cycle', 'cold_mapped']]
check(abs(flushed[0] - 90) < 1, 'the first lap is cold:', flushed)
check(all(abs(ns - 16 / 3.6) < 0.5 for ns in flushed[1:] + mapped), flushed, mapped)
text = run(*OPTIONS)
words = ' '.join(text.stdout.split())
check('random cycle, 512 KiB, flushed: the first lap costs 90.0 ns per access, 20' in words, words)
check('from lap 2 on it stays within 2 %' in words, words)

for kind, warmths in (('flushed', {'cold_flushed'}), ('mapped', {'cold_mapped'}),
                      ('both', {'cold_flushed', 'cold_mapped'})):
    plan = document(run(*OPTIONS, '--cold', kind, '--dry-run', '--json'))
    check({spec['warmth'] for spec in plan['specs']} == warmths, kind, plan['specs'])
    check(not plan.get('events'), 'counts what nobody sees:', plan.get('events'))
