"""A timer that is coarser than what is timed: runs last many of its steps, so that every number is
above 0, near the truth, and in a document that is read again."""
import os

from fathom_test import check, document, run, scratch

MACHINE = 'sim:clock=500M,l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,mem=400ns,noise=0,outliers=0,'\
          'drift=0,placement=even,dtlb=off,timer='
L1_NS = 8
RUNS = (['latency', '--max-size', '64K', '--per-octave', '1'],
        ['patterns', '--size', '8K'],
        ['parallelism', '--size', '8K', '--lanes', '2'],
        ['bandwidth', '--size', '8K,64K'])


def check_points(result, *what):
    points = [point for curve in result['curves'] for point in curve['points']]
    check(points, 'no points:', *what)
    for point in points:
        ns = point.get('latency_ns') or point.get('ns_per_access')
        check(ns and ns > 0 and min(point['blocks_ns']) > 0, *what, point)
        if point.get('latency_ns') and point['size_bytes'] == 8192 and point['warmth'] == 'warm':
            check(abs(point['latency_ns'] / L1_NS - 1) < 0.02, *what, point['latency_ns'])


with scratch() as folder:
    for step, commands in (('100ns', RUNS[:2]), ('4us', RUNS), ('10us', RUNS[:1])):
        for command in commands:
            path = os.path.join(folder, command[0] + step + '.json')
            done = run(*command, '--machine', MACHINE + step, '--budget', '600ms', '--seed', '3',
                       '-q', '-o', path)
            check(done.returncode == 0, step, *command, done.stderr)
            check_points(document(run('report', path, '--format', 'json')), step, *command)
