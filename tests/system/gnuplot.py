"""What gnuplot draws of fathom's scripts: every point of every curve is in the picture, intervals are
areas, and text from outside is text."""
import json
import os
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree

from fathom_test import check, need_tool, run, scratch

need_tool('gnuplot')
HOSTILE = "a<b>&'\"; system('touch pwned') `touch pwned` \\ @x $y #"
PRINT_SAMPLE = sys.argv[1]
SVG = '{http://www.w3.org/2000/svg}'


def drawn(path):
    """The points of the curves: each path that is a line and no tick, by its colour."""
    root = xml.etree.ElementTree.parse(path).getroot()
    lines = {}
    for group in root.iter(SVG + 'g'):
        color = group.get('stroke')
        for line in group.findall(SVG + 'path') if color else []:
            pairs = re.findall(r'[ML]\s*-?[\d.]+,-?[\d.]+|-?[\d.]+,-?[\d.]+', line.get('d', ''))
            lines[line.get('stroke', color)] = max(lines.get(line.get('stroke', color), 0),
                                                   len(pairs))
    return root, lines


def figure(folder, name, *arguments):
    path = os.path.join(folder, name)
    done = run('report', *arguments, '-o', path, cwd=folder)
    check(done.returncode == 0 and not done.stderr, arguments, done.returncode, done.stderr)
    return path


with scratch() as folder:
    def place(name):
        return os.path.join(folder, name)

    # Documents made by hand: of levels, of lanes and bandwidth, of pages.
    for name in ('levels', 'parallelism', 'pages'):
        with open(place(name + '.json'), 'wb') as file:
            subprocess.run([PRINT_SAMPLE, name + '-result', 'json'], stdout=file, check=True)

    # Each point of the first curve is on its line; an area for its interval; marks with names.
    script = figure(folder, 'latency.gp', 'levels.json')
    with open(script, encoding='utf-8') as file:
        text = file.read()
    rows = text.split('$series1 << EOD\n')[1].split('EOD')[0].strip().split('\n')
    root, lines = drawn(figure(folder, 'latency.svg', 'levels.json'))
    colors = {color.lower() for color in lines if color}
    widest = max(lines.values())
    check(widest >= len(rows), 'a line of', widest, 'points for', len(rows), lines)
    words = ' '.join(''.join(part.itertext()).strip() for part in root.iter(SVG + 'text'))
    for word in ('latency (ns)', 'size', '16 KiB', 'L1 48 KiB', 'random cycle'):
        check(word in ' '.join(words.split()), word, 'is not in', words)
    check(any(float(part.get('fill-opacity', 1)) < 1 for part in root.iter(SVG + 'polygon')) or
          'fill-opacity' in open(place('latency.svg'), encoding='utf-8').read(), 'no interval')

    # All figures that there are, without a word from gnuplot.
    for source, kinds in (('levels.json', ['latency', 'throughput']),
                          ('parallelism.json', ['throughput', 'speedup', 'parallelism',
                                                'bandwidth']),
                          ('pages.json', ['latency', 'pages'])):
        for kind in kinds:
            path = figure(folder, kind + '.svg', source, '--figure', kind)
            check(max(drawn(path)[1].values()) > 4, kind, 'has no curve')
    path = figure(folder, 'two.svg', 'levels.json', 'levels.json', '--figure', 'latency')
    check(open(path, encoding='utf-8').read().count('levels.json') >= 2, 'no legend')

    # PNG and PDF are what their names say; the script alone makes the same.
    with open(figure(folder, 'latency.png', 'levels.json'), 'rb') as file:
        head = file.read(24)
    check(head[:8] == b'\x89PNG\r\n\x1a\n' and struct.unpack('>II', head[16:]) == (1600, 1000), head)
    with open(figure(folder, 'latency.pdf', 'levels.json'), 'rb') as file:
        check(file.read(5) == b'%PDF-', 'no PDF')
    done = subprocess.run(['gnuplot', 'latency.gp'], cwd=folder, capture_output=True, check=False)
    check(done.returncode == 0 and not done.stderr, done.stderr)
    check(os.path.getsize(place('fathom-latency.pdf')) > 1000, 'the script drew nothing')

    # Nothing from outside is a command.
    with open(place('levels.json'), encoding='utf-8') as file:
        document = file.read()
    document = json.loads(document)
    document['machine']['description'] = None
    document['machine']['cpu_model'] = HOSTILE
    document['machine']['hypervisor'] = None
    for level in document['levels']:
        level['name'] = HOSTILE
    with open(place('hostile.json'), 'w', encoding='utf-8') as file:
        json.dump(document, file)
    root, lines = drawn(figure(folder, 'hostile.svg', 'hostile.json'))
    words = [''.join(part.itertext()) for part in root.iter(SVG + 'text')]
    check(any(' '.join(HOSTILE.split()) in ' '.join(line.split()) for line in words), words)
    check(not os.path.exists(place('pwned')), 'it was run')
