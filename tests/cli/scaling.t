#!/bin/sh
# rungs bench --threads 1,2,4: variants along an axis.
. tests/tools/tap.sh

well_formed() {
    python3 "$tests/tools/records.py" "$@"
}
sees() {
    grep -Eq -- "$1" "$tmp/out" || { cat "$tmp/out" "$tmp/err"; return 1; }
}
rungs_of_it="saxpy/cpu_naive saxpy/cpu_openmp"

# --- on so many threads ---------------------------------------------------------------------------
# Writes down what each worker was given.
cat >"$tmp/note.c" <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void note(int argc, char **argv)
{
    cpu_set_t set;
    FILE *f = argc > 2 && strcmp(argv[1], "--serve") == 0 ? fopen(getenv("NOTES"), "a") : NULL;

    if (f == NULL || sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    fprintf(f, "%s omp=%s blas=%s processors=%d\n", argv[2], getenv("OMP_NUM_THREADS"),
            getenv("OPENBLAS_NUM_THREADS"), CPU_COUNT(&set));
    fclose(f);
}
END
run bench $rungs_of_it --threads 2,1 --quick --max-time 0.4 --size n=2^20 --out "$tmp/a.jsonl"
ok "a row each, in order" sh -c 'test "$(grep -o "^cpu_openmp@[0-9]" "$1" | tr "\n" " ")" = \
    "cpu_openmp@1 cpu_openmp@2 "' sh "$tmp/out"
ok "a variant of one thread is there once" sh -c 'test "$(grep -c "^cpu_naive " "$1")" = 1' sh "$tmp/out"
ok "the header has the list" sees ', 1,2 threads, seed'
ok "speed-up and efficiency below it" sees \
    '^cpu_openmp +threads +2 +end to end .* [0-9.]+ +[0-9.]+ to [0-9.]+ +[0-9]+% +[0-9]+ to [0-9]+%$'
ok "... against the smallest" sees '^cpu_openmp +threads +1 +end to end .* 1 +- +100% +-$'
ok "its records are whole" well_formed "$tmp/a.jsonl"
ok "... and say what was given" sh -c 'python3 - "$1" <<EOF
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
run = records[0]
assert run["scaling"] == {"threads": [1, 2], "devices": [], "ranks": [], "processes": []} and run["threads"] == 2, run
given = [(r["variant"], r["scale"]) for r in records if r["record"] == "measurement"]
assert given == [("cpu_naive", None), ("cpu_openmp", {"threads": 1}),
                 ("cpu_openmp", {"threads": 2})], given
scaling = [r for r in records if r["record"] == "scaling"]
assert [(r["value"], r["from"], r["phase"]) for r in scaling] == [(2, 1, "e2e")], scaling
compared = [(r["scale"], r["base"], r["base_scale"]) for r in records if r["record"] == "compare"]
assert ({"threads": 2}, "cpu_naive", None) in compared, compared
EOF' sh "$tmp/a.jsonl"
ok "they take turns: each round has a block of each" sh -c 'python3 - "$1" <<EOF
import json, sys
blocks = [json.loads(line) for line in open(sys.argv[1]) if "\"block\"" in line]
for turn in range(6):
    of = sorted((b["variant"], str(b["scale"])) for b in blocks if b["round"] == turn)
    assert len(of) == len(set(of)) == 3, (turn, of)
EOF' sh "$tmp/a.jsonl"
ok "compare tells them apart" sh -c '"$rungs" compare "$1" "$1" | grep -q "^cpu_openmp@2 "' sh \
    "$tmp/a.jsonl"
ok "... within a file, too" shows '^cpu_openmp@2 +cpu_naive +first, base' compare "$tmp/a.jsonl"

if ${CC:-cc} -shared -fPIC -o "$tmp/note.so" "$tmp/note.c" 2>/dev/null &&
    ! nm "${rungs%/*}/rungs" | grep -q __asan_init; then
    most=$(nproc)
    export NOTES="$tmp/notes"
    # which writes a file
    RUNGS_CONFINE=none LD_PRELOAD="$tmp/note.so" run bench $rungs_of_it --threads "1,$most" --quick --max-time 0.05 \
        --size n=1000 --out "$tmp/b.jsonl"
    ok "a worker on one thread has one processor" \
        grep -qx 'saxpy/cpu_openmp omp=1 blas=1 processors=1' "$tmp/notes"
    ok "one on $most has $most" \
        grep -qx "saxpy/cpu_openmp omp=$most blas=$most processors=$most" "$tmp/notes"
else
    skip "what a worker is given" "no compiler, or a sanitizer that comes first"
fi

# --- weak scaling ---------------------------------------------------------------------------------
run bench saxpy/cpu_openmp --threads 1,2 --weak --quick --max-time 0.2 --size n=2^16 --out "$tmp/weak.jsonl"
ok "--weak: each size twice as large, too" sees '^saxpy .* given\*2: n=131072$'
ok "... and a table from one to two" sees \
    '^cpu_openmp +threads +2 +saxpy/given\*2 +end to end .* [0-9.]+ +[0-9.]+ to [0-9.]+ +[0-9]+% '
ok "... with the smallest as the baseline" sees '^cpu_openmp +threads +1 +saxpy/given +end to end .* 1 +- +100% +-$'
ok "... which show prints, too" shows '^cpu_openmp +threads +2 +saxpy/given\*2 ' show "$tmp/weak.jsonl"
ok "... and nothing without numbers to go by" refuses '--weak needs several numbers of ranks or threads' \
    bench saxpy/cpu_openmp --weak

# --- more than there are --------------------------------------------------------------------------
run bench $rungs_of_it --threads 1,999 --quick --max-time 0.05 --size n=1000 --out "$tmp/many.jsonl"
ok "more threads than processors: it says so, and times them" sees '^warning: 999 threads share'
ok "... as ever" sees '^cpu_openmp@999 +ok'

# --- formats --------------------------------------------------------------------------------------
for format in csv json md; do
    run bench $rungs_of_it --threads 1,2 --quick --max-time 1 --size n=2^18 --format $format \
        --out "$tmp/$format.jsonl"
    cp "$tmp/out" "$tmp/$format"
done
ok "CSV has axis, value and speed-up" sh -c 'python3 -c "import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [r[\"variant\"] for r in rows] == [\"cpu_naive\"] + 2 * [\"cpu_openmp\"], rows
assert [(r[\"axis\"], r[\"given\"]) for r in rows] == [(\"\", \"\"), (\"threads\", \"1\"), (\"threads\", \"2\")]
two = rows[2]
assert abs(float(two[\"efficiency\"]) - float(two[\"speedup\"]) / 2) < 1e-6, two
assert float(two[\"speedup_low\"]) <= float(two[\"speedup\"]) <= float(two[\"speedup_high\"]), two
assert rows[1][\"speedup\"] == \"\"" "$1"' sh "$tmp/csv"
ok "JSON has the records" grep -q '"record":"scaling".*"axis":"threads","value":2,"from":1' "$tmp/json"
ok "Markdown has the table" grep -q '^| cpu_openmp | threads' "$tmp/md"

# --- what it does not take ------------------------------------------------------------------------
ok "an axis is for bench" refuses '--threads takes one number, not "1,2"; bench takes several' \
    check saxpy --threads 1,2
ok "... and so are devices" refuses '--devices is an option of bench, not of selftest' \
    selftest aa saxpy --devices 1
ok "no thread at all" refuses '--threads takes numbers from 1 to 4096, not "0,1"' \
    bench saxpy --threads 0,1

finish
