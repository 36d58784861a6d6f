#!/bin/sh
# rungs selftest aa: that it runs and adds up, and that a difference does not escape it.  What share
# of verdicts is false is for a quiet machine to say, and not asked here.
. tests/tools/tap.sh

aa() {
    run selftest aa saxpy/cpu_naive saxpy/cpu_simd stencil/cpu_separable --size S --quick \
        --max-time 0.2 --out "$tmp/aa.jsonl"
    cat "$tmp/out" "$tmp/err"
    [ "$status" -eq 0 ] || [ "$status" -eq 1 ]
}
ok "every variant against itself" aa
ok "... a row each, with both times and a verdict" sh -c '
    test "$(grep -Ec "^cpu_[a-z]+ +end to end .* (FASTER|SLOWER|SAME|UNRESOLVED)$" "$1")" = 3' \
    sh "$tmp/out"
adds_up() {
    python3 - "$tmp/aa.jsonl" "$tmp/out" "$1" <<'END'
import json, re, sys
records = [json.loads(line) for line in open(sys.argv[1])]
pairs = [r for r in records if r["record"] == "compare"]
names = [r["variant"] for r in records if r["record"] == "measurement"]
assert names == ["cpu_naive", "cpu_naive@2", "cpu_simd", "cpu_simd@2", "cpu_separable",
                 "cpu_separable@2"], names
assert all(r["variant"] == r["base"] + "@2" and r["against"] == ["twin"] for r in pairs), pairs
judged = [r["verdict"] for r in pairs if r["lo"] is not None]
false = judged.count("FASTER") + judged.count("SLOWER")
total = [r for r in records if r["record"] == "selftest"][0]
assert total["comparisons"] == len(judged) and total["false_verdicts"] == false, total
assert total["too_few_rounds"] == len(pairs) - len(judged) and total["allowed"] == 0.05, total
assert len(pairs) == 3 and total["same"] == judged.count("SAME")
said = open(sys.argv[2]).read()
assert f"{len(judged)} comparisons of a variant with itself: {false} FASTER or SLOWER" in said
assert ("FAILED" in said) == total["failed"] == (sys.argv[3] == "1")
END
}
ok "... the shares add up, in records and on the screen" adds_up "$status"
ok "... records are whole" python3 "$tests/tools/records.py" "$tmp/aa.jsonl"
ok "... and no worker is left" none_left
ok "compare reads them" exits 0 compare "$tmp/aa.jsonl" "$tmp/aa.jsonl"

ok "selftest of nothing" refuses 'selftest takes aa .every variant against itself. or placement' selftest
ok "selftest of something else" refuses 'selftest takes aa ' selftest ab
ok "as CSV: a line a comparison, and the verdict on standard error" sh -c '
    "$rungs" selftest aa saxpy/cpu_simd knn/cpu_chord --quick --max-time 0.2 --size S \
        --out "$1.jsonl" --format csv >"$1" 2>"$1.err"; grep -q "comparisons of a variant with itself" "$1.err" &&
    python3 -c "import csv, sys
rows = list(csv.DictReader(open(sys.argv[1]), strict=True))
assert [(r[\"problem\"], r[\"variant\"], r[\"phase\"]) for r in rows] == [
    (\"knn\", \"cpu_chord\", \"e2e\"), (\"saxpy\", \"cpu_simd\", \"e2e\")], rows
assert all(float(r[\"time_s\"]) > 0 and r[\"verdict\"] for r in rows), rows" "$1"' sh "$tmp/aa.csv"
ok "a variant that is not there" refuses 'no variant is called saxpi' selftest aa saxpi

# --- differences that must be found ---------------------------------------------------------------
if [ ! -x "$rungs-broken" ]; then
    skip "a twin that is slower" "rungs-broken has not been built"
    finish
    exit
fi
rungs=$rungs-broken
# found SECONDS   the second of the two takes twice as long, at two sizes, and is found in that time
found() {
    rm -f "$tmp/slow.jsonl"
    run selftest aa saxpy/slow_twin --size n=20000 --size n=40000 --max-time $1 \
        --out "$tmp/slow.jsonl"
    cat "$tmp/out" "$tmp/err"
    [ "$status" -eq 1 ] && [ "$(grep -c '^slow_twin .* SLOWER$' "$tmp/out")" -eq 2 ] &&
        grep -q 'FAILED' "$tmp/out"
}
# So much is found among others at work, too; where there are many of them, it takes more rounds.
slow_twin() {
    found 1 || found 4 || found 16
}
ok "a twin that is half as fast is found out" slow_twin
ok "... on record as well" grep -q '"selftest".*"false_verdicts":2.*"failed":true' "$tmp/slow.jsonl"

# Rungs are prepared again between blocks, with inputs that are there already.
peeks() {
    run bench saxpy/works_when_prepared_again saxpy/right --quick --size n=4000 \
        --out "$tmp/peeks.jsonl"
    cat "$tmp/out" "$tmp/err"
    [ "$status" -eq 1 ] && grep -q '^right +ok' "$tmp/out" -E &&
        grep -q 'again *breach *reads its input x\[0\] in prepare' "$tmp/out"
}
ok "what looks at its inputs in a later prepare is rejected" peeks

finish
