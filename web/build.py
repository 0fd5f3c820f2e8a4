"""Makes one file of the page: the modules that main.js imports in an order that works, uPlot before
them, the style sheets, and a policy that allows these and nothing else. Writes it as C.

    build.py WEB WORK PAGE.c PAGE.html      WORK: where npm puts what package-lock.json names

Without uPlot the page is made as well, and says that it has no charts."""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys

DATA_MARK = '@DATA@'
LIMIT_BYTES = 150_000
IMPORT = re.compile(r"^import \{([^}]*)\} from '\./([\w.]+)';\n", re.MULTILINE)
# What only those who read the sources need: lines of comment, and how far lines are indented. (No text
# of the page goes over several lines.)
FOR_READERS = re.compile(r'^\t*//.*\n|^\t+', re.MULTILINE)
EXPORT = re.compile(r'^export (function|const|class) (\w+)', re.MULTILINE)


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def npm_install(web, work):
    """What the lock file names, into `work`; where it is already, npm is not asked again. Returns
    why it failed, or None."""
    lock = read(web, 'package-lock.json')
    stamp = os.path.join(work, 'installed-lock.json')
    if os.path.exists(stamp) and read(stamp) == lock:
        return None
    npm = shutil.which('npm')
    if not npm:
        return 'npm is not installed'
    os.makedirs(work, exist_ok=True)
    for name in ('package.json', 'package-lock.json', '.npmrc'):
        shutil.copy(os.path.join(web, name), work)
    try:
        done = subprocess.run(
            [npm, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline',
             '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000'],
            cwd=work, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
            check=False)
    except subprocess.TimeoutExpired:
        return 'npm did not answer'
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if 'ERR' in line or 'error' in line]
        return 'npm failed: ' + (lines[0] if lines else f'exit code {done.returncode}')
    with open(stamp, 'w', encoding='utf-8') as file:
        file.write(lock)
    return None


def modules(web, name='main.js', path=()):
    """(name, source) of it and all that it imports, what is imported first."""
    if name in path:
        sys.exit(f'{name} imports itself, by way of {", ".join(path)}')
    source = read(web, name)
    found = {}
    for _, imported in IMPORT.findall(source):
        found.update(modules(web, imported, (*path, name)))
    return {**found, name: source}


def variable(name):
    return 'module_' + re.sub(r'\W', '_', name.removesuffix('.js'))


def join(web):
    """One program: each module a function, which hands out what the module exports."""
    parts = []
    for name, source in modules(web).items():
        exported = [found for _, found in EXPORT.findall(source)]
        source = IMPORT.sub(lambda match: f'const {{{match[1]}}} = {variable(match[2])};\n', source)
        source = EXPORT.sub(lambda match: f'{match[1]} {match[2]}', source)
        if re.search(r'^(import|export)\b', source, re.MULTILINE):
            sys.exit(f'{name}: an import or export that build.py does not know')
        parts.append(f"const {variable(name)} = (() => {{\n'use strict';\n{source}"
                     f"return {{{', '.join(exported)}}};\n}})();\n")
    return FOR_READERS.sub('', '(() => {\n' + ''.join(parts) + '})();\n')


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def make_page(web, work, missing):
    uplot = os.path.join(work, 'node_modules', 'uplot')
    style, library = FOR_READERS.sub('', read(web, 'page.css')), ''
    if not missing:
        library = '/*' + read(uplot, 'LICENSE').replace('*/', '') + '*/\n' + \
            read(uplot, 'dist', 'uPlot.iife.min.js')
        style = read(uplot, 'dist', 'uPlot.min.css') + style
    script = library + '\n' + join(web)
    if re.search(r'</script|<!--', script, re.IGNORECASE) or '</' in style:
        sys.exit('the page would end its own script or style')
    policy = f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; " \
             "base-uri 'none'; form-action 'none'"
    page = read(web, 'index.html')
    for mark, text in (('@POLICY@', policy), ('@STYLE@', style), ('@SCRIPT@', script)):
        before, after = page.split(mark)
        page = before + text + after
    if len(page.encode()) > LIMIT_BYTES:
        sys.exit(f'the page takes {len(page.encode())} bytes, more than {LIMIT_BYTES}')
    return page


def c_string(name, text):
    """A literal a line, which compilers read fastest; octal, since hexadecimal has no end."""
    escapes = {'\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r', '?': '\\?'}
    lines = []
    for line in text.splitlines(keepends=True):
        for start in range(0, len(line), 2000):
            escaped = ''.join(
                escapes.get(c) or (c if ' ' <= c <= '~' else
                                   ''.join(f'\\{byte:03o}' for byte in c.encode()))
                for c in line[start:start + 2000])
            lines.append(f'"{escaped}"')
    return f'const char {name}[] =\n' + '\n'.join(lines or ['""']) + ';\n' + \
        f'const size_t {name}_length = sizeof({name}) - 1;\n'


def write(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def main():
    web, work, c_path, html_path = sys.argv[1:]
    missing = npm_install(web, work)
    if missing:
        print(f'page: {missing}; HTML reports will have tables and no charts. To try again: '
              f'touch {os.path.join(web, "package.json")}', file=sys.stderr)
    page = make_page(web, work, missing)
    before, after = page.split(DATA_MARK)
    write(c_path, '/* Made by web/build.py. */\n#include "render/page.h"\n' +
          c_string('page_before_data', before) + c_string('page_after_data', after))
    write(html_path, page)


if __name__ == '__main__':
    main()
