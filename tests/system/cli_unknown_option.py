"""An option or command that does not exist is named, and the nearest one offered."""
from fathom_test import check, check_refused, run

check_refused(run('--foo'), 2, "unknown option '--foo'")
check_refused(run('info', '--foo'), 2, "unknown option '--foo'")
check_refused(run('--foo', 'latency'), 2, "unknown option '--foo'")
check_refused(run('-x'), 2, "unknown option '-x'")
check_refused(run('-qx'), 2, "unknown option '-x'")
check_refused(run('--json', '-xq'), 2, "unknown option '-x'")
check_refused(run('--budget'), 2, "option '--budget' needs a value")
check_refused(run('-o'), 2, "option '-o' needs a value")
check_refused(run('--json=yes'), 2, "option '--json' takes no value")
check_refused(run('--m', '3'), 2, "option '--m' is ambiguous")
check_refused(run('frobnicate'), 2, "unknown command 'frobnicate'")
check_refused(run('latency', 'more'), 2, "unexpected argument 'more'")
check_refused(run('run'), 2, 'plan')
check_refused(run('--format', 'xml'), 2, "'xml'")
check_refused(run('-o', 'result.xml'), 2, "'result.xml'")
check_refused(run('--budget\n3'), 2, r"unknown option '--budget\x0a3'")

for words, meant in (['--budgt', '3s'], '--budget'), (['laten'], 'latency'), (['--strikt'],
                                                                            '--strict'):
    done = run(*words)
    check_refused(done, 2)
    check(f"did you mean '{meant}'" in done.stderr, done.stderr)
