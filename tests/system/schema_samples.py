"""Documents that the writers make fit the schema, and the schema bites: a document with anything
missing or of another type does not; what a later version adds does. (What the command prints is held
against it by cli_schema.py.)

    schema_samples.py PRINT_SAMPLE"""
import copy
import subprocess
import sys

import schema_check

SAMPLES = ['result', 'empty-result', 'poor-result', 'hostile-result', 'plan', 'machine',
           'unknown-machine', 'hostile-machine', 'levels-result', 'foreign-result',
           'cycles-result', 'parallelism-result', 'pages-result', 'clocks-result', 'cores-result']
# Always there, whatever is measured.
CONSTANT = {'curves', 'warnings', 'points', 'size_bytes', 'latency_ns', 'blocks_ns', 'seed', 'specs'}


def optional(schema):
    """Names of fields that some object need not have."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    found = set().union(*map(optional, inner))
    if isinstance(schema, dict) and isinstance(schema.get('properties'), dict):
        found |= set(schema['properties']) - set(schema.get('required', ()))
    return found


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
        if isinstance(path[-1], str) and (path[-1] not in OPTIONAL or path == ('clock',)):
            yield path, 'missing', changed(document, path, delete)


validator = schema_check.load()
OPTIONAL = optional(validator.schema)
assert not OPTIONAL & CONSTANT, OPTIONAL & CONSTANT
tried = 0
for name in SAMPLES:
    found = schema_check.problems(validator, sample(name))
    assert not found, (name, found[:5])

# Which curve stands for all, where there are any.
for name, which in (('result', 0), ('levels-result', 0), ('foreign-result', 0),
                    ('parallelism-result', 3), ('parallelism-result', -1), ('pages-result', -1), ('clocks-result', 0), ('cores-result', 0), ('plan', 0),
                    ('machine', 0)):
    document = sample(name)
    for key in ('curves', 'specs'):  # a few are as good as all, and quicker
        if key == 'curves' and key in document:
            document[key] = [document[key][which]]
            document[key][0]['points'] = document[key][0]['points'][:1]
        elif key in document:
            document[key] = document[key][:1]
    assert not schema_check.problems(validator, document), name
    stranger = document
    for path in {path[:-1]: path for path in paths(document) if isinstance(path[-1], str)}.values():
        stranger = changed(stranger, path, add_beside)
    assert validator.is_valid(stranger), (name, 'with a stranger in each object')
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
