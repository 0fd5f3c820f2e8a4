"""Caches that CPUs share, and words that they go for at once: simulated machines, whose truth is known."""
import json
import math
import os

from fathom_test import check, run, scratch



def caches(l1='16K/8/lru/5c', l2='128K/8/lru/14c', l3='1M/16/lru/46c'):
    return f',l1={l1},l2={l2},l3={l3}'


SMALL = caches()


def cores(machine, *words):
    if 'cpus=2x' in machine:  # two NUMA nodes: one has all the memory
        machine += ',node_memory=1G/0'
    done = run('cores', '--machine', machine, '--seed', '1', '--json', *words)
    check(done.returncode == 0, machine, 'exit code', done.returncode, done.stderr)
    return json.loads(done.stdout)


def refused(code, word, *words):
    done = run('cores', *words)
    check(done.returncode == code, words, 'exit code', done.returncode, done.stderr)
    check(word in done.stderr and not done.stdout, words, done.stderr)


def thread_of(cpu, cpus, threads, numbering):
    """As docs/simulated-machines.md says."""
    if numbering == 'by_core':
        return cpu
    if numbering == 'shuffled':
        step = max(1, int(0.618 * cpus))
        while math.gcd(step, cpus) > 1:
            step += 1
        return cpu * step % cpus
    return cpu % (cpus // threads) * threads + cpu // (cpus // threads)


def expand(text):
    """The CPUs of a list, "0-3,8"."""
    cpus = set()
    for part in text.split(','):
        low, _, high = part.partition('-')
        cpus |= set(range(int(low), int(high or low) + 1))
    return cpus


def pairs_of(groups):
    return {(a, b) for group in groups for a in expand(group) for b in expand(group) if a < b}


def truth(topology, numbering, level, levels):
    """Pairs of CPUs that have the level in common."""
    per_cache, threads = topology[-2] * topology[-1], topology[-1]
    cpus = math.prod(topology)
    within = per_cache if 0 < level == levels - 1 else threads
    places = [thread_of(cpu, cpus, threads, numbering) // within for cpu in range(cpus)]
    return {(a, b) for b in range(cpus) for a in range(b) if places[a] == places[b]}


def sharing(topology, numbering='by_thread', more='', levels=3, **sizes):
    """Every pair is shared or not, at each level, as the machine is."""
    text = 'x'.join(map(str, topology))
    result = cores(f'sim:cpus={text},numbering={numbering}{caches(**sizes)}{more}')
    found = result['shared_caches']
    check([cache['name'] for cache in found] == ['L1', 'L2', 'L3'][:levels], text, found)
    for level, cache in enumerate(found):
        check(cache['missing'] is None, text, cache)
        check(pairs_of(cache['members']) == truth(topology, numbering, level, levels), text, more, cache)
        for test in cache['tests']:
            check(test['share_low'] <= test['share'] <= test['share_high'], test)
    return result


def ids(result):
    return [warning['id'] for warning in result['warnings']]


honest = sharing((1, 2, 2, 2))
check('sharing-differs' not in ids(honest), honest['warnings'])
for one in honest['shared_caches']:
    check(one['reported'] == one['members'] and not one['size_measured'], one)
sharing((2, 2, 4, 1), more=',noise=3%')
sharing((2, 3, 2, 2), 'by_core', ',thp=off', l2='512K/8/lru/14c', l3='4M/16/lru/46c')
sharing((1, 1, 6, 1), levels=2, l3='off')
sharing((1, 1, 2, 1), more=',disturb=5%:100us')
sharing((1, 2, 4, 1), l3='1M/16/random/46c')
sharing((1, 2, 4, 1), l3='1M/16/lru/46c/victim')
sharing((2, 2, 2, 2, 2), 'shuffled')

# Guests are told something else: the sharing is as before, and that is told.
for claim, numbering in (('16x1x1x1', 'shuffled'), ('1x1x16x1', 'by_core'), ('2x1x4x2', 'shuffled')):
    lying = sharing((1, 2, 4, 2), numbering, f',os_cpus={claim}')
    check('sharing-differs' in ids(lying), claim, lying['warnings'])
# The host has a part of the cache for it.
part = sharing((1, 2, 2, 2), more=',os_l3=60M')
check(part['shared_caches'][2]['size_measured'], part['shared_caches'][2])
check(0.8e6 < part['shared_caches'][2]['size_bytes'] < 1.5e6, part['shared_caches'][2])

# What cannot be told is not: a cache hardly larger than the one before, moved CPUs, no cache reported.
tight = cores(f'sim:cpus=2x1x2x1{caches(l3="256K/16/lru/46c")}')['shared_caches'][2]
check(tight['missing'] and not tight['members'] and not tight['tests'], tight)
moving = cores(f'sim:cpus=2x2x4x2,moving=5ms{SMALL}')
check('cpus-moved' in ids(moving) and 'shared_caches' not in moving, moving['warnings'])
# Two CPUs of a guest that its host moves now and then: near at the beginning of the run and far at its end,
# or the other way round, is told, and what was found of them is not.
told = 0
for seed in range(1, 7):
    guest = cores(f'sim:cpus=2x1x2x1,moving=50ms,seed={seed}{SMALL}', '--cpu', '0-1', '--seed', '1')
    pair = [one for one in guest['curves'][0]['pairs'] if one['home'] == 'a' and one['handover'] == 'store'][0]
    first, last = pair['blocks_ns'][0], pair['blocks_ns'][-1]
    if not 0.5 < first / last < 2:
        told += 1
        check('cpus-moved' in ids(guest) and guest['quality'] == 'usable', seed, guest['warnings'])
        check([one['latency_ns'] for one in guest['core_classes']] == [None], guest['core_classes'])
        check('shared_caches' not in guest and
              {one['threads'] for one in guest['contention']} == {1}, guest['contention'])
check(told >= 2, 'the host moved too few of them', told)
silent = cores(f'sim:cpus=2,os_l1=off,os_l2=off,os_l3=off{SMALL}')
check('shared_caches' not in silent, silent)

# Contention: lines of their own are free, a word goes round as fast as its line does.
EXACT = ',noise=0,outliers=0,slices=0,handover=6ns/20ns/60ns/90ns/160ns'
result = cores(f'sim:cpus=2x1x4x2{SMALL}{EXACT}')
kinds = [one['kind'] for one in result['core_classes']]
line_ns = {'smt': 6, 'same_cache': 20, 'other_socket': 160}
check(kinds == list(line_ns), kinds)
alone = [one for one in result['contention'] if one['threads'] == 1]
check([one['operation'] for one in alone] == ['add', 'swap', 'exchange'], alone)
for one in result['contention']:
    check(one['op_low_ns'] <= one['op_ns'] <= one['op_high_ns'], one)
    if one['threads'] == 1:
        continue
    check(len(expand(one['cpus'])) == one['threads'] and one['fairness'] in (None, 1) or
          1 <= one['fairness'] < 1.2, one)
    kind = kinds[one['core_class']]
    apart = one['layout'] in ('own_lines', 'line_pair')
    if one['operation'] == 'add' and apart:
        check(abs(one['op_ns'] / alone[0]['op_ns'] - 1) < 0.01, one, alone[0])
    elif one['operation'] == 'add' and kind != 'smt':
        # Each waits for one hand-over, half of a round trip, of every other thread.
        check(0.8 < one['op_ns'] / (line_ns[kind] * one['threads'] / 2) < 1.3, one)
    if one['operation'] == 'read':
        check(one['writer_ns'] > 0, one)
check(max(one['threads'] for one in result['contention']) == 4, result['contention'])
pair = cores(f'sim:cpus=2,adjacent=on{SMALL}')
times = {one['layout']: one['op_ns'] for one in pair['contention'] if one['threads'] == 2 and
         one['operation'] == 'add'}
check(times['line_pair'] > 1.5 * times['own_lines'], times)
shown = run('cores', '--machine', f'sim:cpus=2,adjacent=on{SMALL}').stdout
check('two lines of a pair disturb each other' in ' '.join(shown.split()), shown)
check('false sharing' in shown, shown)

# In text of 80 columns as well: fairness, a read, and the addition beside it, each class and number of threads.
shown = run('report', '-', input=json.dumps(result)).stdout
fair = shown[shown.index('how many times as long the slowest thread'):]
for one in (one for one in result['contention'] if one['layout'] == 'own_lines'):
    name = kinds[one['core_class']].replace('_', ' ').replace('smt', 'SMT siblings')
    of = {other['operation']: other for other in result['contention'] if other['cpus'] == one['cpus'] and
          other['core_class'] == one['core_class'] and other['layout'] == 'one_word'}
    line = next(line for line in fair.splitlines() if
                line.strip().startswith(name) and line[len(name) + 2:].split()[0] == str(one['threads']))
    for value in (of['add']['fairness'], of['read']['op_ns'], of['read']['writer_ns']):
        check(f' {value:#.3g}'.rstrip('.') in line, value, line)
shown = shown[shown.index('one thread alone'):]  # the machine's words before are longer
check(max(len(line) for line in shown.splitlines()) <= 80, shown)

# What was written is read again, with all of it.
done = run('fit', '-', '--json', input=json.dumps(result))
again = json.loads(done.stdout)
check(again['contention'] == result['contention'], done.stderr)
check(again['shared_caches'] == result['shared_caches'], done.stderr)

# Compared by what each takes, and by who shares what; a class that one run lacks is told.
with scratch() as folder:
    names = [os.path.join(folder, name) for name in ('a.json', 'b.json', 'slower.json', 'other.json')]
    for seed, (name, machine) in enumerate(zip(names, (
            f'1x2x2x1{SMALL}', f'1x2x2x1{SMALL}',
            f'1x2x2x1{SMALL},handover=6ns/22ns/75ns/90ns/150ns', f'1x1x4x1{SMALL}'))):
        done = run('cores', '--machine', f'sim:cpus={machine},seed={seed}', '--seed', str(seed), '-o', name)
        check(done.returncode == 0, done.stderr)

    def compared(code, name, command=('compare', names[0])):
        done = run(*command, *([name] if name else []), '--json', '-q')
        check(done.returncode == code, name, done.returncode, done.stderr)
        return json.loads(done.stdout)
    alike = {part['name']: part['verdict'] for part in compared(0, names[1])['runs'][0]['parts']}
    check(set(alike.values()) <= {'same', 'unknown'}, alike)
    for name in ('same cache', 'add, one thread', 'add, one line, 2 threads, same cache',
                 'read, one word, 2 threads, same socket', 'hop in L3 beside another CPU, same cache'):
        check(name in alike, name, alike)
    slower = {part['name'] for part in compared(6, names[2])['runs'][0]['parts']
              if part['verdict'] == 'slower'}
    check('same socket' in slower and 'add, one word, 2 threads, same socket' in slower and
          not [name for name in slower if 'socket' not in name], slower)
    other = compared(0, names[3])
    lacking = [part for part in other['runs'][0]['parts'] if part['name'] == 'same socket']
    check(len(lacking) == 1 and lacking[0]['value'] is None and lacking[0]['verdict'] == 'unknown',
          lacking)
    check({'class-lacking', 'sharing-changed'} <= set(ids(other)), other['warnings'])
    again = compared(0, None, ('check', names[0], '--budget', '60s'))
    check({part['name'] for part in again['runs'][0]['parts']} == set(alike), again)

# Pairs alone; too little time; a CPU that is taken away.
few = cores(f'sim:cpus=4{SMALL}', '--pairs-only')
check('contention' not in few and 'shared_caches' not in few, few.keys())
late = cores(f'sim:cpus=2x4x4x2{SMALL},seed=4', '--budget', '1.2s')
check('sharing-cut' in ids(late) or 'pairs-left-out' in ids(late), late['warnings'])
gone = cores(f'sim:cpus=4,lost=1-3/{int(1e3 * few["elapsed_s"]) + 2}ms{SMALL}')
check('sharing-cut' in ids(gone), gone['warnings'])
refused(3, 'two CPUs', '--machine', 'sim:')
