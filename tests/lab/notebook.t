#!/bin/sh
# workshop/notebook.ipynb: its cells, run in order as a notebook runs them, install, build, judge and keep.
. tests/tools/tap.sh
[ ! -d .git ] && [ ! -f .git ] || git archive --format=tar.gz --prefix=rungs-workshop-test/ -o "$tmp/rungs-workshop-test.tar.gz" HEAD
. tests/lab/tree.sh

python3 "$tests/lab/notebook.py" "$rungs" "$tmp/rungs-workshop-test.tar.gz"
