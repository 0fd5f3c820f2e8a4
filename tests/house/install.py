"""What 'meson install' gives is enough to build and run a program, in C and in C++."""
import os
import subprocess

from fathom_test import BUILD, SOURCE, check, need_tool, scratch

need_tool('pkg-config')
EXAMPLE = os.path.join(SOURCE, 'examples', 'minimal.c')


def output(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    check(done.returncode == 0, command, done.stdout, done.stderr)
    return done.stdout


def find(root, name):
    found = [os.path.join(folder, name) for folder, _, names in os.walk(root) if name in names]
    check(len(found) == 1, name, 'is not installed once:', found)
    return found[0]


with scratch() as root:
    output(['meson', 'install', '-C', BUILD, '--no-rebuild', '--destdir', root])
    pkgconfig = os.path.dirname(find(root, 'fathom.pc'))
    library = os.path.dirname(find(root, 'libfathom.so'))
    environment = {**os.environ, 'LD_LIBRARY_PATH': library, 'PKG_CONFIG_SYSROOT_DIR': root,
                   'PKG_CONFIG_PATH': pkgconfig}
    flags = output(['pkg-config', '--cflags', '--libs', 'fathom'], env=environment).split()
    check(root in ' '.join(flags), 'pkg-config found another fathom:', flags)
    commands = [folder for folder, _, names in os.walk(root)
                if 'fathom' in names and folder.endswith('/bin')]
    check(len(commands) == 1, 'the command is not installed once:', commands)
    check(output([os.path.join(commands[0], 'fathom'), '--version'],
                 env=environment).startswith('fathom '), 'the installed command does not run')
    for page in os.listdir(os.path.join(BUILD, 'manual')):
        if page.endswith('.1'):
            check(find(root, page).endswith('/man/man1/' + page), page)
    check(find(root, '_fathom').endswith('/zsh/site-functions/_fathom'), 'zsh')
    check(find(root, 'fathom.fish').endswith('/fish/vendor_completions.d/fathom.fish'), 'fish')
    check(any(folder.endswith('/bash-completion/completions') and 'fathom' in names
              for folder, _, names in os.walk(root)), 'bash')
    for compiler in (['cc', '-std=c17'], ['c++', '-x', 'c++', '-std=c++11']):
        need_tool(compiler[0])
        program = os.path.join(root, 'minimal')
        output([*compiler, '-Wall', '-Wextra', '-Werror', EXAMPLE, '-x', 'none', '-o', program,
                *flags])
        words = output([program, 'sim:'], env=environment).split()
        check(words[:2] == ['16384', 'bytes:'] and float(words[2]) > 0, 'it printed', words)
