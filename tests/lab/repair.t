#!/bin/sh
# Wrong programs that one change makes right: behind the verdict, the line of that change is told.
. tests/tools/tap.sh
. tests/lab/tree.sh

# spoilt NN SED   the verdict on the solution of exercise NN after this edit
spoilt() {
    master=$(ls workshop/"$1"_*)
    base=${master##*/}
    file=learn/$(sed -n 's/^problem: *//p' "$master")/$base
    mkdir -p "${file%/*}"
    $rungs lab dev show "$1" solution >"$tmp/solution"
    sed "$2" "$tmp/solution" >"$file"
    ! cmp -s "$file" "$tmp/solution" && $rungs lab run "$1" >"$tmp/out" 2>&1
    line=$(diff "$tmp/solution" "$file" | sed -n 's/^\([0-9]*\).*/\1/p' | head -n 1)
    tr -s '\n ' '  ' <"$tmp/out" >"$tmp/words"
}
# told NN SED WORDS   the changed line is told, with these words about what is wrong in it
# The search has a limit of time, so a busy machine gets three tries.
told() {
    for try in 1 2 3; do
        spoilt "$1" "$2"
        grep -q "with one change in line $line all sizes are right: $3" "$tmp/words" && return
    done
    cat "$tmp/out"
    return 1
}
silent() {
    spoilt "$1" "$2"
    ! grep -q 'with one change' "$tmp/words" || { cat "$tmp/out"; return 1; }
}

ok "another variable" told 03 's/blockIdx.x \* blockDim.x/blockIdx.x * gridDim.x/' 'another name in the place of gridDim.x '
ok "an operator" told 18 's/if (h < least)/if (h <= least)/' 'another operator in the place of <= '
ok "a part of an expression" told 04 '/p->z, d_z/s/p->n/(p->n - 1)/' 'a part of p->n - 1 left out '
ok "a number" told 06 's:down\[1\]) / 9:down[1]) / 8:' 'another number than 8 '
ok "something to add" told 14 's/p->y + first/p->y/' 'something added to p->y '
ok "an assignment" told 10 's/sum += a_tile/sum = a_tile/' 'another assignment in the place of = '
ok "a place of the host's code" told 16 's/c->d_obs_lon, p->obs_lon/c->d_obs_lat, p->obs_lon/' 'another name in the place of c->d_obs_lat '
ok "two mistakes are not told as one" silent 03 's/blockIdx.x \* blockDim.x/blockIdx.x * gridDim.x/; s/a \* x\[i\] + y/a + x[i] * y/'
finish
