#!/bin/sh
# rungs selftest placement: a variant whose time depends on its address is found, and the table and the record agree.
. tests/tools/tap.sh

mkdir -p "$tmp/mine/saxpy"
cat >"$tmp/mine/saxpy/cpu_placed.c" <<'END'
/*
 * saxpy / cpu_placed
 *
 * Idea     Six passes if its code lies 640 bytes or more behind the start of a page.
 * Against  Nothing.
 * Expect   Some of eight layouts take six times as long.
 * Try      Nothing.
 * Level    1
 * Read     nothing else
 */
#include <stdint.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const volatile uintptr_t place = (uintptr_t)run & 4095;

    for (int pass = 0; pass < (place >= 640 ? 6 : 1); pass++)
        for (size_t i = 0; i < p->n; i++)
            ((volatile float *)p->z)[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "slower at some addresses", .run = run)
END
ok "the variant is built" exits 0 build "$tmp/mine/saxpy/cpu_placed.c"

placed() {
    rm -f "$tmp/placed.jsonl"
    run --variants "$tmp/mine" selftest placement saxpy/cpu_placed --size n=40000 --max-time "$1" --out "$tmp/placed.jsonl"
    cat "$tmp/out" "$tmp/err"
    [ "$status" -eq 1 ] && grep -Eq '^cpu_placed .* depends on its layout$' "$tmp/out" &&
        grep -q '1 depend on the layout: FAILED' "$tmp/out"
}
found() {
    placed 0.3 || placed 2
}
ok "a variant whose time depends on its address is found" found
ok "... on record as well" python3 - "$tmp/placed.jsonl" <<'END'
import json, sys
r = [r for r in map(json.loads, open(sys.argv[1])) if r["record"] == "selftest"]
assert len(r) == 1 and r[0]["verdict"] == "depends on its layout" and r[0]["spread"] > 1 > r[0]["copies_spread"], r
assert abs(r[0]["most_s"] / r[0]["least_s"] - 1 - r[0]["spread"]) < 1e-6, r
END

usual() {
    run selftest placement saxpy/cpu_naive --size n=40000 --max-time 0.3 --out "$tmp/usual.jsonl"
    cat "$tmp/out" "$tmp/err"
    [ "$status" -ne 2 ] && grep -Eq '^cpu_naive .* (same|unresolved|depends on its layout)$' "$tmp/out"
}
ok "a variant of the tree gets its row" usual
ok "a variant of a card is refused or left out" exits 2 selftest placement saxpy/cuda_naive
finish
