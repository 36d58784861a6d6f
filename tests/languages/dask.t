#!/bin/sh
# Variants on Dask: they are right, rest while others are measured, scale beside C and MPI, and leave nothing.
# Then knn out of core, of which a process is killed.
. tests/tools/tap.sh
. tests/languages/broken.sh

find_python
"$RUNGS_PYTHON" -c 'import dask, distributed, scipy' 2>/dev/null || {
    skip "variants on Dask" 'make python GROUPS="core cluster"'
    finish
    exit 0
}
mkdir "$tmp/files"
TMPDIR=$tmp/files
export TMPDIR

ok "they are right at all check sizes" exits 0 check 'knn/py_dask*' 'stencil/py_dask' --ranks 2 --timeout 60
if grep -q "needs namespaces" "$tmp/out"; then
    skip "the rest" "this machine gives no namespaces"
    finish
    exit 0
fi

# What this machine has besides: Spark, and CUDA variants, which are rows without a GPU, too.
more=
command -v java >/dev/null && "$RUNGS_PYTHON" -c 'import pyspark' 2>/dev/null && more=knn/py_spark_once
"$rungs" list knn/cuda_naive --names >/dev/null 2>&1 && more="$more knn/cuda_naive"

# Notes the states of processes that Dask has started, once in 5 ms, while the variants take turns.
# shellcheck disable=SC2086 # words
python3 - "$rungs" bench knn/cpu_simd_openmp knn/cpu_mpi knn/py_dask stencil/cpu_simd_openmp stencil/cpu_mpi stencil/py_dask $more \
    --ranks 1,2 --size S --quick --max-time 120 --timeout 60 --format json --out "$tmp/run.jsonl" >"$tmp/states" 2>"$tmp/err" <<'END'
import collections, glob, os, subprocess, sys, time
mine_alone = "RUNGS_TEST=" + os.environ["RUNGS_TEST"] # other tests may start Dask at the same time
def of_dask():
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            if "multiprocessing.spawn" in open(path).read() and mine_alone in open(path[:-7] + "environ").read().split("\0"):
                yield path[:-7] + "stat"
        except OSError:
            pass
def state(stat):
    try:
        return open(stat).read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return None
before = set(of_dask())
run, seen, turn = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL), collections.Counter(), 0
while run.poll() is None:
    mine = set(of_dask()) - before if turn % 20 == 0 else mine
    turn += 1
    seen.update(map(state, mine))
    time.sleep(0.005)
left = [s for s in set(of_dask()) - before if state(s)]
print(*seen.items(), "left" if left else "gone")
END
cat "$tmp/states"
ok "their processes run in their turns" grep -q "('[SR]'" "$tmp/states"
ok "... are stopped in those of others" grep -q "('T'" "$tmp/states"
ok "... and end with the worker" grep -q "gone$" "$tmp/states"
ok "no folder is left" test -z "$(ls "$TMPDIR")"
ok "rows of C, CUDA, MPI, Dask and Spark stand in one table, by the number of processes" python3 - "$tmp/run.jsonl" $more <<'END'
import json, sys
rows = [r for r in map(json.loads, open(sys.argv[1])) if r["record"] == "measurement"]
for problem in "knn", "stencil":
    here = {(r["variant"], (r["scale"] or {}).get("ranks")): r for r in rows if r["problem"] == problem}
    print(*here)
    assert ("cpu_simd_openmp", None) in here
    for variant in sys.argv[2:] if problem == "knn" else []:
        row = here[variant[4:], 1 if "spark" in variant else None]
        assert row["validation"]["status"] in ("ok", "no device"), row["validation"]
    for ranks in 1, 2:
        row = here["py_dask", ranks]
        assert row["engine"] == "dask" and row["validation"]["status"] == "ok", row["validation"]
        assert all(row["phases"][phase] for phase in ("upload", "run", "download", "e2e")), row["phases"]
        assert "engine" in row["flags"], row["flags"]
        assert not any(v == "cpu_mpi" for v, _ in here) or ("cpu_mpi", ranks) in here
    assert all(r["engine"] is None for (v, _), r in here.items() if not v.startswith("py_"))
END
run show "$tmp/run.jsonl"
for row in cpu_simd_openmp py_dask@1 py_dask@2; do
    ok "... $row in both tables" test "$(grep -c "^$row  *ok" "$tmp/out")" = 2
done
ok "... with the flag that an engine has" grep -q "^py_dask@2 .*E" "$tmp/out"

# --- out of core -----------------------------------------------------------------------------------------------
# 10^7 observations in 40 parts, each of which is judged; a process is killed when a third of them is done.
parts() {
    PYTHONPATH=${BUILD:-build} timeout 240 "$RUNGS_PYTHON" tests/languages/cluster/parts_dask.py "$tmp/parts" --parts 40 \
        --count 250000 --references 256 "$@" >"$tmp/line" 2>"$tmp/dask"
}
ok "knn out of core, with a process killed meanwhile" parts --kill
cat "$tmp/line"
ok "... is complete, and right part by part" grep -q "^40 of 40 parts .*; 40 judged right; .*; killed process" "$tmp/line"
touch "$tmp/complete"
ok "... Dask has noticed the killed one" grep -q "Restarting worker" "$tmp/dask"
ok "... and no process is left" test -z "$(pgrep -f "rungs serve knn/cpu_simd --size m=250000,n=256,k=1")"
rm "$tmp/parts/answers/000007.npz"
ok "a second start answers what is missing" parts
ok "... and nothing else" test "$(find "$tmp/parts/answers" -newer "$tmp/complete" -name '*.npz' | wc -l)" = 1
finish
