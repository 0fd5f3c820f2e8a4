"""A number that a disturbance made impossible is measured again: where the disturbance has ended the
result is as without it, and where it goes on the number is left out and said to be."""
from fathom_test import check, document, run

SIM = 'sim:outliers=0,memory=256M,'
LANES = ['parallelism', '--size', '64K', '--lanes', '4', '--budget', '400ms', '--target', '0.01%']
PAGES = ['pages', '--page', '4K,thp', '--max-size', '4M', '--budget', '1s']
LANES_OF = SIM + 'l1=4K/4/lru/4c,l2=off,dtlb=off,mem=60ns,placement=even'
PAGES_OF = SIM + 'l1=8K/2/lru/4c,l2=32K/8/lru/14c,l3=off,mem=60ns,dtlb=16/4/lru/0c,stlb=64/4/lru/7c'


def measure(words, machine, disturbed=''):
    return document(run(*words, '--machine', machine + disturbed, '--seed', '1', '-q', '--json'))


def warned(result):
    return {warning['id'] for warning in result['warnings']}


def near(value, truth, share=0.05):
    return value is not None and abs(value / truth - 1) < share


# More lanes than there are: the one lane was slow, all of the budget but its end.
def one_lane(result):
    return [one['latency_ns'] for one in result['parallelism']]


plain = measure(LANES, LANES_OF)
check(all(near(ns, 60) for ns in one_lane(plain)), one_lane(plain))
ended = measure(LANES, LANES_OF, ',disturb=380ms:30us@lanes=1@size=64K')
check(all(near(ns, 60) for ns in one_lane(ended)), one_lane(ended))
check(all(near(one['speedup'], 4) for one in ended['parallelism']), ended['parallelism'])
check('one-lane-disturbed' not in warned(ended) and ended['quality'] == 'good', ended['warnings'])
check(plain['elapsed_s'] < 0.4 < ended['elapsed_s'] < 0.42, plain['elapsed_s'], ended['elapsed_s'])
going_on = measure(LANES, LANES_OF, ',disturb=900ms:30us@lanes=1@size=64K')
check(one_lane(going_on) == [None, None], one_lane(going_on))
check([one['speedup'] for one in going_on['parallelism']] == [None, None], going_on['parallelism'])
check('one-lane-disturbed' in warned(going_on) and going_on['quality'] != 'good', going_on)
# An interval wider than its number: slow for most of the blocks, not for all.
wide = measure(LANES, LANES_OF, ',disturb=300ms:30us@lanes=1@size=64K')
check(all(near(ns, 60) for ns in one_lane(wide)), one_lane(wide))
check('interval-doubtful' not in warned(wide), wide['warnings'])


# Large pages slower than small ones, and parts that leave most of an access unexplained.
def at_2m(result):
    difference = next(one for one in result['page_differences'] if one['size_bytes'] == 2 << 20)
    made = next(one for one in result['decompositions']
                if one['size_bytes'] == 2 << 20 and one['curve'] == difference['base_curve'])
    return difference['ns'], made['parts']['residual']['ns']


plain_ns = at_2m(measure(PAGES, PAGES_OF))
for page in 'thp', '4K':
    found = measure(PAGES, PAGES_OF, f',disturb=400ms:100us@page={page}@size=2M')
    check(near(at_2m(found)[0], plain_ns[0], 0.1), page, at_2m(found), plain_ns)
    check(abs(at_2m(found)[1] - plain_ns[1]) < 1, page, at_2m(found), plain_ns)
    check(not warned(found) & {'parts-doubtful', 'large-pages-slower'}, page, found['warnings'])
    found = measure(PAGES, PAGES_OF, f',disturb=2000ms:100us@page={page}@size=2M')
    check(at_2m(found)[1] is None and 'parts-doubtful' in warned(found), page, at_2m(found))
    check(found['quality'] != 'good', found['quality'])
    check(page == '4K' or at_2m(found)[0] is None, page, at_2m(found))
