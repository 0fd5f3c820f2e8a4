"""Where binding to a CPU is not permitted, fathom measures all the same and says what it means."""
import datetime
import json
import os
import subprocess

from fathom_test import check, need_tool, run, scratch

SHIM = r'''
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    (void)pid; (void)size; (void)set;
    errno = EPERM;
    return -1;
}
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    (void)thread; (void)size; (void)set;
    return EPERM;
}
'''

compiler = need_tool('cc', 'gcc', 'clang')
with scratch() as folder:
    shim = os.path.join(folder, 'shim.so')
    subprocess.run([compiler, '-shared', '-fPIC', '-x', 'c', '-', '-o', shim], input=SHIM,
                   text=True, check=True)
    done = run('latency', '--max-size', '32K', '--per-octave', '1', '--budget', '0.5s', '--json',
               env={'LD_PRELOAD': shim})
    cores = run('cores', '--no-wait', env={'LD_PRELOAD': shim})
check(done.returncode == 0, 'exit code', done.returncode, done.stderr)
check(cores.returncode == 3 and ('bind' in cores.stderr or 'two CPUs' in cores.stderr), cores.returncode,
      cores.stderr)
began = datetime.datetime.fromisoformat(json.loads(done.stdout)['measured_at'].replace('Z', '+00:00'))
ago_s = (datetime.datetime.now(datetime.timezone.utc) - began).total_seconds()
check(0 <= ago_s < 600, 'it says that it began', ago_s, 's ago')
warnings = [warning for warning in json.loads(done.stdout)['warnings']
            if 'CPU' in warning['text'] and 'bind' in warning['text'] + warning['id']]
check(len(warnings) == 1, 'no warning, or several:', done.stdout[:3000])
check(warnings[0]['hint'], 'no hint:', warnings)
check(f"fathom: warning: {warnings[0]['text']}" in done.stderr, done.stderr)
