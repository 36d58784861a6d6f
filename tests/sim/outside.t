#!/bin/sh
# A CUDA variant outside of the tree: built for the simulator, and judged there.
targets='rungs rewrite worker.o first.h.gch'
. tests/sim/build.sh
. tests/tools/tap.sh

mkdir "$tmp/saxpy"
echo '#define IS_IN(i, n) ((i) < (n))' >"$tmp/saxpy/guard.h"
sed -e 's/^#include "common.saxpy.h"/&\n#include "guard.h"/' -e 's/if (i < n)/if (IS_IN(i, n))/' variants/saxpy/cuda_naive.cu \
    >"$tmp/saxpy/ours.cu"
sed -e 's/if (i < n)/if (i <= n)/' variants/saxpy/cuda_naive.cu >"$tmp/saxpy/beyond.cu"
cd "$tmp" || exit 1
ok "it builds" exits 0 build saxpy/ours.cu saxpy/beyond.cu
ok "it is right" shows '^saxpy/ours +ok' check saxpy/ours --variants .
ok "one that writes beyond its array is not, and the line is named" sh -c '"$1" check saxpy/beyond --variants . >out
    test $? -eq 1 && grep -Eq "^saxpy/beyond +.*beyond\.cu:[0-9]+" out' sh "$rungs"
ok "its requests are counted" shows 'sectors' run saxpy/ours --variants . --size n=1000 --counters
finish
