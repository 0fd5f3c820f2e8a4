"""What a survey says of one thing is the same number wherever it stands: in the document, the table,
the sentences, the numbers, Markdown, Prometheus and the page."""
import json
import os
import re

from fathom_test import check, run, scratch

MACHINE = ('sim:cpus=2,l1=16K/4/lru/4c,l2=128K/8/lru/14c,l3=off,mem=60ns,dtlb=16/4/lru/0c,'
           'stlb=128/8/lru/9c,noise=0,outliers=0,drift=0,thp=off')


def size_text(size):
    """As the command prints it: three digits, no zeros at the end."""
    unit = 0
    while size / 1024 ** unit >= 999.5:
        unit += 1
    value = size / 1024 ** unit
    return f'{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f}'.rstrip('0').rstrip('.') \
        if value < 99.95 else f'{value:.0f}', ['B', 'KiB', 'MiB'][unit]


def number_text(value):
    return f'{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f}'


def rows_of(markdown, heading):
    part = markdown.split(f'## {heading}\n', 1)[1].split('\n## ', 1)[0]
    return [[cell.strip() for cell in line.strip('|').split('|')] for line in part.splitlines()
            if line.startswith('| ')][1:]


def gauge(prometheus, metric, **labels):
    for line in prometheus.splitlines():
        if line.startswith(f'fathom_{metric}{{') and all(f'{key}="{value}"' in line
                                                       for key, value in labels.items()):
            return float(line.rsplit(' ', 1)[1])
    raise AssertionError(f'{metric} {labels} is not in {prometheus}')


def near(one, other):
    return abs(one - other) <= 1e-6 * abs(other)


with scratch() as folder:
    path = os.path.join(folder, 'survey.json')
    done = run('survey', '--machine', MACHINE, '--seed', '5', '--max-size', '2M', '--budget', '600ms', '-q',
               '--no-report', '-o', path)
    check(done.returncode == 0, done.stderr)
    with open(path, encoding='utf-8') as file:
        result = json.load(file)
    text = run('fit', path, '-q').stdout
    markdown = run('report', path, '-q', '--format', 'markdown').stdout
    prometheus = run('report', path, '-q', '--format', 'prometheus').stdout
    page = os.path.join(folder, 'page.html')
    check(run('report', path, '-q', '-o', page).returncode == 0)
    with open(page, encoding='utf-8') as file:
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>',
                                    file.read(), re.S).group(1))

levels = {level['name']: level for level in result['levels']}
table = {line.split()[0]: line for line in
         re.split(r'level +size', text, maxsplit=1)[1].split('\n\n')[0].splitlines()[2:]
         if line.strip()}
sentences = ' '.join(text.split('\n- ', 1)[1].split('latency numbers', 1)[0].split())
numbers = {number['name']: number for number in result['numbers']}
markdown_levels = {row[0]: row for row in rows_of(markdown, 'What each level costs')}

for name, number in (('L1', 'L1 cache reference'), ('L2', 'L2 cache reference'),
                     ('memory', 'main memory reference')):
    level = levels[name]
    ns = number_text(level['latency_ns'])
    size = ' '.join(size_text(level['size_bytes'] or level['at_bytes']))
    # A size that is known no better is a range in both tables.
    wide = level['size_bytes'] and level['size_high_bytes'] > 1.2 * level['size_low_bytes']
    shown_size = markdown_levels[name][1].removeprefix('at ')
    check('–' in shown_size if wide else shown_size == size, name, shown_size, size)
    check(shown_size in table[name].replace('-', '–') and f' {ns} ' in table[name],
          name, shown_size, ns, table[name])
    check(markdown_levels[name][3].split()[0] == ns, markdown_levels[name])
    check(numbers[number]['ns'] == level['latency_ns'], numbers[number])
    check(f'{ns} ns' in next(line for line in text.splitlines() if number in line), text)
    check(near(gauge(prometheus, 'level_latency_seconds', level=name) * 1e9, level['latency_ns']))
    check(near(gauge(prometheus, 'number_seconds', name=number) * 1e9, level['latency_ns']))
    check(f'{ns} ns' in sentences, ns, sentences)
    if level['size_bytes']:
        # A document has whole bytes.
        check(abs(gauge(prometheus, 'level_size_bytes', level=name) - level['size_bytes']) <= 0.5)
        check(shown_size in sentences.replace('-', '–'), shown_size, sentences)

# TLBs: of the chains through one line a page, and nothing else.
tlbs = [one for one in result['translations'] if one['page_kind'] == '4k'][0]['tlbs']
check(len(tlbs) == 2, tlbs)
check([name for name in levels if name.startswith('TLB')] == ['TLB 1', 'TLB 2'], list(levels))
told = re.findall(r'(\d+) entries, a miss adds ([\d.]+) ns', ' '.join(text.split()))
for which, tlb in enumerate(tlbs):
    level = levels[f'TLB {which + 1}']
    check(level['entries'] == tlb['entries'] and level['penalty_ns'] == tlb['penalty_ns'], level, tlb)
    check(abs(level['size_bytes'] - 4096 * tlb['entries']) <= 0.5 + 1e-5 * level['size_bytes'], level)
    # In two digits where the interval leaves no third: 5 % off at most.
    check(abs(float(told[which][0]) - tlb['entries']) <= 0.05 * tlb['entries'], told, tlb)
    check(told[which][1] == number_text(tlb['penalty_ns']), told, tlb)
    row = rows_of(markdown, 'TLBs')[which]
    check(row[2].split()[0] == told[which][0], row)
    check(row[4].split()[0] == number_text(tlb['penalty_ns']), row)
    check(near(gauge(prometheus, 'translation_entries', tlb=which + 1), tlb['entries']))
    check(near(gauge(prometheus, 'tlb_miss_seconds', level=level['name']) * 1e9, tlb['penalty_ns']))

# Pages: the walk of the largest size, and the parts that the table and the sentence add.
last = result['decompositions'][-1]
check(numbers['page walk']['ns'] == last['parts']['walk']['ns'], numbers['page walk'])
pages = last['parts']['walk']['ns'] + last['parts']['second_tlb']['ns']
check(f"address translation takes {number_text(pages)} of {number_text(last['total']['ns'])} ns" in sentences, sentences)
check(table['memory'].split()[-1] == number_text(pages), table['memory'])

# Overlap in memory, which is a lower bound here.
memory = max((one for one in result['parallelism'] if one['level'] == 'memory'),
             key=lambda one: one['size_bytes'])
check(memory['saturated'] is False, memory)
shown = number_text(int(memory['speedup'] * (100 if memory['speedup'] < 9.995 else 10)) /
                    (100 if memory['speedup'] < 9.995 else 10))
check(f'> {shown}' in table['memory'], shown, table['memory'])
check(f'keeps at least {shown} of them to memory in flight' in sentences, shown, sentences)
check(f'\\> {shown} at a time' in markdown, shown)
check(f'\\> {shown}' in [' '.join(row[5].split()[:2]) for row in rows_of(markdown, 'Memory-level parallelism (MLP)')
                       if row[0] == 'memory'])

# The page shows the document, and the sentences of the text.
shown = [block['say'] for part in data['views'] if part['id'] == 'survey'
         for block in part['blocks'] if block.get('tone') == 'item']
check([' '.join(one.split()).replace('–', '-') for one in shown] ==
      [' '.join(one.split()) for one in text.split('\n- ', 1)[1].split('\n\nlatency numbers')[0]
       .split('\n- ')], shown)
for key in ('levels', 'numbers', 'translations', 'parallelism', 'decompositions'):
    check(key in json.dumps(data), key)
