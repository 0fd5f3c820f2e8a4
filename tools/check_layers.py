#!/usr/bin/env python3
"""Holds the sources against the rules of the house (ARCHITECTURE.md): layers include only
downwards, and each side effect has one door. Reads #includes and names, compiles nothing.

    check_layers.py ROOT        one line a violation, exit 1 if there is any
"""
import os
import re
import sys

# What each layer may include besides itself, base and fathom.h.
ALLOWED = {
    'base': set(),
    'machine': set(),
    'kernels': set(),
    'simulate': {'machine', 'kernels'},
    'measure': {'simulate', 'machine', 'kernels'},
    'model': set(),
    'document': set(),
    'readers': {'document'},
    'views': {'document', 'readers', 'model', 'render'},
    'render': {'views', 'document', 'readers', 'model'},
    'fathom.c': {'simulate', 'measure', 'model', 'render', 'views', 'readers', 'document', 'machine', 'kernels'},
    'fathom_measure.c': {'simulate', 'measure', 'model', 'render', 'views', 'readers', 'document', 'machine', 'kernels'},
    'fathom_measure.h': set(),
    'fathom_survey.c': {'simulate', 'measure', 'model', 'render', 'views', 'readers', 'document', 'machine', 'kernels'},
    'fathom_survey.h': set(),
    'fathom_survey_plan.c': {'machine'},
    'fleet': {'simulate', 'measure', 'model', 'render', 'views', 'readers', 'document', 'machine', 'kernels'},
    'cli': {'fleet', 'simulate', 'measure', 'model', 'render', 'views', 'readers', 'document', 'machine', 'kernels'},
}
LAYERS = {layer for layer in ALLOWED if '.' not in layer}


def call(*names):
    """Calls of plain functions; members of the same name are somebody else's."""
    return re.compile(r'(?<![\w.>])(' + '|'.join(names) + r')\s*\(')


ISA_MACROS = (r'__x86_64__|__i386__|__aarch64__|__arm__|__riscv\w*|__ARM_\w+|'
              r'__SSE\w*|__AVX\w*|__BMI\w*|__powerpc\w*|__s390x?__')

# (what, pattern, the paths that may)
DOORS = [
    ('printing', call('printf', 'fprintf', 'vprintf', 'vfprintf', 'dprintf', 'puts', 'fputs',
                      'putchar', 'putc', 'fputc', 'perror', 'psignal', 'syslog'), ['cli/']),
    ('printing', re.compile(r'\b(stdout|stderr|STDOUT_FILENO|STDERR_FILENO)\b'), ['cli/']),
    ('exit', call('exit', '_exit', '_Exit', 'quick_exit', 'abort', 'errx?', 'verrx?', 'error'),
     ['cli/main.c', 'src/machine/settings/restorer.c']),
    ('environment', call('getenv', 'secure_getenv', 'setenv', 'putenv'), ['cli/main.c']),
    ('environment', re.compile(r'\benviron\b'), ['cli/main.c']),
    ('assembly', re.compile(r'\b(asm|__asm|__asm__)\b'), ['src/kernels/']),
    ('assembly', re.compile(r'\b(__builtin_ia32_\w+|_mm\d*_\w+|__rdtscp?|_rdtsc)\b'),
     ['src/kernels/']),
    ('assembly', re.compile(r'#\s*include\s*<(\w*mmintrin|x86\w*intrin|immintrin|arm_\w+|'
                            r'riscv_vector|cpuid)\.h>'), ['src/kernels/']),
    ('ISA #if', re.compile(r'#\s*(if|ifdef|ifndef|elif)\b.*\b(' + ISA_MACROS + r')'),
     ['src/kernels/']),
    ('clock', call('clock_gettime', 'gettimeofday', 'time', 'clock', 'times', 'timespec_get'),
     ['src/measure/sampling/stopwatch.c']),
    ('mapping', call('mmap', 'mmap64', 'munmap', 'mremap', 'madvise', 'posix_madvise',
                     'process_madvise'), ['src/measure/memory/buffer.c']),
    ('threads', call('pthread_create', 'thrd_create', 'clone'), ['src/measure/sampling/team.c']),
    ('processes', call('fork', 'vfork'), ['src/machine/settings/restorer.c']),
    ('counters', re.compile(r'\b(\w*perf_event_open)\b'), ['src/machine/counters/counters.c']),
    ('shell', call('system', 'popen', 'exec[lv]p?e?'), []),
    ('programs', call('posix_spawnp?'), ['cli/gnuplot.c']),
]

COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                               re.DOTALL)
INCLUDE = re.compile(r'#\s*include\s*"([^"]+)"')


def blank(match):
    return re.sub(r'[^\n]', ' ', match.group(0))


def layer_of(path):
    parts = path.split('/')
    if parts[0] == 'cli':
        return 'cli'
    return parts[1] if parts[0] == 'src' else None


def check_include(path, layer, name):
    target = name.split('/')[0] if '/' in name else None
    if name.startswith('../') or '/../' in name:
        return f'includes "{name}": paths start at src/'
    if name == 'fathom.h' or target in (None, 'base', layer) or target not in LAYERS:
        return None
    if target in ALLOWED[layer]:
        return None
    return f'{layer} must not include "{name}"'


def check_file(path, source):
    """Violations as (line, text)."""
    layer = layer_of(path)
    found = []
    # Directives first: their names are in quotes, which the code below must not see.
    no_comments = COMMENT_OR_STRING.sub(
        lambda m: m.group(0) if m.group(0)[0] in '"\'' else blank(m), source)
    for number, line in enumerate(no_comments.splitlines(), 1):
        include = INCLUDE.match(line.strip())
        if include and layer not in ALLOWED:
            found.append((number, f'{path} belongs to no layer'))
        elif include:
            wrong = check_include(path, layer, include.group(1))
            if wrong:
                found.append((number, wrong))
    code = COMMENT_OR_STRING.sub(blank, source)
    for number, line in enumerate(code.splitlines(), 1):
        for what, pattern, doors in DOORS:
            match = pattern.search(line)
            if match and not any(path.startswith(door) for door in doors):
                where = ' or '.join(doors) or 'nowhere'
                found.append((number, f'{what} ({match.group(0).strip()}): only in {where}'))
    return found


def check_tree(root):
    found = []
    for top in ('src', 'cli'):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if not name.endswith(('.c', '.h')):
                    continue
                full = os.path.join(folder, name)
                path = os.path.relpath(full, root).replace(os.sep, '/')
                with open(full, encoding='utf-8') as file:
                    found += [(path, *violation) for violation in check_file(path, file.read())]
    return found


def main():
    found = check_tree(sys.argv[1])
    for path, line, text in found:
        print(f'{path}:{line}: {text}')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
