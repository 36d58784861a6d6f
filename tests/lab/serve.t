#!/bin/sh
# `rungs lab serve`, by plain requests: verdicts are the lab's, also with two browsers, endless programs, and at its end.
. tests/tools/tap.sh
. tests/lab/tree.sh

[ -x build-sim/rungs-serve ] || { echo "1..0 # skip libmicrohttpd-dev is not there"; exit 0; }
python3 "$tests/lab/serve.py" "$rungs"
