"""More than the machine's memory is refused before anything is mapped."""
from fathom_test import check_refused, run

check_refused(run('latency', '--max-size', '200T'), 3)
check_refused(run('latency', '--max-size', '200T', '--page', 'thp'), 3)
check_refused(run('latency', '--max-size', '200T', '--dry-run', '--json'), 3)
check_refused(run('latency', '--machine', 'sim:memory=64M', '--max-size', '1G'), 3, '64 MiB')
