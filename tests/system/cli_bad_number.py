"""Sizes, times and counts that make no sense are refused with the option's name."""
from fathom_test import check_refused, run

CASES = [
    ('--max-size', '12Q'), ('--max-size', '0'), ('--max-size', '-1'), ('--max-size', ''),
    ('--min-size', '0'), ('--node', '0'), ('--window', 'x'), ('--per-octave', '0'),
    ('--per-octave', '65'), ('--per-octave', 'x'), ('--laps', '0'), ('--budget', '0'),
    ('--budget', '5 parsecs'), ('--target', '0'), ('--target', '200%'), ('--seed', '-1'),
    ('--seed', 'x'), ('--seed', '99999999999999999999'), ('--cpu', '-1'), ('--cpu', '1x'),
]
for option, value in CASES:
    check_refused(run('latency', option, value), 2, option, f"'{value}'")
check_refused(run('latency', '--min-size', '1M', '--max-size', '64K'), 2)
check_refused(run('latency', '--spacing', '7'), 2)
check_refused(run('latency', '--node', '1'), 2, '--node')
check_refused(run('latency', '--pattern', 'random_cycle', '--window', '128K'), 2, 'window')
