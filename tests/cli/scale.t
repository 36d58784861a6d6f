#!/bin/sh
# rungs scale: from made-up records, what the formula fits is extrapolated, with ~, and the rest is refused.
. tests/tools/tap.sh

sees() {
    grep -Eq -- "$1" "$tmp/out" || { cat "$tmp/out" "$tmp/err"; return 1; }
}
sees_not() {
    ! grep -Eq -- "$1" "$tmp/out" || { cat "$tmp/out"; return 1; }
}

# Two rows by threads become rows by ranks, with these times in ms and this pattern.
cat >"$tmp/make_up.py" <<'END'
import json, sys
source, sends, *times = sys.argv[1:]
one, two = (float(t) * 1e6 for t in times)
for line in open(source):
    r = json.loads(line)
    if r["record"] not in ("run", "measurement", "end"):
        continue
    if r["record"] == "measurement":
        ranks = r["scale"]["threads"]
        r["variant"] = "cpu_mpi"
        r["scale"] = {"ranks": ranks}
        r["mpi"] = {"ranks": ranks, "hosts": 1, "library": "none", "transport": "none", "sends": sends}
        if not sends:
            del r["mpi"]["sends"]
        for phase in r["phases"].values():
            if phase:
                for key in ("rounds", "samples"):
                    phase[key] = [one if ranks == 1 else two] * len(phase[key])
    print(json.dumps(r))
END
run bench saxpy/cpu_openmp --threads 1,2 --quick --max-time 0.1 --size n=2^20 --out "$tmp/threads.jsonl"
made_up() {
    name=$1
    shift
    python3 "$tmp/make_up.py" "$tmp/threads.jsonl" "$@" >"$tmp/$name.jsonl"
}
made_up fits nothing 8 4.2
made_up too_slow nothing 8 6
made_up older "" 8 4
network=alpha=1us,beta=10GB

# --- what fits ----------------------------------------------------------------------------------------------------
run scale "$tmp/fits.jsonl" --network "$network"
ok "it ends well" test "$status" -eq 0
ok "it compares with what is measured" sees '^ +2 +4.2 ms +4 ms +-5% +4 ms +2.1 us +1.9 +95%$'
ok "... and says how well that fits" sees 'at most 5 % off'
ok "it extrapolates to 4096 ranks, each figure with ~" sees '^ +4096 +- +~27.2 us +- +~1.95 us +~25.2 us +~294 +~7%$'
ok "no figure beyond the measured ones lacks it" sh -c '! grep -E "^ +(4|8|16|[0-9]{2,4}) +- " "$1" | tr -s " " "\n" |
    grep -E "[0-9]" | grep -vE "^(~.*|[0-9]+)$"' sh "$tmp/out"
ok "it says where messages take over" sees 'From ~512 ranks on, messages take longer'
ok "... and that the network was not measured" sees 'as given; not measured'
ok "--to ends earlier" sh -c '"$rungs" scale "$1" --network "$2" --to 10 | grep -E "^ +10 +- +~" >"$3"' sh \
    "$tmp/fits.jsonl" "$network" "$tmp/out"

# --- what does not ------------------------------------------------------------------------------------------------
run scale "$tmp/too_slow.jsonl" --network "$network"
ok "a formula that is 33 % off is refused" sees '^Refused: the formula is 33 % off with 2 ranks, more than 25 %'
ok "... with exit status 4" test "$status" -eq 4
ok "... and nothing beyond" sees_not '^ +4 |~[0-9]'
ok "older records, which do not say what is sent, too" exits 4 scale "$tmp/older.jsonl" --network "$network"
ok "... and it says so" sees 'does not say what the ranks send'
run scale "$tmp/too_slow.jsonl" "$tmp/fits.jsonl" --network "$network"
ok "one that fits beside it is extrapolated" sees '^ +4096 +- +~'
ok "a slow network is refused, too" exits 4 scale "$tmp/fits.jsonl" --network alpha=2ms,beta=10GB

# --- formats ------------------------------------------------------------------------------------------------------
run scale "$tmp/fits.jsonl" --network "$network" --format csv
ok "CSV says which figures are extrapolated" sh -c 'python3 -c "import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [int(r[\"ranks\"]) for r in rows] == [2**i for i in range(13)], rows
assert [r[\"extrapolated\"] for r in rows[1:3]] == [\"0\", \"1\"], rows[1:3]
assert rows[2][\"measured_s\"] == \"\" and abs(float(rows[2][\"formula_s\"]) - 2.0042048e-3) < 1e-8, rows[2]
assert all(r[\"accepted\"] == \"1\" and r[\"scaling\"] == \"strong\" for r in rows)" "$1"' sh "$tmp/out"
run scale "$tmp/fits.jsonl" --network "$network" --format json
ok "so does JSON" grep -q '"ranks": *4096.*"extrapolated": *true' "$tmp/out"

# --- pictures -----------------------------------------------------------------------------------------------------
if command -v gnuplot >/dev/null; then
    run scale "$tmp/fits.jsonl" "$tmp/too_slow.jsonl" --network "$network" --out "$tmp/pictures" --image svg
    ok "a picture of each run" sh -c 'cd "$1" && grep -q "<svg id=\"forecast-saxpy-given\"" forecast-saxpy-given.svg &&
        test -s forecast-saxpy-given-2.svg' sh "$tmp/pictures"
    ok "... whose data say what is measured" sh -c 'test "$(cut -f 7,8 "$1" | sed -n 2,4p | tr "\t\n" "  ")" = \
        "1 0 1 1 0 1 "' sh "$tmp/pictures/forecast-saxpy-given.tsv" || cat "$tmp/pictures/forecast-saxpy-given.tsv"
else
    skip "pictures" "no gnuplot"
fi

# --- what it needs ------------------------------------------------------------------------------------------------
XDG_CACHE_HOME=$tmp/empty
export XDG_CACHE_HOME
ok "without a network it says how to measure one" refuses 'measure them by "rungs ceilings --ranks 2"' scale "$tmp/fits.jsonl"
ok "a network has units" refuses '--network takes the time of a message and a rate' scale "$tmp/fits.jsonl" --network alpha=1
ok "records by threads have nothing to scale" refuses 'holds no variant by MPI that was timed with one rank' \
    scale "$tmp/threads.jsonl" --network "$network"
ok "no file" refuses 'scale takes files of records' scale
ok "ceilings take one number of ranks" refuses 'one number of ranks, 2 or more' ceilings --ranks 1,2

# --- by MPI itself ------------------------------------------------------------------------------------------------
if [ -x "${rungs%/*}/rungs-ranks" ] && command -v mpirun >/dev/null; then
    run ceilings --ranks 2 --quick
    ok "the network is measured" sees '^cpu network +4 MiB +2 +[0-9.]+ [GT]B/s'
    ok "... and messages" sees '^cpu message +8 B +2 +[0-9.]+ [num]s'
    run scale "$tmp/fits.jsonl"
    ok "... which scale then takes" sees 'Network: alpha [0-9.]+ [num]*s, beta [0-9.]+ GB/s; measured on 1 host, '
    ok "... and warns that it is that of one host" sees 'Both ranks were on one host'
    ok "its records are whole" python3 "$tests/tools/records.py" "$tmp"/empty/rungs/network-*.jsonl
    RUNGS_MPI=no-such-mpirun run ceilings --ranks 2 --quick
    ok "a network that cannot be measured" test "$status" -eq 4
    run scale "$tmp/fits.jsonl" # whether these records fit this network is not the question
    ok "... does not replace the one that was" sees 'Network: alpha [0-9.]+ [num]*s, beta '
    run bench saxpy/cpu_mpi --ranks 1,2 --quick --max-time 0.1 --size n=2^20 --out "$tmp/real.jsonl"
    ok "a variant's record says what it sends" grep -q '"sends":"nothing"' "$tmp/real.jsonl"
else
    skip "the network itself" "no MPI: mpicc and mpirun"
fi
finish
