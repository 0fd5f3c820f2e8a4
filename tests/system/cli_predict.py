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
for one in predictions:
    check(abs(sum(one['parts'].values()) / one['predicted_ns'] - 1) < 1e-6, one)
    check(one['predicted_low_ns'] <= one['predicted_ns'] <= one['predicted_high_ns'], one)

# A document that has predictions is read again, and keeps them.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'predicted.json')
    predict('bsearch', '--keys', '1K,1M', '--from', DOCUMENT, '-o', path)
    again = json.loads(run('report', path, '--format', 'json').stdout)
    check([one['keys'] for one in again['predictions']] == [1000, 1000000], again['predictions'])
    check('What data structures cost' in run('report', path, '--format', 'markdown').stdout)

# What overlaps costs less, and a structure of a given size is of that size.
dependent, independent, interleaved = (
    json.loads(predict('open-hash', '--size', '64M', *mode, '--from', DOCUMENT, '--json').stdout)
    ['predictions'][0] for mode in ([], ['--independent'], ['--interleave', '8']))
check(dependent['predicted_ns'] > 2 * independent['predicted_ns'] >= interleaved['predicted_ns'],
      dependent['predicted_ns'], independent['predicted_ns'], interleaved['predicted_ns'])
check(0.99 * 2**26 <= dependent['size_bytes'] <= 2**26, dependent['size_bytes'])

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
