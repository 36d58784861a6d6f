#!/bin/sh
# The first variant of a ladder, where a call takes longer than --max-time: timed once, judged, and marked.
. tests/tools/tap.sh

# A call of cpu_naive takes seconds here, one of cpu_reorder a tenth of that.
run bench 'matmul/cpu_[nr]*' --size m=1024,n=1024,k=1024 --max-time 0.6 --out "$tmp/once.jsonl"
ok "the first of the ladder has a time" grep -Eq '^cpu_naive +ok +[0-9.]+ +[0-9.]+ m?s +- .* [A-Z]*1$' "$tmp/out"
# With one round on the one side, only a factor above 10 is conclusive.
ok "... and others a factor against it, inconclusive if it is small" grep -Eq '^cpu_reorder +ok .* ([0-9.]+\?|[1-9][0-9]+(\.[0-9]+)?) ' "$tmp/out"
ok "... explained below the table" grep -q 'flag 1  *single_call: timed by a single call' "$tmp/out"
ok "... in whole records" python3 "$tests/tools/records.py" "$tmp/once.jsonl"
ok "... of one call in three passes" python3 - "$tmp/once.jsonl" <<'END'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
row = {r["variant"]: r for r in records if r["record"] == "measurement"}
naive, other = row["cpu_naive"], row["cpu_reorder"]
assert naive["stop"] == "single_call" and "single_call" in naive["flags"], naive
assert naive["validation"]["status"] == "ok" and len(naive["phases"]["e2e"]["rounds"]) == 1, naive
assert naive["validation"]["error_over_limit"] > 0  # it was judged
assert other["stop"] != "single_call" and len(other["phases"]["e2e"]["sittings"]) == 3, other
END
ok "... and show says the same again" sh -c '
    "$rungs" show "$1/once.jsonl" | grep "^cpu_" >"$1/again"
    grep "^cpu_" "$1/out" | diff - "$1/again"' sh "$tmp"

run bench 'matmul/cpu_[tr]*' --size m=2048,n=2048,k=2048 --max-time 0.05
ok "one that improves on another is skipped" grep -Eq '^cpu_reorder +skipped +predicted' "$tmp/out"

mkdir -p "$tmp/own/saxpy"
cat >"$tmp/own/saxpy/wrong_when_large.c" <<'END'
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + (p->n < 1 << 20 ? p->y[i] : 0.0f);
}

VARIANT(.idea = "wrong at sizes that no check has", .run = run)
END
"$rungs" build "$tmp/own/saxpy/wrong_when_large.c" >"$tmp/built" 2>&1 || cat "$tmp/built"
run bench saxpy/wrong_when_large saxpy/cpu_naive --variants "$tmp/own" --quick --size n=2^24 --max-time 0.0005
ok "a wrong answer of the single call is found" grep -q '^wrong_when_large *wrong' "$tmp/out"
ok "... and costs others nothing" grep -Eq '^cpu_naive +ok .* [A-Z]*1$' "$tmp/out"

# 30 ms for anything: taken to grow with the size, they would be predicted to be 31 s, and the second pilot too long.
cat >"$tmp/own/saxpy/constant.c" <<'END'
#include <time.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const struct timespec pause = {.tv_nsec = 30000000};

    nanosleep(&pause, NULL);
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "waits first", .run = run)
END
"$rungs" build "$tmp/own/saxpy/constant.c" >"$tmp/built" 2>&1 || cat "$tmp/built"
run bench saxpy/constant --variants "$tmp/own" --quick --size n=2^24 --max-time 0.15
ok "a constant part of the time does not exclude a variant" grep -Eq '^constant +ok' "$tmp/out"

finish
