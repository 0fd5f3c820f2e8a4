"""Every document that the commands print keeps the invariants of a result, is read and written again
byte for byte, and fits to what it was; so do the documents made by hand that are whole.

    documents.py CHECK_DOCUMENTS PRINT_SAMPLE"""
import os
import subprocess
import sys

from fathom_test import check, run, scratch

# One machine as quiet as can be, one with noise, a clock that moves, outliers, and time that is stolen
# from every fifth call; small runs, so that each is over in a second.
QUIET = 'sim:cpus=2,noise=0,outliers=0,drift=0'
DISTURBED = 'sim:cpus=2,disturb=20%:20us'
COMMANDS = [
    ('latency', '--max-size', '4M', '--budget', '40ms'),
    ('latency', '--max-size', '1M', '--pattern', 'both', '--samples', '--budget', '20ms'),
    ('latency', '--max-size', '1M', '--node', '128', '--link', 'index32', '--budget', '20ms'),
    ('pages', '--max-size', '4M', '--budget', '150ms'),
    ('patterns', '--size', '1M', '--steps', '5000', '--budget', '150ms'),
    ('patterns', '--size', '64K', '--ablate', '--budget', '100ms'),
    ('patterns', '--size', '256K', '--decay', '--budget', '60ms'),
    ('parallelism', '--size', '16K,4M', '--lanes', '4', '--budget', '60ms'),
    ('bandwidth', '--size', '64K,1M', '--budget', '20ms'),
    ('survey', '--no-report', '--max-size', '1M', '--budget', '20ms'),
    ('frequency', '--max-size', '256K', '--khz', '2000000,3000000', '--budget', '150ms'),
]
SAMPLES = ['result', 'poor-result', 'levels-result', 'foreign-result', 'cycles-result',
           'parallelism-result', 'pages-result', 'clocks-result']

with scratch() as folder:
    made = []
    for machine in (QUIET, DISTURBED):
        for number, command in enumerate(COMMANDS):
            path = os.path.join(folder, f'{len(machine)}-{number}-{command[0]}.json')
            done = run(*command, '--machine', machine, '--seed', str(number), '-q', '-o', path)
            # Storms may take all of a budget.
            check(done.returncode in (0, 3) if machine == DISTURBED else done.returncode == 0,
                  command, done.stderr)
            if done.returncode == 0:
                made.append(path)
    check(len(made) > 1.5 * len(COMMANDS), made)
    done = subprocess.run([sys.argv[1], *made], capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stdout)

    samples = []
    for name in SAMPLES:
        samples.append(os.path.join(folder, name + '.json'))
        with open(samples[-1], 'wb') as file:
            subprocess.run([sys.argv[2], name, 'json'], stdout=file, check=True)
    done = subprocess.run([sys.argv[1], '--made-by-hand', *samples], capture_output=True, text=True,
                          check=False)
    check(done.returncode == 0, done.stdout)

    # The checker bites.
    with open(made[0], encoding='utf-8') as file:
        text = file.read()
    with open(made[0], 'w', encoding='utf-8') as file:
        file.write(text.replace('"confidence": ', '"confidence": 0'))
    done = subprocess.run([sys.argv[1], made[0]], capture_output=True, text=True, check=False)
    check(done.returncode == 1 and made[0] in done.stdout, done.stdout)
