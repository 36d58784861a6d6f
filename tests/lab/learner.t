#!/bin/sh
# A learner at a terminal: fails, asks for help, pastes the solution and goes on, through all exercises.
. tests/tools/tap.sh
. tests/lab/tree.sh

rm -rf build-sim/learn # no learner's file has been built yet
python3 "$tests/lab/learner.py" "$rungs"
