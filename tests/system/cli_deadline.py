"""--deadline: the command has ended by then, and what it had measured is a valid document; also where
something that it waits for never comes."""
import json
import os
import time

from fathom_test import MACHINE, check, check_refused, document, run, scratch

LATE_S = 10  # of a machine that is busy with other tests
ENDLESS = [*MACHINE, '--seed', '7', '--max-size', '4M', '--budget', '100000s', '--target', '0.0001%']


def run_until(deadline_s, *arguments):
    begun = time.monotonic()
    done = run(*arguments, '--deadline', f'{deadline_s}s')
    took_s = time.monotonic() - begun
    check(took_s < deadline_s + LATE_S, 'took', took_s, 's', arguments)
    check(done.returncode == 130 and 'by the deadline' in done.stderr, done.returncode, done.stderr)
    return done


def check_document(text):
    kept = json.loads(text)
    check(kept['interrupted'] is True, 'it does not say so')
    check(any(point['latency_ns'] for point in kept['curves'][0]['points']), 'nothing was kept')


check_document(run_until(4, 'latency', *ENDLESS, '--json').stdout)
with scratch() as folder:
    page, data = (os.path.join(folder, f'report.{ending}') for ending in ('html', 'json'))
    run_until(4, *ENDLESS, '--max-size', '256M', '-o', page)
    with open(data, encoding='utf-8') as file:
        check_document(file.read())
    check(os.path.getsize(page) > 0, 'no page')

    # A reader that never reads: the end comes all the same.
    pipe = os.path.join(folder, 'pipe.json')
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        while os.write(reader, bytes(4096)):
            pass
    except BlockingIOError:
        pass
    check('nothing was kept' in run_until(2, 'latency', *ENDLESS, '-o', pipe).stderr)
    os.close(reader)

    # What has nothing to keep ends at once.
    with open(data, 'w', encoding='utf-8') as file:
        file.write(run('latency', *MACHINE, '--max-size', '1M', '--budget', '1s', '--json').stdout)
    check(not run_until(0.1, 'check', data, *MACHINE, '--budget', '100000s').stdout, 'an answer')

# The budget is cut to what the deadline leaves; that of a simulated machine is no time of ours.
plan = document(run('latency', '--max-size', '64K', '--budget', '100s', '--deadline', '20s',
                    '--dry-run', '--json'))
check(10 < plan['budget_s'] < 18, plan['budget_s'])
plan = document(run('--quick', '--deadline', '15s', '--dry-run', '--json'))
check(8 < plan['budget_s'] < 12.8, plan['budget_s'])
plan = document(run('latency', *ENDLESS, '--deadline', '20s', '--dry-run', '--json'))
check(plan['budget_s'] == 100000, plan['budget_s'])
done = run('latency', '--size', '4K,16K', '--budget', '100s', '--deadline', '5s', '--no-wait', '--json')
check(done.returncode in (0, 130), done.returncode, done.stderr)
check(len(json.loads(done.stdout)['curves'][0]['points']) == 2, done.stdout)
check_refused(run('--deadline', '0s'), 2, '--deadline')
check_refused(run('latency', '--deadline', 'soon'), 2, '--deadline', 'soon')
