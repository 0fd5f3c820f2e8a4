#!/usr/bin/env python3
"""Speed and accuracy of fathom on this machine, as ratios in one run. Usage: run.py BUILD [part...]

Parts: chain, patterns, parallelism, bandwidth, cores, loaded, sibling, unchanged (all by default); sweeps and plain chases
are repeat.py's. Nothing else should run meanwhile. Prints what was measured beside what is wanted;
it judges, but always ends with exit code 0 unless a program fails.
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys


def size_bytes(text):
    return int(text[:-1]) << {"K": 10, "M": 20, "G": 30}[text[-1]]


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def verdict(good):
    return "ok" if good else "MISSED"


def points(document):
    return document["curves"][0]["points"]


def chain(build):
    print("== chain: build / touching one word a node, warm memory, one thread")
    print("   wanted: <= 1.6 with AVX-512, <= 2.5 with AVX2 from 2^20 nodes on; <= 5 at 2^16")
    print(output(f"{build}/bench/chain_speed"), end="")


def of_pattern(document, pattern, warmth):
    for curve in document["curves"]:
        for point in curve["points"]:
            if (point["pattern"], point["warmth"]) == (pattern, warmth):
                return point["latency_ns"]
    return None


def allowed_cpu():
    return str(min(os.sched_getaffinity(0)))


def plain_ns(build, size, repeats, cpu, pattern):
    more = ["sequential"] if pattern == "sequential" else []
    return float(output(f"{build}/bench/plain_chase", str(size_bytes(size)), repeats, cpu,
                        *more).split()[1])


def pattern_pairs(build, command, size, budget, repeats):
    """Ours over the plain program's, which runs before and after: where these two differ by more
    than 5 % the machine itself changed meanwhile, and the pair tells nothing."""
    ratios = {"random_cycle": [], "sequential": []}
    tried, cpu = 0, allowed_cpu()
    while tried < 10 and len(ratios["random_cycle"]) < 5:
        tried += 1
        before = {name: plain_ns(build, size, repeats[name], cpu, name) for name in ratios}
        document = json.loads(output(*command, "--size", size, "--cold", "none", "--budget", budget,
                                     "--cpu", cpu, "--steps", "4000000"))
        for name, found in ratios.items():
            after = plain_ns(build, size, repeats[name], cpu, name)
            if abs(after / before[name] - 1) <= 0.05:
                found.append(2 * of_pattern(document, name, "warm") / (before[name] + after))
    return ratios, tried


def patterns(build):
    print("== patterns: fathom / a plain minimal chase before and after it (pairs in which these "
          "two agree)")
    command = [f"{build}/cli/fathom", "patterns", "--json", "--quiet"]
    for size, budget, repeats in (("16M", "5s", {"random_cycle": "5", "sequential": "15"}),
                                  ("256M", "12s", {"random_cycle": "1", "sequential": "5"})):
        ratios, tried = pattern_pairs(build, command, size, budget, repeats)
        for name, found in ratios.items():
            judged = name == "random_cycle"
            if not found:
                print(f"{size:>5} {name}: the machine never kept still, of {tried} pairs")
                continue
            ratio = statistics.median(found)
            print(f"{size:>5} {name}: {ratio:.4f} ({min(found):.3f}..{max(found):.3f}, {len(found)} "
                  f"of {tried})" + (f", wanted within 5 %: {verdict(abs(ratio - 1) <= 0.05)}"
                                    if judged else ", each in memory of its own: not judged"))
        # How fast a sequence is read depends on where the memory lies: both in the same.
        same = [float(output(f"{build}/bench/same_memory", str(size_bytes(size)), "sequential",
                             allowed_cpu()))
                for _ in range(3)]
        print(f"{size:>5} sequential, in the same memory: {statistics.median(same):.4f}, wanted "
              f"within 5 %: {verdict(abs(statistics.median(same) - 1) <= 0.05)}")
    document = json.loads(output(*command, "--size", "1M", "--cold", "none", "--budget", "1s"))
    l2 = str(cache(document, 2) or 1 << 20)
    document = json.loads(output(*command, "--size", l2, "--budget", "15s"))
    cold, warm = (of_pattern(document, "random_cycle", w) for w in ("cold_flushed", "warm"))
    print(f"a buffer of L2's size, {int(l2) >> 10} KiB: first lap after flushing {cold:.1f} ns, warm "
          f"{warm:.2f} ns, {cold / warm:.1f} x, wanted >= 5: {verdict(cold / warm >= 5)}")


def best_of_lanes(document):
    """The speed-up of the points themselves: the most lanes gain over one."""
    points = document["curves"][0]["points"]
    one = points[0]["latency_ns"]
    return max(one / point["ns_per_access"] for point in points[1:])


def parallelism(build):
    print("== parallelism: the speed-up of many chains over one, 2 MiB pages, and over the same of the")
    print("   best simple loop in C, interleaved (median of 3 pairs)")
    for size, wanted in (("512K", 12), ("6M", 20), ("1G", 14)):
        ours, ratios = [], []
        for _ in range(3):
            document = json.loads(output(f"{build}/cli/fathom", "parallelism", "--json", "--quiet",
                                         "--size", size, "--page", "thp", "--budget",
                                         "15s" if size == "1G" else "8s"))
            lines = output(f"{build}/bench/lanes_speed", str(size_bytes(size)), "huge").split("\n")
            plain = {int(line.split()[0]): float(line.split()[1]) for line in lines if line}
            ours.append(best_of_lanes(document))
            ratios.append(ours[-1] / (plain[1] / min(plain.values())))
        speedup, ratio = statistics.median(ours), statistics.median(ratios)
        print(f"{size:>5}: {speedup:.1f} x ({min(ours):.1f}..{max(ours):.1f}), wanted >= {wanted}: "
              f"{verdict(speedup >= wanted)}; {ratio:.3f} of the simple loop's "
              f"({min(ratios):.3f}..{max(ratios):.3f}), wanted within 3 %: {verdict(ratio >= 0.97)}")


def cores(build):
    print("== cores: fathom / a plain ping-pong before and after it (runs in which these two agree): the")
    print("   latency / the median of many batches, the fastest batch / the least; the spread of ten runs")
    cpus = sorted(os.sched_getaffinity(0))[:2]
    if len(cpus) < 2:
        print("one CPU: no pair")
        return
    plain = [f"{build}/bench/ping_pong", *map(str, cpus)]
    ratios, values, after = {"latency": [], "fastest": []}, [], output(*plain).split()
    for _ in range(10):
        before = after
        document = json.loads(output(f"{build}/cli/fathom", "cores", "--json", "--quiet", "--no-wait",
                                     "--cpu", ",".join(map(str, cpus))))
        after = output(*plain).split()
        pair = document["curves"][0]["pairs"][0]
        values.append(pair["latency_ns"])
        for name, ours, column in (("latency", pair["latency_ns"], 1), ("fastest", pair["least_ns"], 0)):
            one, other = float(before[column]), float(after[column])
            if abs(other / one - 1) <= 0.03:
                ratios[name].append(2 * ours / (one + other))
    for name, found in ratios.items():
        if not found:
            print(f"{name}: the machine never kept still")
            continue
        ratio = statistics.median(found)
        print(f"{name}: {ratio:.4f} ({min(found):.3f}..{max(found):.3f}, {len(found)} of 10), wanted "
              f"within 3 %: {verdict(abs(ratio - 1) <= 0.03)}")
    spread = max(values) / min(values)
    print(f"ten runs: {min(values):.1f} to {max(values):.1f} ns, {spread:.3f}, wanted <= 1.05 on a "
          f"quiet machine whose CPUs do not move: {verdict(spread <= 1.05)}")


LOADED_ROUNDS = 5


def loaded(build):
    """Interleaved: the machine may change between two of the commands, not in all of them alike."""
    print("== loaded: fathom loaded / bandwidth with as many threads, and / latency at the size of its chain, large")
    print(f"   pages if there are any; on a schedule / as much as they can (medians of {LOADED_ROUNDS} rounds)")
    fathom, quiet = f"{build}/cli/fathom", ["--json", "--quiet", "--no-wait"]
    wanted = {"greatest read bandwidth / bandwidth": ">= 0.97", "latency without traffic / latency": "within 3 %",
              "greatest scheduled / unscheduled bandwidth": ">= 0.95"}
    found = {name: [] for name in wanted}
    cpus = len(os.sched_getaffinity(0))
    if cpus < 2:
        print("one CPU: nobody makes traffic")
        return
    for _ in range(LOADED_ROUNDS):
        ours = json.loads(output(fathom, "loaded", *quiet, "--traffic", "reads", "--budget", "20s"))
        curve = ours["curves"][-1]
        threads, first = curve["traffic_threads"], curve["cpu"]
        others = sorted(os.sched_getaffinity(0) - {first})
        stream = json.loads(output(fathom, "bandwidth", *quiet, "--operation", "read", "--threads", str(threads),
                                   "--cpu", str(others[0]), "--page", curve["page"], "--size",
                                   str(curve["chain_bytes"] // threads), "--budget", "3s"))
        plain = json.loads(output(fathom, "latency", *quiet, "--cpu", str(first), "--page", curve["page"],
                                  "--size", str(curve["chain_bytes"]), "--no-control", "--budget", "5s"))
        # Of what was read while the chain was walked; the chain's own lines are no thread's.
        greatest = max(load["bandwidth_bytes_per_second"] - 64e9 / load["latency_ns"]
                       for load in curve["loads"])
        found["greatest read bandwidth / bandwidth"].append(
            greatest / points(stream)[-1]["bandwidth_bytes_per_second"])
        found["latency without traffic / latency"].append(
            curve["loads"][0]["latency_ns"] / points(plain)[-1]["latency_ns"])
        by_schedule = {load["wanted_bytes_per_second"] is not None: [] for load in curve["loads"]}
        for load in curve["loads"]:
            by_schedule[load["wanted_bytes_per_second"] is not None].append(load["bandwidth_bytes_per_second"])
        found["greatest scheduled / unscheduled bandwidth"].append(max(by_schedule[True]) / max(by_schedule[False]))
    for name, ratios in found.items():
        ratio = statistics.median(ratios)
        good = ratio >= float(wanted[name][3:]) if wanted[name][0] == ">" else abs(ratio - 1) <= 0.03
        print(f"{name}: {ratio:.3f} ({min(ratios):.3f}..{max(ratios):.3f}), wanted {wanted[name]}: {verdict(good)}")


# What of likwid-bench does the same; it counts a copy's bytes twice, as fathom does.
STREAMS = {
    "read": ["load", "load_sse", "load_avx", "load_avx512", "load_mem"],
    "write": ["store", "store_sse", "store_avx", "store_avx512"],
    "copy": ["copy", "copy_sse", "copy_avx", "copy_avx512"],
    "write_nt": ["store_mem", "store_mem_sse", "store_mem_avx", "store_mem_avx512"],
    "copy_nt": ["copy_mem", "copy_mem_sse", "copy_mem_avx", "copy_mem_avx512"],
}
# Of which level, and how much likwid-bench moves in a run.
STREAM_SIZES = {"16K": ("L1", 20e9), "512K": ("L2", 10e9), "8M": ("L3", 4e9), "1G": ("memory", 4e9)}
STREAM_WANTED = 0.97
STREAM_ROUNDS = 7


def likwid(kernel, size, volume):
    """GB/s; None: this CPU or version has no such kernel."""
    turns = max(2, round(volume / size_bytes(size)))
    done = subprocess.run(["likwid-bench", "-t", kernel, "-w", f"S0:{size_bytes(size)}B:1", "-i",
                           str(turns)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    found = re.search(r"^MByte/s:\s*([\d.]+)", done.stdout, re.M)
    return float(found.group(1)) / 1e3 if done.returncode == 0 and found else None


def streamed(build, operation, size):
    document = json.loads(output(f"{build}/cli/fathom", "bandwidth", "--json", "--quiet", "--cpu",
                                 "0", "--threads", "1", "--operation", operation, "--size", size,
                                 "--budget", "4s" if size == "1G" else "500ms"))
    return points(document)[0]["bandwidth_bytes_per_second"] / 1e9


def upper_quartile(found):
    """What disturbs a run only makes it slower."""
    return sorted(found)[len(found) * 3 // 4]


def bandwidth(build):
    print("== bandwidth: fathom / the best kernel of likwid-bench, interleaved, one thread (upper "
          f"quartiles of {STREAM_ROUNDS}), wanted >= {STREAM_WANTED}")
    if not shutil.which("likwid-bench"):
        print("likwid-bench is not installed (apt-get install likwid): left out")
        return
    for size, (level, volume) in STREAM_SIZES.items():
        for operation, kernels in STREAMS.items():
            if operation.endswith("_nt") and level != "memory":
                continue
            ours, theirs = [], {kernel: [] for kernel in kernels}
            for _ in range(STREAM_ROUNDS):
                ours.append(streamed(build, operation, size))
                for kernel, found in theirs.items():
                    found.append(likwid(kernel, size, volume))
            rates = {kernel: upper_quartile(found) for kernel, found in theirs.items()
                     if None not in found}
            best = max(rates, key=rates.get)
            ratio = upper_quartile(ours) / rates[best]
            print(f"{size:>4} ({level}) {operation:>8}: {upper_quartile(ours):6.1f} GB/s, {best} "
                  f"{rates[best]:6.1f}: {ratio:.3f}: {verdict(ratio >= STREAM_WANTED)}", flush=True)


def cache(document, level):
    sizes = [c["size_bytes"] for c in document["machine"]["caches"]
             if c["level"] == level and c["kind"] != "instruction"]
    return sizes[0] if sizes else 0


PAIRS, BASELINES, ALARMS = 20, 3, 1


def unchanged_runs(build):
    """Kept in the build folder: what an earlier, broken off run measured is not measured again."""
    folder = os.path.join(build, "unchanged")
    os.makedirs(folder, exist_ok=True)
    paths = [os.path.join(folder, f"{i}.json") for i in range(PAIRS * (BASELINES + 1))]
    for path in paths:
        if not os.path.exists(path):
            output(f"{build}/cli/fathom", "latency", "--quiet", "--budget", "3s", "-o", path)
    return paths


def compared(build, baselines, run):
    done = subprocess.run([f"{build}/cli/fathom", "compare", "--json", "--quiet", "--baseline",
                           ",".join(baselines), run], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode not in (0, 6):
        sys.exit(f"compare {run}: exit code {done.returncode}")
    return [part for part in json.loads(done.stdout)["runs"][0]["parts"]
            if part["verdict"] in ("slower", "faster")], json.loads(done.stdout)["runs"][0]["parts"]


def sibling(build):
    print("== sibling: laps of 5/6 of L1 beside whatever the core's other thread runs; slow: over 3 % "
          "more cycles than the fastest tenth")
    print("   wanted: under 5 % slow of what is kept")
    document = json.loads(output(f"{build}/cli/fathom", "latency", "--json", "--quiet", "--size",
                                 "4K", "--budget", "1s"))
    lap_bytes = (cache(document, 1) or 48 << 10) * 5 // 6
    for _ in range(3):
        print(output(f"{build}/bench/sibling", str(lap_bytes), "5", allowed_cpu()), end="")


AGED = ["4M", "8M", "16M"]
AGED_REPEATS = "5"


def aging(build):
    """Near the end of a shared cache a chain is faster just after it was brought in, and slower just after it was
    evicted, than once it has settled: the last columns are what a program sees that keeps its data for long."""
    print("== aging: ns a hop of a plain chase, ms after the chain was written, or evicted (median of 5), "
          "beside fathom latency --settled")
    for size in AGED:
        plain = {kind: output(f"{build}/bench/plain_chase", str(size_bytes(size)), AGED_REPEATS,
                              allowed_cpu(), kind).strip() for kind in ("aging", "evicted")}
        document = json.loads(output(f"{build}/cli/fathom", "latency", "--settled", "--json", "--quiet",
                                     "--no-wait", "--page", "4k", "--size", size, "--budget", "2s"))
        ours = {curve["points"][0]["warmth"]: curve["points"][0]["latency_ns"]
                for curve in document["curves"]}
        print(f"{size} written: {plain['aging']}\n{size} evicted: {plain['evicted']}\n"
              f"{size} fathom: filled {ours['warm']:.1f}, settled {ours['settled']:.1f}")


def unchanged(build):
    print(f"== unchanged: {PAIRS} runs, each against the {BASELINES} before it, and against one of them")
    paths = unchanged_runs(build)
    for count in (BASELINES, 1):
        alarms, visible = 0, {}
        for pair in range(PAIRS):
            first = pair * (BASELINES + 1)
            found, parts = compared(build, paths[first:first + count], paths[first + BASELINES])
            alarms += bool(found)
            for part in found:
                print(f"  {os.path.basename(paths[first + BASELINES])}: {part['name']} "
                      f"{part['verdict']}, speed-up {part['speedup']:.3f}")
            for part in parts:
                if part["visible"]:
                    visible.setdefault(part["name"], []).append(part["visible"])
        told = ", ".join(f"{name} {statistics.median(values):.1%}"
                         for name, values in visible.items() if len(values) > PAIRS / 2)
        print(f"{count} baseline(s): {alarms} of {PAIRS} alarmed, wanted <= {ALARMS}: "
              f"{verdict(alarms <= ALARMS)}; least difference that would be told, median: {told}")


def main():
    build = sys.argv[1]
    parts = {"chain": chain, "patterns": patterns, "parallelism": parallelism,
             "bandwidth": bandwidth, "cores": cores, "loaded": loaded,
             "sibling": sibling, "aging": aging, "unchanged": unchanged}
    for part in sys.argv[2:] or parts:
        parts[part](build)


main()
