"""Pairs of many simulated CPUs: few tell the classes, in bounded time."""
import json

from fathom_test import check, run


def cores(machine, *words):
    done = run('cores', '--machine', machine, '--pairs-only', '--json', *words)
    check(done.returncode == 0, machine, 'exit code', done.returncode, done.stderr)
    return json.loads(done.stdout)


many = cores('sim:cpus=2x8x8x2,numbering=shuffled')
pairs = [pair for pair in many['curves'][0]['pairs'] if pair['home'] == 'a']
check(len(pairs) < 256 * 255 / 2 / 4, len(pairs))
check([one['members'] and len(one['members']) for one in many['core_classes']] == [128, 16, 2, 1],
      many['core_classes'])
every = cores('sim:cpus=1x5x16x1', '--all-pairs')
check(sum(one['pairs'] for one in every['core_classes']) == 80 * 79 / 2, every['core_classes'])
check(cores('sim:cpus=16')['elapsed_s'] <= 2, 'over 2 s')
check(cores('sim:cpus=2x4x8x2', '--all-pairs')['elapsed_s'] <= 30, 'over 30 s')
check(cores('sim:cpus=2x12x12x2')['elapsed_s'] <= 60, 'over 60 s')
short = cores('sim:cpus=2x4x8x2', '--all-pairs', '--budget', '2s')
check('pairs-left-out' in [warning['id'] for warning in short['warnings']], short['warnings'])

# A survey measures them where there are two CPUs.
survey = json.loads(run('survey', '--machine', 'sim:cpus=2,l3=off,l2=256K/8/lru/14c', '--max-size', '1M',
                        '--budget', '1s', '--no-report', '--json').stdout)
check([one['kind'] for one in survey['core_classes']] == ['same_cache'] and survey['cpus'],
      survey['core_classes'])
