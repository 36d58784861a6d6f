#!/bin/sh
# Variants in Python that leave work undone when their call returns, or remember answers: `rungs bench` rejects each for the
# reason that its file states, and the one that computes each time is timed.
. tests/tools/tap.sh
. tests/languages/broken.sh
find_python

# Calls of about a millisecond: an answer that is remembered saves time, and they are shorter than a sample.
mkdir "$tmp/first" "$tmp/second"
cp -r tests/languages/timed/saxpy "$tmp/first"
cp -r tests/languages/timed/matmul "$tmp/second"
verdicts py "$tmp/first" bench --all --quick --max-time 0.3 --size n=1000000
# Not --quick, which has too few first calls on a busy machine.
verdicts py "$tmp/second" bench --all --passes 5 --max-time 2 --size m=96,n=96,k=96

finish
