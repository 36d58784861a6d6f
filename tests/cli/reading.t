#!/bin/sh
# What a reader must know and open: the lines Level and Read at the head of each variant, and what `rungs list` makes of them.
. tests/tools/tap.sh
tools=$PWD/tests/tools

ok "each variant has a level, and Read names exactly the headers that it includes" sh -c '
    python3 "$1/reading.py" variants >"$2" && cat "$2" && test ! -s "$2"' sh "$tools" "$tmp/faults"

# is_found WHAT SED FILE   in a copy in which SED has changed the file, exactly this is found
is_found() {
    rm -rf "$tmp/copy" && mkdir "$tmp/copy" && cp -r variants/matmul "$tmp/copy" &&
        sed -i "$2" "$tmp/copy/$3" && python3 "$tools/reading.py" "$tmp/copy" >"$tmp/found" || return 1
    [ "$(wc -l <"$tmp/found")" -eq 1 ] && grep -q "$3: $1" "$tmp/found" || { cat "$tmp/found"; return 1; }
}
ok "no level is found" is_found 'its head has no line Level' '/^ \* Level/d' matmul/cpu_simd.c
ok "a level that there is not" is_found 'its head has no line Level' '/^ \* Level/s/.$/4/' matmul/cpu_naive.c
ok "no line Read" is_found 'its head has no line Read: kernel_avx2.h, packing.h' '/^ \* Read/d' matmul/cpu_simd.c
ok "a header that is not named" is_found 'Read does not name packing.h' '/^ \* Read/s/, packing.h//' matmul/cpu_simd.c
ok "... that another includes" is_found 'Read does not name cuda_buffers.h' '/^ \* Read/s/, cuda_buffers.h//' \
    matmul/cuda_async.cu
ok "a header that is not included" is_found 'Read names ring.h' '/^ \* Read/s/$/, ring.h/' matmul/cuda_async.cu
ok "... where there is none" is_found 'Read names ring.h' '/^ \* Read/s/nothing else/ring.h/' matmul/cpu_naive.c

ok "cards say the same, and count the lines" sh -c '
    python3 "$1/reading.py" --lines variants | sort >"$2/expected"
    "$rungs" list --format json >"$2/list" && python3 -c "import json, sys
for row in map(json.loads, sys.stdin):
    if not row[\"path\"].endswith((\".c\", \".cpp\", \".cu\")):
        continue
    read = row[\"read\"] or \"\"
    print(row[\"problem\"] + \"/\" + row[\"variant\"], row[\"level\"],
          \",\".join(sorted(filter(None, read.split(\", \")))) or \"-\", row[\"lines\"])" \
        <"$2/list" | sort >"$2/listed"
    test -s "$2/listed" && comm -23 "$2/listed" "$2/expected" >"$2/more" && cat "$2/more" && test ! -s "$2/more"' \
    sh "$tools" "$tmp"

# --- variants from elsewhere ----------------------------------------------------------------------
mkdir -p "$tmp/mine/saxpy"
cd "$tmp/mine" || exit 1
printf '#define TWO 2\n\n' >saxpy/two.h
cat >saxpy/mine.c <<'END'
/*
 * saxpy / mine
 *
 * Idea     a header beside it
 * Level    3
 * Read     two.h,
 *          other.h
 */
#include "common/saxpy.h"
#include "common/variant.h"
#include "two.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "mine", .run = run)
END
sed -e 's/TWO/THREE/' saxpy/two.h >saxpy/other.h
sed '1,/^ \*\//d' saxpy/mine.c >saxpy/bare.c
ok "rungs build counts as well" sh -c '"$1" build saxpy/mine.c saxpy/bare.c &&
    "$1" list saxpy/mine --variants . --format json | grep -q "\"level\":3,\"read\":\"two.h, other.h\",\"lines\":25,"' \
    sh "$rungs"
ok "... and shows it" shows '^saxpy/mine .* 3 +25 in 3 files +mine' list saxpy/mine saxpy/bare --variants .
ok "without these lines there is a dash" shows '^saxpy/bare .* - +- +mine' list saxpy/mine saxpy/bare --variants .
ok "a header that is not there leaves the sum out" sh -c 'rm saxpy/other.h; touch saxpy/mine.c
    "$1" build saxpy/mine.c && "$1" list saxpy/mine --variants . --format json |
        grep -q "\"level\":3,\"read\":\"two.h, other.h\",\"lines\":null,"' sh "$rungs"

finish
