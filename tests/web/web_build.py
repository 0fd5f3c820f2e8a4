"""Every part of a view has a place on the page. The page is built without npm as well, and says so; its policy names its own script and style, by
what they hold; a module that build.py would not understand is refused."""
import base64
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys

from fathom_test import SOURCE, check, scratch

WEB = os.path.join(SOURCE, 'web')


def build(web, root):
    """Where no program can be found, and so no npm. Returns what was done and the page."""
    page = os.path.join(root, 'page.html')
    done = subprocess.run([sys.executable, os.path.join(WEB, 'build.py'), web,
                           os.path.join(root, 'work'), os.path.join(root, 'page.c'), page],
                          env={'PATH': root}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done, None
    with open(page, encoding='utf-8') as file:
        return done, file.read()


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def check_refused(root, name, text, words):
    web = os.path.join(root, 'web')
    shutil.rmtree(web, ignore_errors=True)
    shutil.copytree(WEB, web)
    with open(os.path.join(web, name), 'a', encoding='utf-8') as file:
        file.write(text)
    done, _ = build(web, root)
    check(done.returncode != 0 and words in done.stderr, words, done.stderr)


def words_of(pattern, *names):
    """What it finds in the sources."""
    found = set()
    for name in names:
        for path in glob.glob(os.path.join(SOURCE, name), recursive=True):
            with open(path, encoding='utf-8') as file:
                for words in re.findall(pattern, file.read()):
                    found.update(re.findall(r"[\w-]+", words))
    return found


PARTS = words_of(r'view_part\(view,\s*"([\w-]+)"', 'src/views/**/*.c')
PLACES = words_of(r"shown\('[^']*', '[^']*', ([^)]*)\)", 'web/sections.js') | words_of(
    r"viewsOf\(views, \['([\w-]+)'\]", 'web/details.js')
check(len(PARTS) > 20 and PARTS <= PLACES, 'parts without a place in web/sections.js:', PARTS - PLACES)

with scratch() as folder:
    result, made = build(WEB, folder)
    check(result.returncode == 0, result.stderr)
    check('npm is not installed' in result.stderr, result.stderr)
    scripts = re.findall(r'<script>(.*?)</script>', made, re.DOTALL)
    styles = re.findall(r'<style>(.*?)</style>', made, re.DOTALL)
    check(len(scripts) == 1 and len(styles) == 1, len(scripts), len(styles))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', made)[1]
    check(policy.startswith("default-src 'none'; "), policy)
    check(f"script-src {digest(scripts[0])};" in policy, policy)
    check(f"style-src {digest(styles[0])};" in policy, policy)
    check(made.count('@DATA@') == 1 and not re.search(r'@[A-Z]+@', made.replace('@DATA@', '')),
          'a mark is left')
    check(not re.search(r'https?://(?!www\.w3\.org/2000/svg)', made), 'the page names a place')
    with open(os.path.join(folder, 'page.c'), encoding='ascii') as source:
        check(max(len(line) for line in source) < 8000, 'a compiler may not read such lines')

    check_refused(folder, 'axes.js', "import {element} from './main.js';\n", 'imports itself')
    check_refused(folder, 'axes.js', 'export default 1;\n', 'does not know')
    check_refused(folder, 'axes.js', "const end = '</script>';\n", 'end its own script')
    check_refused(folder, 'page.css', '/*' + 'x' * 150_000 + '*/', 'more than 150000')
