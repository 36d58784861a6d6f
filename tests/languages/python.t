#!/bin/sh
# Variants in Python: the right ones are right, each broken one is rejected for the reason that its file states, and
# what is wrong with a card is said with file and line.
. tests/tools/tap.sh
. tests/languages/broken.sh

find_python

# --- right ones -----------------------------------------------------------------------------------------------
# Those on engines: dask.t and spark.t
all_right() {
    run check 'py_*' -x 'py_dask*' -x 'py_spark*' --timeout 60 && cat "$tmp/out" "$tmp/err" && [ "$status" -eq 0 ]
}
if "$rungs" list 'py_*' --names >/dev/null 2>&1; then
    ok "every variant in Python is right at every check size" all_right
else
    skip "every variant in Python is right at every check size" "this Python lacks their packages: make python"
fi
beside() {
    "$rungs" list saxpy/py_numpy --names >/dev/null 2>&1 || return 0
    run bench 'saxpy/cpu_naive' saxpy/py_numpy --quick --size n=100000 --max-time 0.1
    cat "$tmp/out" "$tmp/err"
    grep -q '^cpu_naive .* ok' "$tmp/out" && grep -q '^py_numpy .* ok' "$tmp/out"
}
ok "C and Python stand in one table" beside

# Interpreters take longer to start than other variants to run, so the default run has none.  saxpy/py_naive needs no package.
default_run() {
    run bench --quick --size n=8 -x knn -x matmul -x stencil -x fft -x '*/java_*' --max-time 0.01 "$@"
    cat "$tmp/out" "$tmp/err"
}
without() {
    default_run
    ! grep -q '^py_naive ' "$tmp/out" && tr '\n' ' ' <"$tmp/out" |
        grep -Eq 'Only with --all or by name: the problems .*reduce.*; [0-9]+ variants? in .*Python'
}
with() {
    default_run --all -x reduce -x compact -x map -x align -x axxat -x cg -x logreg -x qr
    grep -q '^py_naive  *ok' "$tmp/out" && ! grep -q 'Only with --all' "$tmp/out"
}
ok "the default run has no Python, and says so" without
ok "... and --all takes it" with

# A variant's own code: no card, no comment, and not the function that a library compiles, which is as long as its idea is.
ok "no variant in Python has more than 15 lines of code" python3 - variants/*/*.py <<'END'
import ast, io, sys, tokenize
BLANK = tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER
for path in sys.argv[1:]:
    text = open(path).read()
    body = ast.parse(text).body
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {n for t in tokens if t.type not in BLANK for n in range(t.start[0], t.end[0] + 1)}
    compiled = [f for f in body if isinstance(f, ast.FunctionDef) and f.decorator_list]
    for part in body[:1] + compiled + [decorator for f in compiled for decorator in f.decorator_list]:
        lines -= set(range(part.lineno, part.end_lineno + 1))
    assert len(lines) <= 15, f"{path}: {len(lines)} lines"
END

# --- broken ones ----------------------------------------------------------------------------------------------
broken_ones py

# --- ties -----------------------------------------------------------------------------------------------------
# last TRAITS ADDED   the last of equal neighbours; ADDED to each index
mkdir -p "$tmp/ties/knn"
last() {
    cat >"$tmp/ties/knn/py_last.py" <<END
# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "the last of equals"
# traits = [$1]
# ///
import numpy as np


def refuse(p):
    return None if p.k == 1 else "k is not 1"


def run(p):
    lat, lon = p.obs_lat.astype(float)[:, None], p.obs_lon.astype(float)[:, None]
    ref_lat, ref_lon = p.ref_lat.astype(float), p.ref_lon.astype(float)
    for i in range(0, p.m, 64):
        a, o = lat[i:i + 64], lon[i:i + 64]
        h = np.sin((ref_lat - a) / 2) ** 2 + np.cos(a) * np.cos(ref_lat) * np.sin((ref_lon - o) / 2) ** 2
        best = p.n - 1 - h[:, ::-1].argmin(axis=1)
        p.index[i:i + 64, 0] = (best + $2) % p.n
        h = np.take_along_axis(h, p.index[i:i + 64].astype(int), axis=1)
        p.distance[i:i + 64] = 2 * np.arcsin(np.sqrt(np.minimum(h, 1)))
END
    run check knn/py_last --variants "$tmp/ties"
    cat "$tmp/out" "$tmp/err"
}
last '' 0 >/dev/null
ok "the last of equal neighbours is wrong" grep -Eq 'wrong .*at the same place' "$tmp/out"
last '"any_tie"' 1 >/dev/null
ok "... and another neighbour, with the trait any_tie, too" grep -Eq '^knn/py_last +wrong' "$tmp/out"
last '"any_tie"' 0 >/dev/null
ok "... but not the last of equals with it" grep -Eq '^knn/py_last +ok' "$tmp/out"
run bench knn/py_last --variants "$tmp/ties" --quick --size m=100,n=100 --max-time 0.05
ok "... and is a flag" sh -c 'grep -Eq "^py_last +ok .* [A-Z]*t$" "$1" && grep -q "flag t " "$1"' sh "$tmp/out"

# --- cards ----------------------------------------------------------------------------------------------------
mkdir -p "$tmp/own/saxpy"
# card PATTERN LINE...   a file with this block is refused with such a line
card() {
    pattern=$1
    shift
    { echo "# /// script"; printf '# %s\n' "$@"; echo "# ///"; echo "def run(p): pass"; } >"$tmp/own/saxpy/py_x.py"
    refuses "py_x.py:?[0-9]*: $pattern" list --variants "$tmp/own"
}
ok "a key that is misspelt" card 'unknown key "idae"; did you mean "idea"' '[tool.rungs]' 'idae = "x"'
ok "a value outside its list" card 'unknown word "f33"; did you mean "f32"' '[tool.rungs]' 'idea = "x"' 'math = "f33"'
ok "a device that does not exist" card 'unknown word "cuda"; did you mean "cpu"' '[tool.rungs]' 'idea = "x"' 'device = "cuda"'
ok "a clock that does not exist" card 'unknown word "events"' '[tool.rungs]' 'idea = "x"' 'clock = "events"'
ok "no idea" card '.idea is missing' '[tool.rungs]' 'base = "cpu_naive"'
ok "a list that does not end" card 'expected' 'dependencies = ["numpy"' '[tool.rungs]' 'idea = "x"'
ok "a dependency that is more than a lowest version" card '"numpy==2.0": write the name, or the name and a lowest' \
    'dependencies = ["numpy==2.0"]' '[tool.rungs]' 'idea = "x"'
ok "... or has a highest one" card '"numpy>=2,<2.3": write the name' 'dependencies = ["numpy>=2,<2.3"]' '[tool.rungs]' 'idea = "x"'
ok "a table that is misspelt" card 'unknown table .tool.rung.; did you mean .tool.rungs.' '[tool.rung]' 'idea = "x"'
ok "... and another tool's is passed over" sh -c '
    sed -e "s/^# \[tool.rungs\]/# [tool.uv]\n# idea = [\n#   1,\n# ]\n&/" "$2/ties/knn/py_last.py" \
        -e "s,^# ///\$,# [tool.ruff]\n# line-length = 120\n&," >"$2/own/saxpy/py_x.py"
    "$1" list saxpy/py_x --variants "$2/own" | grep -q "the last of equals"' sh "$rungs" "$tmp"
echo "def run(p): pass" >"$tmp/own/saxpy/py_x.py"
ok "no card" refuses 'py_x.py: no card: it begins with' list --variants "$tmp/own"

# --- what is not installed ------------------------------------------------------------------------------------
{ printf '# /// script\n# dependencies = [\n#     "numpy",\n#     "no-such-package>=3",\n# ]\n# [tool.rungs]\n'
  printf '# idea = "x"\n# ///\ndef run(p): pass\n'; } >"$tmp/own/saxpy/py_x.py"
ok "a variant that lacks a package is no row" sh -c '! "$rungs" list saxpy --names --variants "$1" | grep -q py_x' \
    sh "$tmp/own"
ok "... but a line that names the package" shows '(saxpy/py_x is|variants in Python are) left out: [a-z0-9-]*>=[0-9.]+ is not installed' \
    list saxpy --variants "$tmp/own"
ok "... also for who asks for it by name" refuses 'saxpy/py_x is left out: no-such-package>=3 is not installed \(.*pip install .*"no-such-package>=3"\)' \
    check saxpy/py_x --variants "$tmp/own"
{ printf '# /// script\n# dependencies = ["numpy"]\n# [tool.rungs]\n# idea = "y"\n# base = "py_x"\n# ///\ndef run(p): pass\n'
} >"$tmp/own/saxpy/py_y.py"
sed -i 's/idea = "x"/&\n# base = "cpu_naive"/' "$tmp/own/saxpy/py_x.py"
ok "... and who excludes it has the others" shows 'saxpy/cpu_naive ' list saxpy/cpu_naive saxpy/py_y -x saxpy/py_x --variants "$tmp/own"
ok "a base that is left out is replaced by its own" shows 'saxpy/py_y +cpu_naive ' list saxpy/py_y --variants "$tmp/own"

finish
