#!/bin/sh
# On a machine with a GPU: every CUDA variant at every check size, and those for several devices with each number of
# devices.  Without a GPU, tests/sim/variants.t judges them.
. tests/tools/tap.sh

# The rows of variants say whether there is one, e.g. "no CUDA driver".
without() {
    ok "no GPU here ($1): tests/sim/variants.t judges the CUDA variants" true
    finish
    exit
}
"$rungs" list 'saxpy/cuda_naive' --format json >"$tmp/naive" 2>/dev/null || without "no nvcc"
grep -q '"device":"gpu"' "$tmp/naive" || without "a simulated one"
grep -q '"available":true' "$tmp/naive" ||
    without "$(sed 's/.*"reason":"\([^"]*\)".*/\1/' "$tmp/naive")"

# check DEVICES NAME   on these devices, all variants of that name: right, or refused with a reason
check() {
    CUDA_VISIBLE_DEVICES=$1 "$rungs" check "*/$2" --format json >"$tmp/rows"
    python3 tests/tools/verdicts.py "$tmp/rows" . variants/*/$2.cu
}

# The devices, as CUDA_VISIBLE_DEVICES names them, separated by commas.
if [ -n "${CUDA_VISIBLE_DEVICES-}" ]; then
    devices=$CUDA_VISIBLE_DEVICES
else
    there=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU ')
    [ "$there" -gt 0 ] || there=1
    devices=$(seq -s , 0 $((there - 1)))
fi
there=$(echo "$devices" | tr ',' '\n' | wc -l)
echo "# devices: $devices"

ok "every CUDA variant is right" check "$devices" 'cuda_*'
for problem in variants/*/cuda_naive.cu; do
    problem=$(echo "$problem" | cut -d / -f 2)
    ok "$problem has one that is not refused" exits 0 check "$problem/cuda_naive"
done
for n in $(seq 1 $((there - 1))); do
    ok "those for several devices, on $n of $there" check \
        "$(echo "$devices" | cut -d , -f "1-$n")" cuda_multi
done
if [ "$there" -gt 1 ]; then
    backwards=$(echo "$devices" | tr ',' '\n' | tac | paste -s -d ,)
    ok "... on the last alone" check "${backwards%%,*}" cuda_multi
    ok "... on all of them in another order" check "$backwards" cuda_multi
fi

finish
