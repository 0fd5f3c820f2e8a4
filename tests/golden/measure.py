"""Measures the documents of this folder anew, on simulated machines.

    measure.py FATHOM [NAME...]

For those who need a document with what fathom has learnt since; `make golden` does not call it."""
import os
import shlex
import subprocess
import sys

# Two caches and memory: few sizes suffice.
SMALL = 'sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,mem=80ns'
STEADY = SMALL + ',outliers=0'

COMMANDS = {
    # Along the sizes.
    'latency': f'latency --max-size 2M --per-octave 2 --budget 1s --seed 1 --machine {STEADY}',
    'latency-both': 'latency --max-size 1M --per-octave 2 --pattern both --budget 1s --seed 2 '
                    f'--machine {STEADY},os_l2=1M',
    'latency-node': 'latency --max-size 512K --per-octave 1 --node 128 --link index32 --page thp '
                    f'--budget 500ms --seed 3 --machine {STEADY}',
    'latency-short': 'latency --max-size 1M --per-octave 2 --no-control --budget 20ms --seed 4 '
                     f'--machine {SMALL},noise=20%,disturb=20%:20us',
    'latency-no-clock': 'latency --max-size 1M --per-octave 1 --budget 500ms --seed 5 '
                        f'--machine {STEADY},no_clock',
    'latency-three-caches': 'latency --max-size 4M --per-octave 2 --budget 4s --seed 6 --machine '
                            'sim:l1=8K/8/lru/4c,l2=64K/8/plru/14c,l3=512K/16/lru/20ns,mem=90ns,'
                            'os_l3=8M,outliers=0',
    # What caches keep beside others.
    'settled': 'latency --settled --size 64K,256K,2M --budget 3s --seed 25 --machine '
               f'{STEADY.replace("l3=off", "l3=512K/16/random/40c")},neighbours=40ns',
    # Rows of patterns.
    'patterns': f'patterns --size 1M --budget 1s --seed 7 --machine {STEADY},stride=8,adjacent=on',
    'patterns-sizes': 'patterns --size 8K,1M --budget 500ms --seed 8 '
                      f'--machine {STEADY},stride=8',
    'patterns-ablation': 'patterns --size 1M --ablate --budget 1s --seed 9 '
                         f'--machine {STEADY},stride=8,adjacent=on',
    'patterns-decay': f'patterns --size 512K --decay --budget 1s --seed 10 --machine {STEADY}',
    # Along the lanes and threads.
    'parallelism': 'parallelism --size 8K,1M --lanes 16 --budget 1s --seed 11 '
                   f'--machine {STEADY},misses=8/20,walkers=2,bandwidth=64c/32c/8G',
    'bandwidth': 'bandwidth --size 8K,1M --threads 1,2,4 --budget 300ms --seed 12 '
                 f'--machine {STEADY},cpus=4,bandwidth=64c/32c/12G',
    'bandwidth-short': 'bandwidth --size 8K,1M --operation read,copy --threads 2 --budget 15ms '
                       f'--seed 13 --machine {SMALL},cpus=2,noise=20%',
    # Pages, clocks, and all together.
    'pages': f'pages --max-size 4M --per-octave 2 --budget 800ms --seed 14 --machine {STEADY},'
             'dtlb=16/4/lru/0c,stlb=128/8/lru/7c',
    'pages-host': 'pages --max-size 2M --per-octave 1 --budget 300ms --seed 15 '
                  f'--machine {SMALL},host=4K,dtlb=16/4/lru/0c,stlb=64/4/lru/7c',
    'frequency': 'frequency --max-size 2M --per-octave 2 --khz 2000000,3500000 --budget 2s '
                 f'--seed 16 --machine {STEADY},placement=even',
    'survey': 'survey --no-report --max-size 512K --budget 1s --seed 17 '
              f'--machine {STEADY},misses=8/20,cpus=2,bandwidth=64c/32c/12G',
    # Kinds of core, and NUMA nodes.
    'latency-kinds': 'latency --cpu kinds --max-size 512K --per-octave 1 --no-control --budget '
                     f'500ms --seed 18 --machine {STEADY},cpus=4,kind=2-3:clock=2G:l2=64K/8/lru/9c',
    'nodes': f'cores --nodes --size 1M --budget 500ms --seed 19 --machine {STEADY},'
             'cpus=2x1x2x1,node_mem=80ns/130ns/200ns+130ns/80ns/210ns,'
             'node_bandwidth=8G/4G/2G+4G/8G/2G,node_memory=1G/1G/2G',
    # Traffic, which memory's own counters see, too.
    'loaded-counted': 'loaded --traffic reads,1:1 --page thp --size 4M --seed 26 --machine '
                      f'{STEADY},cpus=4,memory_counters=on,other_traffic=4G',
    # What they are compared with and read beside.
    'latency-again': 'latency --max-size 2M --per-octave 2 --budget 1s --seed 21 '
                     f'--machine {STEADY},seed=2',
    'latency-2ghz': 'latency --max-size 256K --per-octave 1 --no-control --budget 500ms --seed 23 '
                    f'--machine {STEADY},clock=2G',
    'latency-4ghz': 'latency --max-size 256K --per-octave 1 --no-control --budget 500ms --seed 24 '
                    f'--machine {STEADY},clock=4G',
    'latency-slower': 'latency --max-size 2M --per-octave 2 --budget 1s --seed 22 '
                      f'--machine {STEADY.replace("14c", "16c")},seed=3',
    # What is made of another tool's file.
    'core-to-core': 'fit cores.csv',
    'loaded': 'fit loaded.csv',
}


def measure(fathom, name):
    command = ['fathom', *shlex.split(COMMANDS[name]), '--json', '--quiet']
    documents = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'documents')
    done = subprocess.run(command, executable=os.path.abspath(fathom), cwd=documents,
                          stdout=subprocess.PIPE, check=True)
    path = os.path.join(documents, name + '.json')
    with open(path, 'wb') as file:
        file.write(done.stdout)


if __name__ == '__main__':
    for document in sys.argv[2:] or COMMANDS:
        measure(sys.argv[1], document)
