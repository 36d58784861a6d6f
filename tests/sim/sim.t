#!/bin/sh
# The simulator names mistakes, and right programs pass.
tab=$(printf '\t')
. tests/tools/ok.sh

targets="rewrite tests/sim/mistakes tests/sim/right tests/sim/oddities tests/sim/half tests/sim/system"
targets="$targets tests/sim/ptx tests/sim/hopper tests/sim/ptx_mistakes tests/sim/doubts"
. tests/sim/build.sh
ok "builds" test -x $BUILD/tests/sim/half

# --- small programs ---------------------------------------------------------------------------------
# A mistake ends the program with status 1; the last line on standard error names it.
is_named() {
    RUNGS_SIM_DEVICES=2 timeout 300 $BUILD/tests/sim/$3 "$1" >"$tmp/out" 2>"$tmp/errors"
    status=$?
    cat "$tmp/errors"
    echo "status $status, expected 1 and $2"
    [ "$status" -eq 1 ] && tail -n 1 "$tmp/errors" | grep -Eq -e "$2"
}

for program in mistakes ptx_mistakes; do
    $BUILD/tests/sim/$program >"$tmp/$program"
    while IFS=$tab read -r mistake expected; do
        ok "names it: $mistake" is_named "$mistake" "$expected" $program
    done <"$tmp/$program"
    ok "there are $program" [ "$(wc -l <"$tmp/$program")" -ge 13 ]
done

is_right() {
    RUNGS_SIM_DEVICES=$2 timeout 300 $BUILD/tests/sim/right "$1" 2>&1 && [ ! -s "$tmp/said" ]
}

$BUILD/tests/sim/right >"$tmp/right"
while read -r program; do
    ok "lets it pass: $program" is_right "$program" 1
    ok "lets it pass on four devices: $program" is_right "$program" 4
done <"$tmp/right"

ok "launches that are hard to read" $BUILD/tests/sim/oddities
ok "half precision" $BUILD/tests/sim/half
ok "the system of equations of logreg" $BUILD/tests/sim/system
ok "a sweep of knn leaves few doubts" $BUILD/tests/sim/doubts
for seed in 0 1 2; do
    ok "inline PTX, order $seed" env RUNGS_SIM_SEED=$seed $BUILD/tests/sim/ptx
    ok "clusters, copies and products, order $seed" env RUNGS_SIM_SEED=$seed $BUILD/tests/sim/hopper
done

# --- what cannot be simulated -----------------------------------------------------------------------
# refuses WHAT LINE...   a variant with these lines becomes one that refuses, with the same card
refuses() {
    what=$1
    shift
    {
        printf '%s\n' "$@"
        echo '__global__ static void k(void) {}'
        echo 'static void run(const void *p) { k<<<1, 1>>>(); }'
        echo 'VARIANT(.idea = "an idea, with a comma", .base = "cpu_naive",'
        echo '        .device = &device_gpu, .math = MATH_TF32, .run = run)'
    } >"$tmp/variant.cu"
    $BUILD/rewrite "$tmp/variant.cu" >"$tmp/variant.cc" || return 1
    cat "$tmp/variant.cc"
    grep -Fq "return \"$what cannot be simulated: $tmp/variant.cu:1\";" "$tmp/variant.cc" &&
        grep -Fq '.idea = "an idea, with a comma",' "$tmp/variant.cc" &&
        grep -Fq '.math = MATH_TF32,' "$tmp/variant.cc" && ! grep -q 'run<<<' "$tmp/variant.cc" &&
        g++ -std=c++17 -Wall -Werror -I. -c -o /dev/null "$tmp/variant.cc"
}

ok "unknown PTX is refused" refuses "PTX bar.red.popc.u32" \
    '__device__ void f(void) { asm volatile("{\n\t.reg .b32 t; mov.u32 t, 0;\n\tbar.red.popc.u32 t;}"); }'
ok "cuBLAS is refused" refuses cuBLAS '#include <cublas_v2.h>'
ok "cuFFT is refused" refuses cuFFT '#include <cufft.h>'
ok "cuSOLVER is refused" refuses cuSOLVER '#include <cusolverDn.h>'
ok "cooperative groups are refused" refuses "cooperative groups" '#include <cooperative_groups.h>'
ok "tensor cores are refused" refuses "tensor cores" '# include <mma.h>'

finish
