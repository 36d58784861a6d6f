#!/bin/sh
# On a GPU of compute capability 9.0: PTX does what tests/sim/ expects.
. tests/tools/tap.sh

without() {
    ok "$1: nothing that PTX could be compared with" true
    finish
    exit
}
nvcc=${NVCC-$(command -v nvcc)}
[ -n "$nvcc" ] || without "no nvcc"
nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | grep -q '^9\.0' ||
    without "no GPU of compute capability 9.0"

for program in ptx hopper doubts; do
    ok "builds tests/sim/$program.cu" "$nvcc" -std=c++17 -I. -o "$tmp/$program" \
        -gencode arch=compute_90a,code=sm_90a tests/sim/$program.cu
    ok "tests/sim/$program.cu holds on a card" timeout 60 "$tmp/$program"
done

finish
