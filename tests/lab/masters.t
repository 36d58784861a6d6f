#!/bin/sh
# The workshop's masters: each starter fails for the reason that its card names, each solution passes,
# and each wrong version gets the kind of mistake that its card names.
for tool in g++ addr2line; do
    command -v $tool >/dev/null || { echo "1..0 # skip $tool is not there"; exit 0; }
done
make --no-print-directory workshop >/dev/null || { echo "1..1"; echo "not ok 1 - make workshop"; exit 1; }
exec build-sim/rungs lab dev check
