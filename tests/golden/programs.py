"""What is run for the golden outputs, in an environment of which nothing shows; and what holds for
every output, whatever it says."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import tty

ENVIRONMENT = {'NO_COLOR': '1', 'TERM': 'xterm', 'LC_ALL': 'C.UTF-8'}
CHARSETS = {'utf8': 'C.UTF-8', 'ascii': 'C'}
TIMEOUT_S = 120

# Quoted, it is someone's input.
UNFINISHED = re.compile(r"\(null\)|(?<![\w'-])-?(nan|inf)(?![\w'-])")

# From here on all but a single long word fits in the width.
FULL_COLUMNS = 80

# An answer came, and the exit code says how good it is (FATHOM_QUALITY, FATHOM_DIFFERENT).
ANSWERED = (0, 4, 6)

# Above what a command says of its answer.
ERRORS = '---- standard error\n'

faults = []


def begin(folder):
    """The built command is the first in the path, by its own name."""
    os.symlink(os.environ['FATHOM'], os.path.join(folder, 'fathom'))
    ENVIRONMENT['PATH'] = folder + ':' + os.environ['PATH']


def report_faults():
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def expect(condition, *what):
    if not condition:
        faults.append(' '.join(str(part) for part in what))


# ---- what holds for every output ----

def check_text(words, text):
    for line in text.split('\n'):
        expect(not UNFINISHED.search(line), words, 'unfinished:', line)
    expect('\n\n\n' not in text, words, 'two empty lines')


def check_terminal(words, text, columns, charset):
    check_text(words, text)
    for line in text.split('\n'):
        expect(columns < FULL_COLUMNS or len(line) <= columns or len(line.split()) == 1, words,
               f'wider than {columns} columns:', line)
        expect(charset == 'utf8' or line.isascii(), words, 'no ASCII:', line)


def check_refusal(words, code, answer, errors):
    """All that goes wrong: one line of reason, one of a hint at most, and no answer."""
    lines = errors.splitlines()
    expect(code in range(1, 7) and not answer, words, 'exit code', code, 'and an answer:', answer)
    expect(0 < len(lines) <= 2 and lines[0].startswith('fathom: ') and
           all(line.startswith('  hint: ') for line in lines[1:]), words, 'no refusal:', errors)


# ---- what is run ----

def transcript(words, done):
    """The answer, and below it what else there is."""
    check_text(words, done.stderr)
    if done.returncode not in ANSWERED:
        check_refusal(words, done.returncode, done.stdout, done.stderr)
    out = done.stdout
    if done.stderr:
        out += ERRORS + done.stderr
    if done.returncode:
        out += f'---- exit code {done.returncode}\n'
    return out


def execute(words, cwd=None, text=''):
    """`fathom` is the one that was built; `text` is the standard input."""
    return subprocess.run(words, input=text, capture_output=True, encoding='utf-8',
                          env=ENVIRONMENT, cwd=cwd, timeout=TIMEOUT_S, check=False)


def run(arguments, cwd=None):
    words = ['fathom', *arguments]
    return transcript(words, execute(words, cwd))


def rewrite(arguments, cwd):
    """What is written of a document, which no message may take the place of."""
    done = execute(['fathom', *arguments], cwd)
    if done.returncode or done.stderr:
        sys.exit(f'fathom {" ".join(arguments)}: {done.stderr}')
    return done.stdout


def print_sample(program, arguments):
    done = execute([program, *arguments])
    if arguments[1] == 'text':
        check_terminal(arguments, done.stdout, int(arguments[2]), arguments[3])
    expect(done.returncode == 0, arguments, 'exit code', done.returncode)
    return done.stdout


def read_all(file):
    parts = []
    try:
        while part := os.read(file, 65536):
            parts.append(part)
    except OSError:  # no writer is left
        pass
    return b''.join(parts).decode('utf-8')


def on_terminal(arguments, cwd, columns, charset):
    """The answer on a terminal so wide; None: no terminal is to be had."""
    try:
        ours, theirs = pty.openpty()
    except OSError:
        return None
    tty.setraw(theirs)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 50, columns, 0, 0))
    words = ['fathom', *arguments]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE,
                          encoding='utf-8', cwd=cwd,
                          env={**ENVIRONMENT, 'LC_ALL': CHARSETS[charset]}) as process:
        os.close(theirs)
        answer = read_all(ours)
        errors = process.stderr.read()
    os.close(ours)
    check_terminal(words, answer, columns, charset)
    return transcript(words, subprocess.CompletedProcess(words, process.returncode, answer, errors))


# ---- what names the version ----

def without_version(text):
    return re.sub(r'(\bfathom |"version": ")\d+\.\d+\.\d+', r'\1VERSION', text)


def run_unversioned(arguments):
    return without_version(run(arguments))


def read_unversioned(path):
    with open(path, encoding='utf-8') as file:
        return without_version(file.read())


def commands():
    overall = run(['help']).split('Commands:')[1].split('\n\n')[0]
    return re.findall(r'^  (\w+)  ', overall, re.M)
