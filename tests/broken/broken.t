#!/bin/sh
# Every variant in tests/broken/ must be rejected, and for the reason that its file states:
#
#     /* expected: OUTCOME: REGULAR EXPRESSION */     the reason must match (grep -E)
#     /* expected: ok */                              a right variant, which must pass in the same run
#     /* right with: OPTIONS */                       and it is right on other data, e.g. --data uniform
#
# One run judges all of them, which shows that none affects another. Files with a third line are judged once more.

rungs=${BUILD:-build}/rungs-broken
seconds=3 # a call may take
export LC_ALL=C
tab=$(printf '\t')
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
number=0
failures=0

# verdict STATUS NAME COMMENT...: one line of TAP, with the comments if the status is not 0
verdict() {
    status=$1 name=$2
    shift 2
    number=$((number + 1))
    if [ "$status" -eq 0 ]; then
        echo "ok $number - $name"
    else
        failures=$((failures + 1))
        echo "not ok $number - $name"
        { # where prove shows it
            echo "# not ok $number - $name"
            printf '%s\n' "$@" | sed 's/^/#   /'
        } >&2
    fi
}

# Reads JSON, prints one line for each variant: PROBLEM/NAME, outcome, reason, separated by tabs.
rows() {
    sed -n -e 's/.*"problem":"\([^"]*\)","variant":\(.*\)/\1\/\2/' \
        -e 's/"\([^"]*\)".*"validation":{"status":"\([^"]*\)","reason":/\1'"$tab"'\2'"$tab"'/' \
        -e 's/,"error_over_limit":.*//p' |
        sed -e "s/$tab\"\(.*\)\"\$/$tab\1/" -e 's/\\\(["\\]\)/\1/g'
}

# judge FILE   compares its row with what the file says
judge() {
    name=${1#tests/broken/}
    name=${name%.c}
    expected=$(sed -n 's|^/\* expected: \(.*\) \*/$|\1|p' "$1")
    row=$(grep "^$name$tab" "$scratch/rows")
    reason=${row##*"$tab"}
    outcome=${row#*"$tab"}
    outcome=${outcome%"$tab"*}

    if [ -z "$expected" ]; then
        verdict 1 "$name" "the file does not say what is expected"
    elif [ -z "$row" ]; then
        verdict 1 "$name" "there is no row for it"
    elif [ "$expected" = ok ]; then
        [ "$outcome" = ok ]
        verdict $? "$name" "expected ok" "got      $outcome: $reason"
    else
        [ "$outcome" = "${expected%%: *}" ] &&
            printf '%s\n' "$reason" | grep -Eq -e "${expected#*: }"
        verdict $? "$name" "expected $expected" "got      $outcome: $reason"
    fi
}

# elsewhere FILE   is right on the other data that the file names
elsewhere() {
    name=${1#tests/broken/}
    name=${name%.c}
    options=$(sed -n 's|^/\* right with: \(.*\) \*/$|\1|p' "$1")
    # shellcheck disable=SC2086 # several options
    row=$("$rungs" check "$name" $options --format json --timeout "$seconds" 2>&1 | rows)
    [ "$row" = "$name${tab}ok${tab}null" ]
    verdict $? "$name is right with $options" "got $row"
}

set -- tests/broken/*/*.c
elsewhere=$(grep -l '^/\* right with: ' "$@")
echo "1..$(($# + $(echo "$elsewhere" | wc -l) + 3))"

"$rungs" check --format json --timeout "$seconds" >"$scratch/out" 2>"$scratch/errors"
exit_status=$?
rows <"$scratch/out" >"$scratch/rows"
for file; do
    judge "$file"
done
for file in $elsewhere; do
    elsewhere "$file"
done

[ "$exit_status" -eq 1 ]
verdict $? "the exit status says that some were rejected" "it is $exit_status" \
    "$(tail -n 5 "$scratch/errors")"

more=$(cut -f 1 "$scratch/rows" | while read -r name; do
    [ -f "tests/broken/$name.c" ] || echo "$name"
done)
[ -z "$more" ] && [ "$(wc -l <"$scratch/out")" -eq $# ]
verdict $? "one row a file, and no other" "$(wc -l <"$scratch/out") rows, $# files" \
    "without a file (remove $rungs, it is older than these): $more"

without=$(for problem in tests/broken/*/; do
    grep -qx '/\* expected: ok \*/' "$problem"*.c || echo "$problem"
done)
[ -z "$without" ]
verdict $? "every problem has a right variant among them" "$without"

[ "$failures" -eq 0 ]
