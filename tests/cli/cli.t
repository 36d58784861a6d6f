#!/bin/sh
# The command line as a user meets it: exit statuses, help, patterns, sizes, formats, streams.
. tests/tools/tap.sh

one=saxpy/cpu_naive
brief="--quick --max-time 0.05"
records=0
# bench ARGUMENT...   as `run bench`, with records of its own
bench() {
    records=$((records + 1))
    run bench $brief --out "$tmp/r$records.jsonl" "$@"
}

# --- help -----------------------------------------------------------------------------------------
ok "--help" shows '^usage: rungs COMMAND' --help
ok "help" shows '^usage: rungs COMMAND' help
ok "-h" shows '^usage: rungs COMMAND' -h
for command in list check bench sweep run ceilings compare selftest show scale plot report profile lab config completion; do
    ok "$command --help" shows "^usage: rungs $command" $command --help
    ok "help $command" shows "^usage: rungs $command" help $command
    ok "$command -h, and much else" shows "^usage: rungs $command" $command saxpy --size S -h
done
ok "--help names the common options" sh -c 'help=$("$rungs" --help)
    for option in exclude size quick max-time seed threads timeout format out; do
    echo "$help" | grep -q -- "--$option" || { echo "not --$option"; exit 1; }; done'
ok "sweep --help names those of its own" sh -c 'help=$("$rungs" sweep --help)
    for option in from to step contenders baseline resume; do
    echo "$help" | grep -q -- "--$option" || { echo "not --$option"; exit 1; }; done'
ok "help fits in 100 columns" sh -c '! "$rungs" --help | grep -E ".{101}"'
ok "version" shows '^rungs [0-9]' version
ok "--version" shows '^rungs [0-9]' --version
ok "-V" shows '^rungs [0-9]' -V
ok "... of any command" shows '^rungs [0-9]' bench saxpy -V
ok "no command: help, as an error" exits 2
ok "... on standard error" sh -c 'test ! -s "$1" && grep -q "^usage:" "$2"' sh "$tmp/out" "$tmp/err"

# --- words that are unknown -----------------------------------------------------------------------
ok "a command" refuses 'no command bnech; did you mean bench\?' bnech
ok "... in help" refuses 'no command lst; did you mean list\?' help lst
ok "an option" refuses 'no option --sizes; did you mean --size\?' bench --sizes S
ok "an option with a value" refuses 'no option --maxtime; did you mean --max-time\?' \
    bench --maxtime=3
ok "an option like nothing" refuses 'no option --wolpertinger; rungs --help lists the options' \
    list --wolpertinger
ok "a letter" refuses 'no option -z;' list -z
ok "a letter of other commands" refuses '^rungs: --quiet is an option of check, .*, not of list$' list -q
ok "a letter among others" refuses 'no option -z;' list -zx saxpy
ok "a variant" refuses 'no variant is called saxpy/cpu_nave; did you mean saxpy/cpu_naive\?' \
    list saxpy/cpu_nave
ok "a problem in capitals" refuses 'no variant is called KNN; did you mean knn\?' check KNN
ok "a name that is like none" refuses 'no variant is called nosuch; rungs list shows them' check nosuch
ok "a problem" refuses 'no variant is called saxpi; did you mean saxpy\?' check saxpi
ok "... among others that are known" refuses 'saxpi' check saxpy saxpi
ok "... that is excluded" refuses 'saxpi' list -x saxpi
ok "a pattern that matches nothing" refuses "no variant is called saxpy/gpu_q\*" list 'saxpy/gpu_q*'
ok "an option of another problem" refuses 'saxpy has no option --obs' check saxpy --obs f.csv
ok "a value that is missing" refuses '--size needs a value' bench --size
ok "... of a letter" refuses '(-x|--exclude) needs a value' list -x
ok "... of a problem's option" refuses '--x needs a value' run $one --x
ok "a value too many" refuses '--quick takes no value' bench --quick=yes
ok "a beginning that is one option's" sh -c '"$rungs" bench saxpy/cpu_naive --qui --max-time 0.05 \
    --size n=9 --out "$1" >"$2" 2>&1; test $? = 2 || grep -q "preset quick" "$2"' \
    sh "$tmp/beginning" "$tmp/said2"
ok "a beginning that is two options'" refuses '--t' list --t 3

# --- patterns -------------------------------------------------------------------------------------
# lists NAMES ARGUMENT...   exactly these, in this order
lists() {
    names=$1
    shift
    exits 0 list --format json "$@" || return 1
    python3 -c 'import json, sys
print(*[r["problem"] + "/" + r["variant"] for r in map(json.loads, sys.stdin)])' \
        <"$tmp/out" >"$tmp/names"
    [ "$(cat "$tmp/names")" = "$names" ] || { cat "$tmp/names"; return 1; }
}
ok "one variant" lists saxpy/cpu_naive saxpy/cpu_naive
ok "a strategy of several problems" sh -c '
    test "$("$rungs" list cpu_naive --names | grep -cE "^(knn|saxpy)/cpu_naive$")" = 2 &&
    ! "$rungs" list cpu_naive --names | grep -qv "/cpu_naive$"'
ok "wild cards" lists "saxpy/cpu_openmp saxpy/cpu_simd" 'saxpy/cpu_[os]*' -x 'cpu_st*'
ok "twice is once" lists saxpy/cpu_naive saxpy/cpu_naive saxpy/cpu_naive 'saxpy/cpu_n*'
ok "all but everything" refuses 'no variant is left: --exclude removes all of them' list saxpy -x saxpy
ok "list --format json has its fields" sh -c '"$rungs" list saxpy --format json | python3 -c "
import json, sys
fields = \"problem variant path idea base device math engine level read lines available reason\".split()
rows = [json.loads(line) for line in sys.stdin]
assert rows and all(list(row) == fields for row in rows), rows[0]
assert all(row[\"available\"] or row[\"reason\"] for row in rows)
seen = set()
for row in rows:
    base = row[\"base\"]
    assert base is None or (row[\"problem\"], base) in seen, row
    seen.add((row[\"problem\"], row[\"variant\"]))"'

# --- sizes ----------------------------------------------------------------------------------------
# has_sizes SIZES ARGUMENT...   a bench with these options is at these sizes
has_sizes() {
    sizes=$1
    shift
    bench "$@" --format csv
    [ "$status" -eq 0 ] || { cat "$tmp/out" "$tmp/err"; return 1; }
    python3 -c 'import csv, sys
print(*[row["label"] + ":" + row["size"] for row in csv.DictReader(sys.stdin)])' \
        <"$tmp/out" >"$tmp/sizes"
    [ "$(cat "$tmp/sizes")" = "$sizes" ] || { cat "$tmp/sizes"; return 1; }
}
ok "S" has_sizes "S:n=65536" $one --size S
ok "s, and a number" has_sizes "S:n=65536 given:n=12" $one --size s --size n=12
ok "several in one" has_sizes "S:n=65536 given:n=7" $one --size s,n=7
ok "powers" has_sizes "given:n=1024" $one --size n=2^10
ok "decimal powers" has_sizes "given:n=2000" $one --size n=2e3
ok "none at all" has_sizes "given:n=0" $one --size n=0
ok "an axis of its own" has_sizes "given:n=33" $one --n 33
ok "two axes" has_sizes "given:m=9 n=40 k=3 data=uniform" knn/cpu_naive --size m=9,n=40,k=3
ok "a word" has_sizes "given:m=9 n=40 k=1 data=town" knn/cpu_naive --size m=9,n=40,data=town
ok "a word's number" has_sizes "given:m=9 n=40 k=1 data=town" knn/cpu_naive --size m=9,n=40,data=3
ok "a word for named sizes" has_sizes "S-coast:m=4096 n=1024 k=1 data=coast" knn/cpu_index --size S,data=coast
ok "several words" has_sizes "S:m=4096 n=1024 k=1 data=uniform S-town:m=4096 n=1024 k=1 data=town" knn/cpu_index \
    --size S --data uniform,town
ok "all words" sh -c '"$1" check knn/cpu_index --size m=9,n=40 --data all | grep -Eq "^knn/cpu_index +ok .* 10$"' sh "$rungs"
# shards PATTERN   the check sizes that three shards have together
shards() {
    for part in 1 2 3; do
        "$rungs" check "$1" --shard $part/3
    done | awk '/ ok / { sum += $NF } END { print sum; exit sum == 0 }'
}
ok "three shards have every check size once" test "$(shards saxpy/cpu_naive)" = \
    "$("$rungs" check saxpy/cpu_naive | awk '/ ok / { print $NF }')"
ok "a bench judges at a third of the check sizes" sh -c '"$1" bench $2 --n 33 --shard 1/3 --quick --max-time 0.01 --format json \
    --out "$3/shard.jsonl" | grep -Eq "\"check_sizes_ok\": ?4,"' sh "$rungs" $one "$tmp"
ok "check sizes of two kinds" shows '^knn/cpu_index +ok .* 4$' check knn/cpu_index --data town,copies
ok "a length makes a check size" shows '^saxpy/cpu_naive +ok .* 1$' check $one --n 33
ok "an unknown word" refuses 'data is one of uniform, places, .*, dateline, not "sea"' check knn --data uniform,sea
ok "a number without a word" refuses 'data is one of uniform, .*, not "10"' check knn --data 10
for size in -1 1e30 abc 1.5 '' 2^ ^2 2^-1 nan inf '1 2' 2^2^2 1e400; do
    ok "n=$size is none" refuses 'n takes a whole number' check $one --size "n=$size"
done
ok "an unknown axis" refuses 'saxpy has no axis rows' check $one --size rows=3
ok "an unknown name" refuses 'saxpy has no size "XXL"; there are S, M, L and XL' check $one --size XXL
ok "an empty size" refuses '--size is empty|has no size ""' check $one --size ''
ok "an impossible size" refuses 'knn: k is more than n' check knn/cpu_naive --size n=3,k=5
ok "a case too large for any memory" refuses '(GiB|the case is too large)' check $one --size n=1e12
ok "... for bench" exits 2 bench $brief $one --size n=1e12 --out "$tmp/too-large"
ok "... in one line" grep -Eq '^rungs: .*(GiB|the case is too large)' "$tmp/err"
ok "a product that overflows" refuses '(GiB|the case is too large)' \
    check matmul/cpu_naive --size m=2^40,n=2^40,k=1
ok "the same axis twice" refuses 'n' check $one --size n=8,n=64
ok "a shard of sizes that are named" refuses "--shard is a part of the check sizes" check saxpy/cpu_naive --shard 1/3 --size S

# --- other options --------------------------------------------------------------------------------
for bad in '--seed x' '--seed -1' '--seed 1.5' '--threads 0' '--threads many' '--threads 5000' \
    '--max-time 0' '--max-time -1' '--max-time soon' '--max-time nan' '--timeout 0' \
    '--timeout inf' '--format xml' '--order random'; do
    ok "$bad" refuses "^rungs: ${bad%% *} (takes|is .*, not \")" bench $one $bad
done
ok "seconds may say so" exits 0 check $one --size n=9 --timeout 5s
ok "threads" sh -c '"$rungs" bench saxpy/cpu_openmp --quick --max-time 0.05 --size n=99 \
    --threads 3 --out "$1" && grep -q "\"threads\":3" "$1"' sh "$tmp/threads"
ok "the seed is on record" sh -c '"$rungs" bench saxpy/cpu_naive --quick --max-time 0.05 \
    --size n=99 --seed 42 --out "$1" && grep -q "\"seed\":42" "$1"' sh "$tmp/seed"
slow_is_skipped() {
    bench matmul/cpu_naive --size m=4096,n=4096,k=4096 --max-time 0.2
    cat "$tmp/out"
    grep -Eq '^cpu_naive +skipped +predicted [0-9.]+ [a-z]+ a call, more than' "$tmp/out" &&
        [ "$status" -eq 4 ]
}
ok "what would take too long is skipped, and status 4 says that nothing is left" slow_is_skipped
ok "... but not for a pilot that was disturbed" sh -c '"$rungs-broken" bench saxpy/wakes_up_late --quick \
    --max-time 0.5 --size n=2^24 --out "$1" | grep -Eq "^wakes_up_late +ok"' sh "$tmp/late"
ok "a single call of a slow loop is judged, and its outputs have fences" sh -c '
    "$rungs" bench reduce/cpu_naive --size n=2^24 --quick --max-time 0.002 --out "$1" | grep -Eq "^cpu_naive +ok .*1$"' \
    sh "$tmp/single.jsonl"
ok "run takes variants of one problem" refuses 'one problem, but knn/.* and saxpy/.* match' run knn saxpy
ok "run takes some variant" refuses 'run takes a problem or a variant, e.g.' run
ok "run captures one variant" refuses '--capture takes one variant, but [0-9]+ match' run saxpy --capture
chooses() {
    exits 0 run "$@" && grep -Eq '^rungs: saxpy/[a-z_0-9]+ was the fastest of [0-9]+ variants' "$tmp/err" &&
        [ "$(grep -c '  ok  ' "$tmp/out")" = 1 ] &&
        [ "$(sed 's/^rungs: \([^ ]*\) .*/\1/' "$tmp/err")" = "$(sed 's/ .*//' "$tmp/out")" ]
}
ok "run takes the fastest of several" chooses saxpy
ok "... with success, and a line for one that was wrong" sh -c '
    "$rungs-broken" run saxpy/right saxpy/all_zeros --size n=99 >"$1" 2>&1 && grep -q "^saxpy/right .*  ok  " "$1" &&
    grep -q "^saxpy/all_zeros .*  wrong: " "$1"' - "$tmp/out"

# --- formats --------------------------------------------------------------------------------------
# is_table FORMAT   standard input is of that format; every row of a table has as many cells
is_table() {
    python3 -c '
import csv, json, sys
text = sys.stdin.read()
if sys.argv[1] == "json":
    rows = [json.loads(line) for line in text.splitlines()]
    assert rows and all(row["record"] in ("measurement", "compare") for row in rows)
elif sys.argv[1] == "csv":
    rows = list(csv.reader(text.splitlines(), strict=True))
    assert len(rows) > 1 and len({len(row) for row in rows}) == 1, rows
else:
    tables = [part.splitlines() for part in text.split("\n\n") if "|" in part]
    assert tables
    for lines in tables: # each on its own between empty lines
        assert all(line.startswith("|") for line in lines), lines
        assert len(lines) > 2 and len({line.count("|") for line in lines}) == 1, lines
        assert set(lines[1]) <= set("|:- "), lines[1]
' "$1"
}
formatted() {
    format=$1
    shift
    exits 0 "$@" --format $format && is_table $format <"$tmp/out" || { cat "$tmp/out"; return 1; }
}
for format in md csv json; do
    ok "bench --format $format" formatted $format bench 'saxpy/cpu_[ns]*' matmul/cpu_naive $brief --size n=100 \
        --out "$tmp/format-$format"
    ok "check --format $format" formatted $format check 'saxpy/cpu_[ns]*' fft/cpu_stockham
done
ok "list --format md" formatted md list saxpy
ok "bars in a reason are no columns in Markdown" sh -c '"$rungs-broken" check saxpy/dies_of_noise \
    saxpy/right --format md | grep "^|" >"$1" && grep -q "2J .| noise" "$1" &&
    test "$(sed "s/[\\]|//g" "$1" | awk -F "|" "{ print NF }" | sort -u | wc -l)" -eq 1' sh "$tmp/bars"
ok "list --format csv: a line a variant, of all problems" sh -c '
    "$rungs" list saxpy matmul --format csv >"$1" &&
    "$rungs" list saxpy matmul --format json >"$1.json" && python3 -c "import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1]), strict=True))
objects = list(map(json.loads, open(sys.argv[1] + \".json\")))
assert len(rows) == len(objects) > 10 and list(rows[0]) == list(objects[0])
for row, one in zip(rows, objects):
    one[\"available\"] = str(int(one[\"available\"]))
    one[\"level\"], one[\"lines\"] = str(one[\"level\"] or \"\"), str(one[\"lines\"] or \"\")
    assert row == {key: value or \"\" for key, value in one.items()}, (row, one)" "$1"' \
    sh "$tmp/said2"
ok "list --names" sh -c '"$rungs" list saxpy --names -x saxpy/cpu_simd | grep -qx saxpy/cpu_naive &&
    test "$("$rungs" list saxpy --names | wc -l)" -eq "$("$rungs" list saxpy --format json | wc -l)"'

# --- streams --------------------------------------------------------------------------------------
quiet() {
    bench 'saxpy/cpu_[ns]*' matmul/cpu_naive --size n=100
    [ "$status" -eq 0 ] && [ ! -s "$tmp/err" ] && ! grep -q "$(printf '\033')" "$tmp/out"
}
ok "in a pipe there is no progress, nor any escape" quiet
if command -v script >/dev/null; then
    ok "on a terminal there is" sh -c 'script -qec "$rungs bench saxpy/cpu_naive --quick \
        --max-time 0.05 --size n=100 --out $1/terminal" /dev/null >"$1/typescript" </dev/null
        grep -q "\[1/1\] saxpy given" "$1/typescript"' sh "$tmp"
    ok "... on standard error alone" sh -c 'script -qec "$rungs bench saxpy/cpu_naive --quick \
        --max-time 0.05 --size n=100 --out $1/terminal2 2>/dev/null" /dev/null >"$1/typescript" \
        </dev/null; grep -q "cpu_naive" "$1/typescript" && ! grep -q "\[1/" "$1/typescript"' \
        sh "$tmp"
else
    skip "on a terminal there is" "script is not there"
fi
for command in list check "bench $brief --size n=1000 --out $tmp/head.jsonl"; do
    ok "${command%% *} | head -n 1" sh -c '
        timeout 120 sh -c "\"$rungs\" $1 saxpy/cpu_\* matmul/cpu_naive | head -n 1" | grep -q .' sh \
        "$command"
    ok "... leaves no process behind" none_left
done
ok "standard input is not read" sh -c 'echo x | { "$rungs" check saxpy/cpu_naive --size n=9 >&2
    cat; } | grep -qx x'
ok "from another folder" sh -c 'cd / && "$rungs" check saxpy/cpu_naive --size n=9'

# --- run ------------------------------------------------------------------------------------------
ok "run with generated data" shows '^saxpy/cpu_naive +n=1000 +ok +error [0-9.]+ of the tolerance' \
    run $one --size n=1000
ok "run says where the answer is" shows '-> .*/z\.npy$' run $one --size n=10 --out "$tmp/z.npy"
ok "the same seed, the same answer" sh -c '
    "$rungs" run saxpy/cpu_openmp --size n=10 --out "$1/y.npy" && cmp "$1/y.npy" "$1/z.npy"' \
    sh "$tmp"
ok "another seed, another one" sh -c '
    "$rungs" run saxpy/cpu_naive --size n=10 --seed 2 --out "$1/y.npy" &&
    ! cmp -s "$1/y.npy" "$1/z.npy"' sh "$tmp"

finish
