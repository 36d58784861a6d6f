#!/bin/sh
# rungs report: what is in the page, from real and from hostile records; its size and time; refusals.
. tests/tools/tap.sh
export PYTHONPATH="$tests/tools" PYTHONDONTWRITEBYTECODE=1

# A page of the files that a script makes, and what a second one says of it, with `page` for the page.
# holds MAKE CHECK [OPTION...]
holds() {
    make=$1 check=$2
    shift 2
    rm -f "$tmp"/made-*.jsonl "$tmp/page.html"
    (cd "$tmp" && python3 -c "from report_page import *
$make") || return 1
    exits 0 report --no-plots "$@" "$tmp"/made-*.jsonl --out "$tmp/page.html" || return 1
    (cd "$tmp" && python3 -c "from report_page import *
page = Page('page.html')
$check")
}
ladder='write("made-1.jsonl", [run(),
    measurement(time=8e6), measurement(variant="cpu_simd", base="cpu_naive", time=2e6),
    measurement(variant="cuda_naive", base="cpu_naive", device="gpu", time=4e6)])'

# --- one table ------------------------------------------------------------------------------------
ok "a page of a ladder" holds "$ladder" '
headings, naive, simd, cuda = page.tables["saxpy   S: n=1000"]
assert headings == ["variant", "check", "error", "upload", "run", "% of peak", "cold", "download",
                    "time", "+-", "% of peak", "GB/s", "x first", "x base", "x 1-core", "cores",
                    "flags"][:len(headings)], headings
assert [row["variant"] for row in (naive, simd, cuda)] == ["cpu_naive", "cpu_simd", "cuda_naive"]
assert naive["run"] == "" and cuda["run"].endswith(" ms") and cuda["cold"] and cuda["upload"]
assert 3.9 < float(simd["x base"]) < 4.1 and simd["x 1-core"] == "best", simd
assert cuda["% of peak"] == "50% memory" and cuda["% of peak 2"] == "25% bus", cuda
assert page.tables["saxpy   S: n=1000   resident"][1]["x first"] != ""'
ok "sections: the answer comes first, then what went wrong" holds "$ladder" '
assert page.order == ["answer", "attention", "machines", "tables", "variants", "legend", "records"], page.order'
ok "headings are buttons and say how they are sorted" holds "$ladder" '
assert page.source.count("<th aria-sort=none") == page.source.count("<button>") >= 17'
ok "it needs nothing but itself" holds "$ladder" '
import re
assert all(link.startswith("#") for link in page.links), page.links
assert all(link[1:] in page.ids for link in page.links), page.links
assert not {"link", "img", "iframe", "object", "embed"} & page.elements
assert not re.search(r"@import|url\(", page.source.split("</style>")[0])
policy = re.search("Content-Security-Policy content=\"([^\"]*)\"", page.source).group(1)
nonce = re.search("script-src .nonce-([0-9a-f]{32}).;", policy).group(1)
assert policy.startswith("default-src '"'none'"';") and f"<script nonce={nonce}>" in page.source'
ok "... and no id is there twice" holds "$ladder" 'assert len(set(page.ids)) == len(page.ids)'
ok "the machine, the build, the command" holds "$ladder" '
assert all(word in page.text["machines"] for word in
           ("Abacus, 2 processors", "rungs 0.1 (abc), cc", "rungs bench", "took 5 s", "seed 1"))'
agrees() {
    exits 0 bench saxpy/cpu_naive saxpy/cpu_simd --quick --max-time 0.3 --size n=1000 \
        --out "$tmp/bench.jsonl" && mv "$tmp/out" "$tmp/table" &&
        exits 0 report "$tmp/bench.jsonl" --out "$tmp/page.html" --no-plots || return 1
    python3 - "$tmp/page.html" "$tmp/table" <<'END'
import re, sys
from report_page import Page
headings, *rows = Page(sys.argv[1]).tables["saxpy   given: n=1000"]
lines = [re.split(r"  +", line.strip()) for line in open(sys.argv[2])]
at = next(i for i, line in enumerate(lines) if line[0] == "variant")
assert headings == lines[at], (headings, lines[at])
for row, line in zip(rows, lines[at + 1:at + 3]):
    for name, cell in zip(headings, line):
        number = re.match(r"[\d.]+", cell)
        same = (row[name] or "-") == cell or (  # a file's times are rounded
            number and abs(float(number[0]) / float(re.match(r"[\d.]+", row[name])[0]) - 1) < 0.02)
        assert same, (name, cell, row)
END
}
ok "columns and words are those of bench's table" agrees

# --- the answer -----------------------------------------------------------------------------------
ok "the fastest variant, with its factor against the first" holds "$ladder" '
headings, row = page.tables["The fastest variant of each problem"]
assert headings == ["fastest", "time", "x first", "% of peak", "size"], headings
assert row["fastest"] == "saxpy/cpu_simd" and row["size"] == "S: n=1000", row
assert 3.9 < float(row["x first"]) < 4.1 and row["time"].endswith(" ms"), row'
ok "... of each problem and size, also where the first has no time" holds '
write("made-1.jsonl", [run(), measurement(time=8e6), measurement(variant="cpu_simd", base="cpu_naive", time=2e6),
    failure("skipped", "too slow", n=5), measurement(variant="cpu_simd", base="cpu_naive", time=7e6, n=5),
    measurement(variant="cpu_stream", base="cpu_naive", time=6e6, n=5),
    measurement(problem="knn", time=8e6), failure("wrong", "no", problem="knn", variant="cpu_simd")])' '
rows = page.tables["The fastest variant of each problem"][1:]
assert [(row["fastest"], row["size"]) for row in rows] == [("saxpy/cpu_simd", "S: n=1000"),
    ("saxpy/cpu_stream", "S: n=5"), ("knn/cpu_naive", "S: n=1000")], rows
assert rows[0]["x first"] and not rows[1]["x first"]'
ok "... a sweep has one row, that of its largest size" holds 'write("made-1.jsonl", [run()] + [
    measurement(n=n, time=1000 * n) for n in range(1, 10)])' '
rows = page.tables["The fastest variant of each problem"][1:]
assert [row["size"] for row in rows] == ["S: n=9"], rows'
ok "... of files from one machine, the best; of another machine, its own" holds "$ladder"'
write("made-2.jsonl", [run("s"), measurement("s", time=1e6)])
write("made-3.jsonl", [run("t", host={"cpu": "Other", "cores": 2}), measurement("t", time=5e6)])' '
rows = page.tables["The fastest variant of each problem"][1:]
assert [(row["fastest"], row["machine"]) for row in rows] == [("saxpy/cpu_naive", "Abacus"),
    ("saxpy/cpu_naive", "Other")], rows
assert rows[0]["time"].startswith("1") and rows[1]["time"].startswith("5")'
ok "... none, where none has a time" holds 'write("made-1.jsonl", [run(), failure("wrong", "no")])' '
assert "No variant has a time" in page.text["answer"] and "The fastest variant of each problem" not in page.tables'
ok "links lead to the tables of each problem" holds '
write("made-1.jsonl", [run(), measurement(), measurement(problem="knn"), measurement(problem="a <b>")])' '
import re
links = re.search("<nav aria-label=Problems>(.*?)</nav>", page.source, re.S).group(1)
assert re.findall("href=.#([^\"]*).", links) == ["problem-saxpy", "problem-knn"], links
assert {"problem-saxpy", "problem-knn"} <= set(page.ids)'

# --- what a reader must know first ----------------------------------------------------------------
ok "failures, with their reasons, before anything else" holds '
write("made-1.jsonl", [run(), measurement(), failure("wrong", "z[3] is 1", variant="cpu_simd"),
                       failure("no device", "no GPU here", variant="cuda_naive")])' '
(_, wrong), (_, left) = page.tables["Failed"], page.tables["Not measured"]
assert (wrong["variant"], wrong["check"], wrong["reason"], wrong["file"]) == (
    "saxpy/cpu_simd", "wrong", "z[3] is 1", "made-1:3"), wrong
assert left["check"] == "no device"
assert list(page.tables)[:2] == ["The fastest variant of each problem", "Failed"] and "1 failed, 1 could not be measured" in page.text["attention"]
assert page.tables["saxpy   S: n=1000"][2] == {"variant": "cpu_simd", "check": "wrong", "error": "z[3] is 1"}'
ok "many that were left out for one reason are one entry, others keep their rows" holds '
write("made-1.jsonl", [run(), measurement()] +
      [failure("no device", "no GPU <here>", variant=f"cuda_{i}") for i in "abcdef"] +
      [failure("refused", "n is odd", variant="cuda_g")])' '
text, (_, row) = page.text["attention"], page.tables["Not measured, other reasons"]
assert "no device: 6" in text and text.count("no GPU <here>") == 1, text
assert all(f"saxpy/cuda_{i}" in text for i in "abcdef"), text
assert (row["variant"], row["reason"]) == ("saxpy/cuda_g", "n is odd"), row
assert "Not measured" not in page.tables and "7 could not be measured" in text'
ok "flags, each explained, with the variants that have it" holds '
write("made-1.jsonl", [run(), measurement(flags=["noisy", "drift"]), measurement(variant="cpu_simd",
      flags=["first_run_slow", "not_invented_yet"])])' '
text = page.text["attention"]
assert "N noisy: 1half of the confidence interval is more than 5 % of the median saxpy/cpu_naive" in text, text
assert "D drift: 1" in text and "1 flagged" in text and "slow" not in text
assert page.tables["saxpy   S: n=1000"][1]["flags"] == "ND"'
ok "what is above 100 % of its limit, explained" holds '
write("made-1.jsonl", [run(), measurement(rough=0, limit={"run": None, "e2e": {"name": "cache", "floor_ns": 1.5e6}}),
      measurement(variant="cpu_simd", rough=0, limit={"run": None, "e2e": {"name": "arithmetic", "floor_ns": 1.3e6}}),
      measurement(variant="cpu_edge", rough=0, limit={"run": None, "e2e": {"name": "memory", "floor_ns": 1e6}}),
      measurement(variant="cpu_late", rough=0, limit={"run": None, "e2e": {"name": "launch", "floor_ns": 1.6e6}}),
      measurement(variant="cpu_soon", rough=0, limit={"run": None, "e2e": {"name": "launch", "floor_ns": 4e6}})])' '
text = page.text["attention"]
assert "4 above 100 % of peak" in text and "saxpy/cpu_naive S, saxpy/cpu_simd S, saxpy/cpu_late S" in text, text
assert "nearer cache" in text and "saxpy/cpu_edge" not in text
rows = page.tables["saxpy   S: n=1000"]
assert [row["% of peak"] for row in rows[1:]] == [">100% cache", "130% arithmetic ?", "100% memory",
                                                ">100% launch", "400% launch ?"]'
ok "an interrupted run" holds 'write("made-1.jsonl", [run(), measurement()], end=False)' '
assert "run r was interrupted" in page.text["attention"] and "interrupted" in page.text["machines"]'
ok "warnings of the run" holds 'write("made-1.jsonl", [run(warnings=["load 9 on 2"]), measurement()])' '
assert "load 9 on 2" in page.text["machines"]'

# --- sources --------------------------------------------------------------------------------------
ok "each variant has its idea, its source, and the difference to its base" holds "$ladder" '
text = page.text["variants"]
assert "what it does differently" in text and "source, variants/saxpy/cpu_simd.c" in text
assert "--- variants/saxpy/cpu_naive.c+++ variants/saxpy/cpu_simd.c" in text.replace(" +++", "+++")
import re
assert re.search(r"<ins>[^<]*\+#include &lt;immintrin.h&gt;[^<]*</ins>", page.source), text[:3000]'
ok "a commit that git does not know" holds "$ladder" '
assert "Git does not know commit abc here" in page.text["variants"]'
ok "a variant that is not in this checkout" holds 'write("made-1.jsonl", [run(),
    measurement(variant="cpu_nowhere", base="cpu_naive")])' '
assert "No source of that name" in page.text["variants"] and "difference to" not in page.text["variants"]'
for name in ../../harness/main ../saxpy/cpu_naive . %s 'a b' 'cpu_naive.c/../cpu_naive'; do
    ok "no source outside of variants/: $name" holds "
write('made-1.jsonl', [run(), measurement(variant='$name', base='cpu_naive'),
                       measurement(problem='../harness', variant='main')])" 'assert "<pre" not in page.source'
done
ok "nor is one compared with" holds '
write("made-1.jsonl", [run(), measurement(variant="cpu_simd", base="../../harness/main")])' '
assert "source, variants/saxpy/cpu_simd.c" in page.text["variants"]
assert "difference to" not in page.text["variants"] and "MAX_WORDS" not in page.source'
checkout() (
    tree=$tmp/tree
    mkdir -p "$tree/variants/saxpy" "$tree/common" && cd "$tree" || return 1
    git init -q . && git config user.email a@b && git config user.name a || return 1
    printf 'old\n' >variants/saxpy/cpu_naive.c
    printf 'old\nnew\n' >variants/saxpy/cpu_simd.c
    git add . && git commit -qm one && commit=$(git rev-parse --short HEAD) || return 1
    python3 -c "from report_page import *
write('a.jsonl', [run(commit='$commit-dirty'), measurement(),
                  measurement(variant='cpu_simd', base='cpu_naive')])"
    exits 0 report --no-plots a.jsonl && ! grep -q 'changed since' report.html || return 1
    echo newer >>variants/saxpy/cpu_simd.c
    exits 0 report --no-plots a.jsonl || return 1
    python3 -c "
from report_page import *
page = Page('report.html')
text = page.text['variants']
assert 'Some have changed since commit $commit-dirty, with which' in text, text
assert text.count('This file has changed since commit $commit-dirty.') == 1, text
assert '<ins>+new\n+newer' in page.source and 'was built with uncommitted changes' in text"
)
if command -v git >/dev/null; then
    ok "a source that has changed since it was measured says so" checkout
else
    skip "a source that has changed since it was measured says so" "git is not there"
fi
ok "a commit is no option of git's" holds "
write('made-1.jsonl', [run(commit='--output=$tmp/gotcha'), measurement()])" "
import os
assert not os.path.exists('$tmp/gotcha') and 'does not know commit --output' in page.text['variants']"

# Only these programs are there.
without() {
    mkdir -p "$tmp/bin"
    python3 -c "from report_page import *
$ladder" && mv made-1.jsonl "$tmp/bare.jsonl" || return 1
    PATH=$tmp/bin "$rungs" report "$tmp/bare.jsonl" --out "$tmp/page.html" 2>"$tmp/err" || return 1
    grep -q "$1" "$tmp/page.html"
}
ok "without diff: a line" without 'The program diff is not installed'
ok "without gnuplot: a line" without 'The plots are missing, because gnuplot is not installed: apt-get install'

# --- several files --------------------------------------------------------------------------------
two="$ladder"'
write("made-2.jsonl", [run("s"), measurement("s", time=4e6), failure("crash", "signal 11", run_id="s",
      variant="cpu_simd")])'
ok "several files: a table each, and all side by side" holds "$two" '
assert "saxpy   S: n=1000   made-1" in page.tables and "saxpy   S: n=1000   made-2" in page.tables
headings, naive, simd = page.tables["Time end to end, by file"]
assert headings == ["variant", "size", "made-1", "made-2"]
assert abs(float(naive["made-1"][:-3]) - 8) < 0.1 and abs(float(naive["made-2"][:-3]) - 4) < 0.1
assert simd["made-2"] == "crash" and simd["variant"] == "saxpy/cpu_simd", simd
assert page.order[:4] == ["answer", "attention", "machines", "combined"]
assert len(page.records) == 2 and len(page.records[1]) == 4'
ok "the machine of several files is told once" holds "$ladder"'
write("made-2.jsonl", [run("s"), measurement("s", time=1e6)])' '
assert page.text["machines"].count("Abacus, 2 processors") == 1, page.text["machines"]
assert page.text["machines"].count("started") == 2 and page.source.split("<main>")[0].count("<p>Abacus: ") == 1'
ok "... those of two machines twice" holds "$ladder"'
write("made-2.jsonl", [run("s", host={"cpu": "Other", "cores": 2}), measurement("s", time=1e6)])' '
assert page.text["machines"].count("2 processors") == 2 and "Other, 2 processors" in page.text["machines"]'
ok "... and many files are counted, not named" holds "
for i in range(4): write(f'"'made-{i}.jsonl'"', [run(str(i)), measurement(str(i))])" '
assert "4 files" in page.source.split("<main>")[0]'
ok "files with nothing in common stand by themselves" holds "$ladder"'
write("made-2.jsonl", [run("s"), measurement("s", problem="knn")])' '
assert "combined" not in page.order and "Time end to end, by file" not in page.tables
assert "saxpy   S: n=1000   made-1" in page.tables and "knn   S: n=1000   made-2" in page.tables'
ok "a flag of many sizes tells them apart" holds 'write("made-1.jsonl", [run()] + [
    measurement(n=n, flags=["noisy"], label="sweep") for n in (64, 128)])' '
text = page.text["attention"]
assert "n=64" in text and "n=128" in text and "sweep" not in text, text'
ok "many sizes share a table" holds 'write("made-1.jsonl", [run()] + [
    measurement(n=n, variant=v, base=None if v == "cpu_naive" else "cpu_naive", time=1000 * n)
    for n in range(1, 10) for v in ("cpu_naive", "cpu_simd")])' '
rows = page.tables["saxpy   9 sizes"]
assert len(rows) == 19 and rows[0][:2] == ["variant", "size"] and rows[3]["size"] == "n=2"'
ok "cells of a table need not stand together" holds 'write("made-1.jsonl", [run()] + [
    measurement(n=n, variant=v) for v in ("cpu_naive", "cpu_simd") for n in (1, 2)])' '
assert [row["variant"] for row in page.tables["saxpy   S: n=2"][1:]] == ["cpu_naive", "cpu_simd"]'
ok "published records and ceilings" exits 0 report --no-plots --out "$tmp/page.html" \
    results/reference/h200-l-knn.jsonl results/reference/h200-ceilings.jsonl
ok "... the measured peak rates" python3 -c '
import sys; from report_page import *
best = {row["ceiling"]: row["best"] for row in Page(sys.argv[1]).tables["Measured peak rates"][1:]}
assert best["gpu launch"].endswith(" us") and best["gpu arithmetic"].endswith(" TFLOP/s"), best' \
    "$tmp/page.html"
ok "crossovers of a sweep" holds 'write("made-1.jsonl", [run(), measurement(), {
    "record": "crossover", "run_id": "r", "problem": "saxpy", "variant": "cpu_simd", "phase": "e2e",
    "against": "cpu_naive", "pays": "always", "unit": "elements", "sentence": "always, <b>"}])' '
assert page.tables["Crossovers"][1]["faster than the fastest of the baseline"] == "always, <b>"'

# --- the records themselves -----------------------------------------------------------------------
ok "the lines are in the page as they are" holds "$ladder" '
assert page.records == [open("made-1.jsonl").read().splitlines()]
assert "All lines of the files, unchanged." in page.text["records"]'
ok "... where they fit; else without samples, and it says so" holds '
write("made-1.jsonl", [run()] + [measurement(variant=f"cpu_{i}", count=60) for i in range(450)])' '
import json
lines = [json.loads(line) for line in page.records[0]]
whole = [json.loads(line) for line in open("made-1.jsonl")]
assert len(lines) == 452 and "samples and telemetry are left out" in page.text["records"]
for line, was in zip(lines, whole):
    was.pop("telemetry", None)
    for phase in (was.get("phases") or {}).values():
        if phase:
            del phase["samples"], phase["samples_dropped"]
    assert line == was, (line, was)'
ok "what is left of them can be reported again" holds '
write("made-0.jsonl", [run()] + [measurement(variant=f"cpu_{i}", count=60) for i in range(450)])
' 'open("made-again.jsonl", "w").write("\n".join(page.records[0]) + "\n")'
ok "... with the same tables" sh -c '"$rungs" report --no-plots "$1/made-again.jsonl" --out "$1/b.html" &&
    python3 -c "from report_page import *; import sys
assert Page(sys.argv[1] + \"/page.html\").tables == Page(sys.argv[1] + \"/b.html\").tables" "$1"' sh "$tmp"

# --- hostile records ------------------------------------------------------------------------------
evil='"</script><script>alert(1)</script><!--\"'"'"'&\u0001\u202e"'
hostile='evil = '$evil'
write("made-1.jsonl", [
    run(warnings=[evil], argv=[evil], profile=evil, gpus=evil[:40], commit=evil[:40],
        devices=[{"name": evil, "device": evil, "kind": 7}, 3], topology=[],
        host={"cpu": evil, "kernel": evil, "cores": 2}),
    measurement(problem="<script>", variant="<script>", base="\"><script>", idea=evil,
                label="<b>&lt;", size={"<i>\"": 3}, math="<u>", device="<s>"),
    failure("ok</td>", evil, problem="saxpy", variant="<script>", flags=["<script>"]),
    measurement(variant="a&b</script>", limit={"e2e": {"name": evil[:20], "floor_ns": 1e300}}),
    {"record": "ceiling", "run_id": "r", "name": "<script>", "device": "<a>", "resource": evil[:20]},
    {"record": "what is this", "run_id": "r", "more": [evil, None]}])'
ok "a variant called <script> is a name" holds "$hostile" '
assert any(row["variant"] == "<script>" for table in page.tables.values() for row in table[1:]
           if "variant" in row)
assert page.source.count("<script") == 2 and page.source.count("</script>") == 2
assert not {"b", "i", "u", "s"} & (page.elements - {"b", "i"}) and "onerror" not in page.attributes
assert page.source.count("<!--") == 0 and "\x01" not in page.source'
ok "... and the records come out whole" holds "$hostile" '
import json
assert [json.loads(line) for line in page.records[0]] == [
    json.loads(line) for line in open("made-1.jsonl")]'
ok "... in the title as well" sh -c 'cp "$1/made-1.jsonl" "$1/<script>\"x.jsonl" &&
    "$rungs" report --no-plots "$1/<script>\"x.jsonl" --out "$1/evil.html" &&
    ! grep -q "<script>\"x" "$1/evil.html" && grep -q "<title>Rungs: &lt;script&gt;&quot;x" "$1/evil.html"' \
    sh "$tmp"
circle='write("made-1.jsonl", [run()] + [
    measurement(variant=f"cpu_{i}", base=f"cpu_{(i + 1) % 2000}", count=6) for i in range(2000)])'
ok "2000 variants in a circle" holds "$circle" 'assert len(page.tables["saxpy   S: n=1000"]) == 2001'

# --- size and time --------------------------------------------------------------------------------
# With real sources and all columns; the time is the processor's, since others may be at work.
many='import glob
names = [name.split("/")[-2:] for name in sorted(glob.glob("'$PWD'/variants/*/c*.c*"))]
dice = random.Random(2)
write("made-1.jsonl", [run()] + [
    measurement(problem=p, variant=v.split(".")[0], base="cpu_naive", n=1000 + i, dice=dice,
                device=v[:2] == "cu" and "gpu" or "cpu", time=dice.uniform(1e3, 1e7))
    for i in range(40) for p, v in names][:2000])'
quick() {
    holds "$1" "assert len(page.source.encode()) < 5e6, len(page.source.encode())
assert '2000 measurements' in page.text['attention']" || return 1
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
took = resource.getrusage(resource.RUSAGE_CHILDREN)
assert took.ru_utime + took.ru_stime < 5, took' "$rungs" report --no-plots "$tmp/made-1.jsonl" \
        --out "$tmp/page.html"
}
ok "2000 records of all variants: under 5 MB and 5 s" quick "$many"
ok "2000 sizes" quick 'write("made-1.jsonl", [run()] + [measurement(n=n) for n in range(2000)])'
ok "2000 problems" quick 'write("made-1.jsonl", [run()] + [
    measurement(problem=f"p{n}", count=8) for n in range(2000)])'
ok "2000 failures" quick 'write("made-1.jsonl", [run()] + [
    failure("wrong", "z[17] is 1.25, expected 2.5 +- 1e-7 (1 of 1000 wrong)", variant=f"cpu_{n}")
    for n in range(2000)])'
ok "more than a page can show" sh -c 'cd "$1" && python3 -c "from report_page import *
write(\"huge.jsonl\", [run()] + [failure(\"wrong\", \"\", n=n) for n in range(10001)])"' sh "$tmp"
ok "... is refused, with file and line" refuses 'huge.jsonl:10002: measurement 10001; a report shows' \
    report "$tmp/huge.jsonl" --out "$tmp/huge.html"

# --- broken files ---------------------------------------------------------------------------------
python3 -c "from report_page import *; import os; os.chdir('$tmp')
write('good.jsonl', [run(), measurement()])
lines = open('good.jsonl').read().splitlines()
def bad(name, text):
    open(name, 'w').write(text)
bad('cut', lines[0] + '\n' + lines[1][:300])
bad('text', lines[0] + '\nhello\n')
bad('list', lines[0] + '\n[1]\n')
bad('time', lines[0] + '\n' + lines[1].replace('\"rounds\":[', '\"rounds\":[\"x\",') + '\n')
bad('flags', lines[0] + '\n' + lines[1].replace('\"flags\":[]', '\"flags\":7') + '\n')
bad('limit', lines[0] + '\n' + lines[1].replace('\"floor_ns\":250000.0', '\"floor_ns\":\"half\"') + '\n')
bad('orphan', lines[1] + '\n')
bad('later', lines[0].replace('rungs/1', 'rungs/2') + '\n')
open('bytes', 'wb').write(lines[0].encode() + b'\n\xff\xfe\n')
open('long', 'w').write(lines[0] + '\n\"' + 'x' * (5 << 20))
bad('empty', '')"
broken() {
    rm -f "$tmp/none.html"
    refuses "$2" report "$tmp/good.jsonl" "$1" --out "$tmp/none.html" && test ! -e "$tmp/none.html" &&
        test -z "$(find "$tmp" -name 'none.html*')"
}
ok "a line that was cut" broken "$tmp/cut" 'cut:2: the last record is incomplete'
ok "a line of something else" broken "$tmp/text" 'text:2: not JSON'
ok "a line that is no record" broken "$tmp/list" 'list:2: not a record'
ok "a time that is none" broken "$tmp/time" 'time:2: round 1 of "e2e" is not a time'
ok "flags that are none" broken "$tmp/flags" 'flags:2: "flags" is not a list'
ok "a limit that is none" broken "$tmp/limit" 'limit:2: "floor_ns" is not a number'
ok "a measurement of no run" broken "$tmp/orphan" 'orphan:1: the first line of run r is missing'
ok "a later schema" broken "$tmp/later" 'later:1: the schema is rungs/2'
ok "bytes that are no text" broken "$tmp/bytes" 'bytes:2: not JSON'
ok "a line without end" broken "$tmp/long" 'long:2: a line has more than 4 MiB'
ok "a file without end" broken /dev/zero '/dev/zero:1: a line has more than'
ok "an empty file" broken "$tmp/empty" 'empty: is empty'
ok "a folder" broken "$tmp" 'is a folder'
ok "no such file" broken "$tmp/nowhere" 'nowhere: No such file'

# --- where it goes --------------------------------------------------------------------------------
ok "records are never replaced" refuses 'good.jsonl exists and is not a report' report "$tmp/good.jsonl" \
    --out "$tmp/good.jsonl"
ok "... a report is" sh -c '"$rungs" report "$1/good.jsonl" --no-plots --out "$1/again.html" &&
    "$rungs" report "$1/good.jsonl" --no-plots --out "$1/again.html"' sh "$tmp"
ok "to a pipe" sh -c '"$rungs" report --no-plots "$1/good.jsonl" --out /dev/stdout 2>/dev/null |
    head -n 1 | grep -qx "<!doctype html>"' sh "$tmp"
ok "from a pipe" sh -c 'cat "$1/good.jsonl" | "$rungs" report --no-plots /dev/stdin --out "$1/pipe.html" &&
    grep -q cpu_naive "$1/pipe.html"' sh "$tmp"
ok "a disk that is full" refuses '/dev/full: cannot be written' report --no-plots "$tmp/good.jsonl" \
    --out /dev/full
ok "nowhere to write to" refuses 'cannot be written' report "$tmp/good.jsonl" --no-plots \
    --out "$tmp/no/such/page.html"
ok "no file" refuses 'report takes one file of records or several' report
ok "--no-plots elsewhere" refuses '--no-plots is an option of report, not of list' list --no-plots
ok "rungs report --help" shows 'default report.html.*; an$' report --help
ok "make report" sh -c 'build=${BUILD:-build}
    make --no-print-directory -o "$build/rungs" report FILES="$1/good.jsonl" REPORT="$1/made.html" \
        BUILD="$build" &&
    grep -q "<h1>Rungs" "$1/made.html"' sh "$tmp"

finish
