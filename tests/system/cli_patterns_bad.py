"""What makes no sense is refused in one line, before anything is measured."""
from fathom_test import MACHINE, check_refused, run

CASES = [
    (2, ['--stride', '0'], ("--stride", "'0'")),
    (2, ['--stride', '512M'], ('stride 512 MiB', 'larger than the size 256 MiB')),
    (2, ['--stride', '100'], ('stride 100 B', 'multiple')),
    (2, ['--size', '1K', '--stride', '2K'], ('stride 2 KiB', 'larger than the size')),
    (2, ['--steps', '0'], ('--steps', "'0'")),
    (2, ['--steps', 'many'], ('--steps', "'many'")),
    (2, ['--size', '256M..1K'], ('--size', 'reversed')),
    (2, ['--size', '1..1K,'], ('--size', "''")),
    (2, ['--size', '0'], ('--size', "'0'")),
    (2, ['--size', '1..2E', '--stride', '64'], ()),
    (2, ['--cold', 'frozen'], ('--cold', "'frozen'")),
    (2, ['--link', 'string'], ('--link', "'string'")),
    (2, ['--node', '3M'], ('3 MiB',)),
    (2, ['--ablate', '--decay'], ("'--ablate' and '--decay'",)),
    (2, ['--max-size', '1M'], ('--max-size',)),
    (3, ['--size', '1T'], ('1 TiB', 'the 8 GiB')),
    (3, ['--size', '5G', '--cold', 'mapped'], ('10.6 GiB', 'the 8 GiB')),
    (3, ['--page', '2M'], ()),
]
for code, options, words in CASES:
    done = run('patterns', *MACHINE, *options)
    check_refused(done, code, *words)
# What a study has no use for is not ignored.
for options, words in (
        (['--ablate', '--cold', 'flushed'], ("'--cold'", "'--ablate'")),
        (['--cold', 'none', '--ablate'], ("'--cold'", "'--ablate'")),
        (['--ablate', '--stride', '256'], ("'--stride'", "'--ablate'")),
        (['--decay', '--stride', '256'], ("'--stride'", "'--decay'")),
        (['--decay', '--cold', 'none'], ("'--cold none'", "'--decay'")),
        (['--decay', '--event', 'cycles'], ("'--event'", "'--decay'"))):
    check_refused(run('patterns', *MACHINE, *options), 2, *words)
check_refused(run('patterns', *MACHINE, '--size', ','.join(f'{n}K' for n in range(1, 66))), 2,
              '--size', 'more than 64')
