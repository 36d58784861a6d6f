#!/bin/sh
# ranks.sh [FOLDER]
#
# For a machine with two GPUs or more: builds, judges the variants of several ranks with GPUs, and measures them on one GPU
# and on two beside cuda_multi.  Records, tables and what was found on the machine go to FOLDER, or $OUT, or results/ranks.
# Takes some eight minutes with the build.  LIMIT: seconds for all (480); CUDA_ARCH: as for make (90).
set -u
cd "$(dirname "$0")/../.." || exit 2
out=${1:-${OUT:-results/ranks}}
end=$(($(date +%s) + ${LIMIT:-480}))
export CUDA_ARCH="${CUDA_ARCH:-90}" SETUP=
unset NCCL_DEBUG # it would print to standard output, which no variant may
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2

# in_time SECONDS FILE COMMAND...   at most so long, and not beyond the end; says how it went
in_time() {
    left=$((end - $(date +%s)))
    [ "$left" -lt "$1" ] || left=$1
    file=$2
    shift 2
    [ "$left" -gt 5 ] || { echo "no time left: $file" | tee "$out/$file.txt"; return; }
    begun=$(date +%s)
    timeout -k 10 "$left" "$@" >"$out/$file.txt" 2>&1
    echo "$file: status $?, $(($(date +%s) - begun)) s"
}

in_time 60 found sh -c 'make -s mpi; mpirun --version; nvidia-smi -L; nvidia-smi topo -m; nvcc --version | tail -n 1'
cat "$out/found.txt"
in_time 300 build make -s -j"$(nproc)" build/rungs
[ -x build/rungs ] || { tail -n 20 "$out/build.txt"; exit 1; }
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU ')
[ "$gpus" -gt 0 ] || { echo "ranks.sh: no GPU here"; exit 2; }

# First one problem by each, so that a machine on which nothing starts says so at once.
in_time 60 first build/rungs check saxpy/cuda_nccl saxpy/cuda_mpi --ranks "$gpus"
cat "$out/first.txt"
if ! grep -q 'cuda_nccl.* ok ' "$out/first.txt"; then
    # Is it the confinement, or NCCL itself?  Its own words are in the files nccl.*.
    in_time 60 unconfined env RUNGS_CONFINE=none NCCL_DEBUG=INFO NCCL_DEBUG_FILE="$out/nccl.%h.%p.log" \
        build/rungs check saxpy/cuda_nccl --ranks "$gpus"
    cat "$out/unconfined.txt"
    grep -q 'cuda_nccl.* ok ' "$out/unconfined.txt" && export RUNGS_CONFINE=none
fi

# The order is that of what must not be missing.
bench() {
    name=$1-$(echo "$2" | tr -d =,^)
    in_time 80 "bench-$name" build/rungs bench "$1/cuda_nccl" "$1/cuda_mpi" "$1/cuda_multi" --size "$2" --ranks 1,2 \
        --devices 1,2 --quick --max-time 5 --out "$out/ranks-$name.jsonl"
    cat "$out/bench-$name.txt"
}
bench knn XL
bench stencil rows=16384,cols=16384,sweeps=40,bytes=0
bench matmul L
bench stencil L
bench fft L
bench fft batch=1,n=2^24
bench saxpy L
in_time 100 check-nccl build/rungs check '*/cuda_nccl' --ranks 1,2
cat "$out/check-nccl.txt"
in_time 200 check-mpi build/rungs check '*/cuda_mpi' --ranks 1,2,3,5,8
cat "$out/check-mpi.txt"
# Which way NCCL's messages went
in_time 30 transport env RUNGS_CONFINE=none NCCL_DEBUG=INFO NCCL_DEBUG_FILE="$out/nccl.%h.%p.log" \
    build/rungs check stencil/cuda_nccl --ranks 2 --size rows=512,cols=512,sweeps=3,bytes=0
grep -h -o 'via [A-Z].*' "$out"/nccl.*.log 2>/dev/null | sort | uniq -c
