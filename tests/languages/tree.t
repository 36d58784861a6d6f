#!/bin/sh
# A worker is a tree of processes: one that it has started rests while others are measured, is counted, and ends with it.
. tests/tools/tap.sh
. tests/languages/broken.sh
find_python

verdicts py tests/languages/tree check


# --- counted ---------------------------------------------------------------------------------------------------
run bench saxpy/pool --variants tests/languages/tree --quick --max-time 0.3 --size n=20000 --out "$tmp/pool.jsonl"
ok "its processor time and memory are those of all its processes" python3 - "$tmp/pool.jsonl" <<'END'
import json, sys
row = [r for r in map(json.loads, open(sys.argv[1])) if r["record"] == "measurement"][0]
assert row["cores"] > 0.2, row["cores"]  # the worker itself computes for 2 % of the time; other programs take cores away
assert row["memory_bytes"] > 160e6, row["memory_bytes"]  # each of the two has 80 MB of its own
END

# --- at rest, and ended ------------------------------------------------------------------------------------------
# watch FILE   in $tmp/states, how often a process named rungs-spins was in which state while rungs ran; "left" if it is
# there afterwards
watch() {
    python3 - "$rungs" bench saxpy/leaves_child saxpy/cpu_naive --variants tests/languages/tree --quick --max-time 0.6 \
        --size n=100000 --out "$1" >"$tmp/states" <<'END'
import collections, glob, subprocess, sys, time
def spinning():
    for path in glob.glob("/proc/[0-9]*/comm"):
        try:
            if open(path).read() == "rungs-spins\n":
                return path[:-4] + "stat"
        except OSError:
            pass
run, seen, stat = subprocess.Popen(sys.argv[1:], stdout=2), collections.Counter(), None
while run.poll() is None:
    try:
        stat = stat or spinning()
        seen[open(stat).read().rsplit(")", 1)[1].split()[0] if stat else "none"] += 1
    except OSError:
        stat = None
    time.sleep(0.002)
time.sleep(0.2)
print(*seen.items(), "left" if spinning() else "gone")
END
}
for level in full none; do
    RUNGS_CONFINE=$level
    export RUNGS_CONFINE
    watch "$tmp/$level.jsonl" 2>/dev/null
    cat "$tmp/states"
    ok "a child that a variant leaves runs in its turns (RUNGS_CONFINE=$level)" grep -q "(.R., " "$tmp/states"
    ok "... and is stopped in those of others" grep -q "(.T., " "$tmp/states"
    ok "... and ended with its worker" grep -q "gone$" "$tmp/states"
done

finish
