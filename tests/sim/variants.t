#!/bin/sh
# Every CUDA variant in the simulator, and those for several devices on three of them as well: right, or refused because
# it cannot be simulated.  At a third of the check sizes, and another commit takes another third; SHARD=1/1 takes all.
targets=rungs
. tests/sim/build.sh
. tests/tools/tap.sh

shard=$(third 0)
echo "# check sizes: $shard"

# The simulator uses one core, so as many problems run at a time as there are cores; the longest ones are the last by
# name.  Races do not depend on the number of devices.  They are searched in the first two million accesses of each
# launch: all of the small sizes, and several blocks of the few large ones, which have more of the same tiles.
problems=$(ls variants/*/*.cu | cut -d / -f 2 | sort -ru)
variants_for() {
    [ "$1" = 1 ] && echo "cuda_*" || echo "cuda_multi*"
}
for devices in 1 3; do
    for problem in $problems; do
        echo "$devices $problem $(variants_for $devices)"
    done
done | xargs -P "$(nproc)" -n 3 sh -c 'RUNGS_SIM_RACES=$(($3 == 1 ? 1 << 21 : 0)) RUNGS_SIM_DEVICES=$3 \
    "$rungs" check "$4/$5" --shard "$2" --format json --timeout 600 >"$1/$4-$3" 2>"$1/$4-$3.errors"' sh "$tmp" "$shard"

# In a third of the sizes there may be none that a variant supports.
[ "$shard" = 1/1 ] && why=' cannot be simulated: ' || why=.
verdict() {
    cat "$tmp/$1-$2.errors"
    python3 tests/tools/verdicts.py "$tmp/$1-$2" "$why" variants/"$1"/$(variants_for $2).cu
}
for problem in $problems; do
    for devices in 1 3; do
        ok "$problem's CUDA variants are right, devices: $devices" verdict "$problem" $devices
    done
done

# A problem has eight of them or more, and most can be simulated.
simulated() {
    for problem in $problems; do
        grep -c '"status":"ok"' "$tmp/$problem-1"
    done | awk '$1 < 6 { exit 1 }'
}
ok "six of each problem at least are not refused" simulated

# At check sizes the second look at doubtful observations finds something with its first loads only, so this is larger.
doubts() {
    RUNGS_SIM_RACES=0 "$rungs" check "knn/$1" --size m=8192,n=8192,k=1
}
for variant in cuda_dpx cuda_wgmma cuda_ordered; do
    ok "what a sweep of knn leaves in doubt is decided as float64 does, $variant" doubts $variant
done

# Fewer observations have no use for the kernels of cuda_crowd.h.
crowd() {
    RUNGS_SIM_RACES=0 "$rungs" check knn/cuda_wgmma --size m=2^17,n=300,k=1,data=town
}
ok "observations in doubt are handed over, where they are more than an eighth" crowd

# A tenth of the observations in a town: few are in doubt, but these have many candidates.
few() {
    awk 'BEGIN { srand(1); print "lat,lon"
        for (i = 0; i < 131072; i++)
            if (i % 10 == 0) print 48 + rand() / 100 "," 11 + rand() / 100; else print rand() * 160 - 80 "," rand() * 360 - 180 }' >"$tmp/obs.csv"
    awk 'BEGIN { srand(2); print "lat,lon"
        for (i = 0; i < 300; i++)
            if (i < 260) print 48 + rand() / 100 "," 11 + rand() / 100; else print rand() * 160 - 80 "," rand() * 360 - 180 }' >"$tmp/ref.csv"
    RUNGS_SIM_RACES=0 "$rungs" run knn/cuda_wgmma --obs "$tmp/obs.csv" --ref "$tmp/ref.csv"
}
ok "... and a crowd among others" few

# More references than the 32 groups that a warp asks at a time
groups() {
    RUNGS_SIM_RACES=0 "$rungs" check knn/cuda_ordered --size m=200,n=40000,k=1,data=town
}
ok "... in more than 32 groups" groups

# Check sizes have no k from 9 to 32, for which lists are longer.
longer() {
    RUNGS_SIM_RACES=0 "$rungs" check knn/cuda_topk --size "m=99,n=3000,k=$1"
}
for k in 9 32; do
    ok "$k neighbours" longer $k
done

# Many references within half a degree, every other one at the same place: the lists of a sheet and of a patch, and
# the pool, overflow.
crowd() {
    awk -v n="$1" 'BEGIN { print "lat,lon"
        for (i = 0; i < n; i++) print 40 + (i % 2) * i * 5e-4 "," 20 - (i % 2) * i * 5e-4 }' >"$tmp/crowd"
    awk 'BEGIN { print "lat,lon"; for (i = 0; i < 90; i++) print i * 2 - 89 "," i * 4 - 180
        for (i = 0; i < 90; i++) print 40 + i * 1e-3 "," 20 - i * 2e-3 }' >"$tmp/around"
    "$rungs" run knn/cuda_index --obs "$tmp/around" --ref "$tmp/crowd"
}
for n in 200 800; do
    ok "a table of a crowd of $n is right" crowd $n
done

# A town of references with copies and ties, on both sides of the date line, and observations in it, anywhere, and around
# its antipode: leaves and boxes far smaller than their distance, more candidates than are kept, and the search from the
# antipode.  600 references are two levels of boxes, 20000 are three.
town() {
    awk -v n="$2" 'BEGIN { print "lat,lon"
        for (i = 0; i < n; i++) { j = i % 5 ? i : 0; x = (j * 7919 % 997 - 498) * 2e-5; y = (j * 104729 % 991 - 495) * 2e-5
            print 40 + x "," (y < 0 ? 180 + y : -180 + y) } }' >"$tmp/town"
    awk 'BEGIN { print "lat,lon"
        for (i = 0; i < 96; i++) { print 40 + i % 10 * 2e-3 ",-179.99" i % 7; print -40 + i % 9 * 1e-3 "," i % 11 * 1e-3
            print i * 1.8 - 87 "," i * 37 % 360 - 180; print -40 ",0" } }' >"$tmp/around"
    RUNGS_SIM_RACES=0 "$rungs" check "knn/$1" --obs "$tmp/around" --ref "$tmp/town" --k "$3" | tee "$tmp/checked"
    grep -q '100%' "$tmp/checked"
}
for n in 600 20000; do
    ok "a tree of a town of $n is exact" town cuda_tree $n 1
    for k in 3 8 32; do
        ok "... and its $k neighbours" town cuda_topk_tree $n $k
    done
done

no_times() {
    "$rungs" bench --quick --out "$tmp/records" saxpy/cuda_naive
    grep '"record":"measurement"' "$tmp/records" >"$tmp/rows"
    cat "$tmp/rows"
    [ -s "$tmp/rows" ] && ! grep -Eq '"(median|setup|first|predicted)":[0-9]' "$tmp/rows"
}
ok "they have no times" no_times

finish
