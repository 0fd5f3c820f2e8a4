"""A number reads the same wherever it is shown: in text, in Markdown and on the page, of all documents
that golden keeps. No digits are decided beside the one rule."""
import glob
import json
import os
import re

from fathom_test import SOURCE, check, run

DOCUMENTS = sorted(glob.glob(os.path.join(SOURCE, 'tests', 'golden', 'documents', '*.json')))
# Where a conversion may say how many digits there are: the rule, what an interval makes of it, and
# data for other programs.
DECIDE = ('views/rounding.c', 'render/gnuplot.c', 'render/gnuplot_matrix.c', 'render/hgrm.c',
          'render/prometheus.c', 'render/prometheus_lines.c', 'render/text/plot.c')
DIGITS_IN_C = re.compile(r'%[-+ ]?\d*\.(?!0f)[\d*]+[fge]|%g')
DIGITS_IN_JS = re.compile(r'\b(toFixed|toLocaleString)\b')


def write(path, form, *arguments):
    done = run('report', path, '--format', form, '--quiet', *arguments,
               env={'LC_ALL': 'C.UTF-8'})
    check(done.returncode == 0, path, done.stderr)
    return done.stdout


def markdown_tables(text):
    """Lists of rows, each a list of cells."""
    tables, rows = [], []
    for line in [*text.split('\n'), '']:
        if line.startswith('|'):
            cells = re.split(r'(?<!\\)\|', line)[1:-1]
            rows.append([re.sub(r'\\(.)', r'\1', cell).strip() for cell in cells])
        elif rows:
            tables.append(rows[2:])
            rows = []
    return tables


def views_of(page):
    data = page.split('id="data">')[1].split('</script>')[0]
    # What models make of a curve, and which were tried, the page alone shows.
    return [part for part in json.loads(data)['views'] if part['id'] not in ('readings', 'models')]


def blocks_of(views, key):
    return [block for part in views for block in part['blocks'] if key in block]


def cell_of(cell):
    """As Markdown has it."""
    if isinstance(cell, str):
        return cell
    mark = cell.get('mark', '')
    return ' '.join(filter(None, [cell['text'] + (' ' if mark == '!' else '') + mark,
                                  cell.get('spread')]))


def check_tables(path, views, tables):
    shown = [[[cell_of(cell) for cell in row[:len(table['columns'])]] for row in table['rows']]
             for table in blocks_of(views, 'columns')]
    check(len(shown) == len(tables) > 0, path, len(shown), 'tables', len(tables))
    for ours, theirs in zip(shown, tables):
        check(len(ours) == len(theirs), path, ours, theirs)
        for row, other in zip(ours, theirs):
            # A mark of the row comes before its name, a note behind its last cell.
            check(other[0].removeprefix('~ ') == row[0] and other[1:-1] == row[1:-1] and
                  other[-1].startswith(row[-1]), path, row, other)


def numbers_of(cells):
    return {re.sub(r'[~?=!]$', '', word) for cell in cells for word in cell.split()}


def check_plots(path, views):
    """Of a size that a table of the same part has, the plot has the same number."""
    compared = 0
    for part in views:
        if part['id'] != 'latency':
            continue
        rows = {cells[0]: numbers_of(cells[1:]) for table in blocks_of([part], 'columns')
                for cells in ([cell_of(cell) for cell in row] for row in table['rows'])}
        for plot in (block['plot'] for block in blocks_of([part], 'plot')):
            main = plot['series'][0]
            if plot['y']['unit'] not in ('ns', 'cycles') or main.get('model'):
                continue
            for size, text in zip(plot['x']['texts'], main['texts']):
                if text and size in rows:
                    check(text in rows[size], path, size, text, rows[size])
                    compared += 1
    return compared


def has_line(lines, words):
    """One that begins as they do and leaves out some at the most: columns that have no room."""
    def fits(line):
        rest = iter(words)
        return len(line) > 1 and line[0] == words[0] and all(word in rest for word in line)
    return any(map(fits, lines))


def check_text(path, text, views):
    """Rows of the page's tables are lines of the text, where that has the table (of the numbers to know
    it leaves some out). Returns how many."""
    lines = [line.split() for line in text.split('\n')]
    compared = 0
    for table in blocks_of([part for part in views if part['id'] != 'numbers'], 'columns'):
        head = ' '.join(column['label'] for column in table['columns']).split()
        if not has_line(lines, head) or any('unit' in column for column in table['columns']):
            continue
        for row in table['rows']:
            words = ' '.join(cell_of(cell) for cell in row).replace(' !', '!').split()
            check(has_line(lines, words), path, words)
            compared += 1
    return compared


def check_sources():
    for folder, pattern, allowed in (('src/views', DIGITS_IN_C, DECIDE),
                                     ('src/render', DIGITS_IN_C, DECIDE),
                                     ('web', DIGITS_IN_JS, ())):
        for path in glob.glob(os.path.join(SOURCE, folder, '**', '*.[cj]*'), recursive=True):
            if path.endswith(allowed) or not path.endswith(('.c', '.js')):
                continue
            with open(path, encoding='utf-8') as file:
                for number, line in enumerate(file, 1):
                    check(not pattern.search(line), f'{path}:{number}: digits are decided:', line)


points = rows = 0
for document in DOCUMENTS:
    found = views_of(write(document, 'html'))
    check_tables(document, found, markdown_tables(write(document, 'markdown')))
    points += check_plots(document, found)
    rows += check_text(document, write(document, 'text', '--all'), found)
check(points > 100 and rows > 100, 'only', points, 'points and', rows, 'rows were compared')
check_sources()
