#!/bin/sh
# A default bench goes through its tables three times, in new processes, and shows each once.
. tests/tools/tap.sh

set -f # patterns are the program's to expand
words="saxpy/cpu_[ns]* --size n=1000 --size n=2000 --max-time 1"

run bench $words --out "$tmp/two.jsonl"
cp "$tmp/out" "$tmp/two.out"
ok "two sizes" test "$status" = 0
ok "... are two tables" test "$(grep -c '^saxpy ' "$tmp/two.out")" = 2
ok "... in whole records" python3 "$tests/tools/records.py" "$tmp/two.jsonl"
ok "... of three passes each, one behind the other" python3 - "$tmp/two.jsonl" <<'END'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
kinds = [r["record"] for r in records]
blocks = [r for r in records if r["record"] == "block"]
turns = [(b["launch"], b["size"]["n"]) for b in blocks]
order = [turn for i, turn in enumerate(turns) if i == 0 or turn != turns[i - 1]]
assert order == [(launch, n) for launch in range(3) for n in (1000, 2000)], order
rows = [r for r in records if r["record"] == "measurement"]
assert len(rows) == 6 and kinds.index("measurement") > kinds.index("block"), kinds
for row in rows:
    e2e = row["phases"]["e2e"]
    taken = [sum(b["launch"] == launch and b["variant"] == row["variant"] and
                 b["size"] == row["size"] for b in blocks) for launch in range(3)]
    kept = [s["round_n"] + s["first_round"] for s in e2e["sittings"]]
    assert kept == taken and min(taken) >= 3, (kept, taken)
    lo, hi = e2e["stat"]["lo"], e2e["stat"]["hi"]
    rounds = iter(e2e["rounds"])
    for s in e2e["sittings"]:  # whatever the ranks, the middle of each is inside
        times = sorted(next(rounds) for _ in range(s["round_n"]))
        assert lo <= times[len(times) // 2] <= hi, (lo, times, hi)
END
ok "... in which no variant always follows the same one" python3 - "$tmp/two.jsonl" <<'END'
import json, sys
before, last = {}, {}
for b in map(json.loads, open(sys.argv[1])):
    if b["record"] == "block":
        cell = b["size"]["n"]
        before.setdefault((cell, b["variant"]), set()).add(last.get(cell))
        last[cell] = b["variant"]
assert len(before) == 6 and all(len(variants) >= 3 for variants in before.values()), before
END
ok "... and show says the same again" sh -c '
    "$rungs" show "$1/two.jsonl" | grep "^cpu_" >"$1/again"
    grep "^cpu_" "$1/two.out" | diff - "$1/again"' sh "$tmp"

run bench $words --quick --out "$tmp/one.jsonl"
ok "--quick is one pass" sh -c 'python3 "$tests/tools/records.py" "$1" && ! grep -q "\"launch\":1" "$1"' \
    sh "$tmp/one.jsonl"

run bench stencil/cpu_simd saxpy/cpu_simd --size M --max-time 0.2 --out "$tmp/held.jsonl"
ok "inputs and two more data sets, an output and a reference, and 20 MB beside them: who waits holds no more" python3 - \
    "$tmp/held.jsonl" <<'END'
import json, sys
end = [json.loads(line) for line in open(sys.argv[1])][-1]
assert 3e8 < end["held_bytes"] < end["peak_bytes"] < end["held_bytes"] + 20e6, end
END

status=0
"${rungs%/rungs}/rungs-broken" bench saxpy/right_where_checked saxpy/right --size n=1000 --max-time 1 \
    --out "$tmp/later.jsonl" >"$tmp/out" 2>"$tmp/err" || status=$?
ok "what is timed in a later pass is judged there" test "$status" = 1
ok "... and named" grep -q '^right_where_checked *wrong' "$tmp/out"
ok "... while who is right stays" grep -q '^right  *ok' "$tmp/out"

# A worker's threads may wait for work in a loop, on the processor of the worker that is being timed.
ok "a worker that is not being timed is stopped" python3 - "$rungs" "$tmp/still.jsonl" <<'END'
import subprocess, sys
bench = subprocess.Popen([sys.argv[1], "bench", "saxpy/cpu_naive", "saxpy/cpu_simd", "--size", "n=1000",
                          "--max-time", "1", "--out", sys.argv[2]], stdout=subprocess.DEVNULL)
states = []
while bench.poll() is None:
    try:
        workers = open(f"/proc/{bench.pid}/task/{bench.pid}/children").read().split()
        states.append("".join(sorted(open(f"/proc/{w}/stat").read().rsplit(") ")[1][0] for w in workers)))
    except OSError:
        pass
still = [s for s in states if len(s) == 2 and s.endswith("T")]
assert bench.returncode == 0, bench.returncode
assert 2 * len(still) > len([s for s in states if len(s) == 2]), {s: states.count(s) for s in states}
END

# Interrupted in the first pass, at the second size: what it has of both is shown, and nothing is a
# table on record yet.
python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$rungs" bench saxpy/cpu_[ns]* --size n=1000 --size n=2^22 \
    --max-time 2 --out "$tmp/int.jsonl" >"$tmp/out" 2>"$tmp/err" &
pid=$!
for _ in $(seq 600); do
    grep -q '"block".*"size":{"n":4194304}' "$tmp/int.jsonl" 2>/dev/null && break
    sleep 0.1
done
kill -INT $pid
status=0
wait $pid || status=$?
ok "interrupted in the first pass" test "$status" = 130
ok "... it shows the table that it has" grep -Eq '^cpu_naive +ok .* [nu]s ' "$tmp/out"
ok "... and the one in its middle" test "$(grep -c '^saxpy ' "$tmp/out")" = 2
ok "... as no measurement on record" sh -c '! grep -q "\"measurement\"" "$1"' sh "$tmp/int.jsonl"
ok "... and no worker is left" none_left

finish
