"""The data of real machines is whole: each published curve has its truth and its set, which follows
from the rule; each document its truth, and nothing of whose machine it was."""
import csv
import hashlib
import json
import os

from fathom_test import SOURCE, check


def rows(*path):
    with open(os.path.join(SOURCE, *path), encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def set_of(core):
    """All curves of one core are in one set: nothing is tuned on a core that validates."""
    return 'tune' if int(hashlib.sha256(core.encode()).hexdigest(), 16) % 2 else 'validate'


truth = rows('bench', 'published-truth.csv')
curves = {}
for row in rows('bench', 'published-curves.csv'):
    curves.setdefault(row['id'], []).append(float(row['size_bytes']))
    check(float(row['value']) >= 0, row)
check(len({row['id'] for row in truth}) == len(truth) == len(curves), 'truth and curves differ')
for row in truth:
    check(None not in row.values() and None not in row, 'columns of', row['id'])
    sizes = curves[row['id']]
    check(len(sizes) > 4 and sizes == sorted(sizes), 'sizes of', row['id'])
    check(row['set'] == set_of(row['core']), row['id'], 'is of the set', set_of(row['core']))
    check(row['source'] and row['grade'][0] in 'ABC' and row['seen'] in ('yes', 'no'), row)

cores = {row['core'] for row in truth}
for row in rows('bench', 'published-tlbs.csv'):
    check(row['core'] in cores and row['source'], row)
    check(int(row['tlb1_entries']) < int(row['tlb2_entries'] or 10 ** 6), row)

FOLDER = os.path.join('corpus', 'documents')
documented = {row['file'] for row in rows(FOLDER, 'truth.csv')}
for row in rows(FOLDER, 'truth.csv'):
    check(all(row.values()), row, 'lacks a value')
there = {name for name in os.listdir(os.path.join(SOURCE, FOLDER)) if name.endswith('.json')}
check(documented == there, 'without truth, or without a file:', documented ^ there)
for name in there:
    with open(os.path.join(SOURCE, FOLDER, name), encoding='utf-8') as file:
        document = json.load(file)
    check(document['machine']['hostname'] is None, name, 'tells a host name')
    check(not any('.' in word or '/' in word for word in document['fathom']['argv']), name,
          'tells a file', document['fathom']['argv'])
