#!/bin/sh
# Every rung at every check size under the address and undefined-behaviour sanitizers, harness and
# all, and the right rungs among the broken ones as well.
echo 1..2
if make --no-print-directory -j"$(nproc)" SANITIZE=address NVCC= build-address/rungs >/dev/null 2>&1; then
    echo "ok 1 - builds"
else
    echo "not ok 1 - builds"
fi
if said=$(build-address/rungs check 2>&1); then
    echo "ok 2 - every rung is right under them"
else
    echo "not ok 2 - every rung is right under them"
    echo "$said" | grep -v ' ok ' | sed 's/^/# /'
fi
