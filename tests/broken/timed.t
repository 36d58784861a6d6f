#!/bin/sh
# Variants that are right when they are checked, and omit work or report false times when they are timed.
# `rungs bench` must reject each for the reason that its file states:
#
#     /* expected when timed: OUTCOME: REGULAR EXPRESSION */     both must match (grep -E)
#
# Right variants in the same tables must pass.

rungs=${BUILD:-build}/rungs-broken
. tests/tools/ok.sh

# found NAME   compares outcome and reason of its row with what its file says
found() {
    expected=$(sed -n 's|^/\* expected when timed: \(.*\) \*/$|\1|p' "tests/broken/$1.c")
    row=$(grep "\"problem\":\"${1%/*}\",\"variant\":\"${1#*/}\"" "$tmp/records" | grep '"record":"measurement"')
    outcome=$(printf '%s' "$row" | sed 's/.*"validation":{"status":"\([^"]*\)".*/\1/')
    reason=$(printf '%s' "$row" | sed 's/.*"reason":"\(.*\)","error_over_limit".*/\1/')
    echo "expected $expected"
    echo "got      $outcome: $reason"
    printf '%s\n' "$outcome" | grep -Eqx -e "${expected%%: *}" && printf '%s\n' "$reason" | grep -Eq -e "${expected#*: }"
}

files=$(grep -l '^/\* expected when timed:' tests/broken/*/*.c)
names=$(for file in $files; do file=${file#tests/broken/}; echo "${file%.c}"; done)
# Calls of a tenth of a millisecond and more, so that a remembered answer saves time, but shorter than a sample.
# Not --quick, because that does not warm up a first call that had to wait for a processor.
bench() {
    "$rungs" bench "$@" --passes 5 --max-time 2 --out "$tmp/part" >>"$tmp/table" 2>&1
    cat "$tmp/part" >>"$tmp/records"
    rm "$tmp/part"
}
# shellcheck disable=SC2046 # one word each
bench saxpy/right $(printf '%s\n' "$names" | grep saxpy) --quick --size n=65536
# shellcheck disable=SC2046
bench matmul/right $(printf '%s\n' "$names" | grep matmul) --size m=128,n=128,k=128
[ -z "${KEEP:-}" ] || cp "$tmp/table" "$tmp/records" "$KEEP"
for name in $names; do
    ok "$name" found "$name"
done
for name in saxpy/right matmul/right; do
    ok "$name is timed" sh -c 'grep "\"problem\":\"${2%/*}\",\"variant\":\"${2#*/}\"" "$1" |
        grep -q "\"validation\":{\"status\":\"ok\""' sh "$tmp/records" "$name"
done
finish
