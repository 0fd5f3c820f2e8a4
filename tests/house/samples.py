"""The samples in the pages are what fathom makes of the committed documents (make samples); a sample
that was changed by hand is seen."""
import os
import shutil
import subprocess
import sys

from fathom_test import COMMAND, SOURCE, check, scratch

SCRIPT = os.path.join(SOURCE, 'tools', 'samples.py')


def samples(root):
    return subprocess.run([sys.executable, SCRIPT, COMMAND, root, '--check'], capture_output=True,
                          text=True, encoding='utf-8', check=False)


done = samples(SOURCE)
check(done.returncode == 0, done.stdout, done.stderr, "run 'make samples'")

with scratch() as folder:
    for name in ('docs', 'corpus'):
        shutil.copytree(os.path.join(SOURCE, name), os.path.join(folder, name))
    with open(os.path.join(SOURCE, 'README.md'), encoding='utf-8') as file:
        readme = file.read()
    with open(os.path.join(folder, 'README.md'), 'w', encoding='utf-8') as file:
        file.write(readme.replace('32 KiB', '33 KiB'))
    figure = os.path.join(folder, 'docs', 'latency.svg')
    with open(figure, encoding='utf-8') as file:
        picture = file.read()
    with open(figure, 'w', encoding='utf-8') as file:
        file.write(picture.replace('KiB', 'KB'))
    done = samples(folder)
    check(done.returncode == 1 and done.stdout.startswith('README.md: ') and
          'docs/latency.svg: ' in done.stdout and 'docs/pages.md' not in done.stdout, done.stdout)
