#!/bin/sh
# Variants on a GPU in Python, with a driver that computes nothing (fake_gpu.c): which times are true is found out, and the
# row says why the others are not.
. tests/tools/tap.sh
. tests/languages/broken.sh
find_python

mkdir -p "$tmp/driver"
${CC:-cc} -shared -fPIC -o "$tmp/driver/libcuda.so.1" tests/languages/fake_gpu.c -lpthread || exit 1
LD_LIBRARY_PATH=$tmp/driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

mkdir -p "$tmp/caches"
TMPDIR=$tmp/caches
export TMPDIR
verdicts py tests/languages/gpu bench --all --quick --max-time 0.1 --out "$tmp/all.jsonl"

RUNGS_VARIANTS=tests/languages/gpu
export RUNGS_VARIANTS
run bench saxpy/right --quick --max-time 0.1 --out "$tmp/right.jsonl"
ok "the run is timed to its end" python3 - "$tmp/right.jsonl" <<'END'
import json, sys
rows = [r for r in map(json.loads, open(sys.argv[1])) if r["record"] == "measurement"]
phases = rows[0]["phases"]
assert phases["run"]["stat"]["median"] > 1e6 > phases["download"]["stat"]["median"], phases  # nanoseconds
assert phases["run"]["timer"] == "host_idle" and "host_clock" in rows[0]["flags"], rows[0]["flags"]
END
ok "... and its row says by which clock" grep -Eq '^right +ok .*H' "$tmp/out"
ok "their folders for caches are gone" sh -c '[ -z "$(ls -A "$1")" ]' sh "$TMPDIR"

shown() {
    "$rungs" show "$tmp/right.jsonl" | grep '^right ' && [ "$("$rungs" show "$tmp/right.jsonl" | grep '^right ')" = "$(grep '^right ' "$tmp/out")" ]
}
ok "... which show prints again" shown

finish
