#!/bin/sh
# The page of `rungs lab serve` in a headless browser: SHOTS=FOLDER keeps the pictures, which are to be looked at.
. tests/tools/tap.sh
. tests/lab/tree.sh

[ -x build-sim/rungs-serve ] || { echo "1..0 # skip libmicrohttpd-dev is not there"; exit 0; }
python3 "$tests/lab/page.py" "$rungs"
