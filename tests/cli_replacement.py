"""--pattern both tells how a cache replaces its lines; the policy is in the simulated machine
alone."""
import json

from fathom_test import check, run

SPEC = ('sim:l1=8K/8/lru/4c,l2=64K/16/{}/20c,l3=off,mem=90ns,noise=0.3%,outliers=0,drift=0,'
        'dtlb=off,stlb=off,placement={},memory=16M')
SWEEP = ['--max-size', '1M', '--per-octave', '6', '--budget', '1s', '--seed', '3',
         '--pattern', 'both', '--no-control', '--json']
CLASSES = {'lru': 'lru', 'plru': 'lru', 'srrip': 'lru', 'random': 'random',
           'brrip': 'resistant', 'drrip': 'resistant'}

for policy, expected in CLASSES.items():
    done = run('latency', '--machine', SPEC.format(policy, 'even'), *SWEEP)
    check(done.returncode == 0, done.stderr)
    document = json.loads(done.stdout)
    check([curve['points'][0]['pattern'] for curve in document['curves']] ==
          ['random_cycle', 'independent'], 'other curves')
    caches = [level for level in document['levels'] if level['kind'] == 'cache']
    check([level['name'] for level in caches] == ['L1', 'L2'], policy, caches)
    check(caches[0]['replacement'] == 'lru', policy, caches[0])
    check(caches[1]['replacement'] == expected, policy, 'is not', caches[1])
    check(caches[1]['replacement_evidence'], 'no evidence')
    check(58000 < caches[1]['size_bytes'] < 73000, policy, caches[1])
