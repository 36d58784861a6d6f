#!/bin/sh
# rungs compare: within a file and between two, verdicts, regressions, refusals.
. tests/tools/tap.sh

# make_records NAME WORD...   $tmp/NAME, as tests/tools/made_records.py makes it
make_records() {
    name=$1
    shift
    python3 "$tests/tools/made_records.py" "$tmp/$name" "$@"
}
old="$tmp/old"
make_records old cpu_naive=10 cpu_simd=2 cuda_naive=4:1

# says STATUS PATTERN ARGUMENT...   compare ends so, and a line of its output matches
says() {
    want=$1 pattern=$2
    shift 2
    exits "$want" compare "$@" && grep -Eq -- "$pattern" "$tmp/out" || {
        echo "expected status $want and a line with $pattern"
        cat "$tmp/out" "$tmp/err"
        return 1
    }
}

# --- two files: verdicts --------------------------------------------------------------------------
make_records same run=b seed=2 cpu_naive=10 cpu_simd=2 cuda_naive=4:1
ok "nothing has changed" says 0 '^3 compared: 0 FASTER, 0 SLOWER, 3 SAME, 0 UNRESOLVED; 0 only in' \
    "$old" "$tmp/same"
ok "a row has both times, ratio, interval, verdict" says 0 \
    '^cpu_simd +2 ms +2 ms +(1\.00|0\.99)[0-9] +0\.99[0-9] to 1\.00[0-9] +SAME' "$old" "$tmp/same"
ok "... and of a GPU's variant the same again, resident" says 0 \
    '^cuda_naive .* SAME +(1\.00|0\.99)[0-9] +0\.99[0-9] to 1\.00[0-9] +SAME' "$old" "$tmp/same"
make_records slower run=b seed=2 cpu_naive=10 cpu_simd=2.2 cuda_naive=4:1
ok "10 % more time is SLOWER" says 0 '^cpu_simd .* 0\.9[01][0-9] +0\.9.* SLOWER' "$old" "$tmp/slower"
ok "10 % less is FASTER" says 0 '^cpu_simd .* 1\.(09|10)[0-9] +1.* FASTER' "$tmp/slower" "$old"
make_records a_little run=b seed=2 cpu_naive=10.4 cpu_simd=2 cuda_naive=4:1
ok "4 % is none that a launch could tell" says 0 '^cpu_naive .* SAME' "$old" "$tmp/a_little"
make_records noisy run=b seed=2 cpu_naive=8.5:8.5:40 cpu_simd=2 cuda_naive=4:1
ok "noise is UNRESOLVED" says 0 '^cpu_naive .* UNRESOLVED' "$old" "$tmp/noisy"
ok "a file with itself" says 0 '3 SAME' "$old" "$old"

# --- several launches -----------------------------------------------------------------------------
make_records six launches=6 cpu_naive=10 cpu_simd=2
make_records six_later launches=6 run=b seed=2 cpu_naive=10.4 cpu_simd=2
ok "six launches tell 4 % apart" says 0 '^cpu_naive .* SLOWER' "$tmp/six" "$tmp/six_later"
ok "... and say so" sh -c '"$rungs" compare "$1" "$2" --format json |
    grep -q "\"old_launches\":6,\"new_launches\":6,.*\"method\":\"launches\""' sh "$tmp/six" \
    "$tmp/six_later"
make_records five_later launches=5 run=b seed=2 cpu_naive=10.4 cpu_simd=2
ok "five do not" says 0 '^cpu_naive .* SAME' "$tmp/six" "$tmp/five_later"

# --- regressions ----------------------------------------------------------------------------------
ok "--fail-on slower:5%" says 3 '^cpu_simd .* SLOWER .*regression$' "$old" "$tmp/slower" \
    --fail-on slower:5%
ok "... counts them" says 3 '^1 regression: slower by 5 % or more' "$old" "$tmp/slower" \
    --fail-on slower:5%
ok "... and needs no percent sign" says 3 '1 regression' "$old" "$tmp/slower" --fail-on slower:5
ok "--fail-on slower" says 3 '1 regression' --fail-on slower "$old" "$tmp/slower"
ok "--fail-on slower:15% lets 10 % pass" says 0 '^0 regressions' "$old" "$tmp/slower" \
    --fail-on slower:15%
ok "what is FASTER is none" says 0 '^0 regressions' "$tmp/slower" "$old" --fail-on slower:5%
ok "what is UNRESOLVED is none" says 0 '^0 regressions' "$old" "$tmp/noisy" --fail-on slower:5%
make_records resident run=b seed=2 cpu_naive=10 cpu_simd=2 cuda_naive=4:1.2
ok "a slower kernel behind the same end to end is one" says 3 \
    '^cuda_naive .* SAME +0\.8.* SLOWER .*regression$' "$old" "$tmp/resident" --fail-on slower:5%
make_records wrong run=b seed=2 cpu_naive=10 cpu_simd=wrong cuda_naive=4:1
ok "what has become wrong is one" says 3 \
    '^cpu_simd +no time in NEW: wrong: z\[0\] is 1, expected 2 +regression$' "$old" "$tmp/wrong" \
    --fail-on slower:5%
ok "... only if it is asked for" says 0 'no time in NEW: wrong: z\[0\]' "$old" "$tmp/wrong"
ok "... and what was wrong before is none" says 0 'no time in OLD: wrong' "$tmp/wrong" "$old" \
    --fail-on slower
make_records skipped run=b seed=2 cpu_naive=10 cpu_simd=skipped cuda_naive=4:1
ok "what has become too slow to be run is one" says 3 'no time in NEW: skipped' "$old" \
    "$tmp/skipped" --fail-on slower
make_records refused run=b seed=2 cpu_naive=10 cpu_simd="no device" cuda_naive=refused
ok "what is refused now, or without a device, is none" says 0 'no time in NEW: refused' "$old" \
    "$tmp/refused" --fail-on slower

# --- cells of one file only -----------------------------------------------------------------------
make_records fewer run=b seed=2 cpu_naive=10 cpu_avx512=1
ok "a variant that only OLD has" says 0 '^only in OLD: saxpy n=1000: cpu_simd, cuda_naive$' "$old" \
    "$tmp/fewer"
ok "a variant that only NEW has" says 0 '^only in NEW: saxpy n=1000: cpu_avx512$' "$old" "$tmp/fewer"
ok "... are counted, and no regressions" says 0 '2 only in OLD, 1 only in NEW$' "$old" \
    "$tmp/fewer" --fail-on slower
make_records larger run=b size=2000 cpu_naive=10
ok "another size is another cell, and status 4 says that there is nothing to compare" says 4 \
    '^only in NEW: saxpy n=2000: cpu_naive' "$old" "$tmp/larger"
sed 's/"math": "f32"/"math": "tf32"/' "$old" >"$tmp/tf32"
ok "so is another arithmetic" says 4 '^0 compared' "$old" "$tmp/tf32"
sed 's/"label": "given"/"label": "file"/' "$old" >"$tmp/files"
ok "so are a user's own data" says 4 '^0 compared' "$old" "$tmp/files"
sed 's/"label": "given"/"label": "S"/' "$old" >"$tmp/named"
ok "a name for the same size is not" says 0 '3 SAME' "$old" "$tmp/named"

# --- other machines -------------------------------------------------------------------------------
make_records elsewhere run=b seed=2 cores=16 cpu_naive=10 cpu_simd=2 cuda_naive=4:1
ok "another machine is refused, with what differs" refuses \
    'different machines: cores 2 and 16 \(.*old, .*elsewhere\); --force' compare "$old" \
    "$tmp/elsewhere"
ok "... unless forced, and then labelled" says 0 '^DIFFERENT MACHINES: cores 2 and 16' "$old" \
    "$tmp/elsewhere" --force
ok "... in every format" sh -c '"$rungs" compare --force "$1" "$2" --format json |
    grep -q "\"forced\":true"' sh "$old" "$tmp/elsewhere"
make_records threads run=b seed=2 threads=1 cpu_naive=10
ok "so are other --threads" refuses 'different machines: --threads 2 and 1' compare "$old" \
    "$tmp/threads"
cat "$old" "$tmp/elsewhere" >"$tmp/both"
ok "and two machines in one file" refuses 'different machines: cores 2 and 16' compare "$tmp/both" \
    "$old"

# --- interrupted and broken files -----------------------------------------------------------------
make_records cut run=b seed=2 end=no cpu_naive=10 cpu_simd=2
ok "an interrupted run is compared" says 0 '^2 compared' "$old" "$tmp/cut"
ok "... and it is said that it was" grep -q 'cut: run b0 was interrupted' "$tmp/err"
ok "a whole one is not" sh -c '"$rungs" compare "$1" "$1" 2>&1 >/dev/null | wc -c | grep -qx 0' \
    sh "$old"
head -c 900 "$old" >"$tmp/half"
ok "half a line is passed over" sh -c '"$rungs" compare "$1" "$2" >"$2.out" 2>"$2.err"
    grep -q "^0 compared" "$2.out"' sh "$old" "$tmp/half"
ok "... and it is said which" grep -q 'half:2: the last record is incomplete and is left out' "$tmp/half.err"
sed '3s/"rounds": \[/"rounds": [null, /' "$old" >"$tmp/hole"
ok "a time that is none" refuses 'hole:3: round 1 of "e2e" is not a time' compare "$tmp/hole" "$old"
ok "no records at all" refuses 'Makefile:1: not JSON' compare Makefile
ok "no such file" refuses 'nowhere: No such file' compare "$old" "$tmp/nowhere"
ok "a folder" refuses 'is a folder' compare "$tmp"
ok "a file that never ends" refuses '/dev/zero:1: a line has more than' compare /dev/zero

# --- command line ---------------------------------------------------------------------------------
ok "no file" refuses 'compare takes one file of records, or two' compare
ok "three files" refuses 'compare takes one file of records, or two' compare a b c
ok "--fail-on something else" refuses '--fail-on is slower or slower:PERCENT.*not "faster"' compare \
    "$old" "$old" --fail-on faster
for share in slower: slower:x slower:-5% slower:5%% slowerr slow slower:inf; do
    ok "--fail-on $share" refuses '--fail-on is slower' compare "$old" "$old" --fail-on "$share"
done
ok "--fail-on with one file" refuses '--fail-on needs two files' compare "$old" --fail-on slower
ok "--fail-on elsewhere" refuses '--fail-on is an option of compare, not of bench' \
    bench saxpy --fail-on slower

# --- one file -------------------------------------------------------------------------------------
ok "one file: its own ratios, with interval and verdict" says 0 \
    '^cpu_simd +cpu_naive +first, base +end to end +(5\.0|4\.9)[0-9]+ +4\.9.* to 5\.0[0-9]+ +FASTER +20$' "$old"
ok "... resident beside end to end" says 0 \
    '^cuda_naive +cpu_simd +1-core +resident +(2\.0|1\.9)[0-9]+ .* FASTER' "$old"
ok "... the slower as well" says 0 '^cuda_naive +cpu_simd +1-core +end to end +0\.[45].* SLOWER' "$old"
ok "... and at which confidence" says 0 '^saxpy +given: n=1000 +confidence intervals: 97\.5 %' "$old"
make_records alone cpu_naive=10
ok "one variant alone has nothing to be compared with" exits 4 compare "$tmp/alone"
ok "published records can be compared" says 0 '^cuda_warp +cuda_naive +base +resident' \
    results/reference/h200-s-m.jsonl

# --- formats --------------------------------------------------------------------------------------
formats() {
    exits 0 compare --format csv "$@" || return 1
    python3 -c '
import csv, sys
rows = list(csv.reader(sys.stdin, strict=True))
assert len(rows) > 3 and len({len(row) for row in rows}) == 1, rows
rows = [dict(zip(rows[0], row)) for row in rows[1:]]
assert all(row["verdict"] in ("FASTER", "SLOWER", "SAME", "UNRESOLVED") for row in rows), rows
assert all(float(row["low"]) <= float(row["ratio"]) <= float(row["high"]) for row in rows)
assert {row["phase"] for row in rows} == {"e2e", "resident"}
' <"$tmp/out" || return 1
    exits 0 compare --format json "$@" || return 1
    python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert len(rows) > 3
assert all(row["record"] == "compare" and row["lo"] <= row["ratio"] <= row["hi"] for row in rows)
' <"$tmp/out" || return 1
    exits 0 compare --format md "$@" && grep -q '^### saxpy' "$tmp/out" && grep -q '^| :--' "$tmp/out"
}
ok "csv, json and md of two files" formats "$old" "$tmp/slower"
ok "csv, json and md of one" formats "$old"
ok "standard output is full" sh -c '"$rungs" compare "$1" "$1" >/dev/full 2>"$2"; test $? = 2' sh \
    "$old" "$tmp/err"

# --- what bench writes ----------------------------------------------------------------------------
# In three passes: of one alone, on a busy machine, one variant may have stopped before the rounds that
# another has kept, once in fifty times, and then there is nothing to compare.
ok "bench records its comparisons" sh -c '
    "$rungs" bench saxpy/cpu_naive saxpy/cpu_simd --max-time 0.6 --size n=1000 --out "$1" \
        --format csv >"$1.csv" && python3 "$tests/tools/records.py" "$1" &&
    grep -q "\"record\":\"compare\".*\"variant\":\"cpu_simd\".*\"against\":\[\"first\",\"base\"" "$1"' \
    sh "$tmp/bench.jsonl"
agrees() {
    exits 0 compare "$tmp/bench.jsonl" --format json || return 1
    python3 - "$tmp/bench.jsonl" "$tmp/bench.jsonl.csv" "$tmp/out" <<'END'
import csv, json, sys
def comparisons(path):
    rows = [json.loads(line) for line in open(path)]
    keys = "variant base against phase ratio lo hi conf rounds ties method verdict".split()
    return [[row[key] for key in keys] for row in rows if row["record"] == "compare"]
recorded, printed = comparisons(sys.argv[1]), comparisons(sys.argv[3])
assert recorded and len(recorded) == len(printed)
for a, b in zip(recorded, printed): # a file's times are rounded to picoseconds
    assert all(x == y or abs(x - y) < 1e-4 * abs(x) for x, y in zip(a, b)), (a, b)
rows = {row["variant"]: row for row in csv.DictReader(open(sys.argv[2]))}
simd = [a for a in recorded if a[0] == "cpu_simd" and a[3] == "e2e"][0]
assert rows["cpu_simd"]["base"] == "cpu_naive" and rows["cpu_naive"]["base_x"] == ""
for key, value in zip("x low high conf rounds verdict".split(), simd[4:9] + simd[11:]):
    cell = rows["cpu_simd"]["base_" + key]
    assert cell == ("" if value is None else value) or \
        abs(float(cell) - value) < 1e-6 * value, (key, cell, value)
END
}
ok "... which compare finds again in the times, and CSV has as well" agrees
ok "the table explains its marks" sh -c '
    "$rungs" bench saxpy/cpu_naive --quick --max-time 0.1 --size n=9 --out "$1" >"$1.table" &&
    grep -q "^  1.01=  *SAME: equal within 2 %" "$1.table" && grep -q "^  1.20?  *UNRESOLVED: " "$1.table" &&
    grep -q "rungs compare $1" "$1.table"' sh "$tmp/marks.jsonl"
ok "a variant that was skipped has no ratio" sh -c '
    "$rungs" bench matmul/cpu_naive matmul/cpu_reorder --max-time 0.2 --out "$1" \
        --size m=4096,n=4096,k=4096 >/dev/null
    ! grep -q "\"record\":\"compare\"" "$1" && grep -q "\"predicted [0-9]" "$1"' sh "$tmp/skipped.jsonl"
ok "one after the other: no pairs, and the rule for launches" sh -c '
    "$rungs" bench saxpy/cpu_naive saxpy/cpu_simd --quick --max-time 0.3 --size n=1000 \
        --order serial --out "$1" >/dev/null && python3 "$tests/tools/records.py" "$1" &&
    grep -q "\"method\":\"single launch\"" "$1" && ! grep -q "\"method\":\"paired\"" "$1"' \
    sh "$tmp/serial.jsonl"

python3 - results/reference/h200-l-knn.jsonl >"$tmp/zero.jsonl" <<'END'
import json, sys
for record in map(json.loads, open(sys.argv[1])):
    if record["record"] == "measurement":
        record["phases"]["e2e"]["rounds"] = [0] * len(record["phases"]["e2e"]["rounds"])
    print(json.dumps(record))
END
ok "times of the run alone have a level as well" shows 'intervals: 9[0-9.]+ %$' compare "$tmp/zero.jsonl"

finish
