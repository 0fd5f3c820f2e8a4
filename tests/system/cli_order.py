"""What the user knows of a foreign curve: in which order it was walked, and the caches of the machine.
Curves of few sizes tell no size better than they can."""
import json

from fathom_test import check, check_refused, run, scratch

SIZES = [1 << k for k in range(10, 27)]
CACHES = (32 << 10, 256 << 10, 4 << 20)
LATENCIES = (1.2, 4, 14, 90)


# A rise without plateaus, one size an octave: what a simple benchmark's table looks like.
RAMP = (0.33, 0.32, 0.34, 0.4, 0.47, 0.55, 0.65, 0.92, 1.2, 1.7, 3.1, 6.2, 6.4, 6.9, 9.4, 12.3, 15.8)


def latency(size):
    """Each address drawn anew: each level has the share of its size."""
    held = [min(cache, size) for cache in CACHES] + [size]
    shares = [here - before for here, before in zip(held, [0, *held])]
    return sum(share * ns for share, ns in zip(shares, LATENCIES)) / size


def table(sizes):
    return 'bytes,ns\n' + ''.join(f'{size},{latency(size):.6g}\n' for size in sizes)


def fit(rows, *options):
    done = run('fit', '-', *options, '--json', '--quiet', input=rows)
    check(done.returncode == 0, done.stderr)
    return json.loads(done.stdout)


def kinds(result):
    return {level['name']: level['kind'] for level in result['levels']}


def ramp_of(times):
    return 'bytes,ns\n' + ''.join(f'{size},{times * ns}\n' for size, ns in zip(SIZES, RAMP))


ramp = ramp_of(3)
coarse = fit(ramp)
for level in coarse['levels']:
    # One size an octave tells no size to less than a factor of 1.4.
    if level['kind'] == 'cache' and level['size_bytes']:
        check(level['size_high_bytes'] / level['size_low_bytes'] > 1.4, level)
check(all(level['size_bytes'] < 128 << 10 for level in coarse['levels'] if level['name'] == 'L1'),
      coarse['levels'])

known = fit(ramp, '--order', 'independent', '--caches', '32K,256K,4M')
check(known['curves'][0]['points'][0]['pattern'] == 'independent', known['curves'][0])
check([cache['size_bytes'] for cache in known['machine']['caches']] == list(CACHES), known['machine'])
check(any(level['reported_bytes'] for level in known['levels']), 'held against the named caches')

# Clear steps keep their names, however few the sizes are.
clear = fit(table(SIZES), '--order', 'independent', '--caches', '32K,256K,4M')
check('L1' in kinds(clear) and kinds(clear)['L1'] == 'cache', kinds(clear))

# Of many sizes levels have names, and what overlaps is said.
fine = fit(table([round(1024 * 2 ** (k / 8)) for k in range(8 * 17)]), '--order', 'overlapping')
check('L1' in kinds(fine), kinds(fine))
ids = {warning['id'] for warning in fine['warnings']}
check('overlapping' in ids, ids)

# What is faster than any load was not waited for, unless it is said how it was measured.
def overlaps(result):
    return 'overlapping' in {warning['id'] for warning in result['warnings']}


check(overlaps(fit(ramp_of(1))), 'under two cycles')
check(not any(overlaps(fit(*given)) for given in
              ((ramp,), (ramp_of(1), '--order', 'cycle'),
               (ramp_of(1).replace('ns', 'ns over l1', 1),))), 'not said of others')

# Times of what overlaps are called no latencies, in the figure and in the tables.
for order, quantity in ('independent', 'latency'), ('overlapping', 'time'):
    done = run('fit', '-', '--order', order, input=table(SIZES))
    check(done.returncode == 0, done.stderr)
    headers = [line.split() for line in done.stdout.splitlines() if line.startswith(('     size', '  level'))]
    check(len(headers) == 2 and all(quantity in words for words in headers), order, headers)
    check(('time per access (ns)' in done.stdout) == (order == 'overlapping'), order, done.stdout)

# It is read back as it was written.
with scratch() as folder:
    path = folder + '/known.json'
    done = run('fit', '-', '--order', 'independent', '--caches', '32K,256K,4M', '-o', path, '--quiet',
               input=table(SIZES))
    check(done.returncode == 0, done.stderr)
    check(run('report', path).returncode == 0, 'read back')
    check_refused(run('fit', path, '--order', 'cycle'), 2, 'says itself')
check_refused(run('fit', '-', '--order', 'circle', input=table(SIZES)), 2, 'circle')
