"""Predictions: from a document alone, from a published curve with lanes, in every format, at once."""
import csv
import json
import os
import tempfile
import time

from fathom_test import SOURCE, check, run

DOCUMENT = os.path.join(SOURCE, 'corpus', 'documents', 'genoa_guest_survey.json')
ZEN2 = os.path.join(SOURCE, 'corpus', 'structures')


def predict(*words, code=0):
    done = run('predict', *words)
    check(done.returncode == code, words, 'exit code', done.returncode, done.stderr)
    return done


# Ten structures at three sizes; the parts are the sum.
result = json.loads(predict('--from', DOCUMENT, '--json').stdout)
predictions = result['predictions']
check(len(predictions) == 30 and result['crossovers'], len(predictions))
check(all(one['apart'] >= 1.05 for one in result['crossovers']), result['crossovers'])
check(all(one['low_keys'] <= one['keys'] <= one['high_keys'] for one in result['crossovers']),
      result['crossovers'])
for one in predictions:
    check(abs(sum(one['parts'].values()) / one['predicted_ns'] - 1) < 1e-6, one)
    check(one['predicted_low_ns'] <= one['predicted_ns'] <= one['predicted_high_ns'], one)

# Those that are but a little of it, too, in columns or named for want of room.
words = ('chained-hash', '--keys', '10M', '--from', DOCUMENT)
parts = json.loads(predict(*words, '--json').stdout)['predictions'][0]['parts']
check(0 < parts['branch_ns'] < 0.05 * sum(parts.values()), parts)
check('branch' in predict(*words).stdout, predict(*words).stdout)

# A document that has predictions is read again, and keeps them.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'predicted.json')
    predict('bsearch', '--keys', '1K,1M', '--from', DOCUMENT, '-o', path)
    again = json.loads(run('report', path, '--format', 'json').stdout)
    check([one['keys'] for one in again['predictions']] == [1000, 1000000], again['predictions'])
    check('What data structures cost' in run('report', path, '--format', 'markdown').stdout)

    # A figure over the keys, a line a structure.
    predict('bsearch', 'open-hash', '--keys', '1K,100K,10M', '--from', DOCUMENT, '-o', path)
    done = run('report', path, '--figure', 'predictions', '--format', 'gnuplot')
    check("title 'bsearch'" in done.stdout and "title 'open-hash'" in done.stdout, done.stdout, done.stderr)
    check('time per operation' in run('report', path, '--format', 'html').stdout)

# A survey says what lookups cost, and what it was fitted from is fitted again with the same.
survey = run('fit', DOCUMENT, '--json', '-q')
usual = json.loads(survey.stdout)['predictions']
check([(one['structure'], one['keys']) for one in usual] ==
      [(name, 10000000) for name in ('open-hash', 'btree', 'bsearch')], usual)
check('Predicted lookup in 10 M keys: open-hash' in run('report', '-', '--format', 'text', input=survey.stdout).stdout)

# Predictions that someone asked for stay, and are no sentence of a survey.
asked = predict('list-shuffled', 'open-hash', '--keys', '1K', '--from', DOCUMENT, '--json').stdout
again = run('fit', '-', '--json', '-q', input=asked)
check([one['structure'] for one in json.loads(again.stdout)['predictions']] == ['list-shuffled', 'open-hash'],
      again.stderr)
check('Predicted lookup' not in run('report', '-', '--format', 'text', input=again.stdout).stdout)

# In a guest neighbours may take lines of the last cache. Where that matters it is said how to measure it, and
# what was measured is taken.
def settled_warnings(keys, *curves):
    with open(DOCUMENT, encoding='utf-8') as file:
        known = json.load(file)
    known['curves'] += curves
    done = run('predict', 'bsearch', '--keys', keys, '--from', '-', '--json', input=json.dumps(known))
    check(done.returncode == 0, done.stderr)
    return [warning for warning in json.loads(done.stdout)['warnings'] if warning['id'] == 'predict-settled']


with open(DOCUMENT, encoding='utf-8') as file:
    sweep = next(curve for curve in json.load(file)['curves'] if curve['experiment'] == 'latency')
settled = sweep | {'experiment': 'settling',
                   'points': [point | {'warmth': 'settled'} for point in sweep['points']]}
check(not settled_warnings('1K'))
check(['latency --settled' in warning['hint'] for warning in settled_warnings('1K,1M')] == [True])
check(not settled_warnings('1K,1M', settled))
check('predict-settled' not in survey.stdout)

# A size is a whole number of keys, as many as fit.
sized = json.loads(predict('bsearch', '--size', '64M', '--from', DOCUMENT, '--json').stdout)['predictions'][0]
check(sized['keys'] == 1 << 22, sized)

# A window that was measured is taken: the larger it is, the more searches overlap, where all of one waits.
def searched_ns(window):
    with open(DOCUMENT, encoding='utf-8') as file:
        known = json.load(file)
    for name in ('', 'low_', 'high_'):
        known[f'window_{name}instructions'] = window
    done = run('predict', 'eytzinger', '--keys', '1M', '--independent', '--from', '-', '--json', input=json.dumps(known))
    check(done.returncode == 0, done.stderr)
    return json.loads(done.stdout)['predictions'][0]['predicted_ns']


check(searched_ns(200) < 0.9 * searched_ns(50), searched_ns(200), searched_ns(50))

# Of a power of two the middles of a search collide in the sets of caches.
near, power = json.loads(predict('bsearch', '--keys', '65000,65536', '--from', DOCUMENT,
                                 '--json').stdout)['predictions']
check(power['predicted_ns'] > 1.2 * near['predicted_ns'], near, power)

# What overlaps costs less, and a structure of a given size is of that size. Of searches more overlap when the
# program interleaves them than the core finds by itself; of hash lookups the core finds them all.
def modes_of(structure):
    return [json.loads(predict(structure, '--size', '64M', *mode, '--from', DOCUMENT, '--json').stdout)
            ['predictions'][0] for mode in ([], ['--independent'], ['--interleave', '8'])]


dependent, independent, interleaved = modes_of('open-hash')
check(dependent['predicted_ns'] > 2 * max(independent['predicted_ns'], interleaved['predicted_ns']),
      dependent['predicted_ns'], independent['predicted_ns'], interleaved['predicted_ns'])
check(0.99 * 2**26 <= dependent['size_bytes'] <= 2**26, dependent['size_bytes'])
searches = [one['predicted_ns'] for one in modes_of('bsearch')]
check(searches[0] > 1.2 * searches[1] > 2 * searches[2], searches)


def cpu_core(cpu):
    """Which one it is of, as far as the OS says."""
    path = f'/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list'
    if not os.path.exists(path):
        return None
    with open(path, encoding='utf-8') as file:
        return file.read()


# Its interval has at least the model's own scatter.
for one in (dependent, independent, interleaved):
    check(one['model_scatter'] > 1, one)
    check(one['predicted_high_ns'] >= 0.999 * one['model_scatter'] * one['predicted_ns'], one)

# Another machine's published curve and lanes, and nothing else.
rows = list(csv.DictReader(predict(
    'bsearch', 'stree', '--keys', '1K,10M', '--key-bytes', '4', '--payload', '0', '--independent',
    '--clock', '2G', '--from', os.path.join(ZEN2, 'zen2_latency.csv'), '--with',
    os.path.join(ZEN2, 'zen2_lanes.csv'), '--csv').stdout.splitlines()))
check([(row['structure'], row['keys']) for row in rows] ==
      [('bsearch', '1000'), ('bsearch', '10000000'), ('stree', '1000'), ('stree', '10000000')], rows)
refused = predict('bsearch', '--independent', '--from', os.path.join(ZEN2, 'zen2_latency.csv'), code=5)
check('--with' in refused.stderr and not refused.stdout, refused.stderr)

# Nothing is measured, so that forty predictions are a matter of seconds on any machine.
started = time.monotonic()
keys = ','.join(str(1000 * number) for number in range(1, 21))
predict('bsearch', 'open-hash', '--keys', keys, '--from', DOCUMENT, '--csv')
check(time.monotonic() - started < 20, time.monotonic() - started)

# Without a result this machine is measured for it: here a simulated one, for as long as it takes.
SHORT = ('--max-size', '1M', '--budget', '300ms', '--seed', '1')
MACHINE = 'sim:l1=4K/4/lru/4c,l2=64K/8/lru/14c,l3=off,mem=80ns,mispredict=20c,noise=0'
measured = json.loads(predict('bsearch-branchy', 'array', '--keys', '1K', '--independent', *SHORT,
                              '--machine', MACHINE, '--explain', '--json').stdout)
check([one['structure'] for one in measured['predictions']] == ['bsearch-branchy', 'array'])
check({'latency', 'parallelism', 'bandwidth', 'pages', 'patterns'} <=
      {curve['experiment'] for curve in measured['curves']},
      [curve['experiment'] for curve in measured['curves']])
clock = measured['curves'][0]['points'][0]['clock_hz']
price = float(measured['predictions'][0]['formula'].split('mispredicted branches of ')[1].split(')')[0])
check(abs(price / (20e9 / clock) - 1) < 0.1, price, clock)

# They are run, on this machine: the times are there, whatever they are. A document of another machine
# is said to be one.
checked = json.loads(predict('bsearch', 'open-hash', 'list', '--keys', '1K', '--every-mode',
                             '--check', '--budget', '1s', '--no-wait', '--from', DOCUMENT, '--json')
                     .stdout)
ways = {(one['structure'], one['mode']): one.get('measured_ns') for one in checked['predictions']}
check(len(ways) == 8 and all(ns and ns > 0 for ns in ways.values()), ways)
check(('list', 'independent') not in ways, ways) # the next node is known from the one before
# What depends on nothing is run in one way alone.
joined = json.loads(predict('hash-join', 'array', '--keys', '1K', '--every-mode', '--check', '--budget', '1s',
                            '--no-wait', '--from', DOCUMENT, '--json').stdout)['predictions']
check([(one['structure'], one['mode'], one['measured_ns'] > 0) for one in joined] ==
      [('hash-join', 'independent', True), ('array', 'independent', True)], joined)
# A message needs another core.
with tempfile.TemporaryDirectory() as folder:
    cores = os.path.join(folder, 'cores.json')
    check(run('cores', '--machine', 'sim:cpus=2', '--budget', '300ms', '-o', cores).returncode == 0)
    sent = json.loads(predict('ring', '--keys', '16', '--check', '--budget', '1s', '--no-wait', '--from', DOCUMENT,
                              '--with', cores, '--json').stdout)
    told = [one['text'] for one in sent['warnings'] if one['id'] == 'predict-not-run']
    if told:
        check('second core' in told[0] and all(cpu_core(cpu) == cpu_core(min(os.sched_getaffinity(0)))
                                               for cpu in os.sched_getaffinity(0)), told)
    else:
        check(sent['predictions'][0]['measured_ns'] > 0, sent['predictions'])
# The same twice is run on one that is built once.
predict('hash-join', 'radix-partition', '--keys', '1000,1K', '--check', '--budget', '1s', '--no-wait', '--from',
        DOCUMENT)
other = predict('array-random', '--keys', '1K', '--check', '--budget', '1s', '--no-wait', '--clock', '2G',
                '--from', os.path.join(ZEN2, 'zen2_latency.csv')).stdout
check('predicted is what' in other and ' measured ' in other, other)
# Where memory is fifty times as fast as the result says, that is said.
with open(os.path.join(ZEN2, 'zen2_latency.csv'), encoding='utf-8') as file:
    rows = [(row['size_bytes'], 50 * float(row['latency_ns'])) for row in csv.DictReader(file)]
with tempfile.TemporaryDirectory() as folder:
    slow = os.path.join(folder, 'slow.csv')
    with open(slow, 'w', encoding='utf-8') as file:
        file.write('size_bytes,latency_ns\n' + ''.join(f'{size},{ns}\n' for size, ns in rows))
    now = predict('bsearch', '--keys', '1K', '--check', '--budget', '1s', '--no-wait', '--clock', '2G', '--from',
                  slow).stdout
    check('memory here and now is not as in the result' in ' '.join(now.split()), now)

# More than memory, and what only a real machine can do.
refused = predict('bsearch', '--keys', '1000G', '--check', '--from', os.path.join(ZEN2, 'zen2_latency.csv'),
                  code=2)
check('keys takes' in refused.stderr and not refused.stdout, refused.stderr)
# Before this machine is measured.
for words, why in ((['nosuch'], 'no structure'), (['bsearch', '--keys', '1000G'], 'keys takes'),
                   (['open-hash', '--load', '2'], 'load factor'),
                   (['btree', '--node-bytes', '64', '--key-bytes', '100'], 'no room'),
                   (['stree', '--key-bytes', '1000'], 'no room'), (['bsearch', '--branch', '0'], '--branch'),
                   (['open-hash', '--load', '0'], '--load')):
    refused = predict(*words, code=2)
    check(why in refused.stderr and not refused.stdout and 'waiting' not in refused.stderr, refused.stderr)
refused = predict('bsearch', '--check', '--machine', 'sim:', '--from', DOCUMENT, code=3)
check('simulated' in refused.stderr and '--check' in refused.stderr, refused.stderr)
