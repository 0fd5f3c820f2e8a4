"""Odd command lines: each is refused in one line and a hint, with the exit code of its kind, at once and
with nothing written."""
import os
import shlex

from fathom_test import MACHINE, SWEEP, check, check_refused, run, scratch

# By command; what stands between bars is one try.
USAGE = {
    'latency': r'''
        --size | --size , | --size 1M,,2M | --size 1..2 | --size 1K.. | --size ..1K | --size
        1KK | --size 1e6 | --size -5 | --size=-5 | --size 0x10 | --size nan | --size inf |
        --size 99999999999999999999 | --size 16E | --size 18446744073709551615 | --machine
        sim: --size 8 --budget 5ms -q | --min-size 1M --max-size 1K | --min-size 0 |
        --per-octave 0 | --per-octave 1000000 | --per-octave 1.5 | --per-octave -1 | --laps 0
        | --laps 99999 | --laps 2 --pattern sequential | --window 1 | --window 0 | --window 4K
        --pattern sequential | --pattern "" | --pattern rand | --link "" | --link byte |
        --spacing 1 | --spacing 3 | --spacing 0 | --node 64 --spacing 64 |
        --node 1 | --budget 0 | --budget -1s | --budget 1y | --budget 1e3 | --budget "" |
        --budget nan | --budget inf | --page 3K | --page "" | --page huge | --seed | --seed -1
        | --seed abc | --seed 0xffffffffffffffffff | --target 0 | --target 100% | --target
        200% | --target abc | --target 1e-9 | --y foo | --format xml | --format svg | --json
        --no-control=yes | --json=1 | -j | -qo | -o | -o x.unknown | -o %q.json | -o % | -o
        x.svg | --show-code --dry-run | --show-code -o code.s | --machine sim:x=1 | --machine
        sim:l1= | --machine sim | --machine foo | --machine "" | --machine SIM: | --machine
        sim:mem=0ns | --machine sim:l1=off --budget 10ms -q --max-size 64K | --machine
        sim:cpus=0 | extra | --max | --m 1 | -- x | --unknown | --budgt 3s | --color sometimes
        | --color | --samples=3 | --help extra | latency''',
    '': r'''
        --version extra | foo | "" | -x | -- --json | - | fit | explain | check | report | run''',
    'survey': r'''
        --quick --budget 3s | --size 1M | --max-size 1 | --dry-run -o x.html --machine sim: |
        --dry-run --csv --machine sim: | --y bandwidth | --page 4K''',
    'parallelism': r'''
        --lanes 65 | --size 64 --machine sim: | --separate=1 | --separate --size 1K --machine
        sim: --lanes 32 | --lane-store "" | --page 4K,thp | --size 16K --max-size 1M''',
    'bandwidth': r'''
        --operation foo | --operation "" | --width 100 | --width 0 | --width 1024 | --width
        128,256 | --size 1 --machine sim: | --size 63 --machine sim: --budget 10ms -q | --size
        64 --machine sim: --budget 10ms -q | --pattern random''',
    'patterns': r'''
        --size 0 | --stride 1 | --steps 1e9 | --cold "" | --cold flushed,mapped | --event
        nosuch | --event "" | --event cycles,cycles | --ablate --decay | --laps 0 --decay |
        --spacing 1 --link pointer''',
    'pages': r'''
        --page default | --redraw 0 | --max-size 1 | --size 1M''',
    'frequency': r'''
        run.json | run.json run.json | --clock 0,1 t.csv t.csv''',
    'fit': r'''
        run.json again.json | t.csv --columns 1 | t.csv --columns 1,1 | t.csv --columns 0,1 |
        t.csv --columns 1,9 | t.csv --columns a,b | t.csv --columns "" | t.csv --size-unit Q |
        t.csv --value-unit m | t.csv --caches "" | t.csv --caches 0 | t.csv --order foo |
        run.json --order independent | run.json --caches 32K | run.json --size-unit K | t.csv
        --strict | run.json -o x.svg''',
    'explain': r'''
        L1 | "" run.json | "TLB" run.json''',
    'compare': r'''
        run.json | run.json again.json --threshold 0 | run.json again.json --threshold 200% |
        run.json again.json --threshold -1 | run.json again.json --unit foo | --baseline
        run.json | --baseline run.json,run.json again.json | run.json again.json -o x.prom |
        run.json again.json --format markdown''',
    'check': r'''
        run.json --size 1M | run.json --machine foo | run.json --threshold abc''',
    'report': r'''
        run.json --figure "" | run.json --figure speedup | run.json --label "" | run.json
        --title "" | run.json --title x | run.json --plot --json | run.json again.json |
        run.json again.json -o x.json | run.json -o x.svg -o y.png''',
    'run': r'''
        plan.json extra | plan.json --budget 5s''',
    'info': r'''
        extra | --json -o x.csv | --format csv | --budget 1s''',
}
# Numbers past any that is meant, and words without a letter.
HUGE = {
    'latency': r'''
        --budget 1.5e300s | --budget 99999999999999999999s | --budget 1e7h | --budget
        0x10s | --budget 1,5s | --budget " 1s" | --budget 1s1 | --target 1e300 |
        --target 1e-300 | --target nan | --target "" | --target -1% | --target 1.5e300%
        | --max-size 1.5e300 | --max-size 1e30G | --max-size "" | --max-size 0.0000001K
        | --max-size 9E | --min-size 8E | --size 1K..8E | --size 7E --machine sim:
        --dry-run | --max-size 1P --machine sim: --dry-run | --size 1..1..1 | --size ..
        | --size K | --per-octave 99999999999999999999 | --per-octave "" | --seed "" |
        --seed 18446744073709551616 | --seed 1e5 | --cpu "" | --cpu -1 | --cpu
        99999999999999999999 | --cpu 1.5 | --cpu 0x1 | --node "" | --spacing 1.5e300 |
        --spacing 9E | --laps 99999999999999999999 | --laps "" | --window 9E --machine
        sim: | --window "" | --page 9E | --y "" | --format "" | --machine sim:l1=1.5e300
        | --machine sim:memory=9E9 | --machine sim:l1=32K,l1=32K | --machine
        sim:clock=1e300 | --machine sim:clock=0 | --machine sim:mem=1e300ns | --machine
        sim:disturb= | --machine sim:disturb=x | --machine sim:, | --machine sim:l1=nan
        | --machine empty.json | --machine folder | --color "" | --help=x | --dry-run=1''',
    'parallelism': r'''
        --lanes 1.5e300 | --lanes "" | --lanes 0 | --lanes 99999999999999999999 | --size
        9E | --lane-store none''',
    'bandwidth': r'''
        --threads 1.5e300 | --threads "" | --threads 0 | --threads 99999999999999999999
        | --width "" | --size 9E --machine sim:''',
    'pages': r'''
        --redraw 1.5e300 | --redraw "" | --redraw 99999999999999999999 | --page , |
        --max-size 9E9''',
    'patterns': r'''
        --stride 1.5e300 | --stride "" | --stride 9E --machine sim: | --steps 1.5e300 |
        --steps "" | --steps 99999999999999999999 | --event , | --window 1.5e300''',
    'frequency': r'''
        --khz 1.5e300 | --khz "" | --khz 99999999999999999999,1 | --clock 1.5e300
        run.json run.json | --clock "" run.json run.json | --clock 2G,3G,4G run.json
        t.csv''',
    'fit': r'''
        t.csv --columns 99999999999999999999,1 | t.csv --columns 1.5e300,2 | t.csv
        --caches 1.5e300 | t.csv --caches 9E9 | t.csv --order "" | t.csv --size-unit ""
        | t.csv --value-unit ""''',
    'compare': r'''
        run.json t.csv --threshold 1.5e300 | run.json t.csv --threshold ""''',
    'check': r'''
        run.json --budget 1.5e300s | run.json --threshold ""''',
    'report': r'''
        run.json --figure x | run.json --y "" --plot | run.json --format ""''',
    'explain': r'''
        L9 run.json''',
    'info': r'''
        --machine "" | --cpu 1.5e300''',
    'survey': r'''
        --budget 1.5e300s | --budget "" | --machine sim:l1=1.5e300 | --max-size 9E9''',
    'help': r'''
        nothing | ""''',
}
BAD_INPUT = r'''
    frequency run.json missing.json | fit missing | fit folder | fit empty.json | fit
    half.json | fit bytes.dat | fit list.json | fit object.json | fit other.json | fit
    bare.csv | fit plan.json | fit - | explain run.json L1 | explain L1 missing | compare
    --baseline ,run.json run.json | compare --baseline missing run.json | compare - - |
    compare run.json plan.json | check missing.json | check plan.json | check t.csv | report
    bytes.dat -o x.svg | report t.csv --y cycles --plot | report -- -x | run run.json | run
    missing | run empty.json | run list.json | run bytes.dat | run - |
    fit "" | fit folder/ | compare run.json "" | compare "" run.json | compare
    run.json folder | compare --baseline "" run.json | compare --baseline , run.json
    | check "" | check folder | check empty.json | report "" | report folder |
    explain L1 "" | explain L1 folder | run "" | run folder | run run.json'''
# Where no answer can be put.
FAILED = r'''
    latency -o "" | latency -o folder | latency -o folder/ | latency -o none/x.json
    | latency -o t.csv/x.json | fit t.csv -o folder | fit t.csv -o none/x.json |
    compare run.json t.csv -o folder | check run.json -o folder | report run.json -o
    folder | report run.json -o none/x.html | info -o folder | info -o none/x.json |
    survey -o folder | survey -o none/x.html | pages -o folder | patterns -o
    none/x.csv | bandwidth -o folder | parallelism -o folder | frequency -o folder'''

FILES = {'empty.json': b'', 'bytes.dat': bytes(range(256)), 'list.json': b'[1,2]', 'object.json': b'{}',
         'other.json': b'{"schema":"fathom/2"}', 'bare.csv': b'1,2,3\na,b,c\n',
         't.csv': b'size_bytes,latency_ns\n4096,1\n8192,1\n16384,3\n32768,3\n'}


def tries(text):
    return [shlex.split(one) for one in ' '.join(text.split()).split(' | ')]


with scratch() as folder:
    def place(name, content):
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(content)

    for name, content in FILES.items():
        place(name, content)
    os.mkdir(os.path.join(folder, 'folder'))
    for name, more in ('run.json', []), ('again.json', ['--seed', '8']):
        words = [*SWEEP[:2], '--max-size', '16K', '--per-octave', '4', '--budget', '20ms']
        check(run('latency', *words, *more, '-q', '-o', name, cwd=folder).returncode == 0, name)
    run('latency', *MACHINE, '--max-size', '4K', '--dry-run', '--json', '-o', 'plan.json', cwd=folder)
    with open(os.path.join(folder, 'run.json'), 'rb') as file:
        place('half.json', file.read()[:700])
    before = sorted(os.listdir(folder))
    count = 0
    usage = [([name] if name else [], text) for name, text in [*USAGE.items(), *HUGE.items()]]
    for code, lists in ((2, usage), (5, [([], BAD_INPUT)]), (1, [([], FAILED)])):
        for command, text in lists:
            for words in tries(text):
                check_refused(run(*command, *words, cwd=folder, input='', timeout=10), code)
                count += 1
    check(count > 350, count)
    check(sorted(os.listdir(folder)) == before, os.listdir(folder))
