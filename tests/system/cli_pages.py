"""The same chain over each kind of page, and one line a page against as many packed: what differs is
translation, and what is held against each other was measured block by block."""
import json

from fathom_test import check, run

# 16 entries, then 64 that cost 7 cycles: 2 ns; the clock is 3.5 GHz.
MACHINE = ('sim:l1=4K/4/lru/4c,l2=64K/8/lru/14c,l3=off,mem=80ns,dtlb=16/16/lru/0c,'
           'stlb=64/64/lru/7c,clock=3.5G,drift=0,outliers=0,placement=even,memory=256M')
OPTIONS = ['--machine', MACHINE, '--seed', '3', '--max-size', '512K', '--page', '4K,thp',
           '--budget', '1500ms', '--target', '5%']

done = run('pages', *OPTIONS, '--json')
check(done.returncode == 0, done.stderr)
document = json.loads(done.stdout)
check(all(curve['experiment'] == 'pages' for curve in document['curves']), document['curves'])


def points(axis, **wanted):
    found = {}
    for curve in document['curves']:
        for point in curve['points'] if curve['axis'] == axis else []:
            whole = {**curve, **point}
            if all(whole[key] == value for key, value in wanted.items()):
                found[whole['nodes']] = whole
    return found


small, large = points('size', page_kind='4k'), points('size', page_kind='thp')
spread = points('pages', pattern='one_per_page')
packed = points('pages', pattern='random_cycle', page_kind='4k')
check(len(small) == 15 and small.keys() == large.keys(), small.keys(), large.keys())
check(len(spread) == 25 and spread.keys() == packed.keys(), spread.keys(), packed.keys())
check(all(point['page_bytes'] == 4096 for point in small.values()))
check(all(point['page_bytes'] == 2 << 20 for point in large.values()))

# As many blocks of each, six or more, one about as many lines in either kind.
for one, other in ((small, large), (spread, packed)):
    for nodes, point in one.items():
        blocks = len(point['blocks_ns'])
        check(blocks >= 6 and blocks == len(other[nodes]['blocks_ns']), nodes, blocks)


def gained(nodes):
    pairs = sorted(a - b for a, b in zip(spread[nodes]['blocks_ns'], packed[nodes]['blocks_ns']))
    return pairs[len(pairs) // 2]


# 12 pages: no miss. 32 pages: the second TLB, 2 ns. More than 64: walks as well.
check(abs(gained(13)) < 0.1, gained(13))
check(abs(gained(32) - 2) < 0.15, gained(32))
check(gained(128) > 5, gained(128))

# The same chain in large pages never walks; where small ones fit in the TLBs both cost the same.
at = 512 * 1024 // 64
walks_ns = small[at]['latency_ns'] - large[at]['latency_ns']
check(3 < walks_ns < 5, walks_ns)
at = 16 * 1024 // 64
same_ns = small[at]['latency_ns'] - large[at]['latency_ns']
check(abs(same_ns) < 0.1, same_ns)

# A person sees the same numbers, in ns or in cycles of 1 / 3.5 GHz.
with open('pages.json', 'w') as file:
    json.dump(document, file)
text = run('fit', 'pages.json').stdout
rows = [line.split() for line in text.splitlines()]
check(any(row[:3] == ['4k', 'TLB', '1'] for row in rows), text)
check(any(row[:3] == ['4k', 'TLB', '2'] for row in rows), text)
for heading in ('latency of the same chain on each page kind, ns:', 'page-walk cost',
                'parts of a random access on 4k pages, ns:', 'shares of the total:'):
    check(heading in text, heading, text)
check(f'{small[512 * 1024 // 64]["latency_ns"]:.1f}' in text, text)
text = run('fit', 'pages.json', '--y', 'cycles', '--all', '--explain').stdout
check('page kind, cycles:' in text and ' sure): one line per page' in text, text)
check('362 KiB' in text, 'every size:', text)

# The plan says what will be measured.
done = run('pages', *OPTIONS, '--dry-run')
check(done.returncode == 0, done.stderr)
for words in ('pages against size', 'thp pages: the same', '25, from 8 to 128 pages',
              '25, from 8 to 128 nodes'):
    check(words in ' '.join(done.stdout.split()), words, done.stdout)

# A host may hold large pages in small ones: in a guest they are visited as if they were such, too.
pieces = 'one_per_page, nodes of 4 KiB, pointer links, thp pages: 25, from 8 to 128 pages'
check(pieces not in ' '.join(done.stdout.split()), done.stdout)
guest = run('pages', *OPTIONS[2:], '--machine', MACHINE + ',host=4K', '--dry-run').stdout
check(pieces in ' '.join(guest.split()), guest)

# And can be replayed: the same words give the same numbers.
plan = run('pages', *OPTIONS, '--dry-run', '--json').stdout
check({'axis': 'pages'}.items() <= json.loads(plan)['specs'][-1].items(), plan[-400:])

# With places drawn anew, what they make is told from noise: small pages of this machine lie anywhere.
PLACES = ['--machine', MACHINE.replace('placement=even', 'placement=random'), '--seed', '3',
          '--max-size', '64K', '--per-octave', '1', '--page', '4K', '--redraw', '4', '--budget', '1s']
document = json.loads(run('pages', *PLACES, '--json').stdout)
sizes = {point['size_bytes']: point for curve in document['curves'] for point in curve['points']
         if curve['axis'] == 'size'}
check(sorted(sizes) == [4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10], sorted(sizes))
for point in sizes.values():
    check(point['placements'] == 4 and len(point['blocks_ns']) == 12, point)
    check(point['noise_spread_ns'] < 0.02 * point['latency_ns'], point)
check(sizes[64 << 10]['placement_spread_ns'] > 10 * sizes[64 << 10]['noise_spread_ns'], sizes)
check(sizes[16 << 10]['placement_spread_ns'] < 0.1, sizes)
text = run('pages', *PLACES).stdout
check('effect of the placement in memory' in text and '4k: placement matters most at' in text, text)

# Multi-size THP is a kind like the others: read back, in the table, the plan and other commands.
done = run('pages', '--machine', MACHINE + ',mthp=64K', '--seed', '3', '--max-size', '256K', '--budget',
           '600ms', '--page', '64k,4K', '--json')
document = json.loads(done.stdout)
medium = points('size', page_kind='64k')
check(len(medium) == 13 and all(point['page_bytes'] == 65536 and point['page_share'] == 1
                               for point in medium.values()), medium)
with open('medium.json', 'w') as file:
    json.dump(document, file)
text = run('fit', 'medium.json').stdout
check('4k - 64k' in text, text)
document = json.loads(run('latency', '--machine', MACHINE + ',mthp=64K', '--page', '64K', '--max-size', '64K',
                          '--budget', '100ms', '--json').stdout)
check(points('size', page_kind='64k'), document['curves'])
text = run('info', '--machine', 'sim:mthp=64K').stdout
check('THP sizes     64 KiB: madvise' in text, text)
