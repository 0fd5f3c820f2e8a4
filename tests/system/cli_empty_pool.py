"""Large pages that the machine has none of are refused, with the command that grants them."""
import glob
import os

from fathom_test import check, check_refused, run

for page in ('2M', '1G'):
    done = run('latency', '--machine', 'sim:', '--page', page, '--max-size', '4M')
    check_refused(done, 3)

for kib, page in (('2048', '2M'), ('1048576', '1G')):
    pools = glob.glob(f'/sys/kernel/mm/hugepages/hugepages-{kib}kB/free_hugepages')
    if pools and int(open(pools[0], encoding='ascii').read()) > 0:
        continue  # somebody's pool, not ours to empty
    before = os.path.exists(pools[0]) if pools else None
    done = run('latency', '--page', page, '--max-size', '4M')
    check_refused(done, 3)
    if before:
        check('hugepages' in done.stderr.splitlines()[1], 'no command that grants it:', done.stderr)
