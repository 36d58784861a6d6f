#!/bin/sh
# Every variant is right at every check size, and every file under variants/ is a variant.
. tests/tools/tap.sh

verdicts=$tmp/verdicts.json

ok "check ends with status 0" exits 0 check --format json
cp "$tmp/out" "$verdicts"

every_variant_is_right() {
    python3 - "$verdicts" <<'EOF'
import json, sys
bad = 0
for line in open(sys.argv[1]):
    row = json.loads(line)
    name, v = row["problem"] + "/" + row["variant"], row["validation"]
    right = v["status"] == "ok" and v["check_sizes_ok"] > 0 and 0 <= v["error_over_limit"] <= 1
    absent = v["status"] in ("refused", "no device") and v["reason"] and v["check_sizes_ok"] == 0
    if not (right or absent):
        bad = 1
        print(name, v)
sys.exit(bad)
EOF
}
ok "each is right, or says why it cannot be" every_variant_is_right
ok "... and those of knn name float64's neighbours (exact.t has other seeds)" python3 tests/tools/exact.py "$verdicts"

# Of a problem, all variants meet the same sizes: passed and refused ones add up.
sizes_add_up() {
    python3 - "$verdicts" <<'EOF'
import collections, json, sys
sums = collections.defaultdict(set)
for line in open(sys.argv[1]):
    row = json.loads(line)
    v = row["validation"]
    if v["status"] != "no device":
        sums[row["problem"]].add(v["check_sizes_ok"] + v["check_sizes_refused"])
print(dict(sums))
sys.exit(not sums or any(len(s) != 1 or min(s) < 5 for s in sums.values()))
EOF
}
ok "each has met every size" sizes_add_up

# --- files and rungs ------------------------------------------------------------------------------
"$rungs" list --format json >"$tmp/list"
python3 -c 'import json, sys
for line in sys.stdin: print(json.loads(line)["path"])' <"$tmp/list" | grep -E "[.]cu?$" | sort >"$tmp/listed"
ls variants/*/*.c variants/*/*.cu 2>/dev/null | sort >"$tmp/files"
# What this machine lacks the library, the instructions or the compiler for.
make -pn 2>/dev/null >"$tmp/make"
sed -n 's/^LEFT_OUT *:*= *//p' "$tmp/make" | tr ' ' '\n' >"$tmp/left-out"
grep -Eq '^CUDA *:*= *[^ ]' "$tmp/make" || ls variants/*/*.cu >>"$tmp/left-out" 2>/dev/null
sort -o "$tmp/left-out" "$tmp/left-out"
comm -23 "$tmp/files" "$tmp/left-out" >"$tmp/expected"

ok "there are variants" test -s "$tmp/listed"
ok "list shows every file of variants/, and nothing else" diff "$tmp/expected" "$tmp/listed"
python3 -c 'import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(row["problem"] + "/" + row["variant"])' <"$verdicts" | sort >"$tmp/checked"
python3 -c 'import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(row["problem"] + "/" + row["variant"])' <"$tmp/list" | sort >"$tmp/names"
ok "check has looked at every one" diff "$tmp/names" "$tmp/checked"

# --- again ----------------------------------------------------------------------------------------
# The same seed gives the same data, and the same errors to the last digit.  What is drawn when the
# answer is in, each time anew, is another matter.
some="saxpy/c*_naive saxpy/cpu_* knn/cpu_naive"
errors() {
    ${on_one:-} "$rungs" check $some "$@" --format json | python3 -c 'import json, sys
for line in sys.stdin:
    row = json.loads(line)
    row["validation"].pop("draw", None)
    print(row["variant"], row["validation"])'
}
errors --seed 7 >"$tmp/first"
errors --seed 7 >"$tmp/second"
errors --seed 8 >"$tmp/third"
ok "the same seed, the same errors" cmp "$tmp/first" "$tmp/second"
ok "another seed, other errors" sh -c '! cmp -s "$1" "$2"' sh "$tmp/first" "$tmp/third"
# Data and references are made on all processors, and must not depend on how many those are.
cat >"$tmp/on_one" <<'EOF'
#!/usr/bin/env python3
import os, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.execv(sys.argv[1], sys.argv[1:])
EOF
chmod +x "$tmp/on_one"
some=*/cpu_naive
errors --seed 7 >"$tmp/first"
on_one=$tmp/on_one
errors --seed 7 >"$tmp/second"
on_one=
ok "one processor or all, the same errors" cmp "$tmp/first" "$tmp/second"
some="saxpy/c*_naive saxpy/cpu_* knn/cpu_naive"
for seed in 0 2 9007199254740991; do
    ok "seed $seed" exits 0 check $some --seed $seed
done
ok "more threads than cores" exits 0 check saxpy/cpu_openmp knn/cpu_openmp --threads 7
# The check sizes have too few pieces for two threads to be at it at once each time.
ok "threads that hand on a place 256 times" exits 0 check compact/cpu_simd_openmp --size M --threads 4

finish
