#!/bin/sh
# rungs run: if the variants that it has chosen give no answer, it names one that it did not try.
. tests/tools/tap.sh

mkdir -p "$tmp/mine/saxpy"
# variant NAME LOOP   of which LOOP comes first
variant() {
    cat >"$tmp/mine/saxpy/$1.c" <<END
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    $2
        ;
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "$1", .run = run)
END
    exits 0 build "$tmp/mine/saxpy/$1.c"
}
ok "one that does not end on all of the data" variant cpu_hangs 'for (volatile size_t i = 0; p->n == 20000000; i++)'
ok "one that is predicted to be slow" variant cpu_slow 'for (volatile size_t i = 0; i < 300 * p->n; i++)'
python3 - "$tmp/x.npy" <<'END'
import struct, sys
count = 20000000
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % count
head += " " * (63 - (len(head) + 10) % 64) + "\n"
open(sys.argv[1], "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<f", 1) * count)
END

names() {
    run --variants "$tmp/mine" run saxpy/cpu_hangs saxpy/cpu_slow --x "$tmp/x.npy" --y "$tmp/x.npy" --timeout 2
    cat "$tmp/out" "$tmp/err"
    [ "$status" -eq 1 ] && grep -q 'name another, e.g. rungs run saxpy/cpu_slow, or give calls more time' "$tmp/err" &&
        grep -Eq '^saxpy/cpu_hangs .*timeout: ' "$tmp/out" && ! grep -q '^saxpy/cpu_slow' "$tmp/out"
}
ok "neither the one that was tried nor the other is forgotten" names
finish
