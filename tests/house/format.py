"""The C sources are formatted as .clang-format says."""
import glob
import os
import subprocess

from fathom_test import SOURCE, check, need_tool

need_tool('clang-format')
files = [path for top in ('include', 'src', 'cli', 'bench', 'examples', 'tests')
         for path in glob.glob(os.path.join(SOURCE, top, '**', '*.[ch]'), recursive=True)]
check(len(files) > 10, 'where are the sources?', files)
done = subprocess.run(['clang-format', '--dry-run', '-Werror', *files], capture_output=True,
                      text=True, check=False, cwd=SOURCE)
check(done.returncode == 0, "run 'make format':\n" + done.stderr[-4000:])
