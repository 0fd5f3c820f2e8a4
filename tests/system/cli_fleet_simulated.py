"""Machines that are measured, with a fault in what they are: the causes are those, with no table of numbers between."""
import json
import os

from fathom_test import check, run, scratch

SOUND = {'l1': '16K/8/lru/4c', 'l2': '48K/12/lru/14c', 'l3': '256K/16/lru/20ns', 'mem': '90ns', 'clock': '3.6G'}
FAULTS = {'core-clock': {'clock': '2.9G'}, 'l3-less': {'l3': '128K/16/lru/20ns'}, 'memory-timings': {'mem': '99ns'}}


def measure(folder, name, seed, **changed):
    spec = ','.join(f'{key}={value}' for key, value in {**SOUND, **changed}.items())
    done = run('latency', '--machine', f'sim:{spec},seed={seed},outliers=0', '--max-size', '1M', '--per-octave', '4',
               '--budget', '500ms', '--seed', str(seed), '-q', '-o', os.path.join(folder, f'{name}.json'))
    check(done.returncode == 0, done.stderr)


with scratch() as root:
    for i in range(10):
        measure(root, f'sound{i}', 100 + i)
    for i, (fault, changed) in enumerate(FAULTS.items()):
        measure(root, fault, 200 + i, **changed)
    done = run('fleet', root, '--json')
    found = json.loads(done.stdout)
    named = {one['host']: one['causes'][0]['name'] for one in found['outliers']}
    # Without bandwidths a lower clock of the memory looks alike.
    named = {host: 'memory-timings' if cause == 'memory-clock' else cause for host, cause in named.items()}
    check(named == {fault: fault for fault in FAULTS}, named, [
        (one['host'], one['number'], one['deviation'], one['causes']) for one in found['outliers']])
    check(done.returncode == 6, done.stderr)
