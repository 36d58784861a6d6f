#!/bin/sh
# The simulator's counters: of kernels whose requests can be counted by hand.
build=build-sim
tab=$(printf '\t')
. tests/tools/ok.sh

for tool in g++ addr2line; do
    command -v $tool >/dev/null || { echo "1..0 # skip $tool is not there"; exit 0; }
done
ok "builds" make --no-print-directory -j2 SIM=1 $build/tests/sim/counters $build/rungs

# Each of the expected pieces is in the counters.  Some kernels write to the same place.
counts() {
    rm -f "$tmp/counters.json"
    RUNGS_SIM_DEVICES=2 RUNGS_SIM_RACES=0 RUNGS_SIM_COUNTERS=$tmp/counters.json timeout 300 $build/tests/sim/counters "$1" || return 1
    printf '%s\n' "$2" | tr "$tab" '\n' >"$tmp/pieces"
    missing=0
    while read -r piece; do
        grep -Fq -e "$piece" "$tmp/counters.json" && continue
        echo "not there: $piece"
        missing=1
    done <"$tmp/pieces"
    tr ',' '\n' <"$tmp/counters.json" | grep -E '__|barriers|launches'
    [ $missing -eq 0 ] && [ -s "$tmp/pieces" ]
}

$build/tests/sim/counters >"$tmp/cases"
while IFS=$tab read -r name expected; do
    ok "$name" counts "$name" "$expected"
done <"$tmp/cases"
ok "there are cases" [ "$(wc -l <"$tmp/cases")" -ge 50 ]

# --- of a variant ----------------------------------------------------------------------------------------
# The requests of one call of saxpy on 1000 elements: 32 warps, of which the last has 8 lanes.
has() {
    cat "$tmp/variant"
    grep -Eq -e "$1" "$tmp/variant"
}

TMPDIR=$tmp $build/rungs run saxpy/cuda_naive --n 1000 --counters >"$tmp/variant" 2>&1
ok "run --counters: the verdict" has '^saxpy/cuda_naive +n=1000 +ok'
ok "... without times" sh -c '! grep -Eq "[0-9] (ns|us|ms|s)\\b" "$1"' sh "$tmp/variant"
ok "... the kernel, in its phase" has '^run: kernel saxpy_naive, 1 launch$'
ok "... requests, once" has '^ +l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum +64 '
ok "... sectors" has '^ +l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum +125 '
ok "... the line" has '^ +variants/saxpy/cuda_naive.cu:[0-9]+: global load: 3.91 sectors a request'
ok "... copies" has '^ +copies +HtoD +2, of 8000 bytes in all$'
ok "... no file stays" sh -c '! ls "$1"/rungs-counters*' sh "$tmp"
$build/rungs run saxpy/cuda_naive --n 1000 --counters --format json >"$tmp/variant" 2>&1
ok "as JSON Lines" has '^\{"counters":"kernel","phase":"run","kernel":"saxpy_naive","launches":1,'
ok "... copies" has '^\{"counters":"traffic","phase":"download",.*"DtoH":\{"count":1,"bytes":4000\}'
$build/rungs run saxpy/cpu_naive --n 1000 --counters >"$tmp/variant" 2>&1
ok "not of a CPU variant" has '^rungs: --counters needs a variant in the simulator'
$build/rungs check saxpy --counters >"$tmp/variant" 2>&1
ok "not when checking" has '^rungs: --counters is an option of run, not of check'

finish
