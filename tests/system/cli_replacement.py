"""--pattern both tells how a cache replaces its lines; the policy is in the simulated machine
alone."""
import json

from fathom_test import check, run

SPEC = ('sim:l1=8K/8/lru/4c,l2={}K/16/{}/20c,l3=off,mem=90ns,noise=0.3%,outliers=0,drift=0,'
        'dtlb=off,stlb=off,placement=even,memory=64M')
SWEEP = ['--per-octave', '6', '--seed', '3', '--no-control', '--json']
CLASSES = {'lru': 'lru', 'plru': 'lru', 'srrip': 'lru', 'random': 'random',
           'brrip': 'resistant', 'drrip': 'resistant'}


def check_class(policy, kib, *more):
    done = run('latency', '--machine', SPEC.format(kib, policy), *SWEEP, *more)
    check(done.returncode == 0, done.stderr)
    document = json.loads(done.stdout)
    caches = [level for level in document['levels'] if level['kind'] == 'cache']
    check([level['name'] for level in caches] == ['L1', 'L2'], policy, caches)
    check(caches[0]['replacement'] == 'lru', policy, caches[0])
    check(caches[1]['replacement'] == CLASSES[policy], policy, 'is not', caches[1])
    check(caches[1]['replacement_evidence'], 'no evidence')
    check(0.9 < caches[1]['size_bytes'] / (kib << 10) < 1.12, policy, caches[1])
    return [curve['points'][0]['pattern'] for curve in document['curves']]


for name in CLASSES:
    patterns = check_class(name, 64, '--max-size', '1M', '--budget', '1s', '--pattern', 'both')
    check(patterns == ['random_cycle', 'independent'], 'other curves', patterns)
# Where a lap is longer than a batch, hits and misses come in runs.
for name in ('brrip', 'drrip'):
    check_class(name, 512, '--max-size', '4M', '--budget', '2s')
