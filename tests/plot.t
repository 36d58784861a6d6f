#!/bin/sh
# rungs plot: data as in the records, pictures that are whole, and no picture of what cannot be drawn.
. tests/tap.sh

make_plots() {
    python3 "$tests/plots.py" make "$@"
}
look() {
    python3 "$tests/plots.py" "$@"
}

# --- the command line -----------------------------------------------------------------------------
make_plots "$tmp/cell.jsonl" cell
ok "a kind that there is not" refuses 'no plot lader; did you mean ladder\?' plot lader "$tmp/cell.jsonl"
ok "no file" refuses 'takes a kind and files of records' plot ladder
ok "a format that there is not" refuses 'list of svg, png and pdf, not "svg,gif"' plot ladder \
    "$tmp/cell.jsonl" --as svg,gif
ok "--as is of plot alone" refuses 'option of plot, not of list' list --as svg
ok "a file that is not there" refuses 'nowhere: No such file' plot ladder "$tmp/nowhere"
ok "a folder that cannot be made" refuses 'cell.jsonl: Not a directory' plot ladder "$tmp/cell.jsonl" \
    --out "$tmp/cell.jsonl"
ok "nothing to show" exits 4 plot sweep "$tmp/cell.jsonl" --out "$tmp/none"
ok "... is said in one line, with what it takes" sh -c '[ "$(wc -l <"$1")" -eq 1 ] &&
    grep -q "of kind sweep: no problem has three sizes" "$1"' sh "$tmp/err"
ok "... and leaves no folder" sh -c '! ls "$1"' sh "$tmp/none"

# --- data -----------------------------------------------------------------------------------------
mkdir "$tmp/no-gnuplot"
# data KIND FILE... --out FOLDER   without gnuplot: data and scripts are there, and a line says how to get it
data() {
    status=0
    PATH="$tmp/no-gnuplot" "$rungs" plot "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
    cat "$tmp/err"
    [ $status -eq 4 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q '^rungs: gnuplot is not here: apt-get install gnuplot-nox' "$tmp/err"
}
# column N FILE   of the rows
column() {
    grep -v '^#' "$2" | cut -f "$1" | grep . | tr '\n' ' '
}
# is TEXT COMMAND...   that is what it prints
is() {
    want=$1
    shift
    [ "$("$@")" = "$want" ] || { echo "expected $want"; echo "$("$@")"; return 1; }
}
ok "without gnuplot, data and scripts" data ladder "$tmp/cell.jsonl" --out "$tmp/data"
ok "... and no picture" sh -c 'ls "$1" >"$2" && ! grep -E "svg|png|pdf|new" "$2"' sh "$tmp/data" \
    "$tmp/names"
ok "a ladder: medians, intervals, ratios, reasons" look table "$tmp/cell.jsonl" \
    "$tmp/data/ladder-sum-M.tsv"
ok "phases" data phases "$tmp/cell.jsonl" --out "$tmp/data"
ok "... of the card alone, in shares: up, run, down, the rest" is \
    '0 card 0.1 0.5 0.1 0.3 0 ' sh -c 'grep -v "^#" "$1" | cut -f 1-7 | tr "\t\n" "  "' sh \
    "$tmp/data/phases-sum-M.tsv"
make_plots "$tmp/few.jsonl" cell rounds=3
ok "too few rounds for an interval" data ladder "$tmp/few.jsonl" --out "$tmp/data/few/of/them"
ok "... have none" is "NaN NaN NaN NaN " column 5 "$tmp/data/few/of/them/ladder-sum-M.tsv"
make_plots "$tmp/sizes.jsonl" sweep label=sweep
ok "all of a sweep is the picture of the sweep" data all "$tmp/sizes.jsonl" --out "$tmp/data/sizes"
ok "... alone" is "sweep-sum.gp " sh -c 'cd "$1" && ls *.gp | tr "\n" " "' sh "$tmp/data/sizes"
ok "... or one for each size, by its kind" data ladder "$tmp/sizes.jsonl" --out "$tmp/data/sizes"
ok "... if it is asked for" is 7 sh -c 'ls "$1"/*.gp | wc -l' sh "$tmp/data/sizes"
make_plots "$tmp/sweep.jsonl" sweep
ok "a sweep" data sweep "$tmp/sweep.jsonl" --out "$tmp/data"
ok "... has a block for each rung and for each kind of crossover" is \
    "# card # crossovers: size, time or rate there, curve # crossovers: size, time or rate there, curve # first " \
    sh -c 'grep "^#" "$1" | tail -n +2 | sort | tr "\n" " "' sh "$tmp/data/sweep-sum.tsv"
ok "... and the crossovers in their places" sh -c 'grep -v "^#" "$1" | tail -n 8 |
    grep -E "^121000	0\.00011[0-9]+	" && grep -E "^55000	" "$1"' sh "$tmp/data/sweep-sum.tsv"
ok "... in words" grep -q "^crossing = 'first: card from 121000 on, past first'" "$tmp/data/sweep-sum.gp"
make_plots "$tmp/ceilings-of-it.jsonl" ceilings
ok "a roofline, by ceilings that lie beside" data roofline "$tmp/cell.jsonl" --out "$tmp/data"
ok "... points are flops a second" sh -c 'grep first "$1" && grep -E "^0	0.25	250000	NaN	" "$1" &&
    grep -E "^2	0.25	4000000	2000000	" "$1"' sh "$tmp/data/roofline-sum-M.tsv"
ok "... and roofs what was measured" sh -c 'grep -E "^0	5	5e\+10" "$1" && grep -E "^2	15	6e\+13" "$1" &&
    grep "one core 10 GB/s" "$1" && grep "GPU 60 Tflop/s" "$1"' sh "$tmp/data/roofline-sum-M.tsv"
mkdir "$tmp/else" "$tmp/near"
cp "$tmp/cell.jsonl" "$tmp/near"
make_plots "$tmp/near/ceilings.jsonl" ceilings cache=1.5e10
ok "a roof right below that of a cache" data roofline "$tmp/near/cell.jsonl" --out "$tmp/near"
ok "... has its name below, and the cache's above" awk -F '\t' '
    /one core 10 GB/ { below = $3 < 1e10 * $2 } /one core, cache 15 GB/ { above = $3 > 1.5e10 * $2 }
    END { exit !(below && above) }' "$tmp/near/roofline-sum-M.tsv"
make_plots "$tmp/else/cell.jsonl" cell cpu=Other
cp "$tmp/ceilings-of-it.jsonl" "$tmp/else"
ok "... not by those of another machine" exits 4 plot roofline "$tmp/else/cell.jsonl" --out "$tmp/none"
make_plots "$tmp/else/ceilings-of-other.jsonl" ceilings cpu=Other
ok "each file of two machines by the ceilings that lie beside it" data roofline "$tmp/cell.jsonl" \
    "$tmp/else/cell.jsonl" --out "$tmp/both"
ok "... a picture of each" sh -c 'ls "$1/roofline-sum-M.tsv" "$1/roofline-sum-M-2.tsv"' sh "$tmp/both"
make_plots "$tmp/scaling.jsonl" scaling
ok "scaling" data scaling "$tmp/scaling.jsonl" --out "$tmp/data"
ok "... times faster, and of the ideal" is "1 2 4 1 2 3.2 100 100 80 " sh -c '
    for n in 1 2 5; do grep -v "^#" "$1" | cut -f $n | grep . | tr "\n" " "; done' sh \
    "$tmp/data/scaling-sum-M-threads.tsv"
ok "a ladder of it has each rung once" data ladder "$tmp/scaling.jsonl" --out "$tmp/data"
ok "... on the most threads" is "0.0003125 0.001 " column 4 "$tmp/data/ladder-sum-M.tsv"
make_plots "$tmp/one.jsonl" history run=1
make_plots "$tmp/two.jsonl" history run=2
ok "history" data history "$tmp/two.jsonl" "$tmp/one.jsonl" --out "$tmp/data"
ok "... by the day, whatever the order of files" grep -q "^array commits.* = .'abc1', 'abc2'." \
    "$tmp/data/history-sum-M-runs.gp"
ok "... in percent of the first" is "0 0 0 25 " column 5 "$tmp/data/history-sum-M-runs.tsv"
make_plots "$tmp/slow.jsonl" history run=2 factor=20
ok "... and nothing takes less than no time" data history "$tmp/slow.jsonl" "$tmp/one.jsonl" --out "$tmp/slow"
ok "..." grep -qx "least = -100" "$tmp/slow/history-sum-M-runs.gp"
make_plots "$tmp/later.jsonl" history run=2 started=2026-11-11T15:45:00Z
ok "history of one day" data history "$tmp/later.jsonl" "$tmp/one.jsonl" --out "$tmp/data"
ok "... by the time of the day" grep -q "^array days.* = .'10:00', '15:45'." "$tmp/data/history-sum-M-runs.gp"
make_plots "$tmp/four.jsonl" history run=2 devices=4
ok "more devices are another machine" exits 4 plot history "$tmp/four.jsonl" "$tmp/one.jsonl" --out "$tmp/none"

# --- what cannot be drawn -------------------------------------------------------------------------
# no_picture PATTERN ARGUMENT...   one line that says what is wrong, and nothing that looks like a picture
no_picture() {
    rm -rf "$tmp/bad"
    pattern=$1
    shift
    refuses "$pattern" plot "$@" --out "$tmp/bad" && ! ls "$tmp/bad" 2>/dev/null | grep -E 'svg|png|new'
}
printf 'no records\n' >"$tmp/words.jsonl"
ok "no records" no_picture 'words.jsonl:1: no JSON' all "$tmp/words.jsonl"
make_plots "$tmp/zero.jsonl" cell time=0
ok "a time of nothing" no_picture 'zero.jsonl:3: second has a time that no clock gives' ladder \
    "$tmp/zero.jsonl"
for kind in phases roofline history; do
    ok "... in $kind" no_picture 'zero.jsonl:3: second has a time' $kind "$tmp/zero.jsonl"
done
make_plots "$tmp/ages.jsonl" cell time=1e300
ok "a time beyond all ages" no_picture 'ages.jsonl:3: second has a time that no clock gives' all \
    "$tmp/ages.jsonl"
make_plots "$tmp/many.jsonl" many
make_plots "$tmp/most.jsonl" many rungs=64
ok "as many as it holds" data all "$tmp/most.jsonl" --out "$tmp/data"
ok "... have room" sh -c 'grep "^height = 1888" "$1/ladder-sum-M.gp"' sh "$tmp/data"
ok "more rungs than a picture holds" no_picture 'many.jsonl:66: more than the 64 rungs' all \
    "$tmp/many.jsonl"
make_plots "$tmp/else/ceilings.jsonl" ceilings best=1e300
ok "a ceiling that no machine has" no_picture 'ceilings.jsonl:2: c0 has a rate' roofline "$tmp/cell.jsonl" \
    "$tmp/else/ceilings.jsonl"

# A gnuplot that fails, or that a full disk has left with half a picture.
for how in 'exit 1' 'exit 0'; do
    mkdir -p "$tmp/fake"
    printf '#!/bin/sh\necho half >ladder-sum-M.svg.new\necho "line 7: no room" >&2\n%s\n' "$how" \
        >"$tmp/fake/gnuplot"
    chmod +x "$tmp/fake/gnuplot"
    ok "half a picture, and $how" sh -c 'PATH="$1:$PATH" "$rungs" plot ladder "$2" --out "$3" >"$4" 2>&1
        [ $? -eq 2 ] && grep -E "line 7: no room|could not be written" "$4" &&
            ! ls "$3" | grep -E "svg|png"' sh "$tmp/fake" "$tmp/cell.jsonl" "$tmp/half" "$tmp/said2"
done

# --- pictures -------------------------------------------------------------------------------------
if ! command -v gnuplot >/dev/null; then
    skip "pictures" "gnuplot is not there"
    finish
    exit
fi
ok "all of a cell" shows 'pictures/ladder-sum-M.svg   sum  M  n=1000' plot all "$tmp/cell.jsonl" \
    --out "$tmp/pictures"
ok "all of a sweep" exits 0 plot all "$tmp/sweep.jsonl" --out "$tmp/pictures/sweep"
ok "scaling, drawn" exits 0 plot scaling "$tmp/scaling.jsonl" --out "$tmp/pictures"
ok "history, drawn" exits 0 plot history "$tmp/one.jsonl" "$tmp/two.jsonl" --out "$tmp/pictures"
for device in cpu gpu; do
    mkdir "$tmp/$device"
    make_plots "$tmp/$device/records.jsonl" single device=$device
    cp "$tmp/ceilings-of-it.jsonl" "$tmp/$device"
    ok "a single rung, $device" exits 0 plot all "$tmp/$device/records.jsonl" --out "$tmp/$device/out"
    ok "... drawn" look svg "$tmp/$device/out/ladder-sum-M.svg" "$tmp/$device/out/roofline-sum-M.svg"
done
ok "SVG is fit for a page" look svg "$tmp"/pictures/*.svg
ok "... all kinds are there" sh -c 'cd "$1" && ls ladder-*.svg phases-*.svg roofline-*.svg scaling-*.svg \
    history-*.svg sweep/sweep-*.svg' sh "$tmp/pictures"
ok "bars begin at a power of ten, with its number" grep -q ">100 us<" "$tmp/pictures/ladder-sum-M.svg"
ok "a legend of what is there" sh -c 'grep -q "GPU, run alone" "$1" && ! grep "CPU, one core" "$1" &&
    grep -q "CPU, one core" "$2"' sh "$tmp/gpu/out/ladder-sum-M.svg" "$tmp/pictures/ladder-sum-M.svg"
ok "letters on lines have paper around them" sh -c 'grep -q "paint-order: stroke" "$1" &&
    ! grep "paint-order" "$2"' sh "$tmp/pictures/roofline-sum-M.svg" "$tmp/pictures/ladder-sum-M.svg"
ok "curves differ in shape" sh -c 'for point in 4 6; do grep "href=.#.*gpPt$point\"" "$1" || exit 1; done' sh \
    "$tmp/pictures/history-sum-M-runs.svg"
ok "rows have names and no numbers" sh -c '! grep -E "<text> *(0|0\.5|2|3)</text>" "$1"' sh \
    "$tmp/pictures/ladder-sum-M.svg"
ok "PNG has its size" look png "$tmp/pictures/ladder-sum-M.png" 1600 900
ok "... and is there in the dark" look png "$tmp/pictures/roofline-sum-M-dark.png" 1600 900
ok "... which is dark" sh -c '! cmp -s "$1/ladder-sum-M.png" "$1/ladder-sum-M-dark.png"' sh "$tmp/pictures"
ok "no draft stays behind" sh -c '! ls "$1" | grep new' sh "$tmp/pictures"
ok "--as pdf" shows 'pdf/ladder-sum-M.pdf' plot ladder "$tmp/cell.jsonl" --as pdf --out "$tmp/pdf"
ok "... and nothing else" is "ladder-sum-M.gp ladder-sum-M.pdf ladder-sum-M.tsv scripts " sh -c \
    'ls "$1" | tr "\n" " "' sh "$tmp/pdf"
ok "an old picture does not stand beside new data" sh -c 'PATH="$1" "$rungs" plot ladder "$2" --out "$3"
    [ ! -e "$3/ladder-sum-M.pdf" ]' sh "$tmp/no-gnuplot" "$tmp/cell.jsonl" "$tmp/pdf"
ok "beside the records, from any folder" sh -c 'cd "$1" && "$rungs" plot ladder cell.jsonl &&
    [ -s cell-plots/ladder-sum-M.svg ]' sh "$tmp/else"
ok "a script draws its picture again" sh -c 'cp -r "$1" "$2" && cd "$2" && rm -- *.svg *.png &&
    gnuplot -d ladder-sum-M.gp && cmp ladder-sum-M.png "$1/ladder-sum-M.png"' sh "$tmp/pictures" "$tmp/moved"

# Names are text, whatever they hold.
make_plots "$tmp/hostile.jsonl" hostile
mkdir "$tmp/hostile"
ok "hostile names" exits 0 plot ladder "$tmp/hostile.jsonl" --out "$tmp/hostile/deep"
ok "... run nothing" sh -c '! find "$1" -name "pwned*" | grep .' sh "$tmp"
ok "... are no paths" is "ladder-problemx-M-dark.png ladder-problemx-M.gp ladder-problemx-M.png \
ladder-problemx-M.svg ladder-problemx-M.tsv scripts " sh -c 'ls "$1" | tr "\n" " "' sh "$tmp/hostile/deep"
ok "... are fit for a page" look svg "$tmp/hostile/deep/ladder-problemx-M.svg"
ok "... and read as they are" sh -c 'for text in "a_b^2{c}" "quo'"'"'te" "it'"'"'s" "back∖nslash" "\`touch pwned\`" \
    "@macro %d %s" "#comment" "&lt;b>&amp;amp;&lt;/b>" "日本????" ">NaN<"; do
    grep -qF -- "$text" "$1" || { echo "not: $text"; exit 1; }; done' sh \
    "$tmp/hostile/deep/ladder-problemx-M.svg"

reference=$PWD/results/reference
ok "what a default run holds" sh -c 'cd "$2" && timeout 300 "$rungs" plot all "$1/h200-s-m.jsonl" \
    "$1/h200-ceilings.jsonl" --out h200 >"$3" && [ "$(wc -l <"$3")" -eq 30 ]' sh "$reference" "$tmp" "$tmp/said2"
ok "... fit for a page" look svg "$tmp"/h200/*.svg
finish
