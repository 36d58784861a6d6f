#!/bin/sh
# rungs show: the tables of files of records, as bench printed them; several machines in one table.
. tests/tools/tap.sh

# What is between the header and the legend.
tables() {
    sed -n '/^[a-z][a-z]*   /,/^  check  /p' "$1" | sed '/^  check  /d'
}
made() {
    python3 "$tests/tools/made_records.py" "$@"
}

# --- as bench printed them ------------------------------------------------------------------------
run bench 'saxpy/cpu_[ns]*' 'saxpy/cpu_openmp' knn/cpu_chord knn/cpu_index --threads 1,2 --quick \
    --max-time 0.3 --size S --out "$tmp/a.jsonl"
cp "$tmp/out" "$tmp/bench"
run show "$tmp/a.jsonl"
cp "$tmp/out" "$tmp/shown"
ok "show ends with status 0, and says nothing else" sh -c 'test "$1" = 0 && test ! -s "$2"' sh \
    "$status" "$tmp/err"
tables "$tmp/bench" >"$tmp/one"
tables "$tmp/shown" >"$tmp/other"
ok "there are tables" sh -c 'test "$(wc -l <"$1")" -ge 15' sh "$tmp/one"
ok "the same tables, to the letter" diff "$tmp/one" "$tmp/other"
ok "the run is named, with its machine" grep -q "^$tmp/a.jsonl: .*rungs .*, preset quick, 20" "$tmp/shown"
ok "... and where its time went" grep -Eq \
    '^   took [0-9.]+ m?s: [0-9]+% timed calls, .* judging, .* the rest; memory: [0-9]+ MB' "$tmp/shown"
for format in md csv; do
    run bench 'saxpy/cpu_[ns]*' --quick --max-time 0.2 --size n=1000 --format $format \
        --out "$tmp/$format.jsonl"
    sed -n '/^###/,$p;/^problem,/,$p' "$tmp/out" >"$tmp/one"
    run show "$tmp/$format.jsonl" --format $format
    sed -n '/^###/,$p;/^problem,/,$p' "$tmp/out" >"$tmp/other"
    # Times are on record to the nanosecond, or to the picosecond below 10 us.
    ok "--format $format as well" python3 -c 'import re, sys
one, other = [re.split("[,| \n]+", open(path).read()) for path in sys.argv[2:]]
if sys.argv[1] == "csv":  # the file is named in the last column
    other = [word for word in other if not word.endswith(".jsonl")]
one, other = [list(filter(None, words)) for words in (one, other)]
assert len(one) == len(other) > 30, (one, other)
for a, b in zip(one, other):
    try:
        assert abs(float(a) - float(b)) <= 1e-4 * abs(float(a)), (a, b)
    except ValueError:
        assert a == b, (a, b)' $format "$tmp/one" "$tmp/other"
done
run show "$tmp/a.jsonl" --format json
ok "--format json: the records themselves" sh -c '
    grep -E "^.\"record\":\"(measurement|compare|scaling)\"" "$1" | cmp - "$2"' sh "$tmp/a.jsonl" "$tmp/out"

# --- several machines -----------------------------------------------------------------------------
made "$tmp/old" cpu_naive=8 cpu_simd=2 cuda_naive=1:0.5
made "$tmp/new" cores=16 threads=16 run=b cpu_naive=4 cpu_blocked=refused cpu_simd=1
run show "$tmp/old" "$tmp/new"
ok "one table, a letter for each" sh -c 'test "$(sed -n "/^variant/,/^\$/p" "$1" | grep -Eo \
    "^[a-z_]+ +[AB]" | tr -s " " | tr "\n" ";")" = \
    "cpu_naive A;cpu_naive B;cpu_blocked B;cpu_simd A;cpu_simd B;cuda_naive A;"' sh "$tmp/out"
ok "... each with its file" sh -c 'grep -q "^A  $1/old: Abacus" "$2" && grep -q "^B  $1/new: " "$2"' \
    sh "$tmp" "$tmp/out"
ok "each row is compared within its own run" sh -c '
    grep -Eq "^cpu_simd +A .* 4\.0[0-9] " "$1" && grep -Eq "^cpu_simd +B .* 4\.0[0-9] " "$1"' sh "$tmp/out"
ok "... resident as well" grep -Eq '^cuda_naive +A +50[0-9] us' "$tmp/out"
ok "a reason is a row" grep -q '^cpu_blocked  *B  *refused  *z\[0\] is 1' "$tmp/out"
ok "another size is a table of its own" sh -c '
    python3 "$tests/tools/made_records.py" "$1/more" size=2000 cpu_naive=3 &&
    "$rungs" show "$1/old" "$1/more" | grep -c "^variant" | grep -qx 2' sh "$tmp"
run show "$tmp/old" "$tmp/new" --format csv
ok "CSV names the files" sh -c 'python3 -c "import csv, sys
rows = list(csv.DictReader(sys.stdin))
assert [r[\"machine\"][-3:] for r in rows] == [\"old\", \"new\", \"new\", \"old\", \"new\", \"old\"], rows" <"$1"' \
    sh "$tmp/out"

# --- a narrow terminal, and marks that most rows have -----------------------------------------------
# on WIDTH PATTERN...   the first table of the reference has lines that match
on() {
    python3 "$tests/tools/terminal.py" "$1" 50 "$rungs" show "$tests/../results/reference/h200-s-m.jsonl" |
        sed '/^resident/,$d' >"$tmp/screen"
    shift
    for pattern; do
        grep -Eq -- "$pattern" "$tmp/screen" || { echo "no $pattern"; cat "$tmp/screen"; return 1; }
    done
}
ok "time, interval and flags stay on 80 columns" on 80 '^variant .* time +[+]- .* flags$' '^cuda_cufft .* L$'
ok "... where no line is longer" sh -c '! grep -E "^.{81}" "$1"' sh "$tmp/screen"
ok "an interval as wide as the time has no digits" on 80 '^cuda_managed .* >100% '
ok "a flag of most rows is one line" on 200 '^flag N \(noisy\) on 17 of 21 rows' '^cuda_naive .* -$'
ok "... and others are marks" on 200 '^cuda_cufft .* L$'

# --- files that are none --------------------------------------------------------------------------
head -c -30 "$tmp/a.jsonl" >"$tmp/cut"
ok "half a line is passed over" sh -c '"$rungs" show "$1" >"$1.out" 2>"$1.err" &&
    grep -q "cpu_simd" "$1.out" && grep -q "cut:[0-9]*: the last record is incomplete" "$1.err" &&
    grep -q "unfinished: it was killed or is still running" "$1.out"' sh "$tmp/cut"
sed 's/"cores": 1.0/"cores": null/' "$tmp/old" >"$tmp/cores"
ok "cores that are not known are no number" exits 0 show "$tmp/cores"
ok "... but a dash" sh -c '! grep -w nan "$1"' sh "$tmp/out"
sed '3s/"rounds": \[/"rounds": [null, /' "$tmp/old" >"$tmp/hole"
ok "a time that is none: file and line" refuses 'hole:3: round 1 of "e2e" is not a time' show "$tmp/hole"
sed 's/saxpy/sudoku/' "$tmp/old" >"$tmp/sudoku"
ok "a problem that is not known: file and line" refuses 'sudoku:2: this program has no problem sudoku' \
    show "$tmp/sudoku" --format csv
sed 's/"n": 1000/"m": 1000/' "$tmp/old" >"$tmp/axis"
ok "a size that is none" refuses 'axis:2: no size of saxpy' show "$tmp/axis" --format csv
sed 's/"record": "measurement"/"record": "memory"/' "$tmp/old" >"$tmp/none"
ok "peak rates" shows '^gpu memory .* TB/s ' show results/reference/h200-ceilings.jsonl
ok "no table" refuses 'none: contains no table' show "$tmp/none" --format csv
ok "no records" refuses 'Makefile:1: not JSON' show Makefile
ok "no file" refuses 'show takes files of records' show
python3 - "$tmp/old" >"$tmp/lots" <<'END'
import sys
lines = open(sys.argv[1]).read()
for run in range(500):
    sys.stdout.write(lines.replace('"a0"', '"r%d"' % run))
END
ok "more rows than a table has" refuses 'a table would have 1500 rows, more than [0-9]+; name fewer files' \
    show "$tmp/lots" --format csv
ok "one of two is missing" refuses 'nowhere: No such file' show "$tmp/old" "$tmp/nowhere"

finish
