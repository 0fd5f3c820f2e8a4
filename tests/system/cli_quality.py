"""Quality: good, usable or do not quote, in the first line and in every format; --strict follows it,
and what other programs do is told and waited for before the run."""
import os

from fathom_test import check, document, run, scratch

SIM = 'sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,mem=80ns,dtlb=off'
SHORT = ['--max-size', '1M', '--per-octave', '2', '--no-control', '--budget', '300ms', '--seed', '1']


def latency(more, *options):
    return run('latency', '--machine', SIM + more, *SHORT, *options)


# Undisturbed, in a storm that is survived, and in one that is not.
for more, quality, reason in (('', 'good', None), (',disturb=20%:50us', 'usable', 'disturbed'),
                              (',disturb=50%:50us', 'do-not-quote', 'rejected'),
                              (',load=0.5,cpus=2', 'usable', 'kept 0.5 of 2 CPUs busy'),
                              (',load=1.5,cpus=2', 'do-not-quote', 'kept 1.5 of 2 CPUs busy')):
    found = document(latency(more, '--json', '-q'))
    check(found['quality'] == quality, more, found['quality'], found['quality_reason'])
    check(reason in found['quality_reason'] if reason else found['quality_reason'] is None,
          more, found['quality_reason'])
    strict = latency(more, '--json', '-q', '--strict', '--target', '50%')
    check(strict.returncode == (0 if quality == 'good' else 4), more, strict.stderr)
    check(quality == 'good' or f"'{quality}'" in strict.stderr, strict.stderr)

# The first line of all that is read by people, a gauge, and the page's data.
with scratch() as folder:
    path = os.path.join(folder, 'stormy.json')
    check(latency(',disturb=50%:50us', '-q', '-o', path).returncode == 0)

    def shown(form):
        done = run('report', path, '--format', form)
        check(done.returncode == 0, done.stderr)
        return done.stdout
    check(shown('text').startswith('! quality: do not quote ('), shown('text')[:200])
    lines = [line for line in shown('markdown').splitlines() if line]
    check('quality: do not quote' in lines[1], lines[:2])
    check('\nfathom_quality 0\n' in shown('prometheus'), shown('prometheus')[:500])
    check('"quality":"do-not-quote"' in shown('html'), 'the page has no quality')

# Whoever else is busy is waited for, no longer than the budget; the document says what was left.
done = latency(',load=1.5/200ms,cpus=2', '--json')
check('keep 1.5 of 2 CPUs busy: waiting for them, at most 0.3 s' in done.stderr, done.stderr)
check('still run' not in done.stderr, done.stderr)
check(document(done)['busy_cpus'] == 0, document(done)['busy_cpus'])
check(abs(document(done)['machine']['waited_s'] - 0.3) < 1e-6,  # two looks busy, one not
      document(done)['machine'])
done = latency(',load=1.5/350ms,cpus=2', '--json')
check('still run' in done.stderr, done.stderr)
check(0 < document(done)['busy_cpus'] < 1, document(done)['busy_cpus'])
check(not latency(',load=1.5,cpus=2', '-q').stderr, 'not quiet')
check(not latency(',load=0.2,cpus=2').stderr, 'a little is no load')
