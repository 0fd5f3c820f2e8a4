"""The page of bench/repeat.py: what is said of sweeps and pairs that were measured."""
import statistics

# What is shown must be so, by state: the largest ("<=") or least (">=") value that is wanted.
LATENCY, SMALL, FLAT, HELD, SECONDS = range(5)
WANTED = (
    ("L1 and L2 latency, max/min, cycles", "<=", (1.005, 1.01, 1.01)),
    ("sizes up to half of L2 within 1 % (least of the runs)", ">=", (0.97, 0.95, 0.95)),
    ("sizes outside the transitions within 3 % (all runs)", ">=", (0.85, 0.65, 0.65)),
    ("intervals that hold the median of the runs, up to L2", ">=", (0.93, 0.90, 0.90)),
    ("seconds of a sweep (longest)", "<=", (10.5, 10.5, 11.0)),
)
JUDGED = ("quiet", "neighbour", "woken")
TITLES = {"quiet": "quiet", "neighbour": "neighbour streams", "woken": "same CPU is woken",
          "both": "both"}
PLAIN_ALLOWED = {16 << 10: 0.01, 256 << 10: 0.01, 6 << 20: 0.03, 64 << 20: 0.04,
                 1 << 30: 0.1}
# A size is in a transition where the latency a quarter of an octave on is more than so many times
# that a quarter of an octave before.
TRANSITION, QUARTER = 1.15, 2 ** 0.25 * 1.001
QUIET_LOAD = 0.5  # of the first state; a run that is going adds up to 1 to the later ones


def points(document):
    return document["curves"][0]["points"]


def cache_bytes(document, level):
    sizes = [c["size_bytes"] for c in document["machine"]["caches"]
             if c["level"] == level and c["kind"] != "instruction"]
    return sizes[0] if sizes else 0


def by_size(runs):
    """{size: its points}, of the sizes that at least half of the runs have."""
    found = {}
    for run in runs:
        for p in points(run["document"]):
            found.setdefault(p["size_bytes"], []).append(p)
    return {size: found[size] for size in sorted(found) if 2 * len(found[size]) >= len(runs)}


def values(group, key):
    return [p[key] for p in group if p[key] is not None]


def spread(found):
    return max(found) / min(found) if found else None


def half_width(point, unit):
    low, high, value = (point[f"latency_{part}{unit}"] for part in ("low_", "high_", ""))
    return None if None in (low, high, value) else (high - low) / 2 / value


def within(point, share, unit):
    width = half_width(point, unit)
    return width is not None and width <= share


def share(found):
    found = list(found)
    return sum(found) / len(found) if found else None


def transitions(runs):
    """The sizes at which the median curve of these runs rises from one level to the next."""
    median = {size: statistics.median(values(group, "latency_ns"))
              for size, group in by_size(runs).items()}
    near = {s: [median[t] for t in median if s / QUARTER <= t <= s * QUARTER] for s in median}
    return {s for s, found in near.items() if found[-1] > TRANSITION * found[0]}


def level_points(runs, level):
    """The points well inside a private cache: half of L1, a quarter of L2 (which the first TLB
    reaches on most machines)."""
    document = runs[0]["document"]
    wanted = cache_bytes(document, level) / (2 if level == 1 else 4)
    sizes = by_size(runs)
    return sizes[min(sizes, key=lambda s: abs(s - wanted))] if wanted and sizes else []


def held(runs, most_bytes):
    found = []
    for group in (group for size, group in by_size(runs).items() if size <= most_bytes):
        median = statistics.median(values(group, "latency_ns"))
        found += [p["latency_low_ns"] is not None
                  and p["latency_low_ns"] <= median <= p["latency_high_ns"] for p in group]
    return share(found)


def small_shares(runs, unit="ns"):
    most = cache_bytes(runs[0]["document"], 2) / 2
    return [share(within(p, 0.01, unit) for p in points(run["document"])
                  if p["size_bytes"] <= most) for run in runs]


def flat_share(runs, steep):
    return share(within(p, 0.03, "ns") for run in runs for p in points(run["document"])
                 if p["size_bytes"] not in steep)


def core_spread(runs):
    """None where a run has no cycles."""
    groups = [values(level_points(runs, level), "latency_cycles") for level in (1, 2)]
    return max(spread(g) for g in groups) if all(len(g) == len(runs) for g in groups) else None


def judged(runs, steep):
    l2_bytes = cache_bytes(runs[0]["document"], 2)
    small = small_shares(runs)
    return {LATENCY: core_spread(runs), SMALL: None if None in small else min(small),
            FLAT: flat_share(runs, steep), HELD: held(runs, l2_bytes),
            SECONDS: max(run["seconds"] for run in runs)}


# ---- words ----

def number(value, digits=3):
    return "—" if value is None else f"{value:.{digits}f}"


def percent(value):
    return "—" if value is None else f"{value:.1%}".replace("%", " %")


def size_name(size_bytes):
    for unit, bits in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if size_bytes >= 1 << bits:
            return f"{size_bytes / (1 << bits):.3g} {unit}"
    return f"{size_bytes:.0f} B"


def table(head, rows):
    lines = ["| " + " | ".join(row) + " |" for row in [head, *rows]]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]]) + "\n"


def cell(kind, value, sign, wanted):
    met = value is not None and (value <= wanted if sign == "<=" else value >= wanted)
    words = percent if kind in (SMALL, FLAT, HELD) else (
        lambda v: number(v, 1 if kind == SECONDS else 4))
    limit = f"{wanted:.0%}".replace("%", " %") if words is percent else f"{wanted}"
    return f"{words(value)} ({'≤' if sign == '<=' else '≥'} {limit}{'' if met else ': **missed**'})"


def must_show(runs, steep):
    states = [state for state in JUDGED if state in runs]
    found = {state: judged(runs[state], steep) for state in states}
    rows = [[text] + [cell(kind, found[state][kind], sign, wanted[JUDGED.index(state)])
                      for state in states]
            for kind, (text, sign, wanted) in enumerate(WANTED)]
    return table([""] + [TITLES[state] for state in states], rows)


def level_of(document, name):
    return next((level for level in document["levels"] if level["name"] == name), None)


def told(runs, name, key, show):
    """Median, max/min, and in how many runs, where not in all."""
    levels = [level_of(run["document"], name) for run in runs]
    found = [level[key] for level in levels if level and level[key] is not None]
    if not found:
        return "—"
    few = f", in {len(found)} of {len(runs)}" if len(found) < len(runs) else ""
    return f"{show(statistics.median(found))}, {spread(found):.3f}{few}"


def curve_cell(runs, level, key, digits):
    found = values(level_points(runs, level), key)
    return f"{statistics.median(found):.{digits}f}, {spread(found):.4f}" if found else "—"


def levels_table(runs):
    rows = [[f"{name} on the curve, {unit}"] +
            [curve_cell(of, level, f"latency_{unit}", 3) for of in runs.values()]
            for name, level in (("half of L1", 1), ("a quarter of L2", 2))
            for unit in ("cycles", "ns")]
    rows += [[f"{name} latency, {unit}"] +
             [told(of, name, f"latency_{unit}", number) for of in runs.values()]
             for name in ("L1", "L2", "L3", "memory") for unit in ("cycles", "ns")]
    rows += [[f"end of {name}"] + [told(of, name, "size_bytes", size_name) for of in runs.values()]
             for name in ("L1", "L2", "L3")]
    return table(["median, max/min"] + [TITLES[state] for state in runs], rows)


def tlb_words(document):
    found = [level for level in document["levels"] if level["kind"] == "tlb"]
    return " + ".join(f"{level['entries']:.0f}" if level["entries"] else size_name(
        level["size_bytes"]) for level in found) or "none"


def beside_share(document):
    """Of the batches during which the core's other thread was watched: a program ran there."""
    beside = watched = 0
    for curve in document["curves"]:
        for point in curve["points"]:
            beside += point["rejected"].get("sibling", 0)
            watched += point.get("watched", 0)
    return beside / watched if watched else None


def end_of(document, name):
    level = level_of(document, name)
    return size_name(level["size_bytes"]) if level and level["size_bytes"] else "—"


def run_rows(runs, steep):
    for state, of in runs.items():
        small, cycles = small_shares(of), small_shares(of, "cycles")
        for index, run in enumerate(of):
            document = run["document"]
            unknown = sum(level["kind"] == "unknown" for level in document["levels"])
            yield [TITLES[state] if index == 0 else "", number(run["seconds"], 1),
                   str(len(points(document))), percent(small[index]), percent(cycles[index]),
                   percent(flat_share([run], steep)), percent(beside_share(document)),
                   end_of(document, "L1"), end_of(document, "L2"), tlb_words(document),
                   str(unknown) if unknown else "", str(len(document["warnings"]))]


def runs_table(runs, steep):
    return table(["state", "seconds", "sizes", "≤ L2/2 within 1 %, ns", "in cycles",
                  "flat within 3 %", "beside a sibling", "L1", "L2", "TLB entries", "unknown steps",
                  "warnings"],
                 run_rows(runs, steep))


def plain_cell(pairs, size, key):
    found = [pair["ours"] / pair[key] for pair in pairs if pair["size"] == size]
    ratio = statistics.median(found)
    missed = "" if abs(ratio - 1) <= PLAIN_ALLOWED[size] else ", **missed**"
    return f"{ratio:.4f} ({min(found):.3f} to {max(found):.3f}{missed})"


def plain_table(pairs):
    return table(["", "wanted"] + [f"{TITLES[state]}, over the {key}" for state in pairs
                                   for key in ("least", "median")],
                 [[size_name(size), f"± {allowed:.0%}".replace("%", " %")] +
                  [plain_cell(pairs[state], size, key) for state in pairs
                   for key in ("least", "median")]
                  for size, allowed in PLAIN_ALLOWED.items()])


# ---- surveys ----

def main_levels(document):
    """Those of the curve that has the first level."""
    first = document["levels"][0]["curve"]
    return [level for level in document["levels"] if level["curve"] == first]


def kinds_of(document):
    return " ".join(level["name"] for level in main_levels(document))


def reported_caches(document):
    return sum(c["kind"] != "instruction" for c in document["machine"]["caches"])


def tlb_entries(document):
    found = [tlb["entries"] for one in document["translations"][:1] for tlb in one["tlbs"]]
    return [f"{entries:.0f}" for entries in found]


def survey_rows(surveys):
    for document in surveys:
        levels = {level["name"]: level for level in main_levels(document)}
        memory = levels.get("memory", {}).get("latency_ns")
        yield [document["quality"], kinds_of(document),
               *(end_of(document, name) for name in ("L1", "L2", "L3")), number(memory, 0),
               " + ".join(tlb_entries(document)) or "none"]


def surveys_words(surveys):
    kinds = [kinds_of(document) for document in surveys]
    same = max(map(kinds.count, kinds))
    false = sum(max(0, sum(level["kind"] == "cache" for level in main_levels(document))
                    - reported_caches(document)) for document in surveys)
    return (f"{len(surveys)} surveys of 30 s, one after the other. The levels of the main curve are the same "
            f"in **{same} of {len(surveys)}** (wanted: 9 of 10); caches beyond those that the OS reports: "
            f"**{false}** (wanted: none).\n")


def surveys_table(surveys):
    return table(["quality", "levels", "L1", "L2", "L3", "memory, ns", "entries of TLBs, 4 KiB"],
                 survey_rows(surveys))


def states_words(runs):
    lines = []
    for state, of in runs.items():
        first = of[0]
        loud = state == "quiet" and first["load"] > QUIET_LOAD
        lines.append(f"- **{TITLES[state]}**: {len(of)} sweeps from {first['at']} on, load average "
                     f"{first['load']:.2f} before" +
                     (": **this was not a quiet machine**" if loud else ""))
    return "\n".join(lines)


def machine_words(document):
    machine = document["machine"]
    caches = ", ".join(f"L{c['level']} {size_name(c['size_bytes'])}" for c in machine["caches"]
                       if c["kind"] != "instruction")
    guest = f"a guest ({machine['hypervisor']})" if machine["hypervisor"] else "bare metal"
    return (f"{machine['cpu_model']}, {machine['online_cpus']} CPUs, {guest}; the OS says {caches}. "
            f"fathom {document['fathom']['version']}.")


def steep_words(steep):
    """The transitions as ranges of neighbouring sizes."""
    ranges = []
    for size in sorted(steep):
        if ranges and size <= 1.2 * ranges[-1][1]:
            ranges[-1][1] = size
        else:
            ranges.append([size, size])
    return ", ".join(f"{size_name(a)} to {size_name(b)}" for a, b in ranges) or "none"


def page(runs, pairs, surveys, whole, budget):
    """`runs`: {state: [{document, seconds, at, load}]}; `pairs`: {state: [{size, ours, least, median}]}"""
    first = next(iter(runs))
    steep = transitions(runs[first])
    parts = ["# How alike sweeps of one machine are\n"]
    if not whole:
        parts.append("**A trial, with other options than the defaults (budget of a sweep: "
                     f"{budget or 'the default'}). No figure of it is one to quote.**\n")
    parts += [
        "This page is what `make repeat` printed last. `fathom latency` from 1 KiB to 1 GiB, 8 sizes "
        "an octave, in states that the bench brings about: a neighbour reads and writes 512 MiB on "
        "each other CPU all the time; a process wakes 1,000 times a second on the measured CPU "
        "and computes for 20 µs each time; both.\n",
        machine_words(runs[first][0]["document"]) + "\n", states_words(runs) + "\n",
        "## What must be shown\n", must_show(runs, steep),
        "Latencies are those of the curve at half of L1 and at a quarter of L2. *Within* is the "
        "half-width of the 95 % interval of `latency_ns`. A size is in a transition where the median "
        f"curve of the state '{TITLES[first]}' rises by more than {100 * (TRANSITION - 1):.0f} % over "
        f"half an octave round it: {steep_words(steep)}. An interval that is absent counts as too wide, and "
        "holds nothing.\n",
        "## Levels\n", levels_table(runs), "## Runs\n", runs_table(runs, steep)]
    if pairs:
        parts += ["## Against a plain minimal chase\n",
                  "fathom's latency over that of `bench/plain_chase.c`: its least and its median batch (a "
                  "lap, but 10,000 accesses at least and 4 million at most), median of some placements. One of fathom's single "
                  "sizes, one of these, and so on: median of the pairs (least to greatest). Past the "
                  "private caches no lap is like another, and fathom tells the mean: there the least "
                  "is of another quantity.\n",
                  plain_table(pairs)]
    if surveys:
        parts += ["## Surveys\n", surveys_words(surveys), surveys_table(surveys)]
    return "\n".join(parts)
