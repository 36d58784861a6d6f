#!/bin/sh
# Through the front door: a learner at a terminal fails, asks, pastes the solution and goes on, through
# all exercises.
. tests/tools/tap.sh
. tests/lab/tree.sh

rm -rf build-sim/learn # nothing of the learner's has been built yet
python3 "$tests/lab/learner.py" "$rungs"
