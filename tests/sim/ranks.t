#!/bin/sh
# CUDA variants that are several processes, in the simulator: right with any number of ranks, with a GPU for each by NCCL, and
# on one GPU by MPI.  NCCL's calls are those of harness/sim/include/nccl.h.
command -v mpicc >/dev/null && command -v mpirun >/dev/null || { echo "1..0 # skip no MPI: mpicc and mpirun"; exit 0; }
targets=rungs
. tests/sim/build.sh
. tests/tools/tap.sh

# right DEVICES NAME RANKS   are these right at a third of the check sizes, with each number of ranks?
right() {
    RUNGS_SIM_RACES=$((1 << 18)) RUNGS_SIM_DEVICES=$1 "$rungs" check "*/$2" --ranks "$3" --shard "$(third "$1")" \
        --timeout 600 >"$tmp/out" 2>&1
    [ $? -eq 0 ] && rows=$(grep -Ec "/$2@[0-9]+ +ok " "$tmp/out") &&
        [ "$rows" -eq "$(($(ls variants/*/"$2".cu | wc -l) * $(echo "$3" | tr ',' '\n' | wc -l)))" ] || { cat "$tmp/out"; return 1; }
}
ok "by NCCL, a GPU for each rank" right 5 cuda_nccl 1,2,3,5
ok "by MPI, ranks that share a GPU" right 1 cuda_mpi 1,2,3,5
RUNGS_SIM_DEVICES=2 run check saxpy/cuda_nccl --ranks 3
ok "NCCL takes one rank a GPU, and the row says so" grep -q 'cuda_nccl@3 *refused *NCCL: one rank for each GPU' "$tmp/out"
RUNGS_SIM_DEVICES=3 run check saxpy/cuda_nccl --format json
ok "without --ranks there are as many as GPUs" grep -q '"ranks":3,"hosts":1' "$tmp/out"

# Parts that are longer than the pieces in which they are sent
RUNGS_SIM_RACES=0 RUNGS_SIM_DEVICES=2 run check saxpy/cuda_nccl saxpy/cuda_mpi --ranks 2 --size n=17000000
ok "long messages are sent in pieces" sh -c '[ "$(grep -c "@2 *ok" "$1")" -eq 2 ]' sh "$tmp/out"

finish
