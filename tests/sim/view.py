"""For tests/sim/view.t: rungs count and rungs view.  What a picture shows is what the counters say."""
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
sys.dont_write_bytecode = True
import browser

SIM = "build-sim"
rungs = os.path.abspath(SIM + "/rungs")
folder = tempfile.TemporaryDirectory(prefix="rungs-test-")
tmp = pathlib.Path(folder.name)
shots = pathlib.Path(os.environ.get("SHOTS", tmp))
shots.mkdir(parents=True, exist_ok=True)
os.environ["TMPDIR"] = str(tmp)
os.environ["LC_ALL"] = "C"
count = 0


def ok(name, holds, *evidence):
    global count
    count += 1
    print(f"{'ok' if holds else 'not ok'} {count} - {name}", flush=True)
    if not holds:
        print("#", *map(repr, evidence), file=sys.stderr)


def run(*words, status=0):
    said = subprocess.run([rungs, *words], capture_output=True, text=True, timeout=300)
    if status is not None and said.returncode != status:
        raise RuntimeError(f"{words}: status {said.returncode}: {said.stdout}{said.stderr}")
    return said.stdout + said.stderr


def counters(variant, size):
    """The counters of the call, by another command than those under test."""
    lines = run("run", variant, "--size", size, "--counters", "--format", "json").splitlines()
    return [json.loads(line) for line in lines if line.startswith('{"counters"')]


# --- the ladder without a clock -------------------------------------------------------------------
def metric(rows, name):
    return sum(row["metrics"][name] for row in rows if row["counters"] == "kernel")


def counting():
    file = tmp / "counts.jsonl"
    run("count", "saxpy/cuda_naive", "saxpy/cuda_shared", "saxpy/cuda_cublas", "--n", "1000", "--out", str(file))
    records = {r["variant"]: r for r in map(json.loads, file.read_text().splitlines()) if r["record"] == "measurement"}
    naive = records["cuda_naive"]["counters"]
    # 1000 elements are 32 warps, of which the last has 8 lanes: one sector in place of four.
    ok("requests and sectors, counted by hand", (naive["load_requests"], naive["load_sectors"]) == (64, 250) and
       (naive["store_requests"], naive["store_sectors"], naive["store_bytes"]) == (32, 125, 4000), naive)
    ok("... copies of a call: x and y there, z back", (naive["copies"], naive["copied_bytes"]) == (3, 12000), naive)
    rows = counters("saxpy/cuda_shared", "n=1000")
    shared = records["cuda_shared"]["counters"]
    ok("the record has what run --counters counts", shared["shared_requests"] == sum(
        metric(rows, f"smsp__sass_inst_executed_op_shared_{op}.sum") for op in ("ld", "st", "atom")) > 0 and
       shared["barriers"] == sum(r.get("barriers", 0) for r in rows) > 0, shared)
    ok("shared memory limits the occupancy, not above one", 0 < shared["occupancy"] <= 1, shared)
    ok("what cannot be simulated is refused, without counts", "counters" not in records["cuda_cublas"] and
       records["cuda_cublas"]["validation"]["status"] == "refused", records["cuda_cublas"])
    table = run("show", str(file))
    ok("show prints the table", re.search(r"^cuda_naive +ok +1 +1024 +64 +3\.91 +32 +3\.91 ", table, re.M), table)
    ok("... with the variant that refuses", re.search(r"^cuda_cublas +refused +cuBLAS cannot be simulated", table, re.M), table)
    ok("... and no time", not re.search(r"\d (ns|us|ms|s)\b", table), table)
    rows = {row["variant"]: row["load_sectors"] for row in csv.DictReader(io.StringIO(run("show", str(file), "--format", "csv")))}
    ok("CSV has all sectors, not those per request; an unknown count is empty",
       (rows["cuda_naive"], rows["cuda_cublas"]) == ("250", ""), rows)
    made = run("plot", "counts", str(file), "--out", str(tmp / "plots"), status=None)
    ok("plot counts", "gnuplot is not installed" in made or (tmp / "plots/counts-saxpy-n1000.svg").exists(), made,
       *tmp.glob("plots/*"))
    ok("not of variants for the CPU", "only variants in CUDA" in run("count", "saxpy/cpu_naive", status=2))
    if os.access("build/rungs", os.X_OK) and "cuda_naive" in subprocess.run(
            ["build/rungs", "list", "--names"], capture_output=True, text=True).stdout:
        said = subprocess.run(["build/rungs", "count", "saxpy/cuda_naive", "--n", "1000", "--format", "csv", "--out",
                               str(tmp / "other.jsonl")], capture_output=True, text=True)
        ok("the other build's program becomes the simulator's", ",cuda_naive," in said.stdout, said)


# --- pictures with letters ------------------------------------------------------------------------
ROW = re.compile(r"^ +\S+(?:\[-?\d+\]|\+-?\d+ B) \|(.*)\|$", re.M)


def drawn_sectors(text):
    return sum(part.strip() != "" for row in ROW.findall(text) for part in row.split("|"))


def letters():
    for variant, size in (("stencil/cuda_naive", "rows=64,cols=64,sweeps=1"), ("fft/cuda_naive", "batch=2,n=128"),
                          ("saxpy/cuda_vector", "n=1000")):
        text = run("view", variant, "--size", size, "--out", str(tmp / "page.html"))
        said = int(re.search(r"^  (\d+) sectors of 32 bytes", text, re.M)[1])
        ok(f"{variant}: as many sectors are drawn as are said", drawn_sectors(text) == said > 0, text)
        place = re.search(r"^  (\S+:\d+)  ", text, re.M)[1]
        line = next(l for row in counters(variant, size) if row["counters"] == "kernel" for l in row["lines"]
                    if l["at"] == place and f"global {l['access']} of" in text)
        ok("... and the line's sum is that of the counters",
           f"{line['requests']} requests of this line, {line['sectors']} sectors" in text, text, line)
    text = run("view", "fft/cuda_naive", "--size", "batch=4,n=256", "--out", str(tmp / "page.html"))
    rows = re.findall(r"^ +(\S+)\+(\d+) B \|", text, re.M)
    ok("members of elements: places are in bytes", len(rows) > 1 and all(int(at) == 128 * i for i, (_, at) in enumerate(rows)) and
       "several are *" not in text, text)
    text = run("view", "matmul/cuda_tiled", "--size", "m=64,n=64,k=64", "--out", str(tmp / "page.html"))
    ok("shared memory: banks", re.search(r"^  words per bank (\d ){32}$", text, re.M), text)


# --- mistakes -------------------------------------------------------------------------------------
def mistake(program, name):
    """The picture of a program's mistake or work with letters, and its page."""
    trace, page = tmp / "trace.jsonl", tmp / f"{name.replace(' ', '-')}.html"
    trace.unlink(missing_ok=True)
    subprocess.run([f"{SIM}/tests/sim/{program}", name], env={**os.environ, "RUNGS_SIM_TRACE": str(trace)},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return run("view", str(trace), "--out", str(page)), page


def mistakes():
    text, bounds = mistake("mistakes", "reads past the end")
    ok("out of bounds: 8 lanes inside, the next outside", "|0 1 2 3 4 5 6 7|! . . . . . . .|" in text and
       "lane 8, which reads p[1000]; p has 1000 elements" in text, text)
    text, race = mistake("races", "no barrier before a tile is read")
    ok("a race: both threads", text.count("  thread ") == 2 and re.search(r"writes +tile\[64\]", text) and
       re.search(r"reads +tile\[64\]", text), text)
    text, waits = mistake("mistakes", "barrier for some")
    ok("a barrier for some: 40 wait, the others have returned", re.search(r"A  40 threads wait in __syncthreads", text) and
       "24 threads have returned" in text and text.count("A" * 32 + "\n") == 1, text)
    _, streams = mistake("counters", "two streams")
    text, after = mistake("counters", "two streams, one after the other")
    ok("streams: a row each", re.search(r"^  stream  1 .*HKD", text, re.M) and re.search(r"^  stream  2 .*HKD", text, re.M), text)
    return bounds, race, waits, streams, after


# --- the page -------------------------------------------------------------------------------------
def steps(b):
    """Goes through all steps by the button and returns what each shows."""
    seen = []
    while b.value("!document.getElementById('back').disabled"):
        b.click("#back")
    while True:
        seen.append(b.value("""(() => {
            const row = document.querySelector('tr[aria-current=true]');
            return { at: row.dataset.at, access: row.dataset.access, said: +document.querySelector('.said').dataset.parts,
                sectors: document.querySelectorAll('.sector.fetched').length, cells: document.querySelectorAll('.cell').length,
                lanes: document.querySelectorAll('.lane.part').length };
        })()"""))
        if b.value("document.getElementById('forward').disabled"):
            return seen
        b.click("#forward")


def traced(page):
    document = json.loads(re.search(r"<script type=\"application/json\" id=document>(.*?)</script>", page.read_text(), re.S)[1])
    return document["kernels"][0]


def pages(b):
    page = tmp / "saxpy.html"
    run("view", "saxpy/cuda_naive", "--n", "29", "--out", str(page))
    b.open(page)
    ok("the page opens without a word on the console, and asks the network for nothing", b.complaints == [], b.complaints)
    seen, sums = steps(b), collections.Counter()
    for step in seen:
        sums[step["at"], step["access"]] += step["sectors"]
    expected = {(l["at"], l["access"]): l["sectors"] for row in counters("saxpy/cuda_naive", "n=29")
                if row["counters"] == "kernel" for l in row["lines"]}
    ok("all sectors that the kernel takes are drawn, line by line", dict(sums) == expected and len(seen) == 3, sums, expected)
    ok("... a cell and a lane for each of 29 elements", all(s["cells"] == s["lanes"] == 29 for s in seen), seen)
    for variant, size in (("stencil/cuda_naive", "rows=64,cols=64,sweeps=1"), ("fft/cuda_shared", "batch=4,n=256"),
                          ("matmul/cuda_tiled", "m=64,n=64,k=64"), ("matmul/cuda_shared", "m=64,n=64,k=64")):
        run("view", variant, "--size", size, "--out", str(page))
        b.open(page)
        counted = [s["parts"] for s in traced(page)["steps"]]
        seen = steps(b)
        ok(f"{variant}: each step draws what was counted", [s["said"] for s in seen] == counted and len(counted) > 2,
           seen, counted)
    b.open(page)
    first = b.value("document.getElementById('where').value")
    ok("it begins with the line that has most to gain", b.value(
        "document.querySelector('tbody tr').ariaCurrent") == "true", first)
    for key, code in (("ArrowRight", 1), ("ArrowLeft", 0)):
        b.value(f"document.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}' }}))")
        now = b.value("document.getElementById('where').value")
        ok(f"the key {key} steps", (now != first) == bool(code), first, now)
    for name, dark in (("light", False), ("dark", True)):
        b.open(page, 1200, 1000, dark)
        b.picture(shots / f"view-{name}.png")


def mistaken_pages(b, bounds, race, waits, streams, after):
    b.open(bounds)
    ok("out of bounds: one cell is bad, behind the edge", b.value("""(() => {
        const bad = document.querySelectorAll('.cell.bad'), edge = document.querySelector('.edge').getBoundingClientRect();
        return bad.length === 1 && document.querySelectorAll('.cell').length === 9 &&
            bad[0].getBoundingClientRect().left >= edge.left;
    })()"""))
    b.open(race)
    ok("race: two accesses stand out, and a line joins them", b.value(
        "document.querySelectorAll('.clash').length === 2 && document.querySelectorAll('.clash-line').length === 1"))
    b.click("#back")
    ok("... which the step before does not show yet", b.value("document.querySelectorAll('.clash-line').length") == 0)
    b.open(waits)
    ok("who waits where: each thread, in two groups", b.value("""(() => {
        const letters = [...document.querySelectorAll('.thread text')].map(t => t.textContent);
        return [letters.filter(l => l === 'A').length, letters.filter(l => l === 'B').length].join();
    })()""") == "40,24")
    for page, together, name in ((streams, True, "in the same step"), (after, False, "never in the same step")):
        b.open(page)
        b.value("[...document.querySelectorAll('nav button')].at(-1).click()")
        ok(f"streams: a copy of one and a kernel of the other, {name}", b.value("""(() => {
            const at = kind => [...document.querySelectorAll(`.work.${kind} rect`)].map(r => +r.getAttribute('x'));
            return at('kernel').length === 2 && at('kernel').some(x => at('HtoD').includes(x));
        })()""") is together)
        ok("... and the bytes that may overlap, as in tests/sim/counters.cu", b.value(
            "document.querySelector('.said').textContent").startswith(f": {4000 if together else 0} bytes of copies may overlap"))
    ok("nothing complained", b.complaints == [], b.complaints)


counting()
letters()
drawn = mistakes()
if browser.find():
    with browser.Browser() as b:
        pages(b)
        mistaken_pages(b, *drawn)
else:
    count += 1
    print(f"ok {count} - pages # skip chromium is not there: apt-get install chromium")
print(f"1..{count}")
