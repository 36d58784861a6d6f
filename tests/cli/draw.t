#!/bin/sh
# The draw of hostile variants (make hostile-some): every kind of attack is met, whatever the seed.
. tests/tools/tap.sh

draw() {
    python3 tests/hostile/draw.py "$@"
}
grep -hE '^/\* harm: ' tests/hostile/*/*.c | sort -u >"$tmp/harms"
ls tests/hostile/*/twin.c >"$tmp/twins"
# meets_all SEED   each kind of harm, each other family, and the twin of each problem
meets_all() {
    draw "$1" >"$tmp/drawn" && xargs grep -hE '^/\* harm: ' <"$tmp/drawn" | sort | uniq -c | awk '$1 == 2 { $1 = ""; print substr($0, 2) }' |
        diff "$tmp/harms" - || return 1
    for family in control foresees mistake unearned; do
        xargs grep -lF "/* family: $family */" <"$tmp/drawn" >"$tmp/of-family" || return 1
    done
    grep twin "$tmp/drawn" | sort | diff "$tmp/twins" -
}
for seed in a b c; do
    ok "two of every kind of harm, and the other families, seed $seed" meets_all $seed
done
ok "there are ten kinds" test "$(wc -l <"$tmp/harms")" -eq 10
ok "the same seed draws the same" sh -c 'test "$(python3 tests/hostile/draw.py a)" = "$(python3 tests/hostile/draw.py a)"'
ok "... and another one others" sh -c 'test "$(python3 tests/hostile/draw.py a)" != "$(python3 tests/hostile/draw.py b)"'

cp -r tests/hostile "$tmp/hostile"
sed -i '/^.\* harm: /d' "$tmp/hostile/saxpy/kills_parent.c"
ok "a file without its kind is refused" sh -c '! python3 "$1/draw.py" a 2>"$2" && grep -q "saxpy/kills_parent.c: harm" "$2"' sh \
    "$tmp/hostile" "$tmp/said"
finish
