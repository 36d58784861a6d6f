#!/bin/sh
# rungs plot: data as in the records, pictures that are whole, and no picture of what cannot be drawn.
. tests/tools/tap.sh

make_plots() {
    python3 "$tests/tools/plots.py" make "$@"
}
look() {
    python3 "$tests/tools/plots.py" "$@"
}

# --- the command line -----------------------------------------------------------------------------
make_plots "$tmp/cell.jsonl" cell
ok "a kind that there is not" refuses 'no plot lader; did you mean ladder\?' plot lader "$tmp/cell.jsonl"
ok "no file" refuses 'takes a kind and files of records' plot ladder
ok "a format that there is not" refuses 'list of svg, png and pdf, not "svg,gif"' plot ladder \
    "$tmp/cell.jsonl" --image svg,gif
ok "... by its older name" refuses '^rungs: --as is a list of svg, png and pdf, not "svg,gif"' plot ladder \
    "$tmp/cell.jsonl" --as svg,gif
ok "--image of other commands is stencil's" refuses 'option of plot, scale, check, bench, .*, not of list' list --image svg
ok "a file that is not there" refuses 'nowhere: No such file' plot ladder "$tmp/nowhere"
ok "a folder that cannot be made" refuses 'cell.jsonl/: Not a directory' plot ladder "$tmp/cell.jsonl" \
    --out "$tmp/cell.jsonl"
ok "nothing to show" exits 4 plot sweep "$tmp/cell.jsonl" --out "$tmp/none"
ok "... is said in one line, with what it takes" sh -c '[ "$(wc -l <"$1")" -eq 1 ] &&
    grep -q "of kind sweep: it needs three sizes of a problem in one file" "$1"' sh "$tmp/err"
ok "... and leaves no folder" sh -c '! ls "$1"' sh "$tmp/none"

# --- data -----------------------------------------------------------------------------------------
mkdir "$tmp/no-gnuplot"
# data KIND FILE... --out FOLDER   without gnuplot: data and scripts are there, and a line says how to get it
data() {
    status=0
    PATH="$tmp/no-gnuplot" "$rungs" plot "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
    cat "$tmp/err"
    [ $status -eq 4 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q '^rungs: gnuplot is not installed: apt-get install gnuplot-nox' "$tmp/err"
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
ok "... of the card alone: up, run, down" is 'card 0.0001 0.0005 0.0001 0.001 ' look column \
    "$tmp/data/phases-sum-M.tsv" variant upload_s resident_s download_s e2e_s
make_plots "$tmp/few.jsonl" cell rounds=3
ok "too few rounds for an interval" data ladder "$tmp/few.jsonl" --out "$tmp/data/few/of/them"
ok "... have none" is "NaN NaN NaN NaN " look column "$tmp/data/few/of/them/ladder-sum-M.tsv" e2e_low_s
make_plots "$tmp/sizes.jsonl" sweep label=sweep
ok "all of a sweep is the picture of the sweep" data all "$tmp/sizes.jsonl" --out "$tmp/data/sizes"
ok "... alone" is "sweep-sum.gp " sh -c 'cd "$1" && ls *.gp | tr "\n" " "' sh "$tmp/data/sizes"
ok "... or one for each size, by its kind" data ladder "$tmp/sizes.jsonl" --out "$tmp/data/sizes"
ok "... if it is asked for" is 7 sh -c 'ls "$1"/*.gp | wc -l' sh "$tmp/data/sizes"
make_plots "$tmp/sweep.jsonl" sweep
ok "a sweep" data sweep "$tmp/sweep.jsonl" --out "$tmp/data"
ok "... goes from size to size" sh -c 'python3 "$1" column "$2" length | tr " " "\n" | sort -nc' sh \
    "$tests/plots.py" "$tmp/data/sweep-sum.tsv"
ok "... and has the crossovers" is "card first e2e 110000 133100 card first resident 50000 60500 " look column \
    "$tmp/data/sweep-sum-crossovers.tsv" variant against phase length_from length_to
make_plots "$tmp/ceilings-of-it.jsonl" ceilings
ok "a roofline, by ceilings that lie beside" data roofline "$tmp/cell.jsonl" --out "$tmp/data"
ok "... points are flops a second" sh -c 'grep -E "^point	0	0.25	250000	0.25	NaN	.*	first$" "$1" &&
    grep -E "^point	2	0.25	4000000	0.25	2000000	" "$1"' sh "$tmp/data/roofline-sum-M-roofs.tsv"
ok "... and roofs what was measured" sh -c 'grep -E "^arithmetic	0	5	5e\+10" "$1" &&
    grep -E "^arithmetic	2	15	6e\+13" "$1" && grep "one core 10 GB/s" "$1" && grep "GPU 60 Tflop/s" "$1"' sh \
    "$tmp/data/roofline-sum-M-roofs.tsv"
mkdir "$tmp/else" "$tmp/near"
cp "$tmp/cell.jsonl" "$tmp/near"
make_plots "$tmp/near/ceilings.jsonl" ceilings cache=1.5e10
ok "a roof right below that of a cache" data roofline "$tmp/near/cell.jsonl" --out "$tmp/near"
ok "... has its name below, and the cache's above" awk -F '\t' '
    /one core 10 GB/ { below = $8 < 1e10 * $7 } /one core, cache 15 GB/ { above = $8 > 1.5e10 * $7 }
    END { exit !(below && above) }' "$tmp/near/roofline-sum-M-roofs.tsv"
mkdir -p "$tmp/builds" "$XDG_CACHE_HOME/rungs"
cp "$tmp/cell.jsonl" "$tmp/builds"
for compiler in 'a 1' 'cc 1' 'd 1'; do # files are found in the order of their names
    make_plots "$XDG_CACHE_HOME/rungs/ceilings-1-${compiler% *}.jsonl" ceilings "compiler=$compiler" \
        "best=${#compiler}e10"
done
ok "of several builds in the cache, by the ceilings of its own" data roofline "$tmp/builds/cell.jsonl" --out "$tmp/builds"
ok "... which are known by compiler and flags" grep -E "^arithmetic	0	[0-9.]+	4e\+10" "$tmp/builds/roofline-sum-M-roofs.tsv"
rm -r "$XDG_CACHE_HOME/rungs"
make_plots "$tmp/else/cell.jsonl" cell cpu=Other
cp "$tmp/ceilings-of-it.jsonl" "$tmp/else"
ok "... not by those of another machine" exits 4 plot roofline "$tmp/else/cell.jsonl" --out "$tmp/none"
make_plots "$tmp/else/ceilings-of-other.jsonl" ceilings cpu=Other
ok "each file of two machines by the ceilings that lie beside it" data roofline "$tmp/cell.jsonl" \
    "$tmp/else/cell.jsonl" --out "$tmp/both"
ok "... a picture of each" sh -c 'ls "$1/roofline-sum-M.tsv" "$1/roofline-sum-M-2.tsv"' sh "$tmp/both"
make_plots "$tmp/scaling.jsonl" scaling
ok "scaling" data scaling "$tmp/scaling.jsonl" --out "$tmp/data"
ok "... times faster, and of the ideal" is "1 1 1 2 2 1 4 3.2 0.8 " look column \
    "$tmp/data/scaling-sum-M-threads.tsv" given speedup efficiency
ok "a ladder of it has each variant once" data ladder "$tmp/scaling.jsonl" --out "$tmp/data"
ok "... on the most threads" is "0.0003125 0.001 " look column "$tmp/data/ladder-sum-M.tsv" e2e_s
make_plots "$tmp/one.jsonl" history run=1
make_plots "$tmp/two.jsonl" history run=2
ok "history" data history "$tmp/two.jsonl" "$tmp/one.jsonl" --out "$tmp/data"
ok "... by the day, whatever the order of files" is "abc1 abc1 abc2 abc2 " look column \
    "$tmp/data/history-sum-M-runs.tsv" commit
ok "... each with its time" is "0.008 0.002 0.008 0.0025 " look column "$tmp/data/history-sum-M-runs.tsv" e2e_s
make_plots "$tmp/slow.jsonl" history run=2 factor=20
ok "... of one that was much slower" data history "$tmp/slow.jsonl" "$tmp/one.jsonl" --out "$tmp/slow"
make_plots "$tmp/later.jsonl" history run=2 started=2026-11-11T15:45:00Z
ok "history of one day" data history "$tmp/later.jsonl" "$tmp/one.jsonl" --out "$tmp/day"
make_plots "$tmp/four.jsonl" history run=2 devices=4
ok "more devices are another machine" exits 4 plot history "$tmp/four.jsonl" "$tmp/one.jsonl" --out "$tmp/none"

make_plots "$tmp/kinds.jsonl" kinds
ok "kinds of data" data kinds "$tmp/kinds.jsonl" --out "$tmp/data"
ok "... in order, and only those with a word" is "first uniform 0 n=1000 card uniform 0 n=1000 first town 3 n=1000 \
card town 3 n=1000 " look column "$tmp/data/kinds-sum-M.tsv" variant word word_number lengths
ok "... with two kinds at least" exits 4 plot kinds "$tmp/cell.jsonl" --out "$tmp/none"
ok "a ladder of each has the kind in its name" data ladder "$tmp/kinds.jsonl" --out "$tmp/ladders"
ok "..." is "ladder-sum-M-town.gp ladder-sum-M.gp " sh -c 'cd "$1" && ls *.gp | LC_ALL=C sort | tr "\n" " "' sh \
    "$tmp/ladders"
make_plots "$tmp/town.jsonl" sweep word=town label=sweep
ok "a sweep of a kind has it, too" data sweep "$tmp/town.jsonl" "$tmp/sweep.jsonl" --out "$tmp/ladders"
ok "... in its title" grep -qx "heading = 'sum  data=town  over n'" "$tmp/ladders/sweep-sum-town.gp"
ok "... and another one has not" grep -qx "heading = 'sum  over n'" "$tmp/ladders/sweep-sum.gp"
python3 - "$tmp/town.jsonl" "$tmp/sweep.jsonl" >"$tmp/mixed.jsonl" <<'EOF'
import json, sys
lines = [line for line in open(sys.argv[1]) if '"end"' not in line]
for line in open(sys.argv[2]):
    if json.loads(line)["record"] != "run":
        lines.append(line)
print("".join(lines), end="")
EOF
ok "two kinds in one file are two sweeps" data sweep "$tmp/mixed.jsonl" --out "$tmp/two"
ok "..." is "sweep-sum-town.gp sweep-sum.gp " sh -c 'cd "$1" && ls *.gp | LC_ALL=C sort | tr "\n" " "' sh "$tmp/two"

# --- kinds ----------------------------------------------------------------------------------------
# Those of plots/, and one more that is a file alone.
ok "the help has a line for each kind in plots/" sh -c '"$rungs" plot --help >"$1" || exit 1
    for f in $(grep -l "^# rungs plot: " plots/*.gp); do
        grep -qxF "$(printf "  %-9s %s" "$(basename "$f" .gp)" "$(sed -n "s/^# rungs plot: //p" "$f")")" "$1" || {
            echo "not: $f"; exit 1; }
    done
    [ "$(grep -c "^  [a-z]* *[a-z]" "$1")" -ge 7 ] && ! grep -E "^  (style|curves|legend) " "$1"' sh "$tmp/out"
mkdir "$tmp/scripts"
cat >"$tmp/scripts/cores.gp" <<'END'
# rungs plot: threads and cores at work
# each: problem
# rows: kind=1-core
# needs: 2 variant
# else: it takes two variants of one core
load 'scripts/style.gp'
plot data using 0:(num('cores')) with points
unset output
END
more() (
    RUNGS_PLOTS=$tmp/scripts
    export RUNGS_PLOTS
    "$@"
)
# missing PATTERN ARGUMENT...   nothing to show, for that reason
missing() {
    pattern=$1
    shift
    exits 4 "$@" && grep -q -- "$pattern" "$tmp/err"
}
make_plots "$tmp/one-variant.jsonl" single device=cpu
ok "a script in a folder of one's own is a kind" more shows '^  cores     threads and cores at work$' plot --help
ok "... with a table" more data cores "$tmp/cell.jsonl" --out "$tmp/own"
ok "... of its rows" is "first second broken " look column "$tmp/own/cores-sum-M.tsv" variant
ok "... or a line that says why not" more missing 'of kind cores: it takes two variants of one core' plot cores \
    "$tmp/one-variant.jsonl" --out "$tmp/none"
ok "... and elsewhere there is none" refuses 'no plot cores' plot cores "$tmp/cell.jsonl"
sed 's/^# rows: most=1/# rows: kind=device/' plots/ladder.gp >"$tmp/scripts/ladder.gp"
ok "one of the same name takes the program's place" more data ladder "$tmp/cell.jsonl" --out "$tmp/own"
ok "..." is "card " look column "$tmp/own/ladder-sum-M.tsv" variant
# mistake LINE PATTERN   in the script
mistake() {
    sed "s/^# rows: .*/# rows: most=1\n$1/" plots/ladder.gp >"$tmp/scripts/ladder.gp"
    grep -v '^# each: table' "$tmp/scripts/ladder.gp" >"$tmp/scripts/wrong.gp"
    rm "$tmp/scripts/ladder.gp"
    more refuses "$2" plot wrong "$tmp/cell.jsonl" --out "$tmp/none"
}
ok "a column that there is not" mistake '# each: tabel' 'wrong.gp: there is no column tabel'
ok "... to put rows in order by" mistake '# order: e2e' 'wrong.gp: there is no column e2e'
ok "a table that there is not" mistake '# with: roof' 'wrong.gp: "with" takes crossovers, ceilings, roofs or evaluations, not roof'
ok "a folder without scripts" sh -c 'RUNGS_PLOTS=/nowhere "$rungs" plot all "$1" 2>&1 |
    grep "RUNGS_PLOTS: there is no NAME.gp in /nowhere"' sh "$tmp/cell.jsonl"

# --- what cannot be drawn -------------------------------------------------------------------------
# no_picture PATTERN ARGUMENT...   one line that says what is wrong, and nothing that looks like a picture
no_picture() {
    rm -rf "$tmp/bad"
    pattern=$1
    shift
    refuses "$pattern" plot "$@" --out "$tmp/bad" && ! ls "$tmp/bad" 2>/dev/null | grep -E 'svg|png|new'
}
printf 'no records\n' >"$tmp/words.jsonl"
ok "no records" no_picture 'words.jsonl:1: not JSON' all "$tmp/words.jsonl"
make_plots "$tmp/zero.jsonl" cell time=0
ok "a time of nothing" no_picture 'zero.jsonl:3: second has an impossible time' ladder \
    "$tmp/zero.jsonl"
for kind in phases roofline history; do
    ok "... in $kind" no_picture 'zero.jsonl:3: second has an impossible time' $kind "$tmp/zero.jsonl"
done
make_plots "$tmp/ages.jsonl" cell time=1e300
ok "a time beyond all ages" no_picture 'ages.jsonl:3: second has an impossible time' all \
    "$tmp/ages.jsonl"
make_plots "$tmp/most.jsonl" many rungs=64
ok "many variants" data all "$tmp/most.jsonl" --out "$tmp/most"
make_plots "$tmp/more.jsonl" many rungs=65
ok "more than can be read are refused" refuses "a picture shows at most 64 variants, but one of sum would have 65" \
    plot ladder "$tmp/more.jsonl" --out "$tmp/more"

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
iterates() {
    exits 0 bench logreg/cpu_lbfgs saxpy/cpu_naive --size S --quick --max-time 0.05 --out "$tmp/iterates.jsonl" &&
        exits 0 plot convergence "$tmp/iterates.jsonl" --out "$tmp/pictures" && [ "$(grep -c svg "$tmp/out")" = 1 ] &&
        [ "$(tail -n +2 "$tmp/pictures/convergence-logreg-S-evaluations.tsv" | wc -l)" = \
            "$("$rungs" show "$tmp/iterates.jsonl" --format csv | awk -F, '
                NR == 1 { for (i = 1; i <= NF; i++) if ($i == "evaluations") at = i } $2 == "cpu_lbfgs" { print $at }')" ]
}
ok "convergence, drawn: a line for each evaluation, and nothing of saxpy" iterates
ok "... and none of records without evaluations" exits 4 plot convergence "$tmp/one.jsonl" --out "$tmp/none"
ok "kinds, drawn" exits 0 plot kinds "$tmp/kinds.jsonl" --out "$tmp/pictures"
for device in cpu gpu; do
    mkdir "$tmp/$device"
    make_plots "$tmp/$device/records.jsonl" single device=$device
    cp "$tmp/ceilings-of-it.jsonl" "$tmp/$device"
    ok "a single variant, $device" exits 0 plot all "$tmp/$device/records.jsonl" --out "$tmp/$device/out"
    ok "... drawn" look svg "$tmp/$device/out/ladder-sum-M.svg" "$tmp/$device/out/roofline-sum-M.svg"
done
ok "SVG is fit for a page" look svg "$tmp"/pictures/*.svg
ok "... all kinds are there" sh -c 'cd "$1" && ls ladder-*.svg phases-*.svg roofline-*.svg scaling-*.svg \
    history-*.svg kinds-*.svg sweep/sweep-*.svg' sh "$tmp/pictures"
ok "bars begin at a power of ten, with its number" grep -q ">100 us<" "$tmp/pictures/ladder-sum-M.svg"
ok "a legend of what is there" sh -c 'grep -q "GPU, resident" "$1" && ! grep "CPU, one core" "$1" &&
    grep -q "CPU, one core" "$2"' sh "$tmp/gpu/out/ladder-sum-M.svg" "$tmp/pictures/ladder-sum-M.svg"
ok "letters on lines have paper around them" sh -c 'grep -q "paint-order: stroke" "$1" &&
    ! grep "paint-order" "$2"' sh "$tmp/pictures/roofline-sum-M.svg" "$tmp/pictures/ladder-sum-M.svg"
ok "curves differ in shape" sh -c 'for point in 4 6; do grep "href=.#.*gpPt$point\"" "$1" || exit 1; done' sh \
    "$tmp/pictures/history-sum-M-runs.svg"
ok "rows have names and no numbers" sh -c '! grep -E "<text> *(0|0\.5|2|3)</text>" "$1"' sh \
    "$tmp/pictures/ladder-sum-M.svg"
# drawn FOLDER/NAME EXPRESSION   what a picture's script has found when it is drawn
drawn() {
    (cd "$(dirname "$1")" && gnuplot -d -e "pictures = 'svg'; ending = '.asked'" "$(basename "$1").gp" \
        -e "print $2" 2>&1) | grep . | grep -v "^.scripts"
}
ok "phases: up, run, down, the rest" is "#56b4e9 0.10 #d55e00 0.50 #0072b2 0.10 #d0d0d0 0.30" look bars \
    "$tmp/pictures/phases-sum-M.svg"
ok "a ring is on its curve" sh -c 'echo "$1" | grep -E "^121000	0\.00011[0-9]+$" && echo "$1" |
    grep -E "^55000	8\.549[0-9]+e\+09$"' sh "$(drawn "$tmp/data/sweep-sum" '$rings')"
ok "... and the first is there in words" is 'first: card from 121000 on, baseline first' \
    drawn "$tmp/data/sweep-sum" 'first_words[1]'
ok "kinds have their words below" sh -c 'for word in uniform town data; do
    grep -q ">$word<" "$1" || exit 1; done' sh "$tmp/pictures/kinds-sum-M.svg"
ok "... two of them, in order" is "2 uniform town" drawn "$tmp/data/kinds-sum-M" 'kinds, words[1], words[2]'
ok "... a mark for each variant: resident, where it has such a time" is "0.79,0.008 1.79,0.008 1.21,0.0005 2.21,0.01 " sh -c \
    'echo "$1" | cut -s -f 1,2 --output-delimiter , | tr "\n" " "' sh "$(drawn "$tmp/data/kinds-sum-M" '$curves')"
ok "... hollow on the CPU" is "6 5" drawn "$tmp/data/kinds-sum-M" 'mark(1), mark(2)'
ok "history is in percent of the first" is "0 0 0 25 " sh -c 'echo "$1" | cut -s -f 5 | tr "\n" " "' sh \
    "$(drawn "$tmp/data/history-sum-M-runs" '$curves')"
ok "... and nothing takes less than no time" is -100.0 drawn "$tmp/slow/history-sum-M-runs" bottom
ok "... by the time of a day, or the day" sh -c 'gnuplot() { (cd "$1" && command gnuplot -d -e "pictures = \"svg\"" \
    history-sum-M-runs.gp); }; gnuplot "$1" && gnuplot "$2" && cd "$1" && grep -q ">10:00<" *.svg &&
    grep -q ">15:45<" *.svg && grep -q ">11-12<" "$2/history-sum-M-runs.svg"' sh "$tmp/day" "$tmp/data"
ok "many variants have room" is 1888 drawn "$tmp/most/ladder-sum-M" height
python3 - "$tmp/cell.jsonl" >"$tmp/bar.jsonl" <<'EOF'
import json, sys
left = 1
for line in open(sys.argv[1]):
    kind = json.loads(line)["record"]
    if kind in ("run", "end") or kind == "measurement" and left > 0:
        print(line, end="")
        left -= kind == "measurement"
EOF
ok "a ladder of one" exits 0 plot ladder "$tmp/bar.jsonl" --image svg --out "$tmp/bar"
ok "... is one bar high" is 294 drawn "$tmp/bar/ladder-sum-M" height
ok "a picture of one's own" more shows 'own/cores-sum-M.svg' plot cores "$tmp/cell.jsonl" --out "$tmp/own"
ok "... is drawn" look svg "$tmp/own/cores-sum-M.svg"
ok "PNG has its size" look png "$tmp/pictures/ladder-sum-M.png" 1600 426
ok "... and is there in the dark" look png "$tmp/pictures/roofline-sum-M-dark.png" 1600 900
ok "... which is dark" sh -c '! cmp -s "$1/ladder-sum-M.png" "$1/ladder-sum-M-dark.png"' sh "$tmp/pictures"
ok "no draft stays behind" sh -c '! ls "$1" | grep new' sh "$tmp/pictures"
ok "--image pdf" shows 'pdf/ladder-sum-M.pdf' plot ladder "$tmp/cell.jsonl" --image pdf --out "$tmp/pdf"
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
"$rungs" show "$reference/h200-s-m.jsonl" --format csv >"$tmp/shown.csv"
ok "what a default run holds" sh -c 'cd "$2" && timeout 300 "$rungs" plot all "$1/h200-s-m.jsonl" \
    "$1/h200-ceilings.jsonl" --out h200 >"$3" && [ "$(wc -l <"$3")" -eq 30 ]' sh "$reference" "$tmp" "$tmp/said2"
ok "... fit for a page" look svg "$tmp"/h200/*.svg
ok "... and with the numbers of rungs show" look shown "$tmp/shown.csv" "$tmp"/h200/ladder-*.tsv
finish
