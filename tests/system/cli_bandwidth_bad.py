"""What makes no sense, or what this machine lacks, is refused in one line, before anything is
measured."""
from fathom_test import MACHINE, check, check_refused, document, run

CASES = [
    (2, ['--threads', '0'], ('--threads', "'0'")),
    (2, ['--threads', 'some'], ('--threads', "'some'")),
    (2, ['--threads', '1,,2'], ('--threads', "''")),
    (2, ['--threads', '65537'], ('--threads', "'65537'")),
    (2, ['--threads', ','.join(map(str, range(1, 66)))], ('--threads', 'more than 64')),
    (2, ['--threads', '2'], ('2 threads',)),
    (2, ['--size', '63'], ('size 63 B',)),
    (2, ['--size', '64'], ('copy', 'one to write')),
    (2, ['--size', '64', '--operation', 'copy'], ('copy', 'one to write')),
    (2, ['--size', '8K..1K'], ('--size', 'reversed')),
    (2, ['--operation', 'raed'], ('--operation', "'raed'")),
    (2, ['--operation', ''], ('--operation', "''")),
    (2, ['--operation', 'reverse'], ('--operation', "'reverse'")),
    (2, ['--width', 'avx9'], ('--width', "'avx9'")),
    (2, ['--width', '192'], ('--width', "'192'")),
    (2, ['--target', '0'], ('--target',)),
    (2, ['--node', '64'], ('--node',)),
    (3, ['--size', '1T'], ('1 TiB', 'the 8 GiB')),
]
for code, options, words in CASES:
    check_refused(run('bandwidth', *MACHINE, *options), code, *words)

done = run('bandwidth', *MACHINE, '--operation', 'raed')
check("did you mean 'read'?" in done.stderr, done.stderr)
done = run('bandwidth', *MACHINE, '--size', '64')
check('select other operations with --operation' in done.stderr, done.stderr)
done = run('bandwidth', *MACHINE, '--threads', '2')
check('1 CPU is allowed here' in done.stderr, done.stderr)

# All threads have memory of their own.
many = ['--machine', 'sim:cpus=4,memory=8G', '--size', '3G', '--threads', 'all']
done = run('bandwidth', *many)
check_refused(done, 3, '12 GiB for all threads', 'the 8 GiB')
check('--threads' in done.stderr, done.stderr)

# On this machine: more threads than it can have CPUs, and more memory than there can be.
check_refused(run('bandwidth', '--threads', '65536'), 2, '65536 threads')
check_refused(run('bandwidth', '--size', '200T'), 3)

# A width is had or refused, never replaced.
for bits in (64, 128, 256, 512):
    done = run('bandwidth', '--width', str(bits), '--operation', 'read', '--dry-run', '--json')
    if done.returncode == 0:
        specs = document(done)['specs']
        check({spec['vector_bytes'] for spec in specs} == {bits // 8}, specs[0])
    else:
        check_refused(done, 3, f'vectors of {bits} bits')
