"""Of several nodes in a line, in either order, the control tells the TLB from the caches: without it
both end alike."""
from fathom_test import check, document, run

SIM = 'sim:l1=32K/8/lru/4c,l2=1M/8/lru/14c,l3=off,mem=60ns,dtlb=72/72/lru/0c,stlb=off'

for order in 'random_cycle', 'independent':
    levels = document(run('latency', '--spacing', '4', '--pattern', order, '--machine', SIM,
                          '--max-size', '4M', '--budget', '500ms', '--seed', '2', '--json'))['levels']
    sizes = [level['size_bytes'] for level in levels if level['kind'] == 'cache']
    check(len(sizes) == 2 and 0.85 < sizes[0] / 2**15 < 1.15 and 0.8 < sizes[1] / 2**20 < 1.2,
          order, sizes)
    entries = [level['entries'] for level in levels if level['kind'] == 'tlb']
    check(len(entries) == 1 and 65 <= entries[0] <= 80, order, entries)
