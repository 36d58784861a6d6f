#!/bin/sh
# The slides and the handout: they are made, stand alone, print page by page, and show what the lab prints.
. tests/tools/tap.sh
command -v cmark-gfm >/dev/null || { echo "1..0 # skip cmark-gfm is not there: apt-get install cmark-gfm"; exit 0; }
repository=$PWD
. tests/lab/tree.sh
cp -a "$repository/docs" "$tree"

ok "make slides makes both" make --no-print-directory NVCC= BUILD=build slides
python3 "$tests/lab/slides.py" "$rungs" build/workshop
