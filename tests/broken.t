#!/bin/sh
# Every rung in tests/broken/ must be rejected, and for the reason that its file states:
#
#     /* expected: OUTCOME: REGULAR EXPRESSION */     the reason must match (grep -E)
#     /* expected: ok */                              a right one, which must pass beside them
#
# One run judges them all, so that none may take another along.

rungs=build/rungs-broken
seconds=3
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failures=0
number=0

# verdict GOOD NAME [COMMENT...]: one line of TAP; GOOD is 0 where all is well
verdict() {
    good=$1 name=$2
    shift 2
    number=$((number + 1))
    if [ "$good" -eq 0 ]; then
        echo "ok $number - $name"
    else
        failures=$((failures + 1))
        echo "not ok $number - $name"
        printf '#   %s\n' "$@"
    fi
}

# One line a rung: PROBLEM/NAME, outcome, reason, with tabs between them.
rows() {
    tab=$(printf '\t')
    sed -n 's/.*"problem":"\([^"]*\)","variant":"\([^"]*\)".*"validation":{"status":"\([^"]*\)","reason":\(.*\),"error_over_limit":.*/\1\/\2'"$tab"'\3'"$tab"'\4/p' |
        sed -e 's/"$//' -e "s/$tab\"/$tab/" -e 's/\\\(["\\/]\)/\1/g'
}

judge() {
    file=$1
    name=$(basename "$(dirname "$file")")/$(basename "$file" .c)
    stated=$(sed -n 's|^/\* expected: \(.*\) \*/$|\1|p' "$file")
    row=$(grep "^$name	" "$scratch/rows")
    outcome=$(printf '%s\n' "$row" | cut -f 2)
    reason=$(printf '%s\n' "$row" | cut -f 3)
    case $stated in
    '') verdict 1 "$name" "the file states no expectation" ; return ;;
    *': '*) pattern=${stated#*: } ;;
    *) pattern= ;;
    esac
    if [ -z "$row" ]; then
        verdict 1 "$name" "is not in the output"
    elif [ "$outcome" = "${stated%%: *}" ] && printf '%s\n' "$reason" | grep -Eq -e "$pattern"; then
        verdict 0 "$name"
    else
        verdict 1 "$name" "expected $stated" "got      $outcome: $reason"
    fi
}

set -- tests/broken/*/*.c
echo "1..$(($# + 3))"

"$rungs" check --format json --timeout "$seconds" >"$scratch/out" 2>"$scratch/err"
status=$?
rows <"$scratch/out" >"$scratch/rows"
for file; do
    judge "$file"
done

[ "$status" -eq 1 ]
verdict $? "the exit status says that some were rejected" "it is $status" "$(cat "$scratch/err")"
[ "$(wc -l <"$scratch/rows")" -eq $# ] && [ "$(wc -l <"$scratch/out")" -eq $# ]
verdict $? "there is a row for each file, and no other" "$(wc -l <"$scratch/out") rows for $# files"
missing=$(for problem in tests/broken/*/; do
    grep -lqx '/\* expected: ok \*/' "$problem"*.c || echo "$problem"
done)
[ -z "$missing" ]
verdict $? "every problem has a right one among them" "not so: $missing"

[ "$failures" -eq 0 ]
