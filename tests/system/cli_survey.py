"""A survey is one document of all experiments, and a table, sentences and numbers for people."""
import json
import os

from fathom_test import MACHINE, check, check_refused, document, run, scratch

OPTIONS = ['survey', '--machine', 'sim:cpus=2,noise=0,outliers=0,drift=0', '--seed', '5', '--budget',
           '200ms', '--max-size', '1M', '-q']

with scratch() as folder:
    path = os.path.join(folder, 'whole.json')
    check(run(*OPTIONS, '-o', path, cwd=folder).returncode == 0)
    check(os.listdir(folder) == ['whole.json'], 'a document alone was asked for')
    with open(path, encoding='utf-8') as file:
        whole = file.read()
    result = document(run('fit', path, '--json'))

    # Every curve says whose it is, and what the experiments say refers to those.
    experiments = [curve['experiment'] for curve in result['curves']]
    check(experiments[0] == 'latency', experiments)
    for name in ('latency', 'parallelism', 'bandwidth'):
        check(name in experiments, name, 'is not in', experiments)
    for level in result['levels']:
        check(experiments[level['curve']] == 'latency', level)
    for overlap in result['parallelism']:
        check(experiments[overlap['curve']] == 'parallelism', overlap)
        check(overlap['size_bytes'] == result['curves'][overlap['curve']]['points'][0]['size_bytes'])

    # What there is no time for is left out, and all that is there has an interval.
    for curve in result['curves']:
        for point in curve['points']:
            check(curve['experiment'] == 'latency' or len(point['blocks_ns']) >= 6,
                  curve['experiment'], 'point without an interval:', point['size_bytes'])

    # The numbers are those of the levels.
    levels = {level['name']: level for level in result['levels']}
    numbers = {number['name']: number for number in result['numbers']}
    check(numbers['L1 cache reference']['ns'] == levels['L1']['latency_ns'], numbers)
    check(numbers['L1 cache reference']['dean_2009_ns'] == 0.5)

    # Of NUMA nodes there is one, which is said, and no number.
    check([one['where'] for one in result['warnings'] if one['id'] == 'one-node'] ==
          ['memory of other NUMA nodes (there is one node)'] and 'nodes' not in result,
          result['warnings'])

    # Text of the document that was read is text of the survey.
    check(result['survey'] is True)
    text = run('fit', path).stdout
    check(text.count('\n') <= 60, text.count('\n'), 'lines')
    for words in ('level', 'OS says', 'MLP', 'latency numbers every programmer should know'):
        check(words in text, words, 'is not in', text)
    for line in text.splitlines():
        check(len(line) <= 80, 'wider than 80 columns:', line)

    # What is checked against it is its sweep.
    again = document(run('check', path, '--dry-run', '--json'))
    check(again['experiment'] == 'latency', again['experiment'])

    # Without a name of its own the answer is text, and the files lie beside it.
    done = run(*OPTIONS[1:], '--max-size', '256K', '--budget', '40ms', cwd=folder)
    check(done.returncode == 0, done.stderr)
    check('L1' in done.stdout, done.stdout)
    check('fathom-report.json' in os.listdir(folder), os.listdir(folder))
    os.remove(os.path.join(folder, 'fathom-report.json'))

    # Wherever the page goes, its data lie beside it, or nowhere.
    shortly = [*OPTIONS[1:], '--max-size', '64K', '--budget', '10ms', '--format', 'html']
    os.mkdir(os.path.join(folder, 'd.d'))
    for name, data in (('page', 'page.json'), ('d.d/page', 'd.d/page.json'),
                       ('a.json', 'a.json.json'), ('b.html', 'b.json')):
        check(run(*shortly, '-o', name, cwd=folder).returncode == 0, name)
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            check(file.read(15).lower() == '<!doctype html>', name, 'is no page')
        document(run('fit', os.path.join(folder, data), '--json', '-q'))
    check(run(*shortly, '-o', '/dev/null').returncode == 0)
    check_refused(run(*shortly, '-o', 'c.html', '--no-report', cwd=folder), 2, '--no-report')
    left = [name for name in os.listdir(folder) if name.endswith('.tmp') or name.startswith('c.')]
    check(not left, left)

    # A folder that cannot be written to is found out before anything is measured.
    check_refused(run(*OPTIONS[1:], cwd='/proc/self'), 1)
    check(run(*OPTIONS[1:], '--no-report', '--max-size', '256K', '--budget', '40ms',
              cwd='/proc/self').returncode == 0)

# What is planned is said, with its memory; stages with too little time are named.
plan = document(run('survey', '--dry-run', '--json', '--quick'))
check(plan['kind'] == 'survey' and plan['budget_s'] == 15, plan['kind'])
check([one['experiment'] for one in plan['plans']][0] == 'latency')
check(plan['memory_bytes'] == max(one['memory_bytes'] for one in plan['plans']), plan)
check(abs(sum(one['budget_s'] for one in plan['plans']) - 15) < 0.1, 'the budget is shared out')
# A short one has all stages, too: of pages, TLBs and one size.
planned = [one['experiment'] for one in plan['plans']]
check([name for name in planned if name != 'core_to_core'] ==  # which needs two CPUs
      ['latency', 'parallelism', 'bandwidth', 'pages', 'patterns'], planned)
check(not any('asked' in one for one in plan['plans']), 'the points are the survey\'s own')
pages = next(one['specs'] for one in plan['plans'] if one['experiment'] == 'pages')
same = {spec['size_bytes'] for spec in pages if spec.get('axis') != 'pages'}
check(len(same) == 1, same)
check({spec['page_kind'] for spec in pages} <= {'4k', 'thp'}, 'other kinds')
check(any(spec['pattern'] == 'one_per_page' for spec in pages), 'no TLBs')
small = document(run('survey', '--dry-run', '--json', '--max-size', '1M'))
check(max(spec['size_bytes'] for one in small['plans'] for spec in one['specs']) <= 1 << 20)
# A minute has room for latency under load (with two CPUs) and single accesses; three for all of them.
minute, full = (document(run('survey', '--dry-run', '--json', *words)) for words in ((), ('--full',)))
check(full['budget_s'] == 180, full['budget_s'])
for name, field, fewer in (('loaded', 'traffic', lambda few, all_: few == 'reads' and ',' in all_),
                           ('distribution', 'steps', lambda few, all_: few < all_)):
    values = [next((one[field] for one in plan['plans'] if one['experiment'] == name), None)
              for plan in (minute, full)]
    check(None not in values or (name == 'loaded' and os.cpu_count() == 1), name, values)
    check(None in values or fewer(*values), name, field, values)
check_refused(run('survey', '--full', '--quick'), 2, '--full')
both = document(run('survey', '--machine', 'sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,mem=80ns,cpus=2',
                    '--budget', '500ms', '--max-size', '512K', '--no-report', '--json'))
for part, name in ('load_laws', 'loaded'), ('distributions', 'distribution'):
    check(both.get(part) and all(both['curves'][one['curve']]['experiment'] == name
                                 for one in both[part]), part, both.get(part))
with scratch() as folder:
    kept, told = os.path.join(folder, 'kept.json'), 'in part from the last cache, if it has the 1 GiB'
    for reported in 1 << 30, None:
        for level in both['levels']:
            level['reported_bytes'] = level['reported_bytes'] and reported
        with open(kept, 'w', encoding='utf-8') as file:
            json.dump(both, file)
        text = ' '.join(run('report', kept, '--format', 'text').stdout.split())
        check('all 2 cores together at' in text and (told in text) == bool(reported), text)
done = run('run', '-', input=run('survey', '--dry-run', '--json').stdout)
check_refused(done, 2, 'the plans of a survey')
short = document(run('survey', '--dry-run', '--json', '--budget', '3s'))
check([one['experiment'] for one in short['plans']] == ['latency'], short['plans'])
check('stage-left-out' in [one['id'] for one in short['warnings']], short['warnings'])
check_refused(run('survey', '--pattern', 'window'), 2, '--pattern')
check_refused(run(*MACHINE, '--budget', '0'), 2, '--budget')
