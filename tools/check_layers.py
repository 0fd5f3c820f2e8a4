#!/usr/bin/env python3
"""Holds the sources against the rules of the house (ARCHITECTURE.md): rooms include only
downwards, each side effect has one door, no folder holds more than a page of files, and each says
what it is. Reads #includes and names, compiles nothing.

    check_layers.py ROOT        one line a violation, exit 1 if there is any
"""
import os
import re
import sys

# What the files of each room, a folder of src/ or a file that stands in it alone, may include
# besides their own room, base and fathom.h. "machine/*" is machine and the rooms in it.
BELOW_MEASURE = ['simulate', 'structures', 'machine/*', 'kernels']
IN_MEASURE = ['measure', *BELOW_MEASURE]
EVERYTHING = ['render/*', 'views/*', 'document', 'readers', 'measure/*', 'model/*', *BELOW_MEASURE]
# Whoever fills a result in starts from the document's table: it says what is not known, and frees.
ON_THE_DOCUMENT = ('measure', 'model')
ROOMS = {
    'base': [],
    'kernels': ['kernels/*'],  # the instructions of its loops are the ISA's
    'kernels/aarch64': ['kernels'],
    'kernels/riscv64': ['kernels'],
    'kernels/x86_64': ['kernels'],
    'machine': [],
    'machine/counters': ['machine'],
    'machine/settings': ['machine'],
    'simulate': [],
    'structures': ['kernels'],
    'simulate/dram': ['simulate'],
    'measure': BELOW_MEASURE,
    'measure/memory': IN_MEASURE,
    'measure/sampling': IN_MEASURE,
    'measure/schedule': ['measure/sampling', *IN_MEASURE],
    'measure/meters': ['measure/sampling', 'measure/memory', *IN_MEASURE],
    'measure/cores': IN_MEASURE,
    'measure/structures': ['measure/sampling', 'measure/memory', *IN_MEASURE],
    'measure/accesses': ['measure/memory', 'simulate/dram', *IN_MEASURE],
    'measure/loads': ['measure/sampling', 'measure/memory', 'simulate/dram', *IN_MEASURE],
    'measure/experiments': ['measure/meters', 'measure/memory', *IN_MEASURE],
    'measure/plan': ['measure/*', *IN_MEASURE],
    'model': [],
    'model/laws': ['model'],
    'model/steps': ['model', 'model/laws'],
    'model/levels': ['model', 'model/laws', 'model/steps'],
    'model/textbook': ['model', 'model/laws'],
    'model/translation': ['model', 'model/laws', 'model/steps', 'model/levels'],
    'model/frequency': ['model'],
    'model/distribution': ['model'],
    'model/loaded': ['model'],
    'model/cores': ['model'],
    'model/predict': ['model', 'model/predict/*'],
    'model/predict/structures': ['model/predict'],
    'model/compare': ['model', 'model/checks'],
    'model/fleet': ['model', 'model/checks', 'model/compare'],
    'model/checks': ['model', 'model/levels'],
    'model/parallelism': ['model', 'model/checks'],
    'document': [],
    'document/tables': ['document'],  # its rows
    # Siblings, one way: fathom's own CSV is read as any other table, and the table of all formats
    # begins with fathom's JSON. The document knows nothing of other tools.
    'readers': ['document'],
    'views/survey': ['views', 'model', 'model/checks'],
    'views/fleet': ['views', 'model/fleet'],  # words of settings
    'views/accesses': ['views', 'model', 'model/distribution'],
    'views/experiments': ['views', 'model', 'model/checks', 'model/predict'],
    'views': ['views/*', 'document', 'readers', 'model/*'],
    'render/text': ['views'],
    'render': ['render/*', 'views/*', 'document'],
    'fathom.c': ['fathom_join.h', 'fathom_search.h', *EVERYTHING],
    'fathom_again.h': ['measure'],
    'fathom_again.c': ['fathom_again.h', 'fathom_search.h', *EVERYTHING],
    'fathom_cpus.h': [],
    'fathom_cpus.c': ['fathom_cpus.h', 'fathom_join.h', 'fathom_measure.h', *EVERYTHING],
    'fathom_join.h': [],
    'fathom_join.c': ['fathom_join.h'],
    'fathom_load.h': [],
    'fathom_load.c': ['fathom_load.h', *EVERYTHING],
    'fathom_loaded.c': ['fathom_load.h', 'fathom_measure.h', *EVERYTHING],
    'fathom_code.c': ['kernels', 'measure', 'measure/memory', 'measure/meters'],
    'fathom_cores.c': ['fathom_cores_pairs.h', 'fathom_load.h', 'fathom_measure.h', *EVERYTHING],
    'fathom_cores_pairs.h': ['measure/cores', 'document'],
    'fathom_cores_pairs.c': ['fathom_cores_pairs.h', *EVERYTHING],
    'fathom_cores_sample.c': ['fathom_cores_pairs.h', *EVERYTHING],
    'fathom_cores_sharing.c': ['fathom_cores_pairs.h', *EVERYTHING],
    'fathom_cores_contention.c': ['fathom_cores_pairs.h', *EVERYTHING],
    'fathom_measure.h': [],
    'fathom_measure.c': ['fathom_measure.h', 'fathom_again.h', 'fathom_cpus.h',
                         'fathom_load.h', 'fathom_nodes.h', 'fathom_search.h',
                         *EVERYTHING],
    'fathom_nodes.h': [],
    'fathom_nodes.c': ['fathom_nodes.h', 'fathom_join.h', 'fathom_measure.h', *EVERYTHING],
    'fathom_nodes_beside.c': ['fathom_nodes.h', 'fathom_join.h', 'fathom_measure.h', *EVERYTHING],
    'fathom_order.c': ['fathom_search.h', *EVERYTHING],
    'fathom_predict.c': EVERYTHING,
    'fathom_survey.h': [],
    'fathom_search.h': ['measure'],
    'fathom_search.c': ['fathom_search.h', *EVERYTHING],
    'fathom_survey.c': ['fathom_survey.h', 'fathom_join.h', 'fathom_measure.h',
                        'fathom_search.h', *EVERYTHING],
    'fathom_survey_plan.c': ['fathom_survey.h', 'machine', 'measure/plan'],
    'fathom_write.c': EVERYTHING,
    'fleet': ['document', 'model/fleet'],
    'fleet/mpi': [],
    'cli': [],
}

# What stands against that, file by file, and why.
EXCEPTIONS = {
    ('src/machine/private.h', 'machine/counters/counter_access.h'):
        'a machine keeps by value what its counters refuse',
    ('src/simulate/simulated_disturb.h', 'machine/interference.h'):
        'the disturbances are told in the struct in which a real machine tells them',
    ('src/simulate/simulated_counts.h', 'machine/counters/counter_events.h'):
        'the events are those that a real machine is asked for',
    ('src/simulate/simulated_tables.c', 'kernels/permutation.h'):
        'frames are dealt in the order of a keyed permutation',
    ('cli/commands/clock_settings.h', 'machine/settings/cpufreq.h'):
        'the command alone sets clocks: no public function changes a setting, whoever links the '
        'library; and the room stays beside the machine whose files it reads and restores',
}

MOST_FILES = 30
README_LINES = range(5, 21)


def call(*names):
    """Calls of plain functions; members of the same name are somebody else's."""
    return re.compile(r'(?<![\w.>])(' + '|'.join(names) + r')\s*\(')


ISA_MACROS = (r'__x86_64__|__i386__|__aarch64__|__arm__|__riscv\w*|__ARM_\w+|'
              r'__SSE\w*|__AVX\w*|__BMI\w*|__powerpc\w*|__s390x?__')

# (what, pattern, the paths that may)
DOORS = [
    ('printing', call('printf', 'fprintf', 'vprintf', 'vfprintf', 'dprintf', 'puts', 'fputs',
                      'putchar', 'putc', 'fputc', 'perror', 'psignal', 'syslog'),
     ['cli/', 'src/fleet/mpi/main.c']),
    ('printing', re.compile(r'\b(stdout|stderr|STDOUT_FILENO|STDERR_FILENO)\b'),
     ['cli/', 'src/fleet/mpi/main.c', 'src/fleet/mpi/child.c']),  # that of its child
    ('exit', call('exit', '_exit', '_Exit', 'quick_exit', 'abort', 'errx?', 'verrx?', 'error'),
     ['cli/main.c', 'src/machine/settings/restorer.c', 'src/fleet/mpi/main.c']),
    ('environment', call('getenv', 'secure_getenv', 'setenv', 'putenv'),
     ['cli/main.c', 'src/fleet/mpi/main.c']),
    ('environment', re.compile(r'\benviron\b'), ['cli/main.c', 'src/fleet/mpi/main.c']),
    ('assembly', re.compile(r'\b(asm|__asm|__asm__)\b'), ['src/kernels/']),
    ('assembly', re.compile(r'\b(__builtin_ia32_\w+|_mm\d*_\w+|__rdtscp?|_rdtsc)\b'),
     ['src/kernels/']),
    ('assembly', re.compile(r'#\s*include\s*<(\w*mmintrin|x86\w*intrin|immintrin|arm_\w+|'
                            r'riscv_vector|cpuid)\.h>'), ['src/kernels/']),
    ('ISA #if', re.compile(r'#\s*(if|ifdef|ifndef|elif)\b.*\b(' + ISA_MACROS + r')'),
     ['src/kernels/']),
    ('clock', call('clock_gettime', 'gettimeofday', 'time', 'clock', 'times', 'timespec_get'),
     ['src/base/stopwatch.c']),
    ('mapping', call('mmap', 'mmap64', 'munmap', 'mremap', 'madvise', 'posix_madvise',
                     'process_madvise'), ['src/measure/memory/buffer.c']),
    ('threads', call('pthread_create', 'thrd_create', 'clone'), ['src/measure/sampling/team.c',
                                                                        'src/measure/sampling/turns.c', 'src/fleet/fleet_jobs.c']),
    ('processes', call('fork', 'vfork'), ['src/machine/settings/restorer.c']),
    ('counters', re.compile(r'\b(\w*perf_event_open)\b'), ['src/machine/counters/counters.c']),
    ('shell', call('system', 'popen', 'exec[lv]p?e?'), []),
    ('programs', call('posix_spawnp?'), ['cli/gnuplot.c', 'src/fleet/mpi/child.c']),
    ('MPI', re.compile(r'\bMPI_\w+|#\s*include\s*<mpi\.h>'), ['src/fleet/mpi/']),
]

COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                               re.DOTALL)
INCLUDE = re.compile(r'#\s*include\s*"([^"]+)"')


def blank(match):
    return re.sub(r'[^\n]', ' ', match.group(0))


def room_of(path):
    """The longest name of a room that the path (from src/ on, or in cli/) stands in; or None."""
    while path and path not in ROOMS:
        path = path.rpartition('/')[0]
    return path or None


def is_allowed(room, target):
    if target in ('base', room) or (target == 'document' and room.startswith(ON_THE_DOCUMENT)):
        return True
    return any(target == name or (name.endswith('/*') and (target + '/').startswith(name[:-1]))
               for name in ROOMS[room])


def check_include(path, name):
    """What is wrong with it, or None."""
    if name.startswith('../') or '/../' in name:
        return f'includes "{name}": paths start at src/'
    room = room_of(path.removeprefix('src/'))
    target = room_of(name)
    if room is None:
        return f'{path} belongs to no room'
    # Without a room: fathom.h, a file of the same folder, or one of cli's.
    if target is None or is_allowed(room, target) or (path, name) in EXCEPTIONS:
        return None
    return f'{room} must not include "{name}"'


def check_exceptions(path, included):
    return [(1, f'no longer includes "{name}": take that from EXCEPTIONS')
            for of, name in EXCEPTIONS if of == path and name not in included]


def check_file(path, source):
    """Violations as (line, text)."""
    found = []
    included = set()
    # Directives first: their names are in quotes, which the code below must not see.
    no_comments = COMMENT_OR_STRING.sub(
        lambda m: m.group(0) if m.group(0)[0] in '"\'' else blank(m), source)
    for number, line in enumerate(no_comments.splitlines(), 1):
        include = INCLUDE.match(line.strip())
        if include:
            included.add(include.group(1))
            wrong = check_include(path, include.group(1))
            if wrong:
                found.append((number, wrong))
    found += check_exceptions(path, included)
    code = COMMENT_OR_STRING.sub(blank, source)
    for number, line in enumerate(code.splitlines(), 1):
        for what, pattern, doors in DOORS:
            match = pattern.search(line)
            if match and not any(path.startswith(door) for door in doors):
                where = ' or '.join(doors) or 'nowhere'
                found.append((number, f'{what} ({match.group(0).strip()}): only in {where}'))
    return found


def check_folder(folder, path, sources):
    """A folder fits on a page, and says what it is."""
    found = []
    if len(sources) > MOST_FILES:
        found.append((path, 1, f'{len(sources)} .c and .h files, {MOST_FILES} at most'))
    readme = os.path.join(folder, 'README.md')
    lines = 0
    if os.path.exists(readme):
        with open(readme, encoding='utf-8') as file:
            lines = sum(1 for _ in file)
    if lines not in README_LINES:
        found.append((path, 1, f'a README.md of {lines} lines, 5 to 20 are wanted'))
    return found


def check_tree(root):
    found = []
    for top in ('src', 'cli'):
        for folder, _, names in os.walk(os.path.join(root, top)):
            sources = sorted(name for name in names if name.endswith(('.c', '.h')))
            path = os.path.relpath(folder, root).replace(os.sep, '/')
            if sources:
                found += check_folder(folder, path, sources)
            for name in sources:
                with open(os.path.join(folder, name), encoding='utf-8') as file:
                    source = f'{path}/{name}'
                    found += [(source, *violation)
                              for violation in check_file(source, file.read())]
    return found


def main():
    found = check_tree(sys.argv[1])
    for path, line, text in found:
        print(f'{path}:{line}: {text}')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
