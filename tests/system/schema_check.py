"""Holds documents against docs/fathom-1.schema.json: schema_check.py FILE...

Exit 77, with the reason, where python3-jsonschema is not installed."""
import json
import os
import sys

try:
    import jsonschema
except ImportError:
    print('python3-jsonschema is not installed')
    sys.exit(77)

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs',
                      'fathom-1.schema.json')


def load():
    with open(SCHEMA, encoding='utf-8') as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def refuse_constant(name):
    raise ValueError(f'{name} is no JSON')


def parse(text):
    """Strict JSON: NaN and Infinity are none."""
    return json.loads(text, parse_constant=refuse_constant)


def problems(validator, document):
    """One line for each thing that is wrong, with its path."""
    return [f'{error.json_path}: {error.message[:200]}'
            for error in validator.iter_errors(document)]


def main(paths):
    validator = load()
    failed = not paths
    for path in paths:
        with open(path, encoding='utf-8') as file:
            found = problems(validator, parse(file.read()))
        failed = failed or found
        for line in found:
            print(f'{path}: {line}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
