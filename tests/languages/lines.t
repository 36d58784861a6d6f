#!/bin/sh
# Variants that speak lines, in JavaScript, Perl, Java, Octave and R: the right ones are right, each broken one is rejected for
# the reason that its file states, and the protocol works by hand.
. tests/tools/tap.sh
. tests/languages/broken.sh

all_right() {
    run check "$1" --timeout 60 && cat "$tmp/out" "$tmp/err" && [ "$status" -eq 0 ]
}
if command -v perl >/dev/null && perl -MJSON::PP -e 1; then
    ok "Perl" all_right 'saxpy/pl_*'
    mkdir -p "$tmp/own/saxpy"
    cat >"$tmp/own/saxpy/pl_traces.pl" <<'END'
# /// script
# [tool.rungs]
# idea = "ends as Lua does"
# ///
print STDERR "lua: $0:5: no such thing\nstack traceback:\n\t[C]: in function 'error'\n\t[C]: in ?\n";
exit 1;
END
    ok "the line that names the file is the reason" sh -c '"$1" check saxpy/pl_traces --variants "$2/own" |
        grep -q "lua: .*pl_traces\.pl:5: no such thing$"' sh "$rungs" "$tmp"
else
    skip "Perl" "not there"
fi
if command -v node >/dev/null; then
    ok "JavaScript" all_right 'saxpy/js_*'
    broken_ones js
    ok "the protocol by hand" sh -c '
        printf "rungs 1\nprepare\nrelease\n" | node variants/saxpy/js_loop.js >"$1" &&
        sed -n 1p "$1" | grep -q "^rungs 1 Node.js v" && [ "$(sed -n 2,3p "$1" | tr "\n" " ")" = "ok ok " ]' sh "$tmp/said"
else
    skip "JavaScript" "no node"
fi

if command -v java >/dev/null; then
    ok "Java" all_right 'saxpy/java_*'
else
    skip "Java" "not there"
fi
if command -v octave-cli >/dev/null; then
    ok "Octave" all_right 'saxpy/oct_*'
else
    skip "Octave" "not there"
fi
if command -v Rscript >/dev/null; then
    ok "R, which needs a folder for temporary files" all_right 'saxpy/r_*'
else
    skip "R" "not there"
fi

finish
