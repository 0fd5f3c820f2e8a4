"""`fathom distribution` names misses of TLBs and of rows where a simulated machine has such, and nowhere else."""
import os

from fathom_test import check, document, run, scratch

CACHES = 'sim:l1=16K/8/lru/4c,l2=256K/8/lru/14c,l3=off,mem=80ns,noise=0.02,outliers=0,drift=0'
TLB = ',dtlb=64/4/lru/0c,stlb=512/8/lru/7c'
NO_TLB = ',dtlb=off'
ROWS = ',dram=1x16/3.2ns/28ns/8ns/300ns'
NO_ROWS = ',dram=1x16/3.2ns/0ns/8ns/300ns'
SHORT = ['--accesses', '60K', '--seed', '1', '-q']
MEMORY, PAGE, ROW_SERIES = 64 << 20, 4 << 10, 32 << 20


def measured(machine, *options):
    return run('distribution', '--machine', machine, *SHORT, *options)


def modes(found, size, page_bytes, windows=None):
    for one in found['distributions']:
        curve = found['curves'][one['curve']]
        if (curve['chain_bytes'], curve['page_bytes'], curve.get('chain_window_bytes')) == (size, page_bytes, windows):
            return one['modes']
    return None


def kinds(found):
    return {mode['kind'] for one in found['distributions'] for mode in one['modes']}


def main_of(some):
    return max(some, key=lambda mode: mode['share'])


SMALL, LARGE = 4 << 10, 2 << 20

# Both: an access to memory takes 80 ns, or 52 where its row is open, and a walk comes on top.
found = document(measured(CACHES + TLB + ROWS, '--json'))
hit, miss = main_of(modes(found, ROW_SERIES, LARGE, 4096)), main_of(modes(found, ROW_SERIES, LARGE))
check((hit['kind'], miss['kind']) == ('row_hit', 'row_miss'), hit, miss)
check(abs(hit['latency_ns'] / 52 - 1) < 0.02 and abs(miss['latency_ns'] / 80 - 1) < 0.02, hit, miss)
check(abs(miss['without_ns'] / 52 - 1) < 0.02 and 'without_ns' not in hit, miss)
check(main_of(modes(found, MEMORY, LARGE))['kind'] == 'row_miss', modes(found, MEMORY, LARGE))
check(main_of(modes(found, PAGE, SMALL))['kind'] == 'row_hit', modes(found, PAGE, SMALL))
walked = [mode for mode in modes(found, MEMORY, SMALL) if mode['kind'] == 'tlb_miss']
check(walked and all(mode['latency_ns'] > 1.05 * mode['without_ns'] for mode in walked), modes(found, MEMORY, SMALL))
check(all(abs(mode['without_ns'] / 80 - 1) < 0.04 for mode in walked), walked)
text = ' '.join(measured(CACHES + TLB + ROWS).stdout.split())
check('memory, TLB miss' in text and 'ns for misses of the TLB; on pages of 2 MiB as many take 8' in text, text)
check('memory, row miss' in text and 'open another row and take 80' in text, text)

# One of the two alone, and none.
found = document(measured(CACHES + TLB + NO_ROWS, '--json'))
check('tlb_miss' in kinds(found) and not kinds(found) & {'row_hit', 'row_miss'}, kinds(found))
found = document(measured(CACHES + NO_TLB + ROWS, '--json'))
check('row_miss' in kinds(found) and 'tlb_miss' not in kinds(found), kinds(found))
for machine in (CACHES + NO_TLB + NO_ROWS, CACHES + NO_TLB + NO_ROWS + ',interrupts=1ms/5us'):
    found = document(measured(machine, '--json'))
    check(not kinds(found) & {'tlb_miss', 'row_hit', 'row_miss'}, machine, kinds(found))
text = ' '.join(measured(CACHES + NO_TLB + NO_ROWS).stdout.split())
check('row hits and misses are not told apart here: of flushed lines half take at most 80' in text, text)
check('misses of the TLB are not told from other accesses here' in text, text)

# Without large pages nothing is told, and a line says why; over a time, or of sizes, no one asks.
without = measured(CACHES + TLB + ROWS + ',thp=off')
check('this machine gives no large pages to time them against' in ' '.join(without.stdout.split()), without.stdout)
check('TLB miss' not in without.stdout and 'row hit' not in without.stdout, without.stdout)
for options in (['--no-control'], ['--over', '6s'], ['--size', '1M', '--cold', 'flushed'], ['--cold', 'none'],
                ['--budget', '4s']):
    plan = document(measured(CACHES + TLB + ROWS, *options, '--dry-run', '--json'))
    check({spec['page_kind'] for spec in plan['specs']} == {'default'}, options, plan['specs'])

# Memory that is on large pages already has no control of its TLBs, but of rows.
large = ' '.join(measured(CACHES + TLB + ROWS, '--page', 'thp').stdout.split())
check('memory is on large pages already; with --page 4k it is timed on both kinds' in large, large)
check(large.count('misses of TLBs are not told') == 1 and 'open another row and take 80' in large, large)
check('memory is on large pages already' not in text, text)

# A pool of huge pages does as well.
plan = document(measured(CACHES + TLB + ROWS + ',thp=off,pool2m=100', '--dry-run', '--json'))
check([spec['page_kind'] for spec in plan['specs']][-3:] == ['2m'] * 3, plan['specs'])

with scratch() as folder:
    # They are measured again, and compared.
    path = os.path.join(folder, 'a.json')
    check(measured(CACHES + TLB + ROWS, '-o', path).returncode == 0)
    check(run('check', path, '-q').returncode == 0)
    compared = run('compare', path, path).stdout
    check('page after page' in ' '.join(compared.split()) and 'slower' not in compared, compared)
    # What is told is in the document.
    check('memory, row miss' in run('report', path, '--format', 'text').stdout)
    check('row miss' in run('report', path, '--format', 'markdown').stdout)
