#!/bin/sh
# What the machine can do: measured, kept for this machine alone, and shown beside every time.
. tests/tools/tap.sh

cd "$tmp" || exit 1
brief="--quick --max-time 0.1 --size n=64"
bench() {
    "$rungs" bench saxpy/cpu_simd matmul/cpu_naive $brief --out "$tmp/$1" 2>&1
}

# --- the command line -----------------------------------------------------------------------------
ok "it takes no variants" refuses 'ceilings takes no variants: it measures the machine' ceilings saxpy
ok "... and no sizes" refuses '--size is an option of .*, not of ceilings' ceilings --size S
ok "help" shows '^usage: rungs ceilings' ceilings --help
: >"$tmp/there"
ok "a file that exists is left alone, before anything is measured" \
    refuses 'there: exists already' ceilings --out "$tmp/there"
ok "... as it was" test ! -s "$tmp/there"

# --- before --------------------------------------------------------------------------------------
not_known() {
    bench "$1" >"$tmp/out" && cat "$tmp/out" &&
        grep -q '^There is no column "% of peak"' "$tmp/out" && ! grep -q 'cache$\|memory\|arithmetic' "$tmp/out" &&
        grep -q '"limit":{"run":null,"e2e":null}' "$tmp/$1"
}
ok "without them, tables have no share of peak and say how to get it" not_known before.jsonl

# --- measuring -----------------------------------------------------------------------------------
begin=$(date +%s)
ok "they are measured" exits 0 ceilings --quick
took=$(($(date +%s) - begin))
ok "... in less than a minute ($took s)" test $took -lt "$(patience 60)"
cp out table
file=$(ls "$XDG_CACHE_HOME"/rungs/ceilings-*)
ok "... into one file of the user's cache folder" test "$(ls "$XDG_CACHE_HOME/rungs")" = "$(basename "$file")"
ok "... and not into this folder" test ! -e results
ok "... of whole records" python3 "$tests/tools/records.py" "$file"
ok "... named as in them" sh -c 'grep -q "\"fingerprint\":\"$(echo "$1" |
    sed "s/.*ceilings-\([0-9a-f]*\)-[0-9a-f]*.jsonl/\1/")\"" "$1"' sh "$file"
for line in 'cpu memory +16 KiB +1 +[0-9.]+ [GT]B/s' 'cpu memory +512 MiB +1 +[0-9.]+ GB/s' \
    'cpu arithmetic +- +1 +[0-9.]+ [GT]FLOP/s'; do
    ok "the table has $line" grep -Eq "^$line" table
done
plausible() {
    python3 - "$file" <<'EOF'
import json, sys
ceilings = [json.loads(line) for line in open(sys.argv[1])]
ceilings = [c for c in ceilings if c["record"] == "ceiling" and c["device"] == "cpu"]
assert all(c["status"] == "ok" and c["best"] >= c["median"] > 0 for c in ceilings), ceilings
def best(resource, bytes, cores):
    return max(c["best"] for c in ceilings
               if (c["resource"], c["bytes"], c["cores"]) == (resource, bytes, cores))
cores = max(c["cores"] for c in ceilings)
assert best("memory", 2**14, 1) > 1.5 * best("memory", 2**29, 1), "no cache is faster than memory"
assert 0.5e9 < best("memory", 2**29, 1) < 1e12
assert 1e9 < best("arithmetic", 0, 1) < 1e12
assert best("arithmetic", 0, cores) < 1.5 * cores * best("arithmetic", 0, 1)
EOF
}
case ${BUILD:-build} in
build) ok "what they say of the processor is plausible" plausible ;;
*) skip "what they say of the processor is plausible" "not in a build that is made for debugging" ;;
esac
if grep -q '^gpu ' table; then
    if [ -e /dev/nvidiactl ]; then
        skip "a device that is not there is a row with the reason" "there is one"
    else
        ok "a device that is not there is a row with the reason" grep -Eq '^gpu .*no device .*CUDA' table
    fi
else
    skip "a device that is not there is a row with the reason" "built without CUDA"
fi

# --- kept ----------------------------------------------------------------------------------------
cp "$file" kept
ok "--if-missing finds them" shows '^cpu arithmetic' ceilings --if-missing
ok "... and measures nothing" cmp "$file" kept
# widened FACTOR   the interval of the first ceiling that is no memory's gets this half width, all others 1 %
widened() {
    python3 - kept "$file" "$1" <<'END'
import json, sys
of, to, factor = sys.argv[1:]
with open(of) as kept, open(to, "w") as out:
    for line in kept:
        row = json.loads(line)
        if row["record"] == "ceiling" and row["status"] == "ok":
            wide = float(factor) if row["resource"] != "memory" and row["device"] == "cpu" else 0.01
            factor = 0.01 if wide != 0.01 else factor
            row["lo"], row["hi"] = row["median"] * (1 - wide), row["median"] * (1 + wide)
        out.write(json.dumps(row, separators=(",", ":")) + "\n")
END
}
widened 1.1
ok "one whose interval is wide is named" shows '^UNCERTAIN: the interval of 1 ceiling is wider than [+]- 25 % ' ceilings --if-missing
widened 0.2
ok "... and one of 20 % is not" sh -c '"$rungs" ceilings --if-missing >said 2>&1 && grep -q "20.0%" said && ! grep UNCERTAIN said'
cp kept "$file"
ok "as JSON" sh -c '"$rungs" ceilings --once --format json | python3 -c "
import json, sys
assert all(json.loads(line)[\"record\"] == \"ceiling\" for line in sys.stdin)"'
ok "as CSV" sh -c '"$rungs" ceilings --if-missing --format csv | python3 -c "
import csv, sys
rows = list(csv.DictReader(sys.stdin))
assert rows and all(None not in row.values() for row in rows)"'
ok "as Markdown" shows '^\| cpu arithmetic +\|' ceilings --if-missing --format md

# --- shown ----------------------------------------------------------------------------------------
limited() {
    rm -f after.jsonl
    bench after.jsonl >"$tmp/out" && cat "$tmp/out" &&
        grep -Eq '^cpu_simd .* [0-9.]+% (cache|memory) ' "$tmp/out" &&
        grep -Eq '^cpu_naive .* [0-9.]+% arithmetic ' "$tmp/out" &&
        tr '\n' ' ' <"$tmp/out" | grep -q "  % of peak  .* >100%: .*Peaks of this machine: $1"
}
ok "tables have shares of peak" limited "$file"
mkdir elsewhere results
ok "... in any folder" sh -c 'cd elsewhere && "$rungs" ceilings --if-missing | grep -q "^cpu arithmetic"'
mv "$file" results/ceilings-x.jsonl
ok "... but not under another name" not_known named.jsonl
here=results/$(basename "${file%-*}").jsonl
mv results/ceilings-x.jsonl "$here"
ok "... and those that lie in results/ are found" limited "$here"
ok "... by --if-missing, too" shows '^results/ceilings-' ceilings --if-missing
mv "$here" "$file"
recorded() {
    python3 "$tests/tools/records.py" after.jsonl && python3 - <<'EOF'
import json
rows = [json.loads(line) for line in open("after.jsonl")]
rows = [row for row in rows if row["record"] == "measurement" and row["phases"]["e2e"]]
assert rows
for row in rows:
    limit = row["limit"]["e2e"]
    assert limit == row["limit"]["run"] # on the CPU
    assert abs(limit["share"] / (limit["floor_ns"] / row["phases"]["e2e"]["stat"]["median"]) - 1) < 0.01
    assert limit["name"] in ("cache", "memory", "arithmetic")
    assert 0 < limit["share"]
EOF
}
ok "... and so do records" recorded
ok "... and CSV" sh -c '"$rungs" bench saxpy/cpu_simd --quick --max-time 0.05 --size n=999 --format csv \
    --out csv.jsonl | python3 -c "
import csv, sys
for row in csv.DictReader(sys.stdin):
    assert row[\"limit\"] == row[\"run_limit\"] == \"cache\" and float(row[\"of_limit\"]) > 0, row"'
ok "an index is not compared with the work that it does without" sh -c '
    "$rungs" bench knn/cpu_index --quick --max-time 0.2 --size S --out index.jsonl |
    grep -E "^cpu_index .* [0-9.]+% (cache|memory)"'

# --- not to be trusted ----------------------------------------------------------------------------
# distrusts REASON NAME   one line says why, and the tables have none
distrusts() {
    not_known "$2" && grep -Eq "^rungs: $file.*: $1.*measure again" "$tmp/out"
}
sed 's/"fingerprint":"./"fingerprint":"x/' kept >"$file"
ok "another machine's are not used" distrusts 'line 2 is not a ceiling of this machine' foreign.jsonl
sed 's/"variant_flags":"/&-O7 /' kept >"$file"
ok "nor those of another build" distrusts 'was measured by another build' build.jsonl
grep -v '"name":"cpu_fma"' kept >"$file"
ok "nor those that do not know all that is to be known" distrusts 'has no cpu_fma' fewer.jsonl
sed '$d' kept >"$file"
ok "nor are those of a run that was killed" distrusts 'is incomplete: it has no end' cut.jsonl
echo nonsense >>"$file"
ok "nor is nonsense" distrusts 'not JSON' nonsense.jsonl
: >"$file"
ok "nor is an empty file" distrusts 'is empty' empty.jsonl
mv kept "${file%-*}-0123456789abcdef.jsonl"
rm "$file"
ok "a file of another name, as that of another build, is not even looked at" not_known other.jsonl

# --- interrupted ----------------------------------------------------------------------------------
echo "older" >"$file"
left_in_the_middle() {
    python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$rungs" ceilings >"$tmp/out" 2>&1 &
    sleep 1
    kill -INT $!
    status=0
    wait $! || status=$?
    cat "$tmp/out"
    ls "${file%/*}"
    [ $status -eq 130 ] && [ "$(cat "$file")" = older ] && ! ls "${file%/*}" | grep new
}
ok "an interrupted run leaves the older file, and nothing of its own" left_in_the_middle
ok "... and no worker" none_left
rm -r "$XDG_CACHE_HOME"
: >"$XDG_CACHE_HOME"
ok "where nothing can be written, one line says so" refuses '/cache/: Not a directory$' ceilings

finish
