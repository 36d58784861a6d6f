#!/bin/sh
# On a terminal: tables that fit it, colour, and a live view that leaves nothing behind; in a pipe:
# none of these.  tests/tools/terminal.py is the terminal.
. tests/tools/tap.sh
export TERM=xterm
unset NO_COLOR COLUMNS

brief="--quick --max-time 0.05"
records=0
escape=$(printf '\033')

# bench COLUMNS [ARGUMENT...]   a small one on a terminal, without MPI's phases; --raw in $mode keeps every byte that came
mode=
bench() {
    columns=$1
    shift
    records=$((records + 1))
    status=0
    timeout 300 python3 tests/tools/terminal.py "$columns" "${lines:-50}" $mode "$rungs" bench \
        'saxpy/cpu_[nos]*' --size n=1000 $brief --out "$tmp/r$records.jsonl" "$@" >"$tmp/screen" ||
        status=$?
    [ "$status" -eq 0 ] || { cat "$tmp/screen"; return 1; }
}
# table   the table on the screen, from its heading to the empty line
table() {
    sed -n '/^variant  /,/^$/p' "$tmp/screen"
}
# fits COLUMNS FILE   no line of it is longer
fits() {
    awk -v most="$1" 'length($0) > most { print "too long: " $0; bad = 1 } END { exit bad }' "$2"
}
has() { grep -Eq -- "$1" "$2" || { echo "no $1 in"; cat "$2"; return 1; }; }
hasnt() { ! grep -E -- "$1" "$2"; }

# --- tables ---------------------------------------------------------------------------------------
for columns in 80 120 200; do
    ok "bench on $columns columns" bench "$columns"
    ok "... all that is said fits" fits "$columns" "$tmp/screen"
    table >"$tmp/table$columns"
    for heading in variant check time '[+]-'; do
        ok "... has the column $heading" has "^variant .* $heading( |\$)|^$heading" "$tmp/table$columns"
    done
done
ok "80 columns: says what is left out" has '^left out: .*cores.* \(all fit in [0-9]+ columns\)$' \
    "$tmp/table80"
ok "200 columns: nothing is" hasnt '^left out' "$tmp/table200"
# The last column is that of flags, where a variant has some.
ok "... and there is more than on 80" has '^variant .* error .* cores(  flags)?$' "$tmp/table200"
ok "a narrower one counts as 80" bench 50
table >"$tmp/table50"
ok "... with the same columns" sh -c 'head -n 4 "$1" | tr -d "\n" | grep -q "^variant  *check  *time"' \
    sh "$tmp/table50"
check_80() {
    timeout 300 python3 tests/tools/terminal.py 80 50 "$rungs" "$@" >"$tmp/screen"
    fits 80 "$tmp/screen"
}
legend() { check_80 "$@" results/reference/h200-l-knn.jsonl && grep -q '2\.54  *a ratio' "$tmp/screen"; }
legend_twice() { legend show && legend show; }
no_legend() { ! legend "$@" && [ "$(grep -c -x -e '--legend explains .*' "$tmp/screen")" -eq "$said" ]; }
rm -f "$XDG_CACHE_HOME"/rungs/legend-*
ok "the first table of a day has its legend" legend show
said=1
ok "... the next one has a line that says how to get it" no_legend show
ok "... --legend is that" legend show --legend
touch -d '25 hours ago' "$XDG_CACHE_HOME/rungs/legend-bench"
ok "... and a day later it is there again" legend show
said=0
ok "--quiet: not even that line" no_legend show --quiet
rm -r "$XDG_CACHE_HOME"
: >"$XDG_CACHE_HOME"
ok "without a cache folder it is always there" legend_twice
rm "$XDG_CACHE_HOME"
piped() {
    "$rungs" show results/reference/h200-l-knn.jsonl >"$tmp/out" && "$rungs" show results/reference/h200-l-knn.jsonl |
        cmp - "$tmp/out" && grep -q '2\.54  *a ratio' "$tmp/out" && [ ! -e "$XDG_CACHE_HOME" ]
}
ok "a pipe gets it each time, and leaves no mark" piped
ok "check fits 80" check_80 check saxpy
ok "... and begins where the line of progress was" has "^variant  *check" "$tmp/screen"
ok "list fits 80" check_80 list saxpy
ok "show fits 80" check_80 show results/reference/h200-l-knn.jsonl
ok "... and breaks between words" has ': Intel.*, NVIDIA H200,$' "$tmp/screen"
for file in h200-s-m h200-l-knn; do
    ok "compare $file fits 80" check_80 compare results/reference/$file.jsonl
done
ok "... with ratio and interval, and says that rounds are left out" sh -c \
    'grep -q "^variant .*x faster .*interval" "$1" && grep -q "^left out: .*rounds" "$1"' sh "$tmp/screen"
for file in h200-s-m epyc-2-cores-s-m; do
    ok "show $file fits 80" check_80 show results/reference/$file.jsonl
done
ok "compare of two runs fits 80" check_80 compare --force results/reference/h200-s-m.jsonl \
    results/reference/h200-l-knn.jsonl
ok "... what is only in one of them as well" has '^only in OLD: ' "$tmp/screen"
ok "sweep fits 80" check_80 sweep 'saxpy/cpu_*' --from 1000 --to 300000 --step 1.5 --max-time 0.01 \
    --out "$tmp/sweep.jsonl"
ok "... its sentences break between words" has '^No contender was timed\.  By default contenders are GPU variants; --contenders( and)?$' "$tmp/screen"
ok "... in blocks of six sizes at most" sh -c 'test "$(grep -c "^n  " "$1")" -eq 3' sh "$tmp/screen"
timeout 300 python3 tests/tools/terminal.py 200 50 "$rungs" sweep 'saxpy/cpu_*' --from 1000 --to 300000 \
    --step 1.5 --max-time 0.01 --out "$tmp/sweep200.jsonl" >"$tmp/screen"
ok "... and in a single one where there is room" sh -c 'test "$(grep -c "^n  " "$1")" -eq 1' \
    sh "$tmp/screen"

# --- bars -----------------------------------------------------------------------------------------
LC_ALL=C bench 100
ok "a bar of ASCII where that is all there is" has '  ########  ' "$tmp/screen"
ok "... for every variant" sh -c 'test "$(grep -c "^cpu_.*#" "$1")" -eq "$(grep -c "^cpu_" "$1")"' \
    sh "$tmp/screen"
LC_ALL=C.UTF-8 bench 100
ok "a bar of blocks where they can be shown" has '  ████████  ' "$tmp/screen"
ok "none in a pipe" sh -c '"$rungs" bench saxpy/cpu_naive --size n=1000 --quick --max-time 0.05 \
    --out "$1" >"$2" 2>"$3" && ! grep -q "#####" "$2"' sh "$tmp/p.jsonl" "$tmp/pipe" "$tmp/pipe.err"
ok "a pipe has every column" has '^variant .* error .* cores(  flags)?$' "$tmp/pipe"
ok "... and no escape" hasnt "$escape" "$tmp/pipe"
ok "... nor has its standard error" hasnt "$escape|about" "$tmp/pipe.err"

# --- colour ---------------------------------------------------------------------------------------
mode=--raw
colour="$escape\[[0-9]+m"
ok "the fastest is green" bench 100
ok "..." has "$escape\[32mcpu_.*########.*$escape\[0m" "$tmp/screen"
ok "--no-color" bench 100 --no-color
ok "... has none" hasnt "$colour" "$tmp/screen"
export NO_COLOR=1
ok "NO_COLOR" bench 100
ok "... has none" hasnt "$colour" "$tmp/screen"
export NO_COLOR=
ok "NO_COLOR, empty, is not set" bench 100
ok "... and there is colour" has "$colour" "$tmp/screen"
unset NO_COLOR
export TERM=dumb
ok "TERM=dumb" bench 100
ok "... gets no escape at all" hasnt "$escape" "$tmp/screen"
export TERM=xterm
ok "a variant that is wrong is red" sh -c 'timeout 300 python3 tests/tools/terminal.py 100 50 --raw \
    "$rungs-broken" check saxpy/misses_last >"$1"; test $? -eq 1 && grep -q "\[31msaxpy/misses_last.* nan " "$1"' \
    sh "$tmp/red"

# --- the live view --------------------------------------------------------------------------------
brief="--quick --max-time 0.3"
ok "a bench that takes a while" bench 100
ok "... shows which problem and size, which round, what is left" \
    has '\[1/[0-9]+\] saxpy given  round [0-9]+  about [0-9]+ s left' "$tmp/screen"
for variant in variants/saxpy/cpu_naive.c variants/saxpy/cpu_openmp.c; do
    variant=$(basename "$variant" .c)
    ok "... and of $variant its rounds and time" has "^[ >] $variant +round [1-9].* [nu]s " "$tmp/screen"
done
ok "... whose turn it is" has "^> cpu_" "$tmp/screen"
mode=
ok "once more" bench 100
ok "... and nothing of it is left" hasnt '^\[|^[ >] cpu_|left$' "$tmp/screen"
ok "... the table follows the heading" sh -c \
    'grep -A 1 "^saxpy   z" "$1" | grep -q "^variant .*check"' sh "$tmp/screen"
mode=--raw
lines=4
ok "on four lines" bench 100
ok "... it shows no more than there is room for" awk -v escape="$escape" \
    'BEGIN { RS = escape "\\[J" } /^\[1\/.*cpu_/ && !/variant  / { if (gsub(/\n/, "") > 3) exit 1; \
     seen = 1 } END { exit !seen }' "$tmp/screen"
lines=50
mode=--wrap
ok "on 30 columns" bench 30
ok "... nothing of it is left, either" hasnt '^\[|^[ >] cpu_.*round|left$' "$tmp/screen"
mode=
# Files that take more than a second: a pipe that is slow to fill, and one that is slow to empty.
slow_in() {
    mkfifo "$tmp/in" && { { printf 'P5 1 3 255\na'; sleep 1.5; printf b; sleep 0.1; printf c; } >"$tmp/in" & } &&
    timeout 300 python3 tests/tools/terminal.py 100 50 --raw "$rungs" run stencil/cpu_naive --image "$tmp/in" \
        >"$tmp/screen"
}
slow_out() {
    mkfifo "$tmp/out.pgm" && { { sleep 1.5; cat; } <"$tmp/out.pgm" >"$tmp/got" & } &&
    timeout 300 python3 tests/tools/terminal.py 100 50 --raw "$rungs" run stencil/cpu_naive \
        --size rows=2000,cols=500,bytes=1 --out "$tmp/out.pgm" >"$tmp/screen"
}
ok "a file that is read slowly" slow_in
ok "... says how far it is" has "reading [1-9][0-9]* %: $tmp/in$escape\[K" "$tmp/screen"
ok "... and the line goes" has "$escape\[[JK]stencil/cpu_naive " "$tmp/screen"
ok "a file that is written slowly" slow_out
ok "... says how far it is" has "writing [1-9][0-9]* %: $tmp/out.pgm$escape\[K" "$tmp/screen"
ok "... and the line goes" has "$escape\[[JK]stencil/cpu_naive " "$tmp/screen"
interrupted() {
    timeout 300 python3 tests/tools/terminal.py 100 50 timeout --foreground -s INT 1.5 "$rungs" bench \
        saxpy --size n=1000 --max-time 20 --out "$tmp/int.jsonl" >"$tmp/screen"
    tail -n 40 "$tmp/screen"
    hasnt '^\[1/|^[ >] cpu_.*round' "$tmp/screen"
}
ok "interrupted, it is gone as well" interrupted
ok "... and no worker is left" none_left

finish
