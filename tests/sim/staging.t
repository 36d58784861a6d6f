#!/bin/sh
# The ring of page-locked buffers (common/staging.h) in the simulator, which executes each copy as late as CUDA allows:
# several chunks per thread are right, and a buffer that is used too early gives a wrong answer.
targets="rungs rungs-broken-cuda"
. tests/sim/build.sh
. tests/tools/tap.sh

# Check sizes have few chunks.  These have more than one thread's slots hold, more threads than cores, and last chunks
# of another length.
several() {
    "$rungs" check "$1/cuda_staged" --size "$2" --threads "$3" --timeout 300
}
while read -r problem size threads; do
    ok "$problem, $size, threads: $threads" several $problem $size $threads
done <<'LIST'
saxpy n=2500003 1
saxpy n=2500003 3
stencil rows=3001,cols=257,sweeps=2 1
stencil rows=700,cols=9001,bytes=1 3
matmul m=1601,n=300,k=500 3
fft batch=5,n=524288 1
fft batch=1,n=1953125 3
knn m=300001,n=64 3
LIST

early() {
    "$rungs-broken-cuda" check "saxpy/$1" >"$tmp/out" 2>&1
    cat "$tmp/out"
    grep -q "saxpy/$1 *wrong" "$tmp/out"
}
for variant in $(grep -l 'expected: wrong' tests/gpu/broken/saxpy/*.cu); do
    variant=$(basename "$variant" .cu)
    ok "$variant is wrong" early $variant
done
finish
