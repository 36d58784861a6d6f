#!/bin/sh
# The learner's own accesses, drawn: rungs lab view, the key v, and a passed version in the table of rungs count.
. tests/tools/tap.sh
. tests/lab/tree.sh

rm -rf build-sim/learn
python3 "$tests/lab/view.py" "$rungs"
