#!/bin/sh
# A workshop that takes some exercises in an order of its own: `rungs lab watch 03 04 06` follows it, and the room sees each
# seat's present state in these exercises alone.
. tests/tools/tap.sh
. tests/lab/tree.sh

python3 "$tests/lab/path.py" "$rungs" "$tmp/room"
