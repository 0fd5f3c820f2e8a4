"""fathom frequency: runs that do not go together, and options that make no sense, are refused in one
line."""
import json
import os
import shutil

from fathom_test import check, check_refused, document, run, scratch

SIMULATED = 'sim:l1=8K/8/lru/4c,l2=off,mem=20c+30ns,dtlb=off,placement=even'


def measure(clock, *options):
    return document(run('latency', '--machine', f'{SIMULATED},clock={clock}', '--json', '--seed',
                        '5', '--max-size', '32K', '--per-octave', '2', '--budget', '1s',
                        '--no-control', *options))


with scratch() as folder:
    def write(name, content):
        path = os.path.join(folder, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    slow_run = measure('2G')
    slow = write('slow.json', slow_run)
    fast = write('fast.json', measure('4G'))
    cycles = write('cycles.csv', 'size,cycles\n1024,4\n2048,4\n4096,4\n')
    other = write('other.csv', 'size,ns\n1000,2\n3000,2\n')
    ns = write('ns.csv', 'size,ns\n1024,2\n2048,2\n4096,2\n')
    one = write('one.csv', 'size,ns\n1024,2\n')
    check(run('frequency', slow, fast).returncode == 0, 'two good runs are refused')

    # The files: 5.
    check_refused(run('frequency', slow, slow), 2, 'the same file')
    link = os.path.join(folder, 'link.json')
    os.symlink(slow, link)
    check_refused(run('frequency', slow, link), 2, 'the same file')
    copy = os.path.join(folder, 'copy.json')
    shutil.copy(slow, copy)
    check_refused(run('frequency', slow, copy), 2, 'hold the same measurement')
    check_refused(run('frequency', slow, fast, '--clock', '2G,2G'), 2, 'the same clock (2 GHz in both)')
    check_refused(run('frequency', slow, fast, '--clock', '2G,2.01G'), 2, 'too close')
    again = write('again.json', measure('2G', '--seed', '6'))
    check_refused(run('frequency', slow, again), 5, 'too close')
    # The clocks swapped: the first cache would be slower at the higher clock.
    check_refused(run('frequency', slow, fast, '--clock', '4G,2G'), 2, 'slower at')
    check_refused(run('frequency', other, ns, '--clock', '2G,3G'), 5, 'no size in common')
    check_refused(run('frequency', cycles, ns), 5, 'run 1 is in cycles')
    check_refused(run('frequency', ns, cycles), 5, 'run 2 is in cycles')
    check_refused(run('frequency', one, slow), 5, 'the clock of run 1 is not known')
    half = write('half.json', json.dumps(slow_run)[:2000])
    check_refused(run('frequency', half, fast), 5, 'half.json', 'not valid JSON')
    future = write('future.json', {**slow_run, 'schema': 'fathom/2'})
    check_refused(run('frequency', fast, future), 5, 'future.json', "'fathom/1'")
    empty = write('empty.json', {**slow_run, 'curves': [], 'levels': [], 'hypotheses': []})
    check_refused(run('frequency', empty, fast), 5, 'run 1 has no latency curve')
    over = write('over.txt', 'block size : single random read / dual random read\n'
                 '      1024 :    0.0 ns          /     0.0 ns\n'
                 '      2048 :    1.0 ns          /     2.0 ns\n')
    check_refused(run('frequency', slow, over), 5, 'relative to L1')
    check_refused(run('frequency', slow, os.path.join(folder, 'none')), 5, 'none')
    # Nothing is left where the answer was to go.
    out = os.path.join(folder, 'out.json')
    check_refused(run('frequency', slow, again, '-o', out), 5)
    check(not os.path.exists(out), 'an answer was left behind')

    # Bad usage: 2.
    check_refused(run('frequency', slow), 2, 'needs two runs')
    check_refused(run('frequency', slow, fast, '--clock', '2G'), 2, '1 clock for 2 files')
    check_refused(run('frequency', slow, fast, '--clock', '2,4'), 2, "'2'")
    check_refused(run('frequency', slow, fast, '--khz', '1000,2000'), 2, '--khz')
    check_refused(run('frequency', slow, fast, '--machine', SIMULATED), 2, '--machine')
    check_refused(run('frequency', slow, fast, '--dry-run'), 2, '--dry-run')
check_refused(run('frequency', '--clock', '2G'), 2, '--clock')
check_refused(run('frequency', '--machine', SIMULATED, '--khz', '2000000'), 2, 'two clocks')
check_refused(run('frequency', '--machine', SIMULATED, '--khz', '7,7'), 2, "'7' twice")
check_refused(run('frequency', '--machine', SIMULATED, '--khz', '7,x'), 2, "'x'")
check_refused(run('frequency', '--machine', SIMULATED, '--khz', '1,2'), 5, "'clock=0.001M'")

# A machine without control of its clock says so, and what to do; nothing is set on one that has it.
done = run('frequency', '--dry-run')
if done.returncode:
    check_refused(done, 3, 'cannot be set')
    check('fathom frequency RUN_A RUN_B' in done.stderr, 'no way out is shown:', done.stderr)

# A plan of it is for different clocks: it is not measured at one of them.
plan = document(run('frequency', '--machine', 'sim:mem=61c+78ns', '--khz', '2000000,3500000',
                    '--max-size', '64K', '--dry-run', '--json'))
check(plan['experiment'] == 'frequency' and plan['budget_s'] == 60, plan['experiment'])
check_refused(run('run', '-', input=json.dumps(plan)), 2, 'different clocks')
