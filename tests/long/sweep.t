#!/bin/sh
# rungs sweep: which sizes, from which on a variant pays, and going on where an earlier run was ended.
. tests/tools/tap.sh

well_formed() {
    python3 "$tests/tools/records.py" "$@"
}

# sweep FILE ARGUMENT...   quickly
sweep() {
    out=$tmp/$1.jsonl
    shift
    run sweep --quick --max-time 0.05 --out "$out" "$@"
}

# sees PATTERN...   the last run ended well, and each pattern matches some line of its output
sees() {
    [ "$status" -eq 0 ] || { cat "$tmp/out" "$tmp/err"; return 1; }
    for pattern; do
        grep -Eq -- "$pattern" "$tmp/out" || {
            echo "expected a line with $pattern"
            cat "$tmp/out"
            return 1
        }
    done
}

# --- sizes and sentences --------------------------------------------------------------------------
sweep a 'saxpy/cpu_[ns]*' --contenders cpu_simd --baseline cpu_naive --from 2^8 --to 2^12 --step 4
ok "a line a variant, a column a size" sees '^n +256 +2\^10 +2\^12$' \
    '^cpu_naive( +\*?[0-9.]+ [mun]s){3}$' '^cpu_simd( +\*?[0-9.]+ [mun]s){3}$'
ok "the fastest of each size is marked" sh -c 'test "$(grep -o "\*[0-9]" "$1" | wc -l)" = 3' sh \
    "$tmp/out"
ok "the question, and a sentence" sees '^From which size on is a contender faster' \
    '^cpu_simd$' '^  end to end: .*(in this range|elements).*, compared with cpu_naive'
ok "its records are whole" well_formed "$tmp/a.jsonl"
ok "... with a crossover, and the calls that pay for the start" sh -c '
    test "$(grep -c "\"record\":\"measurement\"" "$1")" = 9 &&
    test "$(grep -c "\"record\":\"crossover\"" "$1")" = 1 &&
    test "$(grep -c "\"record\":\"break_even\"" "$1")" = 3' sh "$tmp/a.jsonl"
ok "rungs compare reads them" shows 'saxpy' compare "$tmp/a.jsonl"

sweep b 'saxpy/cpu_[ns]*' --from 100 --to 1000 --step 3
ok "on a CPU alone there is nothing to compare" sees '^No contender was timed.  By default contenders are GPU variants; --contenders and --baseline' \
    '^n +100 +300 +900$'
sweep c 'matmul/cpu_[rt]*' --from 8 --to 16 --n 24 --baseline cpu_reorder
ok "axes grow together; one that is set does not" sees '^m=k +8 +16$'
ok "... at these sizes" sh -c 'grep -q "\"size\":{\"m\":16,\"n\":24,\"k\":16}" "$1"' sh "$tmp/c.jsonl"
ok "--baseline alone: all others are contenders" sees '^cpu_tiled$'
sweep town knn/cpu_index --data town --from 16 --to 32
ok "the heading names what stays, and the kind of data" sees '^knn .* n=8192 k=1 data=town   time end to end' '^m +16 +32$'
sweep d fft/cpu_stockham --from 30 --to 60 --step 1.1
ok "a length that a variant has no passes for is refused" sees '^n +30 +33 +36 +40 +44 +48 +53 +58$'

# A call may take 50 ms.  At 512 it may or may not, by the machine; at 4096 it takes a minute.
sweep slow 'matmul/cpu_[nr]*' --from 8 --to 4096 --step 8 --of cpu_reorder --against cpu_naive # the older names
ok "what would take too long is left out from there on" sees \
    '^cpu_naive .* skipped +skipped$|^cpu_naive .* skipped$' \
    '^cpu_naive: skipped from m=n=k=[0-9^]+ on: predicted [0-9.]+ [a-z]+ a call'
ok "... and not tried at larger sizes" sh -c 'python3 - "$1" <<EOF
import json, sys
gone = False
for r in map(json.loads, open(sys.argv[1])):
    if r["record"] == "measurement" and r["variant"] == "cpu_naive":
        now = r["validation"]["status"] == "skipped"
        assert now or not gone, r
        assert not now or r["phases"]["e2e"] is None
        gone = now
assert gone
EOF' sh "$tmp/slow.jsonl"
ok "... and the range is told" sees 'both were timed only from m=n=k=8 to m=n=k='
sweep huge saxpy/cpu_naive --from 2^12 --to 2^42 --step 1024 --max-time 1
ok "what does not fit ends the sweep" sees '^n +2\^12 +2\^22'
ok "... which is told" grep -Eq '^rungs: the sweep ends before n=[0-9]+: .*(GiB|can hold)' "$tmp/err"

# --- formats --------------------------------------------------------------------------------------
sweep md 'saxpy/cpu_[ns]*' --from 256 --to 512 --contenders cpu_simd --format md
ok "--format md" sees '^\| n +\| +256 \| +512 \| $' '^- cpu_simd' '^  - end to end: '
sweep csv 'saxpy/cpu_[ns]*' --from 256 --to 512 --contenders cpu_simd --format csv
ok "--format csv: a line a variant and size" sh -c 'python3 -c "import csv, sys
rows = list(csv.DictReader(sys.stdin))
assert [r[\"size\"] for r in rows] == 3 * [\"n=256\"] + 3 * [\"n=512\"], rows" <"$1"' sh "$tmp/out"
sweep json 'saxpy/cpu_[ns]*' --from 256 --to 512 --contenders cpu_simd --format json
ok "--format json: the records" sh -c 'python3 -c "import json, sys
kinds = [json.loads(line)[\"record\"] for line in sys.stdin]
assert kinds.count(\"measurement\") == 6 and kinds.count(\"crossover\") == 1, kinds" <"$1"' \
    sh "$tmp/out"

# --- what it does not take ------------------------------------------------------------------------
ok "--size" refuses '--size is an option of .*, not of sweep' sweep saxpy --size S
ok "files" refuses '--x is an option of check, .*, not of sweep' sweep saxpy --x x.npy
ok "a bound that is none" refuses '--from takes a whole number above 0, not "small"' \
    sweep saxpy --from small
ok "an axis that does not grow" refuses '--to k=3: knn has no axis k that grows' sweep knn --to k=3
ok "... or is set" refuses 'all axes that grow in a sweep are set' sweep saxpy --n 5
ok "an empty range" refuses 'there is no size from 100 to 10' sweep saxpy --from 100 --to 10
ok "a step backwards" refuses '--step takes a factor from 1.05 to 1024' sweep saxpy --step 0.5
ok "too many sizes" refuses 'more than 64 sizes' sweep saxpy --step 1.05
ok "--contenders that name nothing" refuses '--contenders: none of the chosen variants is called cuda_x' \
    sweep saxpy --contenders cuda_x
ok "--baseline that names nothing" refuses '--baseline: none of .* cpu_opnmp' \
    sweep saxpy --baseline cpu_opnmp
ok "... by the older names, which errors repeat" refuses '^rungs: --of: none of .* cuda_x$' sweep saxpy --of cuda_x
ok "... both" refuses '^rungs: --against: none of .* cpu_opnmp$' sweep saxpy --against cpu_opnmp
ok "its options are its own" refuses '--step is an option of sweep, not of bench' \
    bench saxpy --step 3
ok "--out beside --resume" refuses '--resume continues its own file; it cannot be combined with --out' \
    sweep saxpy --resume "$tmp/a.jsonl" --out "$tmp/x.jsonl"

# --- going on -------------------------------------------------------------------------------------
rungs_of_it="saxpy/cpu_[ns]*"
settings="--quick --max-time 0.3 --contenders cpu_simd --from 256 --to 2^20"

# A start, until so many measurements are on record; then the signal, whatever is going on.
start_and_end() {
    # An interactive shell lets its children have SIGINT; one that runs a script does not.
    python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$rungs" sweep "$rungs_of_it" $settings --out "$1" \
        >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    for _ in $(seq 1200); do
        [ "$(cat "$1" 2>/dev/null | grep -c '"measurement"')" -ge "$2" ] && break
        sleep 0.1
    done
    kill -"$3" $pid
    status=0
    wait $pid 2>/dev/null || status=$?
}

resume() {
    file=$1
    shift
    run sweep "$rungs_of_it" $settings --resume "$file" "$@"
}

start_and_end "$tmp/killed.jsonl" 7 KILL
ok "a kill leaves whole lines" well_formed "$tmp/killed.jsonl" cut
ok "... and no worker" none_left
printf '{"record":"measurement","problem":"sa' >>"$tmp/killed.jsonl" # a line that was cut
cp "$tmp/killed.jsonl" "$tmp/before"
resume "$tmp/killed.jsonl"
ok "--resume goes on" sees '^cpu_simd$' '^  end to end: '
ok "... with a table of all sizes" sees '^n +256 .*2\^' '2\^20$'
ok "... and whole records, the half line gone" well_formed "$tmp/killed.jsonl" resumed
ok "... behind those that were there" sh -c '
    grep -v "\"sa\$" "$1" | cmp -n "$(grep -v "\"sa\$" "$1" | wc -c)" - "$2"' \
    sh "$tmp/before" "$tmp/killed.jsonl"
# measured_once FILE RUNS SIZES   each size in whole by one of the runs, by the first so many at least
measured_once() {
    python3 - "$@" <<'EOF'
import collections, json, sys

runs = collections.defaultdict(lambda: collections.defaultdict(set))
order = []
for r in map(json.loads, open(sys.argv[1])):
    if r["record"] == "run":
        order.append(r["run_id"])
    if r["record"] == "measurement":
        runs[r["size"]["n"]][r["run_id"]].add(r["variant"])
assert len(order) == int(sys.argv[2]), order
assert sorted(runs) == [256 << i for i in range(13)], sorted(runs)
for size, by in runs.items():
    whole = [run for run in by if len(by[run]) == 3]
    assert len(whole) == 1, (size, by)
first = [size for size in runs if len(runs[size][order[0]]) == 3]
assert int(sys.argv[3]) <= len(first) < 13, first
EOF
}
ok "... and no size twice" measured_once "$tmp/killed.jsonl" 2 2
grep 'end to end' "$tmp/out" >"$tmp/sentence"
resume "$tmp/killed.jsonl"
ok "once more: nothing is left to be measured" measured_once "$tmp/killed.jsonl" 3 2
ok "... and it says the same" sh -c 'grep "end to end" "$1" | cmp - "$2"' sh "$tmp/out" "$tmp/sentence"

start_and_end "$tmp/stopped.jsonl" 3 INT
ok "an interrupted one ends with status 130" test $status = 130
ok "... says how it goes on" grep -q -- "--resume $tmp/stopped.jsonl" "$tmp/err"
ok "... without sentences on half a range" sh -c '! grep -q "end to end:" "$1"' sh "$tmp/out"
ok "... leaves no half sizes" sh -c 'test $(($(grep -c "\"measurement\"" "$1") % 3)) = 0' sh \
    "$tmp/stopped.jsonl"
resume "$tmp/stopped.jsonl"
ok "... and does go on" measured_once "$tmp/stopped.jsonl" 2 1

run sweep "saxpy/cpu_n*" $settings --resume "$tmp/stopped.jsonl" --contenders cpu_naive
ok "fewer variants are there already" sh -c '
    test "$(tail -n 3 "$1" | grep -c "\"measurement\"")" = 0' sh "$tmp/stopped.jsonl"

cp "$tmp/stopped.jsonl" "$tmp/kept"
ok "another seed" refuses 'stopped.jsonl: made with --seed 1, not 2' \
    sweep "$rungs_of_it" $settings --resume "$tmp/stopped.jsonl" --seed 2
ok "another limit" refuses 'made with --max-time 0.3, not 0.4' \
    sweep "$rungs_of_it" $settings --max-time 0.4 --resume "$tmp/stopped.jsonl"
ok "other threads" refuses 'made under other conditions: --threads' \
    sweep "$rungs_of_it" $settings --threads 7 --resume "$tmp/stopped.jsonl"
ok "another profile" refuses 'made with preset quick, not sweep' \
    sweep "$rungs_of_it" --max-time 0.3 --resume "$tmp/stopped.jsonl"
ok "... leave the file as it was" cmp "$tmp/kept" "$tmp/stopped.jsonl"
sed 's/"commit":"[^"]*"/"commit":"abc1234"/' "$tmp/kept" >"$tmp/older.jsonl"
ok "another program" refuses 'older.jsonl: made with commit abc1234, not ' \
    sweep "$rungs_of_it" $settings --resume "$tmp/older.jsonl"
ok "no file" refuses 'none.jsonl: No such file' sweep saxpy --resume "$tmp/none.jsonl"
printf 'not records, and without an end' >"$tmp/notes"
cp "$tmp/notes" "$tmp/kept"
ok "a file of another kind" refuses 'notes: not a file of records' sweep saxpy --resume "$tmp/notes"
ok "... is left alone" cmp "$tmp/notes" "$tmp/kept"

finish
