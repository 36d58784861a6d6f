# For the tests of this folder, behind tests/tools/tap.sh.

# verdicts ENDING FOLDER COMMAND...   what the command says of each variant of this folder fits what its file expects
verdicts() {
    ending=$1 folder=$2
    shift 2
    RUNGS_VARIANTS=$folder timeout 300 "$rungs" "$@" --format json >"$tmp/rows" 2>"$tmp/err"
    python3 - "$tmp/rows" "$folder"/*/*."$ending" >"$tmp/verdicts" <<'END'
import json, re, sys
rows = {}
for line in open(sys.argv[1]):
    r = json.loads(line)
    if r["record"] == "measurement":
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

# broken_ones ENDING   each broken variant of this language is rejected for the reason that its file states
broken_ones() {
    verdicts "$1" tests/languages/broken check --timeout 10
}

# find_python   sets RUNGS_PYTHON to an interpreter with NumPy: that of the caller, of `make python`, or any; or ends
find_python() {
    for python in "$known_python" "$PWD/.venv/bin/python" "$numpy"; do
        [ -n "$python" ] && "$python" -c 'import numpy' 2>/dev/null && break
        python=
    done
    [ -n "$python" ] || { echo "1..0 # skip no Python with NumPy: make python"; exit 0; }
    RUNGS_PYTHON=$("$python" -c 'import os, sys; print(os.path.join(sys.prefix, "bin", "python3"))')
    export RUNGS_PYTHON
}
