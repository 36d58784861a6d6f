#!/bin/sh
# rungs bench --resume: killed at any moment, it loses the block in flight at most, and goes on with the
# rest in the same order.
. tests/tools/tap.sh

words="saxpy/cpu_[ns]* matmul/cpu_[rt]* --max-time 0.4 --size S --seed 3" # in three passes
set -f # the words hold patterns, which are the program's to expand
well_formed() {
    python3 "$tests/tools/records.py" "$@"
}
bench() {
    file=$1
    shift
    run bench $words --resume "$file" "$@"
}

# --- one that nothing disturbs --------------------------------------------------------------------
run bench $words --out "$tmp/whole.jsonl"
cp "$tmp/out" "$tmp/whole.out"
ok "a whole run" test "$status" = 0
ok "its records are whole" well_formed "$tmp/whole.jsonl"
ok "a block a line: as many as the measurements have rounds" sh -c 'python3 - "$1" <<EOF
import collections, json, sys
blocks, measured = collections.Counter(), {}
for r in map(json.loads, open(sys.argv[1])):
    if r["record"] == "block":
        blocks[r["variant"]] += 1
        assert len(r["e2e"]) > 0, r
    if r["record"] == "measurement" and r["phases"]["e2e"]:
        e2e = r["phases"]["e2e"]
        measured[r["variant"]] = sum(s["first_round"] + s["round_n"] for s in e2e["sittings"])
assert measured and blocks == measured, (blocks, measured)
EOF' sh "$tmp/whole.jsonl"

# --- killed at random moments ---------------------------------------------------------------------
# Starts and kills it until it has been killed often enough, then lets it end.
cat >"$tmp/kills.py" <<'END'
import json, os, random, subprocess, sys, time

rungs, path, whole, *words = sys.argv[1:]
dice = random.Random(7)
deaths = 0
lines = []
reference = [json.loads(line) for line in open(whole)]
patience = reference[-1]["wall_ns"] / 3.5e9 # of a whole run, fast or slow; longer where others are at work


def start():
    go_on = ["--resume" if os.path.exists(path) else "--out", path]
    return subprocess.Popen([rungs, "bench", *words, *go_on], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def read():
    """Every line but the last, which a kill may have cut."""
    try:
        text = open(path).read()
    except FileNotFoundError:
        return []
    found = [json.loads(line) for line in text.split("\n")[:-1]]
    assert not found or found[0]["record"] == "run", found[0]
    return found


def blocks(records):
    return [json.dumps(r, sort_keys=True) for r in records if r["record"] == "block"]


while deaths < 15:
    process = start()
    time.sleep(dice.choice([0.02, 0.1, 0.5, 1.0, 1.5]) * dice.uniform(0.5, 1.5) * patience)
    process.kill()
    process.wait()
    deaths += 1
    now = read()
    if not now and not lines: # killed before the file was there
        subprocess.run(["rm", "-f", path])
        patience *= 1.2
        continue
    if len(blocks(now)) == len(blocks(lines)):
        patience *= 1.2
    assert blocks(now)[:len(blocks(lines))] == blocks(lines), "blocks are gone"
    lines = now
    shown = subprocess.run([rungs, "show", path], capture_output=True, text=True)
    assert shown.returncode == 0 or "contains no" in shown.stderr, shown.stderr
process = start()
error = process.communicate()[1]
assert process.returncode == 0, error


def cells(records):
    return sorted(json.dumps([r["problem"], r["variant"], r["label"], r["size"]])
                  for r in records if r["record"] == "measurement")


def order(records):
    """Whose turn it was, by round."""
    turns = {}
    for r in records:
        if r["record"] == "block":
            turns.setdefault((r["problem"], r["launch"], r["round"]), []).append(r["variant"])
    return turns


now = read()
assert cells(now) == cells(reference), (cells(now), cells(reference))
now_by, by = order(now), order(reference)
same = [turn for turn in by if sorted(by[turn]) == sorted(now_by.get(turn, []))] # no variant had left
assert all(by[turn] == now_by[turn] for turn in same), (by, now_by)
assert len([turn for turn in same if len(by[turn]) > 1]) >= 5, (by, now_by)
keys = [json.dumps([r[k] for k in ("problem", "variant", "size", "launch", "round")]) for r in now
        if r["record"] == "block"]
assert len(keys) == len(set(keys)), "a block was taken twice"
resumed = [r["resumed"] for r in now if r["record"] == "measurement"]
runs = sum(r["record"] == "run" for r in now)
print(f"# {runs} runs; blocks taken over by the last one of a row: {resumed}")
assert runs > 3 and any(resumed), "nothing was left to go on with"
END
ok "killed at 15 moments: the same cells, each once, in the same order" \
    timeout 600 python3 "$tmp/kills.py" "$rungs" "$tmp/killed.jsonl" "$tmp/whole.jsonl" $words
ok "... in whole records" well_formed "$tmp/killed.jsonl" resumed
ok "... and no worker is left" none_left
ok "... and compare knows that it was not interrupted in the end" shows cpu_naive \
    compare "$tmp/killed.jsonl"

# --- cut anywhere ---------------------------------------------------------------------------------
words="saxpy/cpu_[ns]* --quick --max-time 0.2 --size n=1000"
run bench $words --out "$tmp/short.jsonl"
# At a byte in each kind of line, where a kill within a write would leave it; the rest is made again.
cut_and_go_on() {
    python3 - "$tmp/short.jsonl" "$1" >"$tmp/cut.jsonl" <<'END' || return 1
import sys
kind, text = sys.argv[2], open(sys.argv[1]).read()
end = 0
for line in text.splitlines(keepends=True):
    if line.startswith('{"record":"%s"' % kind):
        break
    end += len(line)
else:
    raise SystemExit("no line of kind " + kind)
sys.stdout.write(text[:end + len(line) // 2])
END
    bench "$tmp/cut.jsonl"
    cat "$tmp/err"
    [ "$status" -eq 0 ] && python3 "$tests/tools/records.py" "$tmp/cut.jsonl" "${2:-resumed}" &&
        grep -q 'cpu_simd  *ok' "$tmp/out"
}
ok "cut in the first line: it begins anew" cut_and_go_on run whole
for kind in block measurement compare table end; do
    ok "cut in a line of kind $kind" cut_and_go_on $kind
done
: >"$tmp/empty.jsonl"
bench "$tmp/empty.jsonl"
ok "killed before the first line: it begins anew" well_formed "$tmp/empty.jsonl"

# --- nothing is left to do ------------------------------------------------------------------------
before=$(grep -c '"block"' "$tmp/short.jsonl")
bench "$tmp/short.jsonl"
ok "a whole file: nothing is measured" test "$(grep -c '"block"' "$tmp/short.jsonl")" = "$before"
ok "... its table is shown" sh -c 'test "$1" = 0 && grep -q "cpu_simd  *ok" "$2"' sh "$status" "$tmp/out"
ok "... and no row is there twice" well_formed "$tmp/short.jsonl" resumed

# --- a full disk ----------------------------------------------------------------------------------
# Of 8 KiB, where mounting one is allowed: the run ends with a line, and goes on elsewhere.
mkdir "$tmp/disk"
if unshare -rm mount -t tmpfs none "$tmp/disk" 2>/dev/null; then
    unshare -rm sh -c 'mount -t tmpfs -o size=8k none "$1" && tmp=$1 && shift && set -f
        "$rungs" bench "$@" --out "$tmp/full.jsonl"
        echo $? >"$tmp.status"
        cp "$tmp/full.jsonl" "$tmp.jsonl"' sh "$tmp/disk" $words >/dev/null 2>"$tmp/disk.err"
    ok "a full disk in mid-run: status 2" sh -c 'test "$(cat "$1")" = 2' sh "$tmp/disk.status"
    ok "... and one line" sh -c 'test "$(wc -l <"$1")" = 1 && grep -q "full.jsonl: No space" "$1"' sh \
        "$tmp/disk.err"
    ok "... after the blocks for which there was room" sh -c '{ python3 "$tests/tools/records.py" "$1" cut || python3 "$tests/tools/records.py" "$1"; } 2>/dev/null &&
        grep -q "\"block\"" "$1"' sh "$tmp/disk.jsonl"
    bench "$tmp/disk.jsonl"
    ok "... with which it goes on" sh -c 'python3 "$tests/tools/records.py" "$1" resumed &&
        grep "\"measurement\"" "$1" | grep -q "\"resumed\":[1-9]"' sh "$tmp/disk.jsonl"
else
    skip "a full disk" "mounting is not allowed here"
fi

# --- interrupted ----------------------------------------------------------------------------------
words="saxpy/cpu_[ns]* --size n=2^22 --max-time 1.5"
# An interactive shell lets its children have SIGINT; one that runs a script does not.
python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$rungs" bench $words --out "$tmp/int.jsonl" \
    >"$tmp/out" 2>"$tmp/err" &
pid=$!
for _ in $(seq 600); do
    [ "$(cat "$tmp/int.jsonl" 2>/dev/null | grep -c '"block"')" -ge 3 ] && break
    sleep 0.1
done
kill -INT $pid
status=0
wait $pid || status=$?
ok "Ctrl-C ends it with status 130, and says how to continue" sh -c '
    test "$1" = 130 && grep -q "interrupted; continue with --resume $2/int.jsonl" "$2/err"' \
    sh "$status" "$tmp"
ok "... in whole records" well_formed "$tmp/int.jsonl"
bench "$tmp/int.jsonl"
ok "... and it does go on" sh -c 'python3 "$tests/tools/records.py" "$1" resumed &&
    grep "\"measurement\"" "$1" | grep -q "\"resumed\":[1-9]"' sh "$tmp/int.jsonl"

# --- what does not fit ----------------------------------------------------------------------------
words="saxpy/cpu_[ns]* --quick --max-time 0.2 --size n=1000"
cp "$tmp/short.jsonl" "$tmp/kept"
ok "other words" refuses 'short.jsonl: made by "rungs bench .saxpy.*"; repeat this command with --resume' \
    bench $words --size n=2000 --resume "$tmp/short.jsonl"
ok "another seed" refuses 'made with --seed 1, not 2' bench $words --seed 2 --resume "$tmp/short.jsonl"
ok "--out beside --resume" refuses '--resume continues its own file' \
    bench $words --resume "$tmp/short.jsonl" --out "$tmp/x.jsonl"
ok "... leave the file as it was" cmp "$tmp/kept" "$tmp/short.jsonl"
sed 's/"commit":"[^"]*"/"commit":"abc1234"/' "$tmp/kept" >"$tmp/older.jsonl"
ok "another program" refuses 'older.jsonl: made with commit abc1234, not ' \
    bench $words --resume "$tmp/older.jsonl"
sed 's/"cpu":"[^"]*"/"cpu":"Abacus"/' "$tmp/kept" >"$tmp/elsewhere.jsonl"
ok "another machine" refuses 'elsewhere.jsonl: made under other conditions: processor Abacus and ' \
    bench $words --resume "$tmp/elsewhere.jsonl"
sed '2s/"reps":[0-9]*/"reps":0/' "$tmp/kept" >"$tmp/wrong.jsonl"
ok "a block that is none" refuses 'wrong.jsonl:2: a block with 0 cycles' \
    bench $words --resume "$tmp/wrong.jsonl"
ok "no file" refuses 'none.jsonl: No such file' bench saxpy --resume "$tmp/none.jsonl"
ok "not for every command" refuses '--resume is an option of bench and sweep, not of check' \
    check saxpy --resume "$tmp/short.jsonl"
"$rungs" bench $words --size n=2^20 --max-time 3 --out "$tmp/busy.jsonl" >/dev/null 2>&1 &
pid=$!
for _ in $(seq 600); do
    [ -s "$tmp/busy.jsonl" ] && break
    sleep 0.1
done
kill -STOP $pid # or it may have ended before the other begins
ok "a file that another run is writing to" refuses 'busy.jsonl: another run is writing to it' \
    bench $words --resume "$tmp/busy.jsonl"
kill -9 $pid
wait $pid 2>/dev/null

# --- of ten passes --------------------------------------------------------------------------------
words="saxpy/cpu_naive saxpy/cpu_simd --thorough --max-time 0.06 --size n=1000"
run bench $words --out "$tmp/passes.jsonl"
python3 - "$tmp/passes.jsonl" >"$tmp/half.jsonl" <<'END'
import json, sys
for line in open(sys.argv[1]):
    r = json.loads(line)
    if r["record"] == "block" and r["launch"] > 6 or r["record"] == "measurement":
        break
    sys.stdout.write(line)
END
bench "$tmp/half.jsonl"
ok "each pass goes on where it was" sh -c 'python3 - "$1" "$2" <<EOF
import json, sys
half, whole = [[json.loads(line) for line in open(path)] for path in sys.argv[1:]]
def passes(records):
    found = {}
    for r in records:
        if r["record"] == "measurement":
            e2e = r["phases"]["e2e"]
            rounds = iter(e2e["rounds"])
            found[r["variant"]] = [[next(rounds) for _ in range(p["round_n"])] for p in e2e["sittings"]]
    return found
now, then = passes(half), passes(whole)
assert {r["launch"] for r in half if r["record"] == "block"} == set(range(10))
assert now.keys() == then.keys() and len(now) == 2
for variant in now:
    assert len(now[variant]) == 10 and all(now[variant]), now
    for a, b in zip(sum(now[variant][:7], []), sum(then[variant][:7], [])):
        assert abs(a - b) <= 1e-6 * b + 0.002, (variant, a, b)
    assert [len(p) for p in now[variant][:7]] == [len(p) for p in then[variant][:7]]
EOF' sh "$tmp/half.jsonl" "$tmp/passes.jsonl"

finish
