"""Options of which one would be taken in silence and the other not are refused, with a hint, before
anything is measured; what belongs together is not. --help is shown all the same."""
import os

from fathom_test import MACHINE, SWEEP, check, check_refused, document, run, scratch

with scratch() as folder:
    def place(name):
        return os.path.join(folder, name)

    CONFLICTS = [
        (['latency', '--json', '--csv'], "'--json' and '--csv'"),
        (['latency', '--csv', '--format', 'json'], "'--csv' and '--format'"),
        (['latency', '--format', 'json', '--format', 'csv'], "'--format' is given for two formats"),
        (['info', '--json', '--format', 'text'], "'--json' and '--format'"),
        (['info', '-o', place('a.json'), '-o', place('b.json')], 'given twice'),
        (['info', '-o', place('a.json'), '--output=-'], 'given twice'),
        (['latency', '--json', '-o', place('x.csv')], "'--json' cannot be used with '-o "),
        (['latency', '--csv', '-o', place('x.html')], "'--csv' cannot be used with '-o "),
        (['report', 'x.json', '--json', '-o', place('x.svg')], "'--json' cannot be used with '-o "),
        (['compare', 'x', 'y', '--csv', '-o', place('x.json')], "'--csv' cannot be used with '-o "),
        (['survey', '--quick', '--budget', '30s'], "'--quick' and '--budget'"),
        (['--budget', '15s', '--quick'], "'--quick' and '--budget'"),
        (['parallelism', '--size', '16K', '--max-size', '1M'], "'--max-size'"),
    ]
    for words, said in CONFLICTS:
        machine = MACHINE if words[0] in ('latency', 'parallelism', 'survey', 'info') else []
        check_refused(run(*machine, *words, timeout=30), 2, said)
        done = run(*words, '--help')
        check(done.returncode == 0 and 'Usage:' in done.stdout, words, done.stderr)
    # A list that names a value twice.
    REPEATED = [
        (['bandwidth', '--threads', 'all,all'], "--threads has 'all' twice"),
        (['bandwidth', '--threads', '1,2,1'], "--threads has '1' twice"),
        (['bandwidth', '--operation', 'read,copy,READ'], "--operation has 'READ' twice"),
        (['latency', '--size', '4K,8K,4k'], "--size has '4k' twice"),
        (['patterns', '--stride', '256,256'], "--stride has '256' twice"),
        (['patterns', '--pattern', 'sequential,reverse,sequential'], "'sequential' twice"),
        (['pages', '--page', '4K,thp,4K'], "--page has '4K' twice"),
        (['frequency', '--khz', '7,7'], "--khz has '7' twice"),
        (['fit', 'x', '--caches', '4K,4K'], "--caches has '4K' twice"),
        # The same value in another spelling.
        (['latency', '--size', '4K,4096'], "--size has '4096' twice"),
        (['latency', '--size', '1M,8K,1024k'], "--size has '1024k' twice"),
        (['latency', '--size', '1.5K,1536B'], "--size has '1536B' twice"),
        (['bandwidth', '--threads', '1,01'], "--threads has '01' twice"),
        (['patterns', '--stride', '0.5K,512'], "--stride has '512' twice"),
        (['frequency', '--khz', '2000000,02000000'], "--khz has '02000000' twice"),
        (['fit', 'x', '--caches', '32K,1M,0.03125M'], "--caches has '0.03125M' twice"),
    ]
    for words, said in REPEATED:
        check_refused(run(*words), 2, said)
    check_refused(run('latency', '--budget', '0.0000000001s'), 2, '--budget')
    check_refused(run('check', 'x.json', '--budget', '0.9ms'), 2, '--budget')
    check(not os.listdir(folder), os.listdir(folder))

    # The same twice, and what does not contradict.
    for words, name in ((['--json', '--format', 'json', '-o', place('a.json')], 'a.json'),
                        (['--json', '-o', place('b')], 'b'),
                        (['--format', 'benchmark', '-o', place('c.json')], 'c.json'),
                        (['-o', place('d.csv'), '-o', place('d.csv')], 'd.csv')):
        done = run('latency', *SWEEP, *words)
        check(done.returncode == 0 and os.path.getsize(place(name)) > 1000, words, done.stderr)

# Both are done: two orders, and no windows.
plan = document(run('latency', *SWEEP, '--pattern', 'both', '--no-control', '--dry-run', '--json'))
check({spec['pattern'] for spec in plan['specs']} == {'random_cycle', 'independent'}, plan['specs'])
check(run('latency', *SWEEP[:-1], '1ms').returncode in (0, 1), 'the least budget is refused')
