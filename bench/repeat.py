#!/usr/bin/env python3
"""How alike sweeps of one machine are, quiet and disturbed. Usage: repeat.py BUILD SOURCE [option...]

Makes ten sweeps in each of four states, which it brings about itself, pairs with a plain
minimal chase, and ten surveys; prints the report and writes it to docs/repeatability.md. With other options than
the defaults the report goes to BUILD/repeat/trial.md, and says so. What a broken off run measured
with the same program and options stays in BUILD/repeat and is not measured again; --fresh forgets
it. Options are also taken from REPEAT_ARGS. Nothing else should run meanwhile.
"""
import argparse
import contextlib
import datetime
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import time

import repeat_report

# Which neighbours a state has: on the other CPUs, and on the measured one.
STATES = {"quiet": (), "neighbour": ("stream",), "woken": ("wake",), "both": ("stream", "wake")}
PLAIN_STATES = ("quiet", "neighbour")
# Bytes, the budget of ours, and placements of the plain chase, whose median counts.
PLAIN_SIZES = ((16 << 10, "1s", 11), (256 << 10, "1s", 11), (6 << 20, "1s", 5), (64 << 20, "2s", 3),
               (1 << 30, "3s", 1))
SETTLE_S = 1.0  # until a neighbour's memory is touched
SWEEP = ("latency", "--min-size", "1K", "--max-size", "1G", "--per-octave", "8")
SURVEY = ("--budget", "30s")


def arguments():
    parser = argparse.ArgumentParser(prog="make repeat ARGS=...", description=__doc__.split("\n")[0])
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--sweeps", type=int, default=10, help="of each state")
    parser.add_argument("--budget", help="of a sweep (default: that of the program)")
    parser.add_argument("--pairs", type=int, default=7, help="with the plain chase, of each size")
    parser.add_argument("--surveys", type=int, default=10, help="in the first state")
    parser.add_argument("--states", default=",".join(STATES), help="some of the four")
    parser.add_argument("--cpu", type=int, default=min(os.sched_getaffinity(0)))
    parser.add_argument("--fresh", action="store_true", help="measure all anew")
    options = parser.parse_args(sys.argv[1:] + shlex.split(os.environ.get("REPEAT_ARGS", "")))
    options.states = options.states.split(",")
    for state in options.states:
        if state not in STATES:
            parser.error(f"no state '{state}': {', '.join(STATES)}")
    options.whole = (options.sweeps == 10 and not options.budget and options.pairs == 7
                     and options.surveys == 10 and options.states == list(STATES))
    return options


def other_cpus(cpu):
    return sorted(os.sched_getaffinity(0) - {cpu})


@contextlib.contextmanager
def neighbours(options, state):
    program = os.path.join(options.build, "bench", "disturb")
    commands = [(program, kind, str(cpu)) for kind in STATES[state]
                for cpu in (other_cpus(options.cpu) if kind == "stream" else [options.cpu])]
    started = [subprocess.Popen(command) for command in commands]
    try:
        if started:
            time.sleep(SETTLE_S)
        yield
        for process in started:
            if process.poll() is not None:
                sys.exit(f"a neighbour ended by itself: {' '.join(process.args)}")
    finally:
        for process in started:
            process.kill()
            process.wait()


def fathom(options, *more):
    """The document, and the seconds from start to end, but for those that it waited for others."""
    command = [os.path.join(options.build, "cli", "fathom"), *more, "--json", "--quiet", "--cpu",
               str(options.cpu)]
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"exit code {done.returncode}: {' '.join(command[1:])}")
    seconds = time.monotonic() - start
    document = json.loads(done.stdout)
    return document, seconds - document["machine"].get("waited_s", 0)


class Store:
    """What was measured, by name; kept as files, so that a broken off run can be taken up."""

    def __init__(self, options):
        with open(os.path.join(options.build, "cli", "fathom"), "rb") as program:
            key = hashlib.sha256(program.read())
        key.update(repr((options.budget, options.cpu, SWEEP, SURVEY, PLAIN_SIZES)).encode())
        self.folder = os.path.join(options.build, "repeat", key.hexdigest()[:16])
        if options.fresh:
            shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, f"{name}.json")

    def lacks(self, names):
        return [name for name in names if not os.path.exists(self.path(name))]

    def put(self, name, value):
        with open(self.path(name) + ".part", "w", encoding="utf-8") as file:
            json.dump(value, file)
        os.rename(self.path(name) + ".part", self.path(name))

    def get(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)


def stamp():
    return {"at": datetime.datetime.now().isoformat(" ", "minutes"), "load": os.getloadavg()[0]}


def sweep_names(options, state):
    return [f"sweep-{state}-{number}" for number in range(options.sweeps)]


def sweep(options, store, state):
    wanted = store.lacks(sweep_names(options, state))
    before = stamp()
    if not wanted:
        return
    with neighbours(options, state):
        for name in wanted:
            budget = ("--budget", options.budget) if options.budget else ()
            document, seconds = fathom(options, *SWEEP, *budget)
            store.put(name, {"document": document, "seconds": seconds, **before})
            print(f"{name}: {seconds:.1f} s", flush=True)


def plain_names(options, state):
    return {f"plain-{state}-{size}-{number}": (size, budget, placements)
            for number in range(options.pairs) for size, budget, placements in PLAIN_SIZES}


def plain(options, store, state):
    """One of ours, one of the plain ones, and so on: what drifts meanwhile is in both."""
    names = plain_names(options, state)
    wanted = store.lacks(names)
    if not wanted:
        return
    with neighbours(options, state):
        for name in wanted:
            size, budget, placements = names[name]
            document, _ = fathom(options, "latency", "--size", str(size), "--budget", budget,
                                 "--page", "default")
            chased = subprocess.run([os.path.join(options.build, "bench", "plain_chase"), str(size),
                                     str(placements), str(options.cpu)], check=True,
                                    stdout=subprocess.PIPE, text=True)
            ours = repeat_report.points(document)[0]["latency_ns"]
            least, median = (float(word) for word in chased.stdout.split())
            store.put(name, {"size": size, "ours": ours, "least": least, "median": median})
            print(f"{name}: {ours:.3f} ns, plain {least:.3f} and {median:.3f}", flush=True)


def survey_names(options):
    return [f"survey-{number}" for number in range(options.surveys)]


def survey(options, store):
    for name in store.lacks(survey_names(options)):
        document, seconds = fathom(options, *SURVEY)
        store.put(name, document)
        print(f"{name}: {seconds:.1f} s", flush=True)


def measure(options, store):
    alone = not other_cpus(options.cpu)
    states = [state for state in options.states if not (alone and "stream" in STATES[state])]
    for state in states:
        sweep(options, store, state)
        if state in PLAIN_STATES:
            plain(options, store, state)
        if state == states[0]:
            survey(options, store)
    return states


def main():
    options = arguments()
    store = Store(options)
    states = measure(options, store)
    runs = {state: [store.get(name) for name in sweep_names(options, state)] for state in states}
    pairs = {state: [store.get(name) for name in plain_names(options, state)]
             for state in states if state in PLAIN_STATES}
    surveys = [store.get(name) for name in survey_names(options)]
    page = repeat_report.page(runs, pairs, surveys, options.whole, options.budget)
    path = (os.path.join(options.source, "docs", "repeatability.md") if options.whole
            else os.path.join(options.build, "repeat", "trial.md"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    print(page)
    print(f"written: {os.path.relpath(path, options.source)}")


if __name__ == "__main__":
    main()
