"""The HTML report in a real Chromium: of a simulated machine, of this one, of an interrupted run, of
documents made by hand and of one that would like to be a program.

    web_report.py PRINT_SAMPLE"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from fathom_test import BUILD, COMMAND, SOURCE, become_ordinary, check, need_tool, run, scratch, skip

sys.path.insert(0, os.path.join(SOURCE, 'web'))
import build  # pylint: disable=wrong-import-position

SIMULATED = 'sim:l1=16K/8/lru/5c,l2=256K/8/plru/16c,l3=2M/16/lru/22ns,mem=90ns'
HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">'
SCREENSHOTS = os.path.join(BUILD, 'report-screenshots')
SAMPLES = {'levels-result': 'plain', 'pages-result': 'whole', 'parallelism-result': 'switches',
           'hostile-result': 'plain', 'poor-result': 'plain', 'foreign-result': 'plain',
           'cycles-result': 'plain', 'clocks-result': 'plain', 'empty-result': 'plain'}

node = need_tool('node', 'nodejs')
chromium = shutil.which(need_tool('chromium', 'chromium-browser'))
work = os.path.join(BUILD, 'web-tests')
missing = build.npm_install(os.path.join(SOURCE, 'tests', 'web'), work)
if missing:
    skip(f'playwright-core: {missing}')
if not os.path.exists(os.path.join(BUILD, 'web', 'page.c.p', 'installed-lock.json')):
    skip('this build has no uPlot, and so no charts')
os.makedirs(SCREENSHOTS, exist_ok=True)
reports = []


def add(root, name, kind, has_json=True):
    paths = [os.path.join(root, f'{name}.{extension}') for extension in ('html', 'json')]
    reports.append({'name': name, 'kind': kind, 'html': paths[0],
                    'json': paths[1] if has_json else None})
    return paths


def write(path, text):
    with open(path, 'wb') as file:
        file.write(text)


def add_samples(root):
    for name, kind in SAMPLES.items():
        html, document = add(root, name, kind)
        for path, form in ((html, 'html'), (document, 'json')):
            write(path, subprocess.run([sys.argv[1], name, form], capture_output=True,
                                       check=True).stdout)


def add_run(root, name, kind, *arguments):
    """The same seed twice: once as HTML, once as JSON. (Of this machine a run is not repeatable.)"""
    html, path = add(root, name, kind)
    for output in (html, path):
        done = run(*arguments, '--quiet', '-o', output)
        check(done.returncode == 0, name, done.stderr)
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    document['fathom']['argv'][-1] = html
    write(path, json.dumps(document).encode())
    return path


def add_real(root):
    html, document = add(root, 'real', 'whole')
    done = run('survey', '--budget', '2s', '--max-size', '2M', '--quiet', '-o', html)
    check(done.returncode == 0, done.stderr)
    check(os.path.exists(document), 'there is no JSON beside the report')


def add_interrupted(root):
    html, _ = add(root, 'interrupted', 'plain', has_json=False)
    with subprocess.Popen([COMMAND, 'latency', '--machine', SIMULATED, '--max-size', '1M',
                           '--budget', '100000s', '--target', '0.0001%', '-o', html],
                          stderr=subprocess.PIPE, preexec_fn=become_ordinary) as child:
        time.sleep(1.5)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=60)[1].decode()
        check(child.returncode == 130, child.returncode, said)


def add_hostile(root, source):
    with open(source, encoding='utf-8') as file:
        document = json.load(file)
    machine = document['machine']
    machine['description'] = None
    for key in ('hostname', 'cpu_model', 'kernel', 'hypervisor', 'container', 'governor'):
        machine[key] = HOSTILE
    document['fathom']['argv'] = [HOSTILE]
    document['warnings'] = [{key: HOSTILE for key in ('id', 'text', 'hint', 'where')}]
    html, path = add(root, 'markup', 'hostile', has_json=False)
    write(path, json.dumps(document).encode())
    done = run('fit', path, '--quiet', '-o', html)
    check(done.returncode == 0, done.stderr)


def add_kinds(root, source):
    """More kinds of pages than there are colours."""
    with open(source, encoding='utf-8') as file:
        document = json.load(file)
    spread = next(curve for curve in document['curves'] if curve['axis'] == 'pages')
    for number, kind in enumerate(('16k', '32k', '64k', '128k', '256k', '512k', '1m', '2m', '1g')):
        curve = json.loads(json.dumps(spread))
        for point in curve['points']:
            point['page_kind'] = kind
            slower = 1.2 + number / 5
            for name in ('latency_ns', 'latency_cycles', 'latency_mean_ns'):
                if point.get(name):
                    point[name] *= slower
            point['blocks_ns'] = [slower * value for value in point['blocks_ns']]
            for name in ('low_ns', 'high_ns', 'low_cycles', 'high_cycles'):
                point['latency_' + name] = None
            point['within_target'] = False
        document['curves'].append(curve)
    html, path = add(root, 'kinds', 'plain', has_json=False)
    write(path, json.dumps(document).encode())
    done = run('report', path, '--quiet', '-o', html)
    check(done.returncode == 0, done.stderr)


def add_large(root):
    """A thousand points, as another tool may have measured them."""
    html, path = add(root, 'large', 'large', has_json=False)
    plateaus = ((48 << 10, 1.25), (1 << 20, 4.0), (1 << 60, 80.0))
    rows = ['size,latency']
    for i in range(1000):
        size = int(1024 * 2 ** (i / 62))
        latency = next(ns for end, ns in plateaus if size <= end) * (1 + (i % 7) / 500)
        rows.append(f'{size},{latency:.4f}')
    write(path, '\n'.join(rows).encode())
    done = run('fit', path, '--quiet', '-o', html)
    check(done.returncode == 0, done.stderr)


def add_comparison(root, baseline):
    html, _ = add(root, 'comparison', 'switches', has_json=False)
    slower = os.path.join(root, 'slower.json')
    done = run('latency', '--machine', SIMULATED.replace('mem=90ns', 'mem=120ns'), '--seed', '8',
               '--budget', '80ms', '--max-size', '8M', '--quiet', '-o', slower)
    check(done.returncode == 0, done.stderr)
    done = run('compare', baseline, slower, '--quiet', '-o', html)
    check(done.returncode in (0, 4, 6), done.returncode, done.stderr)


def add_cores(root):
    html, _ = add(root, 'cores', 'cores', has_json=False)
    done = run('fit', os.path.join(SOURCE, 'tests', 'golden', 'documents', 'cores.csv'), '--quiet',
               '-o', html)
    check(done.returncode == 0, done.stderr)


def add_curves(root):
    """Of loads and of single accesses: what has no points."""
    rows = '\n'.join(f'{130 * i},{90 + i * i % 11 + (i % 60 == 0) * 250}' for i in range(4000))
    series = os.path.join(root, 'series.csv')
    write(series, rows.encode())
    loads = os.path.join(SOURCE, 'tests', 'golden', 'documents', 'loaded.csv')
    for name, arguments in (('loads', [loads]), ('accesses', ['--distribution', series])):
        html, _ = add(root, name, 'plain', has_json=False)
        done = run('fit', *arguments, '--quiet', '-o', html)
        check(done.returncode == 0, done.stderr)


def add_bare(root, source):
    """As it is built where npm cannot be had."""
    html, _ = add(root, 'bare', 'bare', has_json=False)
    with open(source, encoding='utf-8') as file:
        data = file.read().split('id="data">')[1].split('</script>')[0]
    page = build.make_page(os.path.join(SOURCE, 'web'), root, missing='no network')
    write(html, page.replace(build.DATA_MARK, data).encode())


def check_csv(path):
    """What the page handed out as CSV has the points of the document."""
    done = run('fit', f'{path}.csv', '--json', '--quiet')
    check(done.returncode == 0, done.stderr)
    got = json.loads(done.stdout)['curves']
    with open(path, encoding='utf-8') as file:
        wanted = json.load(file)['curves']
    for field in ('size_bytes', 'latency_ns', 'latency_cycles', 'latency_high_ns', 'pattern', 'seed',
                  'samples', 'rejected'):
        check([[point[field] for point in curve['points']] for curve in got] ==
              [[point[field] for point in curve['points']] for curve in wanted], field)


def add_fleet(root):
    """Thirty nodes, one of which is called as it would like to be."""
    html, _ = add(root, 'fleet', 'fleet', has_json=False)
    fleet = os.path.join(SOURCE, 'tests', 'golden', 'documents', 'fleets', 'now.json')
    with open(fleet, encoding='utf-8') as file:
        text = file.read().replace('n20\\u001B[31m\\"}<b>|x', HOSTILE.replace('"', '\\"'))
    path = os.path.join(root, 'fleet-now.json')
    write(path, text.encode())
    done = run('fleet', path, '-o', html, '-q')
    check(done.returncode == 6, done.stderr)


with scratch() as folder:
    add_samples(folder)
    add_fleet(folder)
    study = ['--machine', SIMULATED, '--seed', '7', '--budget']
    simulated = add_run(folder, 'simulated', 'whole', 'latency', *study, '80ms', '--pattern', 'both',
                        '--max-size', '8M')
    add_run(folder, 'bandwidth', 'switches', 'bandwidth', *study, '40ms', '--size', '4K,64K')
    add_run(folder, 'ablation', 'plain', 'patterns', '--ablate', *study, '40ms', '--size', '2M')
    add_cores(folder)
    add_curves(folder)
    add_run(folder, 'decay', 'plain', 'patterns', '--decay', *study, '40ms', '--size', '1M', '--cold',
            'both')
    add_run(folder, 'patterns', 'plain', 'patterns', *study, '80ms', '--size', '1M')
    add_real(folder)
    add_interrupted(folder)
    add_hostile(folder, simulated)
    add_kinds(folder, os.path.join(folder, 'pages-result.json'))
    add_large(folder)
    add_comparison(folder, simulated)
    add_bare(folder, simulated.replace('.json', '.html'))
    reports_file = os.path.join(folder, 'reports.json')
    write(reports_file, json.dumps(reports).encode())
    done = subprocess.run([node, os.path.join(SOURCE, 'tests', 'web', 'report.mjs'), work, chromium,
                           SCREENSHOTS, reports_file], capture_output=True, text=True, check=False,
                          timeout=200)
    print(done.stdout)
    check(done.returncode == 0, done.stderr[-4000:])
    check_csv(simulated)
