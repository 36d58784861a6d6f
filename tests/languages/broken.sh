# For the tests of this folder, behind tests/tools/tap.sh.

# broken_ones ENDING   each broken variant of this language is rejected for the reason that its file states
broken_ones() {
    RUNGS_VARIANTS=tests/languages/broken "$rungs" check --timeout 10 --format json >"$tmp/rows" 2>"$tmp/err"
    python3 - "$tmp/rows" tests/languages/broken/*/*."$1" >"$tmp/verdicts" <<'END'
import json, re, sys
rows = {}
for line in open(sys.argv[1]):
    r = json.loads(line)
    rows[r["problem"] + "/" + r["variant"]] = r["validation"]
for path in sys.argv[2:]:
    name = "/".join(path.split("/")[-2:]).rsplit(".", 1)[0]
    expected = re.search("^(?:#|//) expected: (.*)$", open(path).read(), re.M).group(1)
    outcome, _, pattern = expected.partition(": ")
    got = rows.get(name, {"status": "no row", "reason": ""})
    good = re.fullmatch(outcome, got["status"]) and re.search(pattern, got["reason"] or "")
    print("right" if good else f"expected {expected}; got {got['status']}: {got['reason']}", name, sep="\t")
END
    while IFS='	' read -r verdict name; do
        ok "$name" test "$verdict" = right
    done <"$tmp/verdicts"
}
