#!/usr/bin/env python3
"""Runs the tests of a build directory, shows what was skipped and why, and ends with one line:
N passed, N failed, N skipped.

    test-summary.py BUILD [arguments of meson test]
    test-summary.py BUILD --last-line      counts the last run again, runs nothing
"""
import json
import os
import subprocess
import sys

PASSED = {'OK', 'EXPECTEDFAIL'}


def read_log(build):
    try:
        with open(os.path.join(build, 'meson-logs', 'testlog.json'), encoding='utf-8') as log:
            return [json.loads(line) for line in log]
    except FileNotFoundError:
        return []


def reason(test):
    lines = (test.get('stdout') or '').strip().splitlines()
    return lines[-1] if lines else 'no reason given'


def count(tests):
    skipped = [test for test in tests if test['result'] == 'SKIP']
    passed = [test for test in tests if test['result'] in PASSED]
    return len(passed), len(tests) - len(passed) - len(skipped), skipped


def main():
    build, arguments = sys.argv[1], sys.argv[2:]
    only_count = arguments == ['--last-line']
    status = 0
    if not only_count:
        try:
            os.remove(os.path.join(build, 'meson-logs', 'testlog.json'))
        except FileNotFoundError:
            pass
        status = subprocess.run(['meson', 'test', '-C', build, '--no-rebuild', '--print-errorlogs',
                                 *arguments], check=False).returncode
    tests = read_log(build)
    passed, failed, skipped = count(tests)
    if not tests or (status and not failed):
        failed += 1  # meson itself failed
    if not only_count:
        for test in skipped:
            print(f"skipped {test['name']}: {reason(test)}")
    print(f'{passed} passed, {failed} failed, {len(skipped)} skipped', flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
