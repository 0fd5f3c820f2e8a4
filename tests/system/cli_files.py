"""Several files of one measurement, names with the host, the time and the rank; a result as text."""
import json
import os
import re
import socket

from fathom_test import SWEEP, check, check_refused, run, scratch

with scratch() as folder:
    done = run('latency', *SWEEP, '-o', 'run.%h.json', '-o', '100%%.csv', '-o', 'at-%t.md', '-o',
               'rank%p.prom', '-o', '-', cwd=folder, env={'SLURM_PROCID': '3'})
    check(done.returncode == 0 and 'L1' in done.stdout, done.stderr)
    names = sorted(os.listdir(folder))
    host = socket.gethostname()
    check(f'run.{host}.json' in names and '100%.csv' in names and 'rank3.prom' in names, names)
    check(any(re.fullmatch(r'at-\d{8}T\d{6}Z\.md', name) for name in names), names)
    document = os.path.join(folder, f'run.{host}.json')
    with open(document, encoding='utf-8') as file:
        check(json.load(file)['schema'] == 'fathom/1')

    # A report without a place is text.
    text = run('report', document)
    check(text.returncode == 0 and 'latency' in text.stdout, text.stderr)
    check(text.stdout == run('report', document, '--format', 'text').stdout, 'two texts')
    check_refused(run('compare', document, document, '-o', 'a.json', '-o', 'b.json'), 2, 'twice')
check_refused(run('latency', '--dry-run', '-o', '%x.json'), 2, '%x')
check_refused(run('latency', '--dry-run', '-o', '%p.json'), 2, '%p')
check_refused(run('latency', '--dry-run', '-o', 'a.json', '-o', 'b.odd'), 2, 'b.odd')

# At sizes that are asked for, and no others.
sizes = [4096, 65536, 1 << 20]
done = run('latency', '--machine', 'sim:', '--seed', '7', '--size', '4K,64K,1M', '--budget', '2s',
           '--json', '--quiet')
curves = json.loads(done.stdout)['curves']
check([point['size_bytes'] for point in curves[0]['points']] == sizes, curves[0])
check_refused(run('latency', '--size', '1M', '--max-size', '2M'), 2, '--size', '--max-size')
