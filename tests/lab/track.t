#!/bin/sh
# The exercises beyond the first track: they change nothing for the first, and are offered behind it.
. tests/tools/tap.sh
. tests/lab/tree.sh

# The second track begins with the exercise whose card says so.
names=$(ls workshop | sed -n 's/^\([0-9]*_[^.]*\).*/\1/p')
second=$(grep -l '^track:' workshop/[0-9]*_* | sed 's:.*/\([0-9]*\)_.*:\1:' | head -n 1)
first=$(echo "$names" | sed "/^${second}_/,\$d")
all=$(echo "$names" | wc -l) of_first=$(echo "$first" | wc -l)

# passed NAME...   these have passed, one after another
passed() {
    mkdir -p learn
    rm -rf learn/.kept
    { printf 'exercise\tstars\tattempts\thints\tbegun\tpassed\ttouched\tlast\n'
      for name; do
          time=$((1000 + $(echo "$name" | sed 's/_.*//; s/^0//')))
          printf '%s\tright\t1\t0\t%s\t%s\t%s\t-\n' "$name" $time $time $time
      done; } >learn/progress.tsv
}
all_but() {
    passed $(echo "$first" | grep -v "^$1_")
}
rows() {
    exits 0 lab list && [ "$(grep -c '^[0-9][0-9]  ' "$tmp/out")" -eq "$1" ] || { cat "$tmp/out"; return 1; }
}
current() {
    exits 0 lab data && python3 -c 'import json, sys
sys.exit([e["number"] for e in json.load(open(sys.argv[1])) if e["current"]] != [int(sys.argv[2])])' "$tmp/out" "$1"
}

ok "there is a further track" [ "$second" -eq $((of_first + 1)) ]
ok "a beginner's list has the first track alone" rows "$of_first"
ok "... and counts it alone" shows "^0 of $of_first passed" lab list
ok "... with one line about what goes on behind it" shows "^beyond .*exercises $second to .*rungs lab watch $second" lab list
all_but 05
ok "an exercise left out of the first track comes before the second" current 5
passed $first
ok "when the first track has passed, it is finished" shows "^$of_first of $of_first passed; about 0 of" lab list
ok "... the list has the second, too" rows "$all"
ok "... counted by itself" shows "^0 of $((all - of_first)) passed" lab list
ok "... and its first exercise comes next" current "$second"
all_but 05
exits 0 lab story "$second"
ok "an exercise of the second track can be opened at any time" rows "$all"
ok "... and is the current one then" current "$second"
passed $first "$(echo "$names" | grep "^${second}_")"
mkdir "$tmp/room"
RUNGS_SEAT=a exits 0 lab submit "$tmp/room"
exits 0 lab room "$tmp/room"
ok "the room's table has the first track's columns" sh -c "grep '^seat' '$tmp/out' | grep -q ' $of_first *$'"
ok "... and says how many have passed beyond it" grep -q '^a .* and 1' "$tmp/out"
finish
