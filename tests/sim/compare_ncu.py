"""compare_ncu.py: does the simulator count what a card counts?

    python3 tests/sim/compare_ncu.py simulate >simulated     what the simulator counts (make SIM=1)
    python3 tests/sim/compare_ncu.py profile >profiled       what ncu counts, on a card (make)
    ... profile VARIANT...                                      of these alone
    python3 tests/sim/compare_ncu.py table simulated profiled
    python3 tests/sim/compare_ncu.py recorded [SECONDS]      the simulator beside docs/profiles/, without a card

`recorded` runs each variant of docs/profiles/ in the simulator, at the size that ncu profiled, for so many seconds
at most (60), and compares what those pages print of each kernel: sectors and bytes per request, with the precision
of the page.

The first two can be done on two machines, from the same commit.  The table has a line for each
metric of each kernel, and at the end how many of them are the same.
"""
import collections
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

RUNGS = [
    ("saxpy/cuda_naive", "n=1000003"),
    ("saxpy/cuda_vector", "n=2^20"),
    ("saxpy/cuda_shared", "n=2^20"),
    ("saxpy/cuda_warp", "n=2^20"),
    ("stencil/cuda_naive", "rows=509,cols=510,sweeps=1"),
    ("stencil/cuda_shared", "rows=509,cols=510,sweeps=1"),
    ("stencil/cuda_warp", "rows=509,cols=510,sweeps=1"),
    ("matmul/cuda_naive", "m=256,n=256,k=256"),
    ("matmul/cuda_shared", "m=256,n=256,k=256"),
    ("matmul/cuda_tiled", "m=256,n=256,k=256"),
    ("matmul/cuda_warp", "m=256,n=256,k=256"),
    ("fft/cuda_naive", "batch=4,n=256"),
    ("fft/cuda_stockham", "batch=64,n=1024"),
    ("fft/cuda_shared", "batch=64,n=1024"),
    ("fft/cuda_warp", "batch=64,n=1024"),
    ("knn/cuda_naive", "m=512,n=2048,k=4"),
    ("knn/cuda_shared", "m=512,n=2048,k=4"),
    ("knn/cuda_tiled", "m=512,n=2048,k=4"),
    ("knn/cuda_warp", "m=512,n=2048,k=1"),
]
OPCODES = "sass__inst_executed_per_opcode"
METRICS = [
    "launch__grid_size",
    "launch__thread_count",
    *(f"{metric}_{op}.sum" for op in ("ld", "st") for metric in (
        "l1tex__t_requests_pipe_lsu_mem_global_op",
        "l1tex__t_sectors_pipe_lsu_mem_global_op",
        "smsp__sass_data_bytes_mem_global_op",
        "smsp__sass_inst_executed_op_shared",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op",
    )),
    OPCODES + ", BAR",
]


def progress(variant):
    print(variant, file=sys.stderr, flush=True)


def simulate():
    for variant, size in RUNGS:
        progress(variant)
        said = subprocess.run(["build-sim/rungs", "run", variant, "--size", size, "--counters",
                               "--format", "json"], capture_output=True, text=True, check=True)
        for line in said.stdout.splitlines():
            row = json.loads(line)
            if row.get("counters") == "kernel" and row["phase"] == "run":
                print(json.dumps({"variant": variant, "size": size, **row}))


def ask_ncu(variant, size):
    metrics = ",".join(m.split(",")[0] for m in METRICS)
    with tempfile.NamedTemporaryFile("r") as log:
        subprocess.run(["ncu", "--csv", "--target-processes", "all", "--clock-control", "none",
                        "--print-units", "base", "--print-metric-instances", "details",
                        "--metrics", metrics, "--log-file", log.name,
                        "build/rungs", "run", variant, "--size", size],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return log.read()


def profile(*variants):
    for variant, size in RUNGS:
        if variants and variant not in variants:
            continue
        progress(variant)
        said = ask_ncu(variant, size)
        if "driver resource was unavailable" in said:  # another process is profiling
            time.sleep(3)
            said = ask_ncu(variant, size)
        print(f"# {variant} {size}\n{said}", end="", flush=True)


def plain(kernel):
    """matmul_tiled, of "void <unnamed>::matmul_tiled<4>(float const*)"."""
    return re.search(r"(\w+)\s*(<.*>)?\s*(\(.*\))?$", kernel).group(1)


def simulated(path):
    """{(variant, size, kernel): {metric: sum of all launches}}"""
    counts = collections.defaultdict(collections.Counter)
    with open(path, encoding="utf-8") as stream:
        for row in map(json.loads, stream):
            of_kernel = counts[row["variant"], row["size"], plain(row["kernel"])]
            of_kernel["launches"] += row["launches"]
            of_kernel[OPCODES + ", BAR"] += row["barriers"]
            of_kernel.update({m: v for m, v in row["metrics"].items() if m in METRICS})
    return counts


def value_of(metric, text):
    """What stands in parentheses are the parts that it is the sum of: "7 (BAR: 2, LDG: 5)"."""
    whole, _, parts = text.replace(",", "").partition(" (")
    if metric != OPCODES:
        return metric, float(whole)
    if ":" not in parts:  # --print-metric-instances values: not which they are
        return None, 0
    return metric + ", BAR", sum(float(n) for n in re.findall(r"\bBAR\b[^:]*: *([0-9]+)", parts))


def profiled(path):
    """As of simulated()."""
    with open(path, encoding="utf-8") as stream:
        parts = re.split(r"^# (\S+) (\S+)\n", stream.read(), flags=re.M)[1:]
    counts = collections.defaultdict(collections.Counter)
    for variant, size, text in zip(parts[::3], parts[1::3], parts[2::3]):
        table = "\n".join(line for line in text.splitlines() if line.startswith('"'))
        launches = collections.defaultdict(set)
        for row in csv.DictReader(io.StringIO(table)):
            kernel = variant, size, plain(row["Kernel Name"])
            metric, value = value_of(row["Metric Name"], row["Metric Value"])
            if metric is not None:
                counts[kernel][metric] += value
            launches[kernel].add((row.get("Process ID"), row["ID"]))
        for kernel, ids in launches.items():
            counts[kernel]["launches"] = len(ids)
    return counts


def table(ours, theirs):
    ours, theirs = simulated(ours), profiled(theirs)
    same = close = compared = kernels = 0
    for (variant, size, kernel), mine in ours.items():
        card = theirs.get((variant, size, kernel))
        if card is None:
            print(f"{variant}, {size}: kernel {kernel}: not profiled", file=sys.stderr)
            continue
        kernels += 1
        print(f"\n{variant}, {size}: kernel {kernel}")
        # The harness may call a variant more than once; a card has seen each call.
        calls = card["launches"] / mine["launches"]
        print(f"  launches a call {mine['launches']}; ncu has seen {calls:g} calls")
        print(f"  {'':57s} {'simulator':>11s} {'ncu':>11s}")
        for metric in METRICS:
            a, b = mine[metric], card[metric] / calls
            if a == b == 0 or metric not in card:
                continue
            compared += 1
            same += a == b
            close += abs(a - b) <= 0.02 * max(a, b)
            note = "" if a == b else f"  {100 * (a - b) / b:+.1f} %" if b else "  none on the card"
            print(f"  {metric:57s} {a:11.0f} {b:11.0f}{note}")
    print(f"\n{kernels} kernels, {compared} counts: {same} the same, "
          f"{close - same} more within 2 %")


PRINTED = re.compile(r"sectors a request +(?:loads ([\d.]+) for (\d+) bytes)?(?:; )?(?:stores ([\d.]+) for (\d+) bytes)?")


def recorded_profiles():
    """(variant, size, kernel, [sectors and bytes per load, per store]) of docs/profiles/."""
    for page in sorted(pathlib.Path("docs/profiles").glob("*.md")):
        variant = size = kernel = None
        for line in page.read_text(encoding="utf-8").splitlines():
            if found := re.match(r"(\w+/cuda_\w+)  (.*?)  NVIDIA", line):
                variant, size = found[1], found[2].replace(" ", ",")
            elif found := re.match(r"kernel ([^:;]+?)(<.*)?: ", line):
                kernel = plain(found[1])
            elif (found := PRINTED.search(line)) and kernel and any(found.groups()):
                yield variant, size, kernel, [float(n) if n else None for n in found.groups()]
                kernel = None


def per_request(metrics):
    """As the pages print them: sectors and bytes per load, per store."""
    for op in ("ld", "st"):
        requests = metrics[f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum"]
        for what in ("l1tex__t_sectors_pipe_lsu", "smsp__sass_data_bytes"):
            yield metrics[f"{what}_mem_global_op_{op}.sum"] / requests if requests else None


def agree(card, ours, rounding):
    return card is None or (ours is not None and abs(card - ours) <= max(rounding, 0.02 * card))


def recorded(seconds=60):
    """The simulator beside what the pages print."""
    done, kernels, same = {}, 0, 0
    for variant, size, kernel, card in recorded_profiles():
        if variant not in done:
            progress(variant)
            done[variant] = {}
            try:
                said = subprocess.run(["build-sim/rungs", "run", variant, "--size", size, "--counters", "--format", "json"],
                                      capture_output=True, text=True, timeout=float(seconds),
                                      env={**os.environ, "RUNGS_SIM_RACES": "0"})
            except subprocess.TimeoutExpired:
                continue
            rows = [json.loads(line) for line in said.stdout.splitlines() if line.startswith('{"counters":"kernel"')]
            done[variant] = {name: collections.Counter() for name in (plain(row["kernel"]) for row in rows)}
            for row in rows:
                done[variant][plain(row["kernel"])].update(row["metrics"])
        if kernel not in done[variant]:
            continue
        ours = list(per_request(done[variant][kernel]))
        good = all(agree(c, o, r) for c, o, r in zip(card, ours, (0.05, 0.5, 0.05, 0.5)))
        kernels += 1
        same += good
        shown = "  ".join(f"{'-' if c is None else f'{c:g}':>6s} {'-' if o is None else f'{o:.2f}':>7s}" for c, o in zip(card, ours))
        print(f"{variant:24s} {kernel:24s} {shown}{'' if good else '  differs'}", flush=True)
    print(f"\n{kernels} kernels: {same} agree in all that the page prints")


if sys.argv[1:2] == ["recorded"]:
    recorded(*sys.argv[2:])
elif sys.argv[1:] == ["simulate"]:
    simulate()
elif sys.argv[1:2] == ["profile"]:
    profile(*sys.argv[2:])
elif len(sys.argv) == 4 and sys.argv[1] == "table":
    table(*sys.argv[2:])
else:
    sys.exit(__doc__)
