#!/bin/sh
# Variants that are several processes, by MPI: right with any number of ranks; a rank that fails is the row's reason, and
# nothing is left.
. tests/tools/tap.sh
. tests/languages/broken.sh
[ -x "${rungs%/*}/rungs-ranks" ] && command -v mpirun >/dev/null || { echo "1..0 # skip no MPI: mpicc and mpirun"; exit 0; }

# Prints what others than the next run will remove.
in_memory() {
    ls /dev/shm | grep -v '^rungs-worker-'
}
shared=$(in_memory)

all_right() {
    run check '*/cpu_*mpi*' --threads "$1" --shard "$(third "$1")"
    [ "$status" -eq 0 ] && ! grep -vE '^(variant|error|sizes|exact| *$)|  ok  ' "$tmp/out" || { cat "$tmp/out" "$tmp/err"; return 1; }
}
for ranks in 1 3 5; do # as many as there are cores, in tests/long/check.t
    ok "all are right with $ranks, at a third of the check sizes" all_right $ranks
done

# A build that was made before MPI was installed has cards newer than their sources.
comes() {
    mkdir -p "$tmp/late/variants/saxpy" && touch "$tmp/late/rungs-worker" && sleep 0.02
    echo 'needs = "mpicc"' >"$tmp/late/variants/saxpy/cpu_mpi.card"
    make -n NVCC= SIM= SANITIZE= BUILD="$tmp/late" PLAIN=build "$tmp/late/variants/saxpy/cpu_mpi.card" >"$tmp/out" 2>&1
    grep -q 'link.*variants/saxpy/cpu_mpi.so' "$tmp/out" || { cat "$tmp/out"; return 1; }
}
ok "make builds what MPI's compiler was missing for, when it has come" comes

# --- ranks that fail ---------------------------------------------------------------------------------------------
cp -r tests/languages/mpi "$tmp/mpi"
ok "a variant in another folder is built" "$rungs" build "$tmp"/mpi/saxpy/*.c
mkdir -p "$tmp/hang/saxpy"
mv "$tmp"/mpi/saxpy/hangs_* "$tmp"/mpi/saxpy/never_* "$tmp/hang/saxpy"
verdicts c "$tmp/mpi" check --threads 3
RUNGS_MPI=mpirun # which then ends its ranks itself, as it must on other hosts
export RUNGS_MPI
verdicts c "$tmp/hang" check --threads 3 --timeout "$(patience 2)"
unset RUNGS_MPI

# no_mpi   within 10 s none of our launchers and ranks is left
no_mpi() {
    for _ in $(seq 100); do
        left=
        for comm in /proc/[0-9]*/comm; do
            case $(cat "$comm" 2>/dev/null) in
            mpirun* | orted | prte* | hydra* | rungs-ranks)
                grep -qzx "RUNGS_TEST=$tmp" "${comm%comm}environ" 2>/dev/null && left="$left ${comm%/comm}" ;;
            esac
        done
        [ -z "$left" ] && return 0
        sleep 0.1
    done
    echo "still running:$left"
    return 1
}
ok "no process of theirs is left" no_mpi

# Waits for a rank to run, then ends the program by the signal.
ends_by() {
    "$rungs" bench saxpy/cpu_mpi --size n=2^20 --max-time 60 --out "$tmp/$1.jsonl" >"$tmp/$1" 2>&1 &
    program=$!
    for _ in $(seq 300); do
        [ -n "$(workers | while read -r its; do cat "$its/comm"; done | grep rungs-ranks)" ] && break
        sleep 0.1
    done
    kill -"$1" $program
    wait $program 2>/dev/null
    no_mpi && none_left
}
ok "... nor after SIGKILL of the program" ends_by KILL
ok "... nor after SIGTERM" ends_by TERM
ok "... nor shared memory" test "$(in_memory)" = "$shared"

# --- as rows -----------------------------------------------------------------------------------------------------
RUNGS_MPI="no-such-mpirun" run check saxpy/cpu_mpi
ok "RUNGS_MPI names the launcher" grep -q 'skipped .*the worker could not start: no-such-mpirun: No such file' "$tmp/out"
run bench saxpy/cpu_mpi --ranks 2,1 --quick --max-time 0.2 --size n=1000 --out "$tmp/ranks.jsonl"
ok "--ranks: a row each, and their speed-up" sh -c 'test "$(grep -o "^cpu_mpi@[0-9]" "$1" | tr "\n" " ")" = \
    "cpu_mpi@1 cpu_mpi@2 " && grep -Eq "^cpu_mpi +ranks +2 +resident" "$1"' sh "$tmp/out"
ok "records say what they ran on" python3 - "$tmp/ranks.jsonl" <<'END'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
assert records[0]["scaling"]["ranks"] == [1, 2], records[0]["scaling"]
rows = [r for r in records if r["record"] == "measurement"]
assert [r["scale"] for r in rows] == [{"ranks": 1}, {"ranks": 2}], rows
for r in rows:
    assert r["mpi"]["ranks"] == r["scale"]["ranks"] and r["mpi"]["hosts"] == 1, r["mpi"]
    assert "MPI" in r["mpi"]["library"], r["mpi"]
END
ok "... which can be read back" shows '^cpu_mpi@2 +ok' show "$tmp/ranks.jsonl"

finish
