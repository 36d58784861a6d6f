#!/bin/sh
# The simulator names races in every order of threads, and does not accuse what only looks like one.
targets="rungs rungs-broken-cuda tests/sim/races tests/sim/mistakes"
. tests/sim/build.sh
. tests/tools/tap.sh
tab=$(printf '\t')

# --- small programs ---------------------------------------------------------------------------------
# In the usual order and in others, which find each race from both sides.
is_named() {
    for seed in 0 1 2; do
        RUNGS_SIM_SEED=$seed timeout 300 $BUILD/tests/sim/races "$1" >"$tmp/out" 2>"$tmp/errors"
        code=$?
        cat "$tmp/errors"
        echo "seed $seed: status $code, expected 1 and $2"
        [ $code -eq 1 ] && grep -Eq -e "$2" "$tmp/errors" && [ "$(wc -l <"$tmp/errors")" -eq 1 ] ||
            return 1
    done
}

passes() {
    for seed in 0 1 2; do
        RUNGS_SIM_SEED=$seed timeout 300 $BUILD/tests/sim/races "$1" >"$tmp/out" 2>&1 &&
            [ ! -s "$tmp/out" ] || { echo "seed $seed"; cat "$tmp/out"; return 1; }
    done
}

$BUILD/tests/sim/races >"$tmp/list"
while IFS=$tab read -r name expected; do
    if [ -n "$expected" ]; then
        ok "names it: $name" is_named "$name" "$expected"
    else
        ok "lets it pass: $name" passes "$name"
    fi
done <"$tmp/list"
ok "there are wrong ones" [ "$(grep -c "$tab." "$tmp/list")" -ge 19 ]
ok "there are right ones" [ "$(grep -c "$tab$" "$tmp/list")" -ge 14 ]

# --- variants ---------------------------------------------------------------------------------------
# Those that compute-sanitizer's racecheck must find on a GPU.
is_rejected() {
    for seed in 0 1 2; do
        RUNGS_SIM_SEED=$seed "$rungs-broken-cuda" check "$1" >"$tmp/out" 2>&1
        cat "$tmp/out"
        grep -Eq "^$1 +crash .*: (race|never written): " "$tmp/out" || return 1
    done
}
for file in $(grep -l 'expected: racecheck' tests/gpu/broken/*/*.cu); do
    variant=${file#tests/gpu/broken/}
    ok "rejects ${variant%.cu}" is_rejected "${variant%.cu}"
done

# --- switches ---------------------------------------------------------------------------------------
said() {
    cat "$tmp/errors"
    grep -Eq -e "$1" "$tmp/errors"
}

race() {
    env "$@" $BUILD/tests/sim/races "all in one cell" 2>"$tmp/errors"
}
ok "RUNGS_SIM_RACES=0 does not look for them" race RUNGS_SIM_RACES=0
ok "... and 1 does" sh -c '! RUNGS_SIM_RACES=1 "$1" "all in one cell" 2>/dev/null' sh \
    $BUILD/tests/sim/races
# 128 threads fill the tree, with two accesses each, before any of them can race.
tree() {
    RUNGS_SIM_RACES=$1 $BUILD/tests/sim/races "a tree without barriers" 2>&1
}
ok "... 256 only in the first 256 accesses of a launch" tree 256
ok "... and 10000 in as many" sh -c '! RUNGS_SIM_RACES=10000 "$1" "a tree without barriers" 2>/dev/null' \
    sh $BUILD/tests/sim/races
race RUNGS_SIM_SEED=12
ok "the seed is printed" said ', thread \([0-9]+,0,0\), RUNGS_SIM_SEED=12: race: '
race RUNGS_SIM_SEED=0
ok "... and is not where there is none" sh -c '! grep -q SEED "$1"' sh "$tmp/errors"
race RUNGS_SIM_SEED=x
ok "a seed is a number" said '^simulator: RUNGS_SIM_SEED=x: a whole number is possible'
for seed in 7 8; do
    for run in a b; do
        race RUNGS_SIM_SEED=$seed
        cp "$tmp/errors" "$tmp/errors-$seed$run"
    done
done
ok "the same seed, the same order" cmp "$tmp/errors-7a" "$tmp/errors-7b"
ok "... another, another" sh -c '! cmp -s "$1-7a" "$1-8a"' sh "$tmp/errors"

# Naming the line needs addr2line; detecting the race does not.
race PATH=/nowhere
ok "without addr2line it is named, without its line" said '^\?: kernel all_in_one_cell, .*: race: '

# --- variants ----------------------------------------------------------------------------------------
# tests/sim/variants.t has them all in the usual order.
some_variants() {
    RUNGS_SIM_SEED=$1 "$rungs" check 'saxpy/cuda_*' matmul/cuda_tiled fft/cuda_shared knn/cuda_warp
}
for seed in 1 2; do
    ok "variants are right in another order: $seed" some_variants $seed
done

finish
