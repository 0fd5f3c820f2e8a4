"""What fleets bring along: mixed versions, duplicates, wrong clocks, half-written files, hostile host names."""
import json
import os
import sys

from fathom_test import SOURCE, check, run, scratch

sys.path.insert(0, os.path.join(SOURCE, 'bench'))
import fleets  # noqa: E402

KIND = fleets.KINDS[0]
HOSTILE = ['</script><script>alert(1)</script>', 'a"b\\c{d="e"}\nfathom_fleet_nodes 9',
           '\x1b]0;title\x07\x1b[2J\x9b31m\u202e', "$(reboot)'; reboot", '../../etc/passwd',
           'javascript:alert(1)', '\u202egnp.exe', 'x' * 300]


def write(folder, name, document):
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
        json.dump(document, file)


def node(i, host=None, **more):
    made = fleets.document(KIND, host or f'n{i}', f'bad {i}')
    made.update(more)
    return made


def fleet_of(folder, code=0):
    done = run('fleet', folder, '--json')
    check(done.returncode == code, done.returncode, done.stderr)
    return json.loads(done.stdout), done


def warnings_of(found):
    return {warning['id'] for warning in found['warnings']}


with scratch() as root:
    def folder_of(name, count=12):
        folder = os.path.join(root, name)
        os.mkdir(folder)
        for i in range(count):
            write(folder, f'run.n{i}.json', node(i))
        return folder

    # Several versions are said, and a document of a later schema is damaged.
    mixed = folder_of('mixed')
    other = node(3)
    other['fathom']['version'] = '0.0.7'
    write(mixed, 'run.n3.json', other)
    found, _ = fleet_of(mixed)
    check('versions' in warnings_of(found) and found['nodes'][0]['version'], found['warnings'])
    write(mixed, 'run.n4.json', node(4, schema='fathom/2'))
    found, _ = fleet_of(mixed, 5)
    check('version of fathom that wrote it' in found['damaged'][0]['command'], found['damaged'])

    # Of several documents of a node the latest counts, whatever the order of their names.
    twice = folder_of('twice')
    write(twice, 'a.json', node(5, measured_at='2026-11-10T12:00:00Z', quality='do-not-quote'))
    write(twice, 'z.json', node(6, measured_at='2026-11-11T23:00:00Z', quality='do-not-quote'))
    found, _ = fleet_of(twice)
    check([len(found['nodes']), len(found['superseded'])] == [12, 2], found['superseded'])
    check([one['host'] for one in found['disturbed']] == ['n6'], found['disturbed'])
    check({os.path.basename(one['file']) for one in found['superseded']} == {'a.json', 'run.n6.json'})

    # A clock that is wrong is said, and takes no part in anything else.
    clocks = folder_of('clocks')
    write(clocks, 'run.n7.json', node(7, measured_at='1970-01-01T00:00:09Z'))
    found, _ = fleet_of(clocks)
    check('dates' in warnings_of(found) and not found['outliers'], found['warnings'])

    # Two hours at the end of February are two hours.
    february = folder_of('february')
    for i in range(12):
        write(february, f'run.n{i}.json', node(i, measured_at=f'2026-0{"2-28T23" if i % 2 else "3-01T01"}:00:00Z'))
    check('dates' not in warnings_of(fleet_of(february)[0]))

    # Less memory than before is a change, but for what the firmware keeps; other hardware is one, too.
    def change(name, base, changed, **machine):
        folder = folder_of(name)
        made = node(changed)
        made['machine'].update(machine)
        write(folder, f'run.n{changed}.json', made)
        done = run('fleet', folder, '--json', '--since', base)
        return [(one['host'], one['number'], one['setting']) for one in json.loads(done.stdout)['changes']], done

    before = folder_of('before')
    memory = node(0)['machine']['memory_bytes']
    changes, done = change('less', before, 3, memory_bytes=memory * 11 // 12)
    check(changes == [('n3', 'memory', '756 GiB -> 693 GiB')] and done.returncode == 6, changes, done.stderr)
    done = run('fleet', before, '--since', os.path.join(root, 'less'))
    check(done.stderr.startswith("fathom: 1 node changed since '"), done.stderr)
    changes, done = change('kept', before, 3, memory_bytes=memory * 99 // 100)
    check(not changes and done.returncode == 0, changes, done.stderr)
    changes, done = change('swapped', before, 3, cpu_model='Another CPU')
    check([one[:2] for one in changes] == [('n3', 'hardware')] and done.returncode == 6, changes, done.stderr)
    check(changes[0][2].startswith('AMD EPYC') and '-> Another CPU' in changes[0][2], changes)
    text = run('fleet', os.path.join(root, 'swapped'), '--since', before).stdout
    check('-> Another CPU' in text and 'unknown' not in text, text)

    # Of nodes that vanished alone; of too few to say what changed.
    gone = folder_of('gone', 11)
    done = run('fleet', gone, '--since', before)
    check(done.stdout.startswith('! 11 nodes') and "fathom: 1 node vanished since '" in done.stderr, done)
    few = folder_of('few', 7)
    done = run('fleet', before, '--since', few, '--json')
    check(done.returncode == 4 and 'few-common' in warnings_of(json.loads(done.stdout)), done.stderr)
    check('7 nodes measured undisturbed then and now, and no 8 of them alike' in done.stderr, done.stderr)

    # The first level of a name counts, without the interval of another; sizes that no machine has.
    odd = node(0)
    odd['levels'][0].update(latency_low_ns=None, latency_high_ns=None)
    odd['levels'] += [dict(node(0)['levels'][0], latency_ns=99)]
    odd['levels'][1]['size_bytes'] = odd['levels'][3]['at_bytes'] = 1e100
    write(few, 'odd.json', dict(odd, machine=dict(odd['machine'], hostname='odd')))
    found = json.loads(run('fleet', few, '--json').stdout)
    which = [number['name'] for number in found['groups'][0]['numbers']].index('l1_latency_ns')
    odd = next(one for one in found['nodes'] if one['host'] == 'odd')
    check(odd['values'][which] < 2 and odd['errors'][which] is None, odd)
    check('8 EiB' in odd['settings'] and '8 EiB' in run('fleet', few).stdout, odd)

    # A clock that is surely 0.8 % lower is no deviation: what is named is L3.
    sure = folder_of('sure')
    for i in range(12):
        made = fleets.document(KIND, f'n{i}', f'sure {i}', between=0.001)
        made['clock']['median_hz'] = 3.75e9 * (0.992 if i == 3 else 1)
        made['levels'][2].update(size_low_bytes=None, size_high_bytes=None,
                                 size_bytes=int(27e6 * (0.7 if i == 3 else 1 + 0.02 * (i % 5 - 2))))
        write(sure, f'run.n{i}.json', made)
    found, _ = fleet_of(sure, 6)
    check([(one['host'], one['number']) for one in found['outliers']] == [('n3', 'l3_size_bytes')], found['outliers'])
    check(all(abs(one['deviation']) >= 0.01 for one in found['outliers'][0]['deviations']), found['outliers'])

    # As many outliers as there are: what has no room is counted, and with --all there.
    many = folder_of('many', 160)
    for i in range(35):
        made = node(i)
        made['machine']['microcode'] = f'0x{i:x}'
        write(many, f'run.n{i}.json', made)
    text = run('fleet', many).stdout
    check('  and 5 more: --all shows them\n' in text and 'no room' not in text, text)
    check('0x0, usually 0xa101148' in text, text)
    check('--all' not in run('fleet', many, '--all').stdout)

    # Whatever a document lost while it was written.
    half = folder_of('half')
    text = json.dumps(node(1))
    cuts = [0, 1, 5, len(text) // 3, len(text) // 2, len(text) - 1]
    for cut in cuts:
        with open(os.path.join(half, f'cut{cut}.json'), 'w', encoding='utf-8') as file:
            file.write(text[:cut])
    with open(os.path.join(half, 'zeros.json'), 'wb') as file:
        file.write(bytes(1000))
    with open(os.path.join(half, 'deep.json'), 'w', encoding='utf-8') as file:
        file.write('{"schema": "fathom/1", "curves": ' + '[' * 100000)
    os.mkfifo(os.path.join(half, 'pipe.json'))
    os.symlink('nowhere', os.path.join(half, 'link.json'))
    os.mkdir(os.path.join(half, 'folder.json'))
    found, done = fleet_of(half, 5)
    check(len(found['damaged']) == len(cuts) + 4 and found['documents'] == 12, found['damaged'])
    check(all(one['file'] and one['reason'] for one in found['damaged']), found['damaged'])
    check(f'{len(cuts) + 4} files were passed over' in done.stderr, done.stderr)

    # Host names that want to be something else.
    hostile = os.path.join(root, 'hostile')
    os.mkdir(hostile)
    for i, host in enumerate(HOSTILE * 2):
        fault = 'l3-less' if i == 1 else 'core-clock' if i == 2 else 'memory-clock' if i == 0 else None
        write(hostile, f'run.{i}.json', fleets.document(KIND, host + ('' if i < len(HOSTILE) else ' 2'), f'h {i}', fault))
    found, done = fleet_of(hostile, 6)
    check({one['host'] for one in found['outliers']} == set(HOSTILE[:3]), found['outliers'])
    check(r'\u202e' in done.stderr, 'the node is named', done.stderr)
    for text in (run('fleet', hostile).stdout, done.stderr):
        check(not set('\x1b\x07\x9b\u202e') & set(text), text)
    lines = run('fleet', hostile, '--format', 'prometheus').stdout.splitlines()
    check(all(line.startswith(('# HELP fathom_fleet_', '# TYPE fathom_fleet_', 'fathom_fleet_')) for line in lines), lines)
    check(sum(line.startswith('fathom_fleet_nodes ') for line in lines) == 1, lines)
    page = run('fleet', hostile, '--format', 'html').stdout
    check('<script>alert' not in page, 'a host is a program')
    marked = run('fleet', hostile, '--format', 'markdown').stdout
    check('<script>' not in marked and '\x1b' not in marked, marked)

    # A file that the kernel does not let be read says so.
    unread = '/sys/class/net/lo/duplex'
    try:
        with open(unread, encoding='utf-8') as file:
            file.read()
    except OSError as error:
        if os.path.exists(unread):
            check(os.strerror(error.errno) in run('fleet', unread).stderr, error)

    # Nothing that would be read forever, or that is not there.
    check(run('fleet', os.path.join(root, 'no-such')).returncode == 5)
    check(run('fleet', '/dev/zero').returncode == 5)
