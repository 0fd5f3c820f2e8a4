"""Events are counted an access; what cannot be counted says why, and a wrong name what is near it."""
import json

from fathom_test import MACHINE, check, check_refused, run

SMALL = ['--size', '1M', '--steps', '20000', '--budget', '2s', '--cold', 'none']


def counts_of(document, pattern):
    for curve in document['curves']:
        point = curve['points'][0]
        if point['pattern'] == pattern:
            return {count['event']: count for count in point['counts']}
    raise AssertionError(f'no {pattern}')


def near(counts, event, wanted, tolerance):
    got = counts[event]
    check(got['state'] == 'counted' and abs(got['per_access'] - wanted) <= tolerance, got, wanted)


# 48 KiB of L1, 96 pages of 4 KiB in the first TLB: of 256 pages 160 miss it, chosen at random.
TEXT = 'sim:l1=48K/12/lru/5c,l2=2M/16/lru/16c,l3=off,mem=90ns,dtlb=96/96/lru/0c,stlb=1536/12/lru/7c'
done = run('patterns', '--machine', TEXT, *SMALL, '--json', '--event',
           'L1D_misses,dtlb_misses,llc_misses,instructions,r01c2')
check(done.returncode == 0, done.stderr)
document = json.loads(done.stdout)
random_cycle = counts_of(document, 'random_cycle')
near(random_cycle, 'L1D_misses', 1, 0.01)
near(random_cycle, 'dtlb_misses', 160 / 256, 0.03)
near(random_cycle, 'llc_misses', 0, 0.1)
near(random_cycle, 'instructions', 1, 0)
sequential = counts_of(document, 'sequential')
near(sequential, 'dtlb_misses', 1 / 64, 0.002)
near(counts_of(document, 'one_per_page'), 'dtlb_misses', 1, 0.01)
raw = random_cycle['r01c2']
check(raw['state'] == 'not supported' and raw['per_access'] is None and raw['reason'], raw)

text = run('patterns', '--machine', TEXT, *SMALL).stdout
for word in ('per access, warm', 'l1d_misses', 'dtlb_misses', 'not supported'):
    check(word in text, word, text)
check(all(len(line) <= 80 for line in text.splitlines()
          if not line.startswith('sim:')), text)
table = run('patterns', '--machine', TEXT, *SMALL, '--csv', '--event', 'l1d_misses').stdout
check('"l1d_misses=1"' in table, table)

plan = run('patterns', '--machine', TEXT, *SMALL, '--event', 'l1d_misses', '--dry-run', '--json')
check(json.loads(plan.stdout)['events'] == 'l1d_misses', plan.stdout)

# Whatever this machine can count: each event has a number, or a reason.
done = run('patterns', '--size', '64K', '--steps', '10000', '--budget', '1s', '--json',
           '--event', 'cycles,instructions')
check(done.returncode == 0, done.stderr)
for count in counts_of(json.loads(done.stdout), 'random_cycle').values():
    check((count['per_access'] is None) == bool(count['reason']), count)

check("did you mean 'l1d_misses'" in run('patterns', *MACHINE, '--event', 'l1d_mises').stderr,
      'no near name')
for options, words in (
        (['--event', 'l1d_mises'], ("'l1d_mises'",)),
        (['--event', 'cycles,cycles'], ("'cycles'", 'is the same as')),
        (['--event', 'rxyz'], ("'rxyz'",)),
        (['--event', ''], ('--event',))):
    check_refused(run('patterns', *MACHINE, *options), 2, *words)

# Those of --ablate too, beside each row; and no answer has a gap of two empty lines.
text = run('patterns', '--machine', TEXT, '--size', '1M', '--ablate', '--budget', '2s', '--steps',
           '20000', '--event', 'dtlb_misses').stdout
lines = [line.split() for line in text.splitlines()]
check(['per', 'access,', 'warm', 'dtlb_misses'] in lines, text)
check(any(line[:3] == ['random', 'cycle', '128'] for line in lines), text)
for options in (['--budget', '1ms'], ['--budget', '20ms'], ['--ablate', '--budget', '20ms'],
                ['--decay', '--budget', '20ms'], ['--size', '1M,4M', '--budget', '100ms']):
    text = run('patterns', '--machine', TEXT, '--size', '1M', '--seed', '3', *options).stdout
    check(text and '\n\n\n' not in text, options, text)
