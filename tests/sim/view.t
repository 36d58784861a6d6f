#!/bin/sh
# What variants request of memory, counted and drawn: tests/sim/view.py.
for tool in g++ addr2line python3; do
    command -v $tool >/dev/null || { echo "1..0 # skip $tool is not there"; exit 0; }
done
make --no-print-directory -j2 SIM=1 build-sim/rungs build-sim/tests/sim/mistakes build-sim/tests/sim/races \
    build-sim/tests/sim/counters >/dev/null ||
    { echo "1..1"; echo "not ok 1 - builds"; exit 1; }
exec python3 tests/sim/view.py
