"""The examples in packaging/fleet run: Slurm's by a controller and a node daemon of our own, where Debian has
them; of the others their commands, on a simulated machine, and the form of the files."""
import ast
import json
import os
import re
import shutil
import socket
import subprocess
import time

from fathom_test import COMMAND, RANKS, SOURCE, check, scratch

FOLDER = os.path.join(SOURCE, 'packaging', 'fleet')
# In front of the command: a measurement is one of a small simulated machine.
STAND_IN = f'''#!/bin/sh
case $1 in
fleet) exec '{COMMAND}' "$@" ;;
esac
for word; do
	shift
	[ "$word" != --quick ] || continue
	set -- "$@" "$word"
done
exec '{COMMAND}' --machine sim:cpus=2,noise=0,outliers=0,drift=0 --max-size 32K --budget 4ms "$@"
'''
SLURM = '''ClusterName=test
SlurmctldHost={host}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/d.pid
SlurmctldPort={port}
SlurmdPort={port1}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/linear
NodeName={host} CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
'''


def shell(*command, folder, code=0, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in RANKS}
    environment |= {'PATH': f'{folder}:{environment["PATH"]}', 'LC_ALL': 'C', **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120,
                          check=False)
    check(done.returncode == code, command, 'exit code', done.returncode, done.stdout, done.stderr)
    return done.stdout


def read(name):
    with open(os.path.join(FOLDER, name), encoding='utf-8') as file:
        return file.read()


def check_document(path):
    with open(path, encoding='utf-8') as file:
        check(json.load(file)['schema'] == 'fathom/1', path)


def yaml_of(name):
    """By Debian's Python, which has its package; None: it has not."""
    script = 'import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))'
    done = subprocess.run(['/usr/bin/python3', '-c', script, os.path.join(FOLDER, name)], capture_output=True,
                          text=True, check=False)
    if 'ModuleNotFoundError' in done.stderr:
        print(f'{name} was not parsed: no python3-yaml')
        return None
    check(done.returncode == 0, name, done.stderr)
    return json.loads(done.stdout)


def free_port():
    with socket.socket() as one:
        one.bind(('', 0))
        return one.getsockname()[1]


def check_slurm(folder):
    if not all(map(shutil.which, ('slurmctld', 'slurmd', 'sbatch'))):
        shell('bash', '-n', os.path.join(FOLDER, 'slurm.sh'), folder=folder)
        print('slurm.sh was parsed, not run: no slurmctld, slurmd, sbatch')
        return
    host, path = socket.gethostname().partition('.')[0], os.path.join(folder, 'slurm.conf')
    for name in ('state', 'spool'):
        os.mkdir(os.path.join(folder, name))
    with open(path, 'w', encoding='utf-8') as file:
        file.write(SLURM.format(host=host, user=os.environ.get('USER', 'root'), folder=folder,
                                port=free_port(), port1=free_port(), cpus=os.cpu_count()))
    daemons = []
    try:
        for name in ('slurmctld', 'slurmd'):
            daemons.append(subprocess.Popen([name, '-D', '-f', path], stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL, env={**os.environ, 'SLURM_CONF': path}))
        deadline = time.monotonic() + 30
        while 'idle' not in subprocess.run(['sinfo', '-h', '-o', '%T'], capture_output=True, text=True, check=False,
                                           env={**os.environ, 'SLURM_CONF': path}).stdout:
            if time.monotonic() > deadline:
                print('slurm.sh was not run: the daemons do not work here')
                return
            time.sleep(0.2)
        job = shell('sbatch', '--parsable', '-o', 'job.out', os.path.join(FOLDER, 'slurm.sh'), 'runs',
                    folder=folder, SLURM_CONF=path).strip()
        state = ''
        while 'EndTime' not in state or 'RUNNING' in state or 'PENDING' in state:
            check(time.monotonic() < deadline + 60, state)
            time.sleep(0.2)
            state = shell('scontrol', 'show', 'job', '-o', job, folder=folder, SLURM_CONF=path)
        check('ExitCode=4:0' in state, state)  # one node is too few to be judged
        with open(os.path.join(folder, 'job.out'), encoding='utf-8') as file:
            said = file.read()
        check('1 node in 1 group' in said and 'no document' not in said, said)
        check(os.path.exists(os.path.join(folder, 'runs-fleet.json')), said)
        check_document(os.path.join(folder, 'runs', f'run.{socket.gethostname()}.json'))
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait(timeout=30)


def check_epilog(folder):
    """Measures once a day. Whatever Slurm is told goes to a file."""
    with open(os.path.join(folder, 'scontrol'), 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\necho "$@" >>scontrol.out\n')
    os.chmod(file.name, 0o755)
    epilog, run = os.path.join(FOLDER, 'slurm-epilog.sh'), os.path.join(folder, 'run.n1.json')
    how = {'FATHOM_FOLDER': folder, 'SLURMD_NODENAME': 'n1'}
    shell(epilog, folder=folder, FATHOM_REFERENCE='/nowhere', **how)
    check_document(run)
    before = os.stat(run).st_mtime_ns
    shell(epilog, folder=folder, FATHOM_REFERENCE=run, **how)
    check(os.stat(run).st_mtime_ns == before, 'it was measured again')
    os.utime(os.path.join(folder, 'tried'), (0, 0))
    shutil.copy(run, os.path.join(folder, 'reference.json'))
    shell(epilog, folder=folder, FATHOM_REFERENCE=os.path.join(folder, 'reference.json'), **how)
    check(os.stat(run).st_mtime_ns > before, 'it was not measured again')
    check(not os.path.exists(os.path.join(folder, 'scontrol.out')), 'it was drained')
    os.remove(os.path.join(folder, 'scontrol'))


def check_reframe(folder):
    """Its regular expressions, on what its last command prints."""
    tree = ast.parse(read('reframe_fathom.py'))
    words = {node.targets[0].id: ast.literal_eval(node.value) for node in ast.walk(tree)
             if isinstance(node, ast.Assign) and node.targets[0].id.isupper()}
    os.makedirs(os.path.join(folder, 'runs'))
    shutil.copy(os.path.join(folder, 'run.n1.json'), os.path.join(folder, 'runs'))
    text = shell('fathom', 'fleet', 'runs', folder=folder, code=4)
    check(re.search(words['NODES'], text, re.M)['nodes'] == '1', text)
    check(re.search(words['OUTLIERS'], text, re.M)['outliers'] == '0', text)
    with open(os.path.join(SOURCE, 'docs', 'fleet.md'), encoding='utf-8') as file:
        sample = file.read()  # with outliers
    check(re.search(words['NODES'], sample, re.M)['nodes'] == '29', words['NODES'])
    check(re.search(words['OUTLIERS'], sample, re.M)['outliers'] == '4', words['OUTLIERS'])


def check_kubernetes(folder):
    both = yaml_of('kubernetes.yaml')
    if both:
        script = both[0]['data']['measure.sh']
        mounts = {mount['name'] for mount in both[1]['spec']['template']['spec']['containers'][0]['volumeMounts']}
        check(mounts == {volume['name'] for volume in both[1]['spec']['template']['spec']['volumes']}, mounts)
        shell('sh', '-c', script, folder=folder)
        check_document(os.path.join(folder, f'run.{socket.gethostname()}.json'))


def check_ansible(folder):
    documents = yaml_of('ansible.yaml')
    if documents:
        plays = documents[0]
        names = {'binary': 'fathom', 'document': 'one.json'}
        command = next(task['ansible.builtin.command'] for task in plays[0]['tasks']
                       if 'ansible.builtin.command' in task)
        shell('sh', '-c', re.sub(r'{{ (\w+) }}', lambda name: names[name[1]], command), folder=folder)
        check_document(os.path.join(folder, 'one.json'))


def check_node_exporter(folder):
    shell(os.path.join(FOLDER, 'node-exporter.sh'), '.', folder=folder)
    with open(os.path.join(folder, 'fathom.prom'), encoding='utf-8') as file:
        lines = file.read().splitlines()
    label = r'\w+="(\\.|[^"\\])*"'
    sample = re.compile(rf'\w+({{{label}(,{label})*}})? ([-+0-9.e]+|NaN|[-+]Inf)')
    check(any(line.startswith('fathom_info{') for line in lines), lines[:3])
    for line in lines:
        check(line.startswith('#') or sample.fullmatch(line), line)


for name in os.listdir(FOLDER):
    check(read(name).count('\n') <= 40, name, 'is longer than 40 lines')
with scratch() as work:
    with open(os.path.join(work, 'fathom'), 'w', encoding='utf-8') as wrapper:
        wrapper.write(STAND_IN)
    os.chmod(wrapper.name, 0o755)
    check_epilog(work)
    check_reframe(work)
    check_kubernetes(work)
    check_ansible(work)
    check_node_exporter(work)
    shutil.rmtree(os.path.join(work, 'runs'))
    check_slurm(work)
