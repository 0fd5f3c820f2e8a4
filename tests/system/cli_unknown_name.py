"""A value that is not one of the possible ones: they are listed, and the nearest one offered."""
from fathom_test import check, check_refused, run

CASES = [
    ('--pattern', 'randomcycle', ['random_cycle', 'independent', 'window'], 'random_cycle'),
    ('--pattern', 'line_pair', ['sequential'], None),
    ('--link', 'indx32', ['pointer', 'index32'], 'index32'),
    ('--page', '3M', ['default', '4k', 'thp', '2m', '1g', '16k', '1m'], None),
    ('--y', 'cycle', ['ns', 'cycles', 'throughput'], 'cycles'),
    ('--color', 'purple', ['auto', 'always', 'never'], None),
]
for option, value, possible, nearest in CASES:
    done = run('latency', option, value)
    check_refused(done, 2, option, f"'{value}'")
    for name in possible:
        check(name in done.stderr.splitlines()[1], name, 'is not offered:', done.stderr)
    if nearest:
        check(f"did you mean '{nearest}'" in done.stderr, done.stderr)
