"""What makes no sense is refused in one line, before anything is measured."""
from fathom_test import MACHINE, check_refused, run

for code, options, words in (
        (2, ['--lanes', '0'], ('--lanes', "'0'", 'between 2 and 64')),
        (2, ['--lanes', '1'], ('--lanes', "'1'")),
        (2, ['--lanes', '1000'], ('--lanes', "'1000'")),
        (2, ['--lanes', 'many'], ('--lanes', "'many'")),
        (2, ['--size', '1K'], ('size 1 KiB', 'too few nodes for 17 lanes')),
        (2, ['--size', '64K..1K'], ('--size', 'reversed')),
        (2, ['--size', '4K', '--spacing', '4', '--link', 'pointer'],
         ('--spacing', '--link pointer')),
        (2, ['--lane-store', 'heap'], ('--lane-store', "'heap'")),
        (2, ['--pattern', 'random_cycle'], ('--pattern',)),
        (3, ['--size', '1T'], ('1 TiB', 'the 8 GiB')),
        (3, ['--size', '5G'], ('5 GiB', '10 GiB in total', 'the 8 GiB')),
        (3, ['--page', '2M'], ())):
    check_refused(run('parallelism', *MACHINE, *options), code, *words)
