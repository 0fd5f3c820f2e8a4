"""A plan that is none, that was cut or that asks for what cannot be is refused."""
import json
import os

from fathom_test import SWEEP, check, check_refused, run, scratch

with scratch() as folder:
    path = os.path.join(folder, 'plan.json')

    def refuse(text, *words):
        with open(path, 'w', encoding='utf-8', errors='surrogateescape') as file:
            file.write(text)
        check_refused(run('run', path), 5, *words)

    good = run('latency', *SWEEP, '--dry-run', '--json')
    check(good.returncode == 0, good.stderr)
    refuse('')
    refuse('not json')
    refuse('[]')
    refuse('{}')
    refuse('"text"')
    refuse('\udcff\udcfe')
    refuse('[' * 100000)
    for cut in (1, 10, len(good.stdout) // 2, len(good.stdout) - 10):
        refuse(good.stdout[:cut])

    def refuse_with(change):
        plan = json.loads(good.stdout)
        change(plan)
        refuse(json.dumps(plan))

    refuse_with(lambda plan: plan.update(schema='other/1'))
    refuse_with(lambda plan: plan.update(specs='none'))
    refuse_with(lambda plan: plan.update(budget_s='long'))
    refuse_with(lambda plan: plan.update(budget_s=-1))
    refuse_with(lambda plan: plan['specs'][0].update(pattern='zigzag'))
    refuse_with(lambda plan: plan['specs'][0].update(size_bytes=-5))
    refuse_with(lambda plan: plan['specs'][0].update(size_bytes=1e300))
    refuse_with(lambda plan: plan['specs'][0].pop('size_bytes'))
    check_refused(run('run', path + '.missing'), 5, path + '.missing')
    check_refused(run('run', folder), 5, folder)
    check(os.listdir(folder) == ['plan.json'], os.listdir(folder))
