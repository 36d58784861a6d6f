#!/bin/sh
# A variant that gives other bits to the same data, within the tolerance, is right, and its row says so.
. tests/tools/tap.sh
rungs=$PWD/${BUILD:-build}/rungs-broken

# flag VARIANT   prints "varies" if its row has that flag
flag() {
    run bench "matmul/$1" --size m=40,n=40,k=40 --quick --max-time 0.05 --out "$tmp/$1.jsonl" || return
    grep '"record":"measurement"' "$tmp/$1.jsonl" | grep -o '"varies"'
}

ok "an order of sums that changes is marked" [ "$(flag changes_its_order)" = '"varies"' ]
ok "one that does not is not" [ -z "$(flag right)" ]
run show "$tmp/changes_its_order.jsonl"
ok "a table shows the letter and explains it" grep -q '^  flag V .*other bits' "$tmp/out"
finish
