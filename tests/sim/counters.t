#!/bin/sh
# The simulator's counters: of kernels whose requests can be counted by hand.
build=build-sim
tab=$(printf '\t')
tmp=$(mktemp -d "${TMPDIR:-/tmp}/rungs-test-XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP
export LC_ALL=C
number=0

# ok NAME COMMAND...   the command succeeds; if it does not, shows what it printed
ok() {
    name=$1
    shift
    number=$((number + 1))
    if "$@" >"$tmp/said" 2>&1; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        tail -n 20 "$tmp/said" | sed 's/^/#   /'
    fi
}

for tool in g++ addr2line; do
    command -v $tool >/dev/null || { echo "1..0 # skip $tool is not there"; exit 0; }
done
ok "builds" make --no-print-directory -j2 SIM=1 $build/tests/sim/counters

# Each of the expected pieces is in the counters.
counts() {
    rm -f "$tmp/counters.json"
    RUNGS_SIM_COUNTERS=$tmp/counters.json timeout 60 $build/tests/sim/counters "$1" || return 1
    printf '%s\n' "$2" | tr "$tab" '\n' >"$tmp/pieces"
    missing=0
    while read -r piece; do
        grep -Fq -e "$piece" "$tmp/counters.json" && continue
        echo "not there: $piece"
        missing=1
    done <"$tmp/pieces"
    tr ',' '\n' <"$tmp/counters.json" | grep -E '__|barriers|launches'
    [ $missing -eq 0 ] && [ -s "$tmp/pieces" ]
}

$build/tests/sim/counters >"$tmp/cases"
while IFS=$tab read -r name expected; do
    ok "$name" counts "$name" "$expected"
done <"$tmp/cases"
ok "there are cases" [ "$(wc -l <"$tmp/cases")" -ge 50 ]

echo "1..$number"
