#!/bin/sh
# A device with too little memory, as the simulator can provide: the rows of variants, the exit status, and
# --oversubscribe.
targets=rungs
. tests/sim/build.sh
. tests/tools/tap.sh
export RUNGS_SIM_MEMORY=1 # MiB

# row PATTERN   a line of the output matches
row() {
    grep -Eq -- "$1" "$tmp/out" || {
        echo "expected a line with $1"
        cat "$tmp/out" "$tmp/err"
        return 1
    }
}

# --- cudaMalloc -----------------------------------------------------------------------------------
ok "check: too much device memory is a failure" exits 1 check saxpy/cuda_naive --size n=2^17
ok "... and a row that says which array" row \
    '^saxpy/cuda_naive +memory +variants/saxpy/cuda_naive\.cu:[0-9]+: cudaMalloc\(.*\): out of memory$'
ok "run says it as well" exits 1 run saxpy/cuda_naive --size n=2^17
ok "... in one line" row '^saxpy/cuda_naive  n=131072  memory: variants/.*: out of memory$'

# --- managed memory -------------------------------------------------------------------------------
# Sizes of more than 1 MiB and little work.
size_of() {
    case $1 in
    align) echo pairs=3,rows=256,cols=256 ;;
    axxat) echo n=300 ;;
    cg) echo n=520 ;;
    fft) echo batch=2^7,n=2^9 ;;
    knn) echo m=100000,n=1,k=1 ;;
    logreg) echo m=2^14,n=20 ;;
    matmul) echo m=1,n=600,k=600 ;;
    qr) echo m=2^15,n=5 ;;
    saxpy) echo n=2^17 ;;
    stencil) echo rows=512,cols=512,sweeps=1 ;;
    *) echo n=2^19 ;; # an axis n of numbers
    esac
}
for file in variants/*/cuda_managed.cu variants/*/cuda_unified.cu; do
    variant=${file#variants/}
    variant=${variant%.cu}
    size=$(size_of "${variant%/*}")
    ok "$variant refuses: nothing is left to measure" exits 4 check "$variant" --size "$size"
    ok "... and names the option" row "^$variant +refused .*see --oversubscribe$"
    [ "${variant%/*}" != align ] || continue # what lies between its kernels is no managed memory, and does not fit either
    ok "... with which it is right" exits 0 check "$variant" --size "$size" --oversubscribe
done
ok "it is an option of run" exits 0 run saxpy/cuda_managed --size n=2^17 --oversubscribe
ok "the help warns" sh -c '"$rungs" check --help | grep -A 2 -e --oversubscribe | grep -q hang'
ok "so does the man page" sh -c 'grep -A 9 "Fl -oversubscribe" docs/rungs.1 | grep -q hang'

finish
