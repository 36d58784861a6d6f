#!/bin/sh
# Users' own data: right answers in every format, and one clear line for every file that is wrong.
. tests/tools/tap.sh
[ -n "$numpy" ] || { echo "1..0 # skip NumPy is not there"; exit 0; }

in=$tmp/in
mkdir "$in"
"$numpy" "$tests/tools/answers.py" make "$in" || exit 1

# right PROBLEM ARGUMENTS-OF-THE-ANSWER... -- ARGUMENTS-OF-THE-PROGRAM...
right() {
    answer=
    while [ "$1" != -- ]; do
        answer="$answer $1"
        shift
    done
    shift
    exits 0 run "$@" && "$numpy" "$tests/tools/answers.py" $answer
}

# refuses_and_writes_nothing PATTERN ARGUMENT...   an --out file of before stays as it was
refuses_and_writes_nothing() {
    pattern=$1
    shift
    rm -rf "$tmp/w"
    mkdir "$tmp/w"
    echo old >"$tmp/w/old.npy"
    refuses "$pattern" run "$@" --out "$tmp/w/new.npy" &&
        refuses "$pattern" run "$@" --out "$tmp/w/old.npy" &&
        [ "$(ls -A "$tmp/w")" = old.npy ] && [ "$(cat "$tmp/w/old.npy")" = old ]
}

# --- saxpy ----------------------------------------------------------------------------------------
s="saxpy/cpu_naive --a 2"
for y in y y64 ybig y_whole; do
    ok "saxpy: $y" right saxpy 2 "$in/x.npy" "$in/$y.npy" "$tmp/z.npy" -- \
        $s --x "$in/x.npy" --y "$in/$y.npy" --out "$tmp/z.npy"
done
ok "saxpy: Fortran order, two axes" right saxpy -0.1 "$in/square.npy" "$in/square_fortran.npy" \
    "$tmp/z.npy" -- saxpy/cpu_openmp --a -0.1 --x "$in/square.npy" --y "$in/square_fortran.npy" \
    --out "$tmp/z.npy"
ok "saxpy: no elements" right saxpy 2 "$in/none.npy" "$in/none.npy" "$tmp/z.npy" -- \
    $s --x "$in/none.npy" --y "$in/none.npy" --out "$tmp/z.npy"
ok "saxpy: the factor is 1 unless given" right saxpy 1 "$in/x.npy" "$in/y.npy" "$tmp/z.npy" -- \
    saxpy/cpu_naive --x "$in/x.npy" --y "$in/y.npy" --out "$tmp/z.npy"
ok "saxpy: check and bench take files" sh -c '
    "$rungs" check saxpy --x "$1/x.npy" --y "$1/y.npy" &&
    "$rungs" bench "saxpy/cpu_*" --x "$1/x.npy" --y "$1/y.npy" --quick --max-time 0.05 --out "$2/r"' \
    sh "$in" "$tmp"

for problem in "saxpy --x $in/x.npy --y $in/y.npy" "matmul --size m=2,n=2,k=2" "fft --size batch=1,n=2" "compact --size n=9,nan=1"; do
    ok "${problem%% *}: an extension that is not written" refuses 'answer\.txt: the answer is written as \.npy' run $problem \
        --out "$tmp/answer.txt"
done
on_a_terminal() {
    python3 "$tests/tools/terminal.py" 80 50 "$rungs" run saxpy/cpu_naive --size n=3 --out - >"$tmp/out" 2>&1
    cat "$tmp/out"
    ! grep -q NUMPY "$tmp/out" && grep -q 'which a terminal does not show' "$tmp/out"
}
ok "saxpy: no NPY file on a terminal" on_a_terminal

# --- reduce ---------------------------------------------------------------------------------------
for x in x ybig square none pixels counts_big; do
    ok "reduce: $x" right reduce "$in/$x.npy" "$tmp/both.npy" -- reduce --x "$in/$x.npy" --out "$tmp/both.npy"
done
ok "reduce: the answer as CSV" right reduce "$in/x.npy" "$tmp/both.csv" -- reduce/cpu_naive --x "$in/x.npy" \
    --out "$tmp/both.csv"
sum_is() {
    shows ' sum=[-0-9.]+ norm=[0-9.]+$' run reduce/cpu_naive --x "$in/x.npy" &&
        "$numpy" -c 'import numpy, re, sys; said = float(re.search("sum=(\S+)", sys.stdin.read())[1])
assert abs(said - numpy.load(sys.argv[1]).astype("f4").sum(dtype="f8")) < 1e-3, said' "$in/x.npy" <"$tmp/out"
}
ok "reduce: the answer is in the line" sum_is
ok "compact: how many are kept is in the line" shows ' count=9$' run compact/cpu_naive --size n=9,nan=0
ok "reduce: float64 is rounded, and the line says so" sh -c '"$1" -c "import numpy; numpy.save(\"$2\", [0.1, 0.5, 3])" &&
    "$rungs" run reduce/cpu_naive --x "$2" | grep -q "  1 of 3 numbers were rounded to float32$"' - "$numpy" "$tmp/f8.npy"
ok "reduce: an extension that is not written" refuses 'both\.txt: the answer is written as \.csv or \.npy' run reduce \
    --x "$in/x.npy" --out "$tmp/both.txt"

# --- compact --------------------------------------------------------------------------------------
ok "compact: numbers of float64 beyond float32 are counted" shows ' 5000 of 5000 numbers were rounded to float32, 1 of them to infinity$' \
    run compact/cpu_naive --x "$in/gaps_huge.npy"
for x in gaps gaps_big gaps64 gaps_only x none square_fortran; do
    ok "compact: $x" right compact "$in/$x.npy" "$tmp/kept.npy" -- compact --x "$in/$x.npy" --out "$tmp/kept.npy"
done
ok "compact: an answer without numbers has no error" shows '  ok  error 0\.00 of the tolerance' run compact/cpu_naive \
    --x "$in/gaps_only.npy"
shares_nan() {
    exits 0 bench compact/cpu_naive --x "$in/gaps.npy" --quick --max-time 0.05 --out "$tmp/gaps.jsonl" &&
        grep -q 'n=5000 nan=29' "$tmp/out"
}
ok "compact: the share of NaN is the file's" shares_nan
ok "compact: complex numbers" refuses 'signals\.npy: has complex numbers, not real ones' run compact --x "$in/signals.npy" \
    --out "$tmp/kept.npy"
ok "compact: an extension that is not written" refuses 'kept\.csv: the answer is written as \.npy' run compact \
    --x "$in/x.npy" --out "$tmp/kept.csv"

# --- logreg ---------------------------------------------------------------------------------------
for y in label label_i8 label_u1; do
    ok "logreg: $y" right logreg "$in/table.npy" "$in/$y.npy" 1 1e-4 "$tmp/w.npy" -- logreg --x "$in/table.npy" \
        --y "$in/$y.npy" --out "$tmp/w.npy"
done
ok "logreg: C and tol" right logreg "$in/table32.npy" "$in/label.npy" 0.01 1e-5 "$tmp/w.csv" -- logreg/cpu_newton \
    --x "$in/table32.npy" --y "$in/label.npy" --c 0.01 --tol 1e-5 --out "$tmp/w.csv"
ok "logreg: CSV with labels in words" right logreg "$in/table.npy" "$in/label.npy" 1 1e-4 "$tmp/k.npy" -- logreg/cpu_fused \
    --x "$in/table.csv" --label kind --one yes --out "$tmp/k.npy"
names_columns() {
    exits 0 run logreg/cpu_simd --x "$in/table.csv" --label kind --one yes --out "$tmp/k.csv" &&
        [ "$(sed 's/,[-0-9.e]*$//' "$tmp/k.csv" | tr '\n' ' ')" = 'feature,weight width height "depth, in m" intercept ' ]
}
ok "logreg: weights have their columns' names" names_columns
ok "logreg: semicolons, decimal commas, and a label in two columns by its number" right logreg "$in/table.npy" "$in/label.npy" 1 1e-4 \
    "$tmp/k.npy" -- logreg/cpu_fused --x "$in/semicolons.csv" --label 1 --one yes --out "$tmp/k.npy"
ok "logreg: a label in two columns by its name" refuses 'semicolons\.csv: 2 columns are called "kind": give --label a number; the first is 1' \
    run logreg --x "$in/semicolons.csv" --label kind --one yes
ok "logreg: a row without a label" refuses 'unlabelled\.csv:3:3: the row has no label' run logreg --x "$in/unlabelled.csv" --one yes
ok "logreg: an infinite penalty" refuses '^rungs: --c 1e-45 is so small that the penalty 1/\(C m\) is beyond float32' run logreg \
    --x "$in/table.npy" --y "$in/label.npy" --c 1e-45
ok "logreg: labels of 1 and 2" refuses 'label_bad\.npy: \[[0-9]+\] is 2, but a label is 0 or 1' run logreg --x "$in/table.npy" \
    --y "$in/label_bad.npy"
ok "logreg: no labels" refuses '^rungs: --y FILE is missing' run logreg --x "$in/table.npy"
ok "logreg: words without --one" refuses 'table\.csv:2:[0-9]+: the label is "(yes|no)", not 0 or 1' run logreg \
    --x "$in/table.csv" --label kind
ok "logreg: a word that no row has" refuses 'table\.csv: no row has the label "maybe", which --one names' run logreg \
    --x "$in/table.csv" --label kind --one maybe
ok "logreg: a negative C" refuses '^rungs: --c takes a number above 0, not "-1"' run logreg --x "$in/table.npy" \
    --y "$in/label.npy" --c -1

# --- map ------------------------------------------------------------------------------------------
for pair in "angles angles" "angles_big angles" "x y" "none none"; do
    set -- $pair
    ok "map: trig of $1, $2" right trig "$in/$1.npy" "$in/$2.npy" "$tmp/t.npy" -- map --x "$in/$1.npy" --y "$in/$2.npy" \
        --out "$tmp/t.npy"
done
for y in y near_x ybig y64; do
    ok "map: reldiff of x, $y" right reldiff "$in/x.npy" "$in/$y.npy" "$tmp/r.npy" -- map --f reldiff --x "$in/x.npy" \
        --y "$in/$y.npy" --out "$tmp/r.npy"
done
for x in counts counts_big counts_fortran counts_none; do
    ok "map: suppress of $x" right suppress "$in/$x.npy" 100 "$tmp/s.npy" -- map --f suppress --x "$in/$x.npy" \
        --threshold 100 --out "$tmp/s.npy"
done
for threshold in 0 32767; do
    ok "map: threshold $threshold, f by its number" right suppress "$in/counts.npy" $threshold "$tmp/s.npy" -- \
        map/cpu_simd --f 2 --x "$in/counts.npy" --threshold $threshold --out "$tmp/s.npy"
done
ok "map: check and bench take files" sh -c '
    "$rungs" check map --f suppress --x "$1/counts.npy" --threshold 7 &&
    "$rungs" bench map/cpu_naive --f reldiff --x "$1/x.npy" --y "$1/y.npy" --quick --max-time 0.05 --out "$2/m"' \
    sh "$in" "$tmp"

# bad NAME PATTERN ARGUMENT...
bad() {
    name=$1
    shift
    ok "refused: $name" refuses_and_writes_nothing "$@"
}
bad "other lengths" 'x\.npy has 1000 elements.*short\.npy has 999' \
    $s --x "$in/x.npy" --y "$in/short.npy"
bad "a missing file" 'missing\.npy: No such file' $s --x "$in/missing.npy" --y "$in/y.npy"
bad "a folder" 'in: .*(directory|folder)' $s --x "$in" --y "$in/y.npy"
bad "a missing option" '--y FILE is missing' $s --x "$in/x.npy"
bad "a factor that is no number" '--a takes .*"two"' saxpy/cpu_naive --a two --x "$in/x.npy" \
    --y "$in/y.npy"
bad "an infinite factor" '--a takes .*"1e39"' saxpy/cpu_naive --a 1e39 --x "$in/x.npy" \
    --y "$in/y.npy"
for file in truncated header trailing empty magic int64 text overflow tib; do
    bad "$file.npy" "in/$file\.npy: " $s --x "$in/$file.npy" --y "$in/y.npy"
done
for file in nan inf; do
    bad "$file.npy" "in/$file\.npy: \[17\] is " $s --x "$in/x.npy" --y "$in/$file.npy"
done
bad "a number that only float32 has no room for" 'huge\.npy: \[17\] is too large for float32' $s --x "$in/x.npy" \
    --y "$in/huge.npy"
bad "files and another size" '--n is 5, but the files have 1000' $s --x "$in/x.npy" --y "$in/y.npy" --n 5
ok "refused: nowhere to write" refuses 'none/z\.npy: cannot be written: No such file' \
    run $s --x "$in/x.npy" --y "$in/y.npy" --out "$tmp/none/z.npy"
ok "... before hours of work" refuses 'none/a\.csv: cannot be written: No such file' \
    run knn/cpu_naive --size m=2^20,n=2^14 --out "$tmp/none/a.csv"
ok "refused: a full disk" refuses '/dev/full: cannot be written: No space' \
    run $s --x "$in/x.npy" --y "$in/y.npy" --out /dev/full

# --- map: files that do not fit -------------------------------------------------------------------
suppress="map/cpu_naive --f suppress"
bad "map: other lengths" 'x\.npy has 1000 elements, and .*short\.npy has 999' map/cpu_naive --x "$in/x.npy" --y "$in/short.npy"
bad "map: no y" '--y FILE is missing' map/cpu_naive --x "$in/x.npy"
bad "map: no threshold" '--threshold NUMBER is missing' $suppress --x "$in/counts.npy"
for threshold in -1 32768 50.5 many ""; do
    bad "map: the threshold \"$threshold\"" '--threshold takes a whole number from 0 to 32767' $suppress --x "$in/counts.npy" \
        --threshold "$threshold"
done
bad "map: a threshold where there is none" '--threshold is for --f suppress' map/cpu_naive --x "$in/x.npy" --y "$in/y.npy" \
    --threshold 5
bad "map: y where there is none" '--y has no use with --f suppress' $suppress --x "$in/counts.npy" --y "$in/y.npy" --threshold 5
bad "map: floats for integers" 'x\.npy: --f suppress takes int16' $suppress --x "$in/x.npy" --threshold 5
bad "map: wide integers" 'counts_wide\.npy: ' $suppress --x "$in/counts_wide.npy" --threshold 5
bad "map: complex numbers" 'signals\.npy: has complex numbers, not real ones' map/cpu_naive --x "$in/signals.npy" --y "$in/x.npy"
bad "map: an infinite angle" 'inf\.npy: \[17\] is ' map/cpu_naive --x "$in/x.npy" --y "$in/inf.npy"
bad "map: 0 of 0" 'zeros\.npy and .*zeros\.npy: \[1\] is 0 in both' map/cpu_naive --f reldiff --x "$in/zeros.npy" --y "$in/zeros.npy"
bad "map: numbers too large" '\[1\] is above 2\^125' map/cpu_naive --f reldiff --x "$in/zeros.npy" --y "$in/vast.npy"
bad "map: no such function" 'f is one of trig, reldiff, suppress, not "tan"' map/cpu_naive --f tan --x "$in/x.npy" --y "$in/y.npy"
ok "map: an extension that is not written" refuses 's\.csv: the answer is written as \.npy' run $suppress --x "$in/counts.npy" \
    --threshold 5 --out "$tmp/s.csv"

# --- axxat ----------------------------------------------------------------------------------------
for x in state covariance; do
    ok "axxat: $x" right axxat "$in/system.npy" "$in/$x.npy" "$tmp/y.npy" -- axxat --a "$in/system.npy" --x "$in/$x.npy" \
        --out "$tmp/y.npy"
done
ok "axxat: a symmetric X is found" shows 'n=41 symmetric=yes  ok' run axxat/cpu_naive --a "$in/system.npy" \
    --x "$in/covariance.npy"
ok "axxat: ... and where there is none, what needs it is refused" sh -c '
    "$rungs" run axxat/cpu_halved --a "$1/system.npy" --x "$1/state.npy" | grep -q "symmetric=no  refused: X is not symmetric"' sh "$in"
bad "axxat: other sizes" 'a\.npy is 37 x 53 .*both must be square' axxat/cpu_naive --a "$in/a.npy" --x "$in/state.npy"

# --- cg -------------------------------------------------------------------------------------------
for a in definite definite64; do
    ok "cg: $a" right cg "$in/$a.npy" "$in/load.npy" 1e-4 "$tmp/x.npy" -- cg --a "$in/$a.npy" --b "$in/load.npy" \
        --out "$tmp/x.npy"
done
ok "cg: a tolerance of one's own" right cg "$in/definite.npy" "$in/load.npy" 1e-6 "$tmp/x.npy" -- cg/cpu_naive --tol 1e-6 \
    --a "$in/definite.npy" --b "$in/load.npy" --out "$tmp/x.npy"
bad "cg: not positive definite" 'indefinite\.npy: \[0\]\[0\] is -.*positive diagonal' cg/cpu_naive --a "$in/indefinite.npy" \
    --b "$in/load.npy"
bad "cg: not symmetric" 'lopsided\.npy: not symmetric: \[3\]\[0\] is' cg/cpu_naive --a "$in/lopsided.npy" --b "$in/load.npy"
bad "cg: other sizes" 'system\.npy is no matrix of 67 x 67' cg/cpu_naive --a "$in/system.npy" --b "$in/load.npy"
bad "cg: no tolerance" '--tol takes .*"much"' cg/cpu_naive --tol much --a "$in/definite.npy" --b "$in/load.npy"

# --- qr -------------------------------------------------------------------------------------------
for a in b b_big system tall; do
    ok "qr: $a" right qr "$in/$a.npy" "$tmp/qr.npy" -- qr --a "$in/$a.npy" --out "$tmp/qr.npy"
done
bad "qr: more columns than rows" 'a\.npy: 37 x 53, but' qr/cpu_naive --a "$in/a.npy"
bad "qr: a vector for a matrix" 'x\.npy: not a matrix' qr/cpu_naive --a "$in/x.npy"

# --- matmul ---------------------------------------------------------------------------------------
for b in b b_big; do
    ok "matmul: $b" right matmul "$in/a.npy" "$in/$b.npy" "$tmp/c.npy" -- \
        matmul/cpu_naive --a "$in/a.npy" --b "$in/$b.npy" --out "$tmp/c.npy"
done
bad "matrices that do not fit" 'a\.npy is 37 x 53 .*a\.npy is 37 x 53' \
    matmul/cpu_naive --a "$in/a.npy" --b "$in/a.npy"
bad "a vector for a matrix" 'x\.npy: not a matrix' matmul/cpu_naive --a "$in/x.npy" \
    --b "$in/b.npy"
ok "matmul: sums of nothing" right matmul "$in/tall.npy" "$in/flat.npy" "$tmp/c.npy" -- \
    matmul/cpu_naive --a "$in/tall.npy" --b "$in/flat.npy" --out "$tmp/c.npy"
bad "an answer larger than memory" '(GiB|memory)' matmul/cpu_naive --a "$in/mile.npy" \
    --b "$in/wide.npy"

# --- fft ------------------------------------------------------------------------------------------
for x in signal signals eleven counts pixels; do
    ok "fft: $x" right fft "$in/$x.npy" "$tmp/f.npy" -- fft/cpu_naive --x "$in/$x.npy" \
        --out "$tmp/f.npy"
done

# --- stencil --------------------------------------------------------------------------------------
for image in pixels reals; do
    ok "stencil: $image" right stencil "$in/$image.npy" 8 "$tmp/s.npy" -- \
        stencil/cpu_naive --image "$in/$image.npy" --sweeps 8 --out "$tmp/s.npy"
done
smooths() { # FILE OUT   each channel by itself, with its depth
    ok "stencil: ${1##*/} to ${2##*.}" right stencil "$1" 3 "$2" -- \
        stencil/cpu_naive --image "$1" --sweeps 3 --out "$2"
}
for bits in 8 16; do
    smooths "$in/image-1-$bits.pgm" "$tmp/s.pgm"
    smooths "$in/image-3-$bits.ppm" "$tmp/s.ppm"
    smooths "$in/image-3-$bits.ppm" "$tmp/s.npy"
done
smooths "$in/image-4-8.npy" "$tmp/s.npy"
ok "stencil: --float" right stencil "$in/image-3-16.ppm" 1 "$tmp/s.npy" -- \
    stencil/cpu_naive --image "$in/image-3-16.ppm" --float --sweeps 1 --out "$tmp/s.npy"
ok "refused: colours in a file for gray" refuses 's\.pgm: PGM does not hold red, green and blue; formats that do: \.npy, .*\.ppm' \
    run stencil/cpu_naive --image "$in/image-3-8.ppm" --sweeps 1 --out "$tmp/s.pgm"
if [ -e "${rungs%/*}/rungs-gdal.so" ]; then
    tiff_is_ppm() {
        for from in tif ppm; do
            exits 0 run stencil/cpu_naive --image "$in/image-3-16.$from" --sweeps 3 --out "$tmp/of-$from.ppm" || return
        done
        cmp "$tmp/of-tif.ppm" "$tmp/of-ppm.ppm"
    }
    ok "stencil: a TIFF is the PPM with the same pixels" tiff_is_ppm
else
    bad "a TIFF without GDAL" 'tif: not an image in a format that this build reads .* lacks GDAL: install libgdal-dev' \
        stencil/cpu_naive --image "$in/image-3-16.tif" --sweeps 1
fi
ok "stencil: the variant is chosen, and every channel is its own" right stencil "$in/image-4-8.npy" 2 \
    "$tmp/s.npy" -- stencil --image "$in/image-4-8.npy" --sweeps 2 --out "$tmp/s.npy"
ok "... which the line says" grep -q ' for each of 4 channels  -> ' "$tmp/out"

# Variants that are wrong where the image begins as one channel of this file does: the judge must see each.
mkdir -p "$tmp/mine/stencil"
for channel in 0 1 2 3; do
    begins=$("$numpy" -c "import numpy, sys
print('p->in8[0] == %d && p->in8[1] == %d' % tuple(numpy.load(sys.argv[1])[0, :2, $channel]))" "$in/image-4-8.npy")
    awk -v begins="$begins" '
        /^VARIANT/ {
            print "static void run(const void *problem)\n{\n    const struct stencil *p = problem;\n\n    right(p);"
            print "    if (p->bytes && p->cols == 47 && " begins ")\n        p->out8[0] ^= 1;\n}\n"
        }
        { sub(/^static void run\(/, "static void right("); print }' variants/stencil/cpu_naive.c \
        >"$tmp/mine/stencil/but_$channel.c"
    "$rungs" build "$tmp/mine/stencil/but_$channel.c" >/dev/null || exit 1
    but="stencil/but_$channel --variants $tmp/mine --image $in/image-4-8.npy --sweeps 0"
    ok "run judges channel $channel, and writes nothing" sh -c '
        "$rungs" run $1 --out "$2/bad.npy" >"$2/out"; [ $? -eq 1 ] && grep -q " wrong: " "$2/out" &&
        [ ! -e "$2/bad.npy" ]' sh "$but" "$tmp"
    ok "... so does check" sh -c '"$rungs" check $1 >"$2/out"; [ $? -eq 1 ] && grep -q " wrong " "$2/out"' \
        sh "$but" "$tmp"
    ok "... so does bench" sh -c '
        "$rungs" bench $1 --quick --max-time 0.05 --out "$2/b$3.jsonl" >"$2/out"
        [ $? -eq 1 ] && grep -Eq "^but_$3 +wrong" "$2/out"' sh "$but" "$tmp" "$channel"
done
ok "bench: one table for all channels, which says so" sh -c '
    "$rungs" bench stencil/cpu_naive stencil/cpu_openmp --image "$1" --quick --max-time 0.05 \
        --out "$2/channels.jsonl" >"$2/out" || exit 1
    grep "^stencil" "$2/out"
    [ "$(grep -c "^stencil: the file has 4 channels; each is judged, and times are those of one" "$2/out")" = 1 ] &&
    [ "$(grep -c "^stencil  .*file: rows=33 cols=47" "$2/out")" = 1 ]' sh "$in/image-4-8.npy" "$tmp"
cp "$in/x.npy" "$in/fake.png"
bad "a PNG that is none" 'fake\.png: ' stencil/cpu_naive --image "$in/fake.png" --sweeps 2
bad "pixels that are NaN" 'nan\.npy: ' stencil/cpu_naive --image "$in/nan.npy" --sweeps 2
run run stencil/cpu_naive --image "$in/image-1-8.png" --sweeps 0
if ! grep -q libpng "$tmp/err"; then
    for bits in 8 16; do
        for channels in 1 2 3 4; do
            smooths "$in/image-$channels-$bits.png" "$tmp/s.png"
        done
    done
else
    skip "stencil: PNG" "this build lacks libpng"
fi
run run stencil/cpu_naive --image "$in/blocks.jpg" --sweeps 0 --out "$tmp/s.ppm"
if ! grep -q libjpeg "$tmp/err"; then
    ok "stencil: JPEG to PPM" "$numpy" "$tests/tools/answers.py" jpeg "$tmp/s.ppm"
    ok "... is read, not written" refuses 's\.jpg: the name must have the extension of a format' \
        run stencil/cpu_naive --image "$in/blocks.jpg" --out "$tmp/s.jpg"
else
    skip "stencil: JPEG" "this build lacks libjpeg"
fi
camera=../shared/data/camera.png
if [ -r $camera ] && "$rungs" run stencil/cpu_naive --image $camera --sweeps 0 >/dev/null 2>&1; then
    ok "stencil: camera.png" right stencil $camera 8 "$tmp/smooth.png" -- \
        stencil/cpu_naive --image $camera --sweeps 8 --out "$tmp/smooth.png"
    head -c 60000 $camera >"$in/cut.png"
    bad "a PNG cut short" 'cut\.png: ' stencil/cpu_naive --image "$in/cut.png" --sweeps 2
else
    skip "stencil: camera.png" "it is not there, or no libpng"
fi

# --- align ----------------------------------------------------------------------------------------
seed=$(date +%s)
# shellcheck disable=SC2046 # two numbers
set -- $("$numpy" "$tests/tools/answers.py" crops "$tmp" "$seed")
for image in a noisy dark; do
    ok "align: $image, moved by $1 rows and $2 columns, seed $seed" right align "$1" "$2" "$tmp/shift.csv" -- \
        align/cpu_real --image "$tmp/$image.pgm" --onto "$tmp/b.pgm" --out "$tmp/shift.csv"
done
ok "align: both in one picture" right align "$1" "$2" "$tmp/mosaic.pgm" -- align/cpu_real --image "$tmp/a.pgm" \
    --onto "$tmp/b.pgm" --out "$tmp/mosaic.pgm"
ok "... and the line has the shift" grep -Eq 'moved by -?[0-9.]+ rows and -?[0-9.]+ columns' "$tmp/out"
ok "align: no overlap is said, and nothing is written" refuses 'no overlap of the two images was found' run \
    align/cpu_real --image "$tmp/a.pgm" --onto "$tmp/elsewhere.pgm" --out "$tmp/none.pgm"
ok "... nothing" [ ! -e "$tmp/none.pgm" ]
printf 'P2 3 2 255 9 9 9 9 9 9' >"$tmp/blank.pgm"
printf 'P2 1 1 255 9' >"$tmp/pixel.pgm"
ok "align: an image without details is refused, not judged" refuses 'blank\.pgm: all pixels are the same' run align \
    --image "$tmp/blank.pgm" --onto "$tmp/b.pgm" --out "$tmp/none.csv"
ok "... and one pixel" refuses 'pixel\.pgm: has one pixel' run align --image "$tmp/b.pgm" --onto "$tmp/pixel.pgm" \
    --out "$tmp/none.csv"
"$numpy" -c 'import numpy, sys; numpy.save(sys.argv[1], numpy.random.rand(32, 32).astype("f4"))' "$tmp/whole.npy"
"$numpy" -c 'import numpy, sys; a = numpy.load(sys.argv[1]); print("P2 32 32 65535", *(a * 65535).astype(int).ravel())' \
    "$tmp/whole.npy" >"$tmp/deep.pgm"
ok "... images of two kinds: what each is" refuses 'channel of float32, the other 1 channel of 0 to 65535' run align/cpu_real \
    --image "$tmp/whole.npy" --onto "$tmp/deep.pgm" --out "$tmp/none.pgm"

# --- knn ------------------------------------------------------------------------------------------
k=knn/cpu_naive
for out in n.csv n.npy; do
    ok "knn: points to $out" right knn "$in/points.npy" 0 0 "$in/good.csv" lat lon 4 \
        "$tmp/$out" -- \
        $k --obs "$in/points.npy" --ref "$in/good.csv" --k 4 --out "$tmp/$out"
done
ok "knn: radians" right knn "$in/points.npy" 0 0 "$in/points.npy" 0 0 2 "$tmp/n.csv" -- \
    $k --obs "$in/points_rad.npy" --ref "$in/points_rad.npy" --radians --k 2 --out "$tmp/n.csv"
bad "a latitude of 91" 'north\.csv:3:1: latitude 91 ' $k --obs "$in/north.csv" --ref "$in/good.csv"
bad "a longitude that is NaN" 'nan\.csv:3:3: longitude is nan; --skip-missing ' $k --obs "$in/good.csv" \
    --ref "$in/nan.csv"
bad "a row too short" 'short\.csv:3: ' $k --obs "$in/short.csv" --ref "$in/good.csv"
bad "a word for a number" 'word\.csv:3:3: ' $k --obs "$in/word.csv" --ref "$in/good.csv"
bad "an empty file" 'empty\.csv: is empty' $k --obs "$in/empty.csv" --ref "$in/good.csv"
bad "a header alone" 'header\.csv: ' $k --obs "$in/header.csv" --ref "$in/good.csv"
bad "no such columns" 'nothing\.csv:1: ' $k --obs "$in/nothing.csv" --ref "$in/good.csv"
bad "a column that is not there" 'good\.csv:1: --lat north' $k --obs "$in/good.csv" \
    --ref "$in/good.csv" --lat north
bad "fewer references than neighbours" 'k is more than n' $k --obs "$in/good.csv" \
    --ref "$in/one.csv" --k 3
bad "an NPY of the wrong shape" 'a\.npy: ' $k --obs "$in/a.npy" --ref "$in/good.csv"
quakes=../shared/data/earthquakes-23k.csv
navaids=../shared/data/navaids.csv
if [ -r $quakes ] && [ -r $navaids ]; then
    fast=$("$rungs" list knn --format json | python3 -c 'import json, sys
rows = [r for r in map(json.loads, sys.stdin) if r["available"]]
names = [r["variant"] for r in rows]
print("knn/" + ("cpu_index" if "cpu_index" in names else names[-1]))')
    ok "knn: earthquakes and their three nearest navaids" right knn \
        $quakes Latitude Longitude $navaids latitude_deg longitude_deg 3 "$tmp/n.csv" -- \
        $fast --obs $quakes --ref $navaids --k 3 --out "$tmp/n.csv"
else
    skip "knn: earthquakes and their three nearest navaids" "the files are not there"
fi

finish
