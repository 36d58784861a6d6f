#!/bin/sh
# A verdict is of what the file holds now, whatever its time says: mv and cp -p bring an older one.
. tests/tools/tap.sh
. tests/lab/tree.sh

file=learn/saxpy/03_first_kernel.cu

# older VERSION   the learner's file holds this version, and its time is that of a year ago
older() {
    "$rungs" lab dev show 03 "$1" >"$file" && touch -d '1 year ago' "$file"
}
passed() {
    "$rungs" lab run 03 >"$tmp/out" 2>&1
    grep -q '^ *\*[*.]* passed' "$tmp/out"
}
failed() {
    ! passed && grep -q '^ *kind ' "$tmp/out"
}

"$rungs" lab run 03 >"$tmp/out" 2>&1
ok "the starter fails" grep -q 'kind ' "$tmp/out"
older solution
ok "an older file with the solution passes" passed
older no_guard
ok "... and an older one that is wrong fails, after the pass" failed
finish
