"""What disturbs all that is learnt at the start, and ends, leaves no warning and changes no latency."""
from fathom_test import check, document, run

MACHINE = ('sim:noise=0,outliers=0,drift=0,dtlb=off,placement=even,no_clock,l1=16K/8/lru/4c,l2=off,'
           'mem=80ns')
STORMS = ['40ms:10us', '40ms:1us+10%:1us', '40ms:300ns+20%:300ns']


def measure(more):
    found = document(run('latency', '--machine', MACHINE + more, '--seed', '7', '--max-size', '64K',
                         '--per-octave', '1', '--budget', '2s', '--json'))
    warned = [warning for warning in found['warnings'] if warning['id'] == 'fixed-cost']
    points = found['curves'][0]['points']
    return warned, {point['size_bytes']: point['latency_ns'] for point in points
                    if point['size_bytes'] <= 16384}


_, usual_ns = measure('')
for storm in STORMS:
    warned, found_ns = measure(f',disturb={storm}')
    check(not warned, storm, warned)
    check(len(usual_ns.keys() & found_ns.keys()) > 4, storm, found_ns, usual_ns)
    for size in usual_ns.keys() & found_ns.keys():
        check(abs(found_ns[size] / usual_ns[size] - 1) <= 0.001, storm, size, found_ns[size],
              'ns instead of', usual_ns[size])
