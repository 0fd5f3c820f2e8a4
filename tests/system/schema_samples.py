"""Documents that the writers make fit the schema, and the schema bites: a document with anything
missing, added or of another type does not. (What the command prints is held against it by
schema.py.)

    schema_samples.py PRINT_SAMPLE"""
import copy
import subprocess
import sys

import schema_check

SAMPLES = ['result', 'empty-result', 'poor-result', 'hostile-result', 'plan', 'machine',
           'unknown-machine', 'hostile-machine', 'levels-result', 'foreign-result',
           'cycles-result', 'parallelism-result', 'pages-result', 'clocks-result']
# Objects whose fields come and go: nothing is missing when one is not there.
# So are those that documents made before there were levels lack.
# Some fields a point has only where lanes, bytes a second or placements are what is measured.
OPTIONAL = {'drift', 'tool', 'relative_to_l1', 'counters_missing', 'thp_sizes', 'counts', 'accesses', 'levels', 'readings',
            'samples_ns', 'switch', 'fault', 'migration', 'steal', 'clock', 'outlier', 'parallelism', 'floor_ns', 'lane_store',
            'translations', 'page_differences', 'decompositions', 'clocks', 'clock_laws',
            'vector_bytes', 'bandwidth_bytes_per_second', 'bandwidth_low_bytes_per_second', 'bandwidth_high_bytes_per_second',
            'bandwidth_best', 'bandwidth_slowest_thread', 'bandwidth_fastest_thread', 'traffic_bytes_per_second', 'ns_per_access', 'low_ns_per_access',
            'high_ns_per_access', 'cycles_per_access', 'low_cycles_per_access',
            'high_cycles_per_access', 'placement_spread_ns', 'noise_spread_ns',
            'estimator', 'latency_mean_ns', 'ns_per_access_mean', 'disturbed_share'}


def sample(name):
    done = subprocess.run([sys.argv[1], name, 'json'], capture_output=True, check=False)
    assert done.returncode == 0, (name, done.returncode)
    return schema_check.parse(done.stdout.decode('utf-8'))


def paths(value, path=()):
    """The path of every value inside; of an array the first element speaks for all."""
    inner = []
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value[:1])
    for key, member in inner:
        yield path + (key,)
        yield from paths(member, path + (key,))


def changed(document, path, change):
    """A copy in which change(holder, key) was done at the path."""
    made = copy.deepcopy(document)
    holder = made
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return made


def delete(holder, key):
    del holder[key]


def spoil(holder, key):
    # No field takes an array of arrays.
    holder[key] = [[]]


def add_beside(holder, key):
    holder['unheard_of'] = 1


def mutants(document):
    for path in paths(document):
        yield path, 'spoilt', changed(document, path, spoil)
        if isinstance(path[-1], str):
            yield path, 'with a stranger beside', changed(document, path, add_beside)
            if path[-1] not in OPTIONAL or path[-2:] == ('clock',):
                yield path, 'missing', changed(document, path, delete)


validator = schema_check.load()
tried = 0
for name in SAMPLES:
    found = schema_check.problems(validator, sample(name))
    assert not found, (name, found[:5])

# Which curve stands for all, where there are any.
for name, which in (('result', 0), ('levels-result', 0), ('foreign-result', 0),
                    ('parallelism-result', 3), ('parallelism-result', -1), ('pages-result', -1), ('clocks-result', 0), ('plan', 0),
                    ('machine', 0)):
    document = sample(name)
    for key in ('curves', 'specs'):  # a few are as good as all, and quicker
        if key == 'curves' and key in document:
            document[key] = [document[key][which]]
            document[key][0]['points'] = document[key][0]['points'][:1]
        elif key in document:
            document[key] = document[key][:1]
    assert not schema_check.problems(validator, document), name
    for path, what, mutant in mutants(document):
        tried += 1
        assert not validator.is_valid(mutant), (name, path, what)

for key, value in (('schema', 'fathom/2'), ('kind', 'plan'), ('kind', 'other')):
    assert not validator.is_valid({**sample('machine'), key: value}), (key, value)
for key, value in (('kind', 'l1'), ('curve', -1), ('confidence', 1.1), ('replacement', 'plru'),
                   ('size_bytes', 0), ('reported_bytes', 4096.5)):
    document = sample('levels-result')
    document['levels'][0][key] = value
    assert not validator.is_valid(document), (key, value)
for seed in ('', '0x', '12', '0xFF', '0x10000000000000000', 7):
    assert not validator.is_valid({**sample('plan'), 'seed': seed}), seed
assert tried > 300, tried
print(f'{len(SAMPLES)} documents fit, {tried} spoilt ones do not')
