"""A full device or a file over its limit is a failure, told, with nothing left behind."""
import os
import resource

from fathom_test import SWEEP, check, check_refused, run, scratch


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))


for arguments in (['latency', *SWEEP, '--json'], ['info'], ['help'], ['--version']):
    with open('/dev/full', 'w', encoding='utf-8') as full:
        check_refused(run(*arguments, stdout=full), 1, 'standard output')

with scratch() as folder:
    path = os.path.join(folder, 'result.json')
    check_refused(run('latency', *SWEEP, '-o', path, prepare=limit_files), 1, path)
    check(not os.listdir(folder), os.listdir(folder))
