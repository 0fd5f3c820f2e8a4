"""fathom-mpi gathers the documents of the ranks that answer into one fleet, names the others, and waits for
none of them longer than it said: one that fails, one that is stopped, one that is killed, one whose document is
damaged."""
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from fathom_test import COMMAND, RANKS, become_ordinary, check, need_tool, run, scratch

MPIRUN = [need_tool('mpirun'), '--oversubscribe']
SHORT = ['latency', '--machine', 'sim:', '--seed', '7', '--size', '4K,16K', '--budget', '1s', '-q']
ENDLESS = ['latency', '--machine', 'sim:', '--seed', '7', '--max-size', '4M', '--budget', '100000s', '--target',
           '0.0001%', '-q']


def start(folder, ranks, deadline, output=None, switches=None):
    """A rank for each list of what fathom is to do; all write to one folder. `output` is theirs, and gets the
    fleet. `switches`: of each rank, as Slurm names them."""
    common = ['--fathom', COMMAND, '--deadline', deadline, '--keep', os.path.join(folder, 'kept')]
    if not output:
        common += ['-o', os.path.join(folder, 'fleet.json')]
    shell = ['sh', '-c', f'exec "$0" "$@" > {output}'] if output else []
    command = [*MPIRUN, *(['--allow-run-as-root'] if os.getuid() == 0 else [])]
    for rank, words in enumerate(ranks):
        place = ['env', f'SLURM_TOPOLOGY_ADDR={switches[rank]}.node{rank}'] if switches else []
        command += [*([':'] if rank else []), '-n', '1', *place, *shell, sys.argv[1], *common, *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**{name: value for name, value in os.environ.items() if name not in RANKS},
                                 'FLEET_TEST': folder},
                            preexec_fn=become_ordinary)


def instead(folder, script):
    """What is run for fathom."""
    path = os.path.join(folder, f'script{len(os.listdir(folder))}')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'#!/bin/sh\ncd {folder}\n{script}\n')
    os.chmod(path, 0o755)
    return ['--fathom', path]


def hanging(folder):
    """A measurement that neither ends nor has anything to keep."""
    return instead(folder, 'exec sleep 600')


def write_document(folder):
    with open(os.path.join(folder, 'document'), 'w', encoding='utf-8') as file:
        file.write(run(*SHORT, '--json').stdout)


def end(job, folder, code):
    output, said = job.communicate(timeout=120)
    check(job.returncode == code, 'exit code', job.returncode, 'instead of', code, output, said)
    with open(os.path.join(folder, 'fleet.json'), encoding='utf-8') as file:
        fleet = json.load(file)
    check(fleet['schema'] == 'fathom-fleet/1', fleet)
    names = sorted(os.listdir(os.path.join(folder, 'kept')))
    check(len(names) == fleet['documents'] == len(fleet['nodes']), names, fleet['documents'])
    for name in names:
        with open(os.path.join(folder, 'kept', name), encoding='utf-8') as file:
            check(json.load(file)['schema'] == 'fathom/1', name)
    return fleet, said


def read(folder, name):
    with open(os.path.join(folder, name), encoding='utf-8') as file:
        return file.read()


def missing_ranks(fleet):
    return {node['host'].rpartition('.')[2]: node['reason'] for node in fleet['missing']}


def wait_for(what):
    deadline = time.monotonic() + 60
    while not what():
        check(time.monotonic() < deadline, 'it does not come')
        time.sleep(0.02)


def wait_for_two(folder):
    """Their documents have come; the others are under way."""
    kept = os.path.join(folder, 'kept')
    wait_for(lambda: os.path.isdir(kept) and
             len([name for name in os.listdir(kept) if name.endswith('.json')]) == 2)


def pid_of(folder, rank):
    """Of the rank itself, and not of the fathom that it runs."""
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{pid}/environ', 'rb') as file:
                variables = file.read().split(b'\0')
            if (b'OMPI_COMM_WORLD_RANK=%d' % rank in variables and
                    os.path.realpath(f'/proc/{pid}/exe') == os.path.realpath(sys.argv[1])
                    and os.fsencode(f'FLEET_TEST={folder}') in variables):
                return int(pid)
        except (PermissionError, FileNotFoundError, ProcessLookupError):
            pass
    return None


def signal_rank(folder, rank, number):
    os.kill(pid_of(folder, rank), number)


def check_refused(words, code, *expected):
    done = subprocess.run([sys.argv[1], *words], capture_output=True, text=True, timeout=60, check=False)
    check(done.returncode == code and all(word in done.stderr for word in expected), done.returncode, done.stderr)


def one_fails(folder):
    """One fails; they take turns."""
    job = start(folder, [[*SHORT, '--stagger', 'host'], [*SHORT, '--stagger', 'host'], ['latency', '--no-such']],
                '60s')
    fleet, said = end(job, folder, 4)
    check(fleet['documents'] == 2, fleet)
    check(list(missing_ranks(fleet)) == ['2'] and 'no-such' in missing_ranks(fleet)['2'], fleet['missing'])
    check('.2: ' in said, said)


def two_hang(folder):
    """One is stopped, and of one the measurement hangs: the others can end."""
    job = start(folder, [SHORT, SHORT, ENDLESS, hanging(folder)], '8s')
    wait_for_two(folder)
    signal_rank(folder, 2, signal.SIGSTOP)
    fleet, said = end(job, folder, 4)
    missing = missing_ranks(fleet)
    check(fleet['documents'] == 2 and sorted(missing) == ['2', '3'], fleet['missing'])
    check('no answer' in missing['2'] and 'did not end' in missing['3'], missing)


def one_is_killed(folder):
    """Two have answered; one is stopped, and one is killed, with which mpirun ends all."""
    job = start(folder, [SHORT, SHORT, hanging(folder), ENDLESS], '60s')
    wait_for_two(folder)
    signal_rank(folder, 2, signal.SIGSTOP)
    signal_rank(folder, 3, signal.SIGKILL)
    fleet, said = end(job, folder, 128 + signal.SIGKILL)
    check(fleet['documents'] == 2 and sorted(missing_ranks(fleet)) == ['2', '3'], fleet['missing'])


def they_take_turns(folder):
    """Enough to be judged, one after the other; beside the fleet nobody's file is touched."""
    write_document(folder)
    with open(os.path.join(folder, 'mine'), 'w', encoding='utf-8') as file:
        file.write('mine')
    os.symlink('mine', os.path.join(folder, 'fleet.json.part'))
    turn = instead(folder, 'echo begun >> turns; sleep 0.1; cat document; echo ended >> turns')
    end(start(folder, [[*turn, '--stagger', 'host']] * 8, '60s'), folder, 0)
    check(read(folder, 'turns') == 'begun\nended\n' * 8, read(folder, 'turns'))
    check(read(folder, 'mine') == 'mine' and read(folder, 'fleet.json.part') == 'mine')
    check(not [name for name in os.listdir(folder) if name.endswith('.part') and name != 'fleet.json.part'])


def switches_take_turns(folder):
    """One after the other on each switch, and both switches at once: each waits until the other has begun."""
    write_document(folder)
    turn = instead(folder, 'switch=${SLURM_TOPOLOGY_ADDR%%.*}; echo begun >> turns.$switch\n'
                           'until [ -e turns.s0 ] && [ -e turns.s1 ]; do sleep 0.02; done\n'
                           'cat document; echo ended >> turns.$switch')
    end(start(folder, [[*turn, '--stagger', 'switch']] * 8, '60s', switches=['s0', 's1'] * 4), folder, 0)
    for name in ('turns.s0', 'turns.s1'):
        check(read(folder, name) == 'begun\nended\n' * 4, read(folder, name))


def all_take_turns(folder):
    """One after the other, whatever switch they are on."""
    write_document(folder)
    turn = instead(folder, 'echo begun >> turns; sleep 0.1; cat document; echo ended >> turns')
    end(start(folder, [[*turn, '--stagger', 'all']] * 8, '60s', switches=['s0', 's1'] * 4), folder, 0)
    check(read(folder, 'turns') == 'begun\nended\n' * 8, read(folder, 'turns'))


def one_is_damaged(folder):
    """Eight have answered; the document of one is damaged."""
    write_document(folder)
    job = start(folder, [instead(folder, 'cat document')] * 8 + [instead(folder, 'echo no document')], '60s')
    output, said = job.communicate(timeout=120)
    fleet = json.loads(read(folder, 'fleet.json'))
    check(job.returncode == 4 and fleet['documents'] == 8, job.returncode, said)
    check([node['file'].rpartition('.')[2] for node in fleet['damaged']] == ['8'] and '.8: ' in said, said)


def too_few_to_be_judged(folder):
    """They are too few to be judged; what one says has no newline, and would steer a terminal."""
    write_document(folder)
    job = start(folder, [instead(folder, 'cat document'), instead(folder, r"printf 'no\033' >&2; exit 1")], '60s')
    fleet, said = end(job, folder, 4)
    check(missing_ranks(fleet) == {'1': 'no\x1b'} and r'.1: no\x1b' in said and '\x1b' not in said, said)
    check('no group has enough' in said, said)


def rank_0_is_late(folder):
    """Rank 0 is held up until all are late; more documents have come than it takes at once."""
    write_document(folder)
    late = instead(folder, 'touch begun.$$; sleep 2; cat document')
    job = start(folder, [late] * 36, '8s')
    wait_for(lambda: sum(name.startswith('begun') for name in os.listdir(folder)) == 36)
    signal_rank(folder, 0, signal.SIGSTOP)
    time.sleep(14)
    signal_rank(folder, 0, signal.SIGCONT)
    fleet, said = end(job, folder, 0)
    check(fleet['documents'] == 36 and not fleet['missing'], fleet['missing'])


def nowhere_to_write(folder):
    """Where the fleet cannot be written."""
    write_document(folder)
    job = start(folder, [instead(folder, 'cat document')], '60s', output='/dev/full')
    said = job.communicate(timeout=120)[1]
    check(job.returncode == 1 and 'cannot write to standard output' in said, job.returncode, said)


def in_own_folder(job):
    with scratch() as folder:
        job(folder)


check_refused(['--stagger', 'rack'], 2, 'rack')
check_refused(['--deadline'], 2, '--deadline')
check_refused(['--budget', '20s'], 2, '--budget')
check_refused(['-o', 'fleet.csv'], 2, 'fleet.csv')
# Two at a time, as they wait for most of it; the longest first.
with ThreadPoolExecutor(2) as pool:
    for result in [pool.submit(in_own_folder, job) for job in (
            rank_0_is_late, two_hang, one_is_killed, they_take_turns, switches_take_turns, all_take_turns,
            one_is_damaged, one_fails, too_few_to_be_judged, nowhere_to_write)]:
        result.result()
