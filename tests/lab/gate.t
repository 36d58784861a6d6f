#!/bin/sh
# `rungs lab serve`, by plain requests: which are let in, and what they can name.
. tests/tools/tap.sh
. tests/lab/tree.sh

[ -x build-sim/rungs-serve ] || { echo "1..0 # skip libmicrohttpd-dev is not there"; exit 0; }
python3 "$tests/lab/gate.py" "$rungs"
