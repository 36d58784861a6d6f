#!/bin/sh
# Wrong programs that one change makes right: behind the verdict, the line of that change is told.
. tests/tools/tap.sh
. tests/lab/tree.sh
export RUNGS_LAB_SEARCH

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
# says WORDS NN SED   the verdict on that says the words.  The search has a limit of time, so a busy machine gets more of it.
says() {
    for seconds in 8 20 50; do
        RUNGS_LAB_SEARCH=$seconds
        spoilt "$2" "$3"
        grep -q "$(echo "$1" | sed "s/LINE/$line/g")" "$tmp/words" && return
    done
    cat "$tmp/out"
    return 1
}
# told NN SED WORDS   the changed line is told, with these words about what is wrong in it
told() { says "\(cause is most likely in line LINE\|with \(one change\|two changes, the first\) in line LINE all sizes are right\|line LINE\): $3" "$1" "$2"; }
# line NN SED   the changed line is told as the cause, and not the words: another change of the line would do as well
line() { says 'cause is most likely in line LINE LINE |' "$1" "$2"; }
# located NN SED   the verdict says why, so the changed line alone is told
located() { says 'with one change in line LINE all sizes are right LINE |' "$1" "$2"; }
both() {
    says 'with two changes, the first in line [0-9]* all sizes are right: <= takes in the case .* and the second in line [0-9]*: gridDim.x stands where another name belongs' \
        03 's/blockIdx.x \* blockDim.x/blockIdx.x * gridDim.x/; s/i < n/i <= n/'
}
silent() {
    RUNGS_LAB_SEARCH=8
    spoilt "$1" "$2"
    ! grep -q 'all sizes are right' "$tmp/words" || { cat "$tmp/out"; return 1; }
}

ok "another variable" line 03 's/blockIdx.x \* blockDim.x/blockIdx.x * gridDim.x/'
ok "an operator" told 03 's/if (i < n)/if (i <= n)/' '<= takes in the case that both sides are equal, '
ok "a part of an expression" line 04 '/p->z, d_z/s/p->n/(p->n - 1)/'
ok "a number" told 12 's:threadIdx.x / 32;:threadIdx.x / 64;:' '64 is not the right number '
ok "something to add" line 14 's/p->y + first/p->y/'
ok "an assignment" located 10 's/sum += a_tile/sum = a_tile/'
ok "a place of the host's code" line 16 's/c->d_obs_lon, p->obs_lon/c->d_obs_lat, p->obs_lon/'
ok "the size of a pointer, wherever it stands" told 04 's/sizeof(float)/sizeof(p->x)/' 'sizeof(p->x) is not the right size, here and wherever '
ok "the indices of an array" told 24 's/sum\[r\]\[s\] += left/sum[s][r] += left/' 'the indices \[s\]\[r\] are exchanged '
ok "a bound of another array" line 08 's/if (first + threadIdx.x < n)/if (first + threadIdx.x < m)/'
ok "an index with its parts exchanged" told 06 's/r \* cols + c;/c * rows + r;/' 'c \* rows + r is not the right index '
ok "another step" located 22 's/l += SLICE/l++/'
ok "another type" located 07 's/float least = INFINITY/int least = 1000000/'
ok "x and y exchanged, of the thread alone" told 06 's/blockIdx.x \* blockDim.x + threadIdx.x/blockIdx.x * blockDim.y + threadIdx.y/; s/blockIdx.y \* blockDim.y + threadIdx.y/blockIdx.y * blockDim.x + threadIdx.x/' '.x and .y are exchanged wherever they stand behind threadIdx blockDim '
ok "another shuffle, wherever it stands" located 12 's/__shfl_down_sync/__shfl_up_sync/'
ok "an index that is a sum" located 08 's/ref_l\(..\)\[first + threadIdx.x\]/ref_l\1[i]/'
ok "brackets around another part" line 15 's/j = 2 \* (t - k) + k/j = 2 * (t - k)/'
ok "another condition" told 03 's/if (i < n)/if (blockIdx.x < n \/ blockDim.x)/' 'blockIdx.x < n / blockDim.x is not the right condition '
ok "a condition that is too much" told 16 's/CUDA(cudaMemcpy(c->d_ref_l/if (g == 0) &/' 'the condition g == 0 is too much, here and wherever '
ok "what one thread sets in shared memory" told 20 's/__shared__ unsigned ticket;/unsigned ticket = 0;/' 'one thread sets ticket, and each thread has one of its own: it belongs into shared memory '
ok "a statement in the wrong order" told 05 '/^        read = write;/{N;s/\(.*\)\n\(.*\)/\2\n\1/}' 'this statement comes too early: '
ok "a return that is too much" told 08 's/float lat = mine ?/if (!mine) return; &/' '"return" is too much here: '
ok "a member that the program does not name" located 01 's/p->y\[i\]/p->x[i]/'
ok "a condition that lacks a variable" told 12 's/mine && lane == 0/lane == 0/' 'lane == 0 is not all of the condition '
ok "all comparisons of a condition" told 05 's/r >= rows || c >= cols/r > rows || c > cols/' '> leaves out the case that both sides are equal, here and wherever '
ok "a goal of the counters" told 11 's/SIDE + 1\]/SIDE + 2]/' 'the length SIDE + 2 of the array is not right '
ok "several places of which each would do" says 'there are 2 places with one change of which all sizes are right, so the cause is in one of them; line [0-9]*: d_y stands where another name belongs .* or line LINE: d_y stands' \
    04 's/cudaMalloc(&d_z/cudaMalloc(\&d_y/'
ok "two changes, that which mends more first" both
ok "three mistakes are not told as two" silent 03 's/blockIdx.x \* blockDim.x/blockIdx.x * gridDim.x/; s/a \* x\[i\] + y/a + x[i] * y/'
finish
