"""Pages that cannot be had are refused where they were asked for, and else named with the command
that grants them."""
import json

from fathom_test import check, check_refused, run

SMALL = 'sim:l1=4K/4/lru/4c,l2=32K/8/lru/14c,l3=off,dtlb=16/4/lru/0c,stlb=64/4/lru/7c'
POOL = '/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages'

for code, machine, options, words in (
        (2, '', ['--page', '6M'], ('--page', "'6M'")),
        (2, '', ['--page', '4K,'], ('--page', "''")),
        (2, '', ['--page', 'default'], ('--page', "'default'")),
        (3, '', ['--page', '64K'], ('this kernel has no multi-size THP of 64 KiB',)),
        (3, ',mthp=32K', ['--page', '4K,64K'], ('multi-size THP of 64 KiB',)),
        (2, '', ['--per-octave', '0'], ('--per-octave', "'0'")),
        (2, '', ['--redraw', '1'], ('--redraw', "'1'", 'between 2 and 1000')),
        (2, '', ['--max-size', '2K'], ('2 KiB', '4 KiB')),
        (2, '', ['--size', '1M'], ('--size',)),
        (2, '', ['--y', 'throughput'], ('--y throughput',)),
        (3, '', ['--page', '2M'], ('hugetlb pages of 2 MiB', '0 free')),
        (3, '', ['--page', '4K,1G'], ('hugetlb pages of 1 GiB', '0 free')),
        (3, ',thp=off', ['--page', '4K,thp'], ('transparent huge pages',)),
        (3, ',memory=64M', ['--max-size', '40M'], ('40 MiB', '80 MiB in total')),
        (3, '', ['--max-size', '1T'], ('1 TiB', 'the 8 GiB'))):
    done = run('pages', '--machine', SMALL + machine, *options)
    check_refused(done, code, *words)
    check(done.stdout == '', done.stdout)


def measure(machine, *options):
    done = run('pages', '--machine', SMALL + machine, '--seed', '3', '--budget', '40ms', '--json',
               *options)
    check(done.returncode == 0, done.stderr)
    document = json.loads(done.stdout)
    kinds = {point.get('page_kind', curve.get('page_kind'))
             for curve in document['curves'] for point in curve['points']}
    warnings = {(warning['id'], warning['where']): warning for warning in document['warnings']}
    return kinds, warnings, document


# An empty pool: the others are measured, and what is missing is said with the way to it.
kinds, warnings, _ = measure('', '--max-size', '256K')
check('2m' not in kinds and '4k' in kinds, kinds)
missing = warnings['page-kind-missing', '2m']
check('0 free' in missing['text'] and missing['hint'] == f'echo 1 | sudo tee {POOL}', missing)
check(('page-kind-missing', 'thp') not in warnings, warnings)
check(('page-kind-partial', '4k') not in warnings, warnings)

# A person is told once.
done = run('pages', '--machine', SMALL, '--seed', '3', '--budget', '40ms', '--max-size', '256K')
check(done.stdout.count('kind 2m is left out') == 1 and f'sudo tee {POOL}' in done.stdout,
      done.stdout)
check(done.stderr == '', done.stderr)

# Seven kinds that the kernel lacks are one line; those that it has are measured.
none = warnings['page-kind-missing', 'multi-size THP']
check('16k to 1m' in none['text'] and none['hint'] is None, none)
kinds, warnings, document = measure(',mthp=64K', '--max-size', '256K')
check('64k' in kinds and ('page-kind-missing', 'multi-size THP') not in warnings, kinds, warnings)
check(document['machine']['thp_sizes'] == [{'page_bytes': 65536, 'state': 'madvise'}],
      document['machine'])

# A pool that is partly granted: as far as it goes.
kinds, warnings, document = measure(',pool2m=1', '--max-size', '4M', '--page', '4K,2M')
part = warnings['page-kind-partial', '2m']
check('1 free' in part['text'] and f'sudo tee {POOL}' in part['hint'], part)
largest = max((point['size_bytes'] for curve in document['curves'] for point in curve['points']
               if point.get('page_kind', curve.get('page_kind')) == '2m'), default=0)
check(largest <= 2 << 20, largest)

# No transparent huge pages.
kinds, warnings, _ = measure(',thp=off', '--max-size', '256K')
check('thp' not in kinds, kinds)
check('transparent huge pages' in warnings['page-kind-missing', 'thp']['text'], warnings)

# Too little memory for one line of each of 64 pages.
_, warnings, document = measure('', '--max-size', '128K', '--page', '4K')
check('64 pages' in warnings['spread-left-out', '4k']['text'], warnings)
check(all(curve['axis'] == 'size' for curve in document['curves']), document['curves'])
