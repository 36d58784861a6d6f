#!/bin/sh
# Variants whose threads Rungs cannot count after a call: a pool that was there before prepare, as NumPy's OpenBLAS has one,
# and threads that end with each call, as SciPy's do.  On a busy machine, where no two cores are theirs, they still count as
# variants on several cores.  One whose pool has nothing to do does not.
. tests/tools/tap.sh
. tests/languages/broken.sh
find_python
[ "$(nproc)" -gt 1 ] || { echo "1..0 # skip one processor"; exit 0; }

# variant NAME TRAITS RUN   saxpy/NAME, whose run has this body; NumPy leaves Python's lock while it computes
mkdir -p "$tmp/own/saxpy"
variant() {
    cat >"$tmp/own/saxpy/$1.py" <<END_OF_FILE
# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "two threads"
# traits = [$2]
# ///
from concurrent.futures import ThreadPoolExecutor
import numpy as np

pool = ThreadPoolExecutor(2)
list(pool.map(sum, [[1]] * 50))


def part(p, which):
    np.multiply(p.x[which], np.float32(p.a), out=p.z[which])
    np.add(p.z[which], p.y[which], out=p.z[which])


def run(p):
    halves = slice(p.n // 2), slice(p.n // 2, None)
    $3
END_OF_FILE
}
variant pool '' 'list(pool.map(part, (p, p), halves))'
variant idle_pool '' 'part(p, slice(None))'
variant ends '"cores"' 'with ThreadPoolExecutor(2) as own: list(own.map(part, (p, p), halves))'

# Twice as many programs as processors, as long as this test runs.
busy=
for _ in $(seq $((2 * $(nproc)))); do
    timeout 120 sh -c 'while :; do :; done' &
    busy="$busy $!"
done
# shellcheck disable=SC2086 # words are meant
{
    run bench saxpy/pool saxpy/idle_pool saxpy/ends --variants "$tmp/own" --quick --max-time 0.3 \
        --size n=1000000 --out "$tmp/busy.jsonl"
    kill $busy
}
cat "$tmp/out" "$tmp/err"

# counts VARIANT TEST   holds of its row r
counts() {
    python3 - "$tmp/busy.jsonl" "$1" "$2" <<'END_OF_FILE'
import json, sys
rows = [r for r in map(json.loads, open(sys.argv[1])) if r["record"] == "measurement" and not r.get("scale")]
r, = (r for r in rows if r["variant"] == sys.argv[2])
print(r["threads"], r["cores"], r["validation"])
assert eval(sys.argv[3])
END_OF_FILE
}
ok "the machine is busy: nothing has two cores" counts pool 'r["cores"] < 1.5'
ok "a pool from before prepare counts" counts pool 'r["threads"] >= 2'
ok "threads that end with each call count" counts ends 'r["threads"] >= 2'
ok "a pool that has nothing to do does not count" counts idle_pool 'r["threads"] == 1'

finish
