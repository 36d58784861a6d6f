#!/bin/sh
# `rungs count` becomes the program of build-sim/, and names its commit if it is another one.
. tests/tools/tap.sh

if ! "$rungs" list saxpy/cuda_naive --format json 2>/dev/null | grep -q '"device":"gpu"'; then
    skip "count of another commit" "no CUDA in this build"
    finish
    exit
fi
# A build in which the simulator's program only says its version.
mkdir "$tmp/build" "$tmp/build-sim"
cp "$rungs" "$tmp/build/rungs"
for file in "${rungs%/*}"/*; do
    [ "${file##*/}" = rungs ] || ln -s "$file" "$tmp/build/"
done
# other COMMIT
other() {
    printf '#!/bin/sh\n[ "$1" = --version ] && echo "rungs 0.1 (%s)" || echo "counts $*"\n' "$1" >"$tmp/build-sim/rungs"
    chmod +x "$tmp/build-sim/rungs"
    "$tmp/build/rungs" count saxpy/cuda_naive >"$tmp/counted" 2>"$tmp/errors"
}
commit=$("$rungs" --version | sed 's/.*(\(.*\))/\1/')
other 0123abc
ok "another commit is named" grep -Eq "^rungs: .*build-sim/rungs is of commit 0123abc, and this program of $commit; make SIM=1" "$tmp/errors"
ok "... and counts" grep -qx "counts count saxpy/cuda_naive" "$tmp/counted"
other "$commit"
ok "the same commit needs no word" test ! -s "$tmp/errors"
finish
