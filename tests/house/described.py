"""docs/fathom-1.schema.json, docs/fathom-fleet-1.schema.json and docs/document.md are what the table in src/document/ says.

    described.py DESCRIBE"""
import os
import subprocess
import sys

from fathom_test import SOURCE, check

for what, name in (('schema', 'fathom-1.schema.json'),
                   ('fleet-schema', 'fathom-fleet-1.schema.json'), ('reference', 'document.md')):
    done = subprocess.run([sys.argv[1], what], capture_output=True, text=True, check=False)
    check(done.returncode == 0, what, done.stderr)
    with open(os.path.join(SOURCE, 'docs', name), encoding='utf-8') as file:
        check(file.read() == done.stdout, f"docs/{name} is old: 'make documents' writes it anew")
