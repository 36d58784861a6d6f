#!/bin/sh
# The table of options, as users see it: --help of each command, the man page's list, completion.
. tests/tools/tap.sh

commands=$("$rungs" --help | sed -n '/^  list /,/^$/s/^  \([a-z]*\) .*/\1/p')

# --- help -----------------------------------------------------------------------------------------
# lists COMMAND   its help has the options that are the command's by the man page, and no other
lists() {
    "$rungs" help man-options | awk -v command="$1" '
        /^\.It/ { if (all) print name; name = $0; sub(/.* Fl -/, "", name); sub(/ .*/, "", name); all = 1 }
        /^\.Pq/ { all = 0; for (i = 3; i <= NF; i++) if ($i == command) print name }
        END { if (all) print name }' >"$tmp/want"
    "$rungs" "$1" --help | sed '1,/^Options:/d; /^$/,$d' |
        sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' >"$tmp/help"
    diff "$tmp/want" "$tmp/help" && grep -qx help "$tmp/help"
}
for command in $commands; do
    ok "$command --help lists its options, and no other" lists "$command"
done
narrow() {
    for command in $commands; do
        "$rungs" $command --help | sed '1,/^Options:/d; /^Exit status/,$d' >"$tmp/help"
        [ -s "$tmp/help" ] && ! grep -E '.{81}' "$tmp/help" || return 1
    done
}
ok "lists of options fit in 80 columns" narrow
ok "an option of other commands is refused, whatever stands behind it" \
    refuses '^rungs: --counters is an option of run, not of bench$' bench saxpy --counters --step x
unlisted() {
    for name in of against as publish once; do
        "$rungs" help man-options | grep "Fl -$name" && return 1
        for command in $commands; do
            "$rungs" $command --help | grep -E -e "--$name( |$)" && return 1
            "$rungs" completion words -- "$command" "--${name%?}" | grep "^--$name	" && return 1
        done
    done
    true
}
ok "older names of options are listed nowhere" unlisted
ok "... also before the command" refuses '--step is an option of sweep, not of list' --step 3 list

# --- the man page ---------------------------------------------------------------------------------
"$rungs" help man-options >"$tmp/options"
in_step() {
    sed -n '/^\.\\" make man/,/^\.\\" The list ends/p' docs/rungs.1 | sed '1,2d; $d' | sed '$d' |
        diff - "$tmp/options" && [ -s "$tmp/options" ]
}
ok "the man page lists the options of the table (make man writes the list)" in_step
if command -v groff >/dev/null; then
    ok "the man page is clean" sh -c '[ -z "$(groff -mandoc -Tutf8 -ww -z docs/rungs.1 2>&1)" ]'
else
    skip "the man page is clean" "groff is not there"
fi

# --- completion -----------------------------------------------------------------------------------
# completes WORDS WORD...   the last of the words becomes these
completes() {
    want=$1
    shift
    mkdir -p "$tmp/folder"
    touch "$tmp/folder/records.jsonl" "$tmp/folder/two words"
    (cd "$tmp/folder" && bash -c '
        eval "$("$rungs" completion bash)" && complete -p rungs | grep -q -- "-F _rungs" || exit 1
        COMP_WORDS=("$rungs" "$@") COMP_CWORD=$#
        _rungs
        IFS=,
        echo "${COMPREPLY[*]}"' bash "$@") >"$tmp/out" 2>"$tmp/err"
    [ "$(cat "$tmp/out")" = "$want" ] && [ ! -s "$tmp/err" ] || { cat "$tmp/out" "$tmp/err"; return 1; }
}
if command -v bash >/dev/null; then
    ok "a command" completes bench be
    ok "an option of the command" completes --size bench --si
    ok "... and not of another" completes '' sweep --si
    ok "... with an option before the command" completes --force --no-color compare --forc
    ok "a problem's option" completes --radians run --rad
    ok "a value" completes S,M,L,XL bench --size ''
    ok "... behind =" completes XL bench --size = X
    ok "... one of several" completes svg,png,svg,pdf plot --image svg,p
    ok "... of this command" completes table,md,csv,json list --format ''
    ok "a variant" completes saxpy/cpu_naive bench saxpy/cpu_n
    ok "... as a value" completes saxpy/cpu_naive sweep --baseline saxpy/cpu_n
    ok "a problem" sh -c '"$1" completion words -- check "" | grep -q "^saxpy	"' sh "$rungs"
    ok "a file" completes records.jsonl show re
    ok "... with a blank in its name" completes 'two words' show tw
    ok "... as a value" completes records.jsonl bench --resume rec
    ok "a kind of plot" completes roofline plot ro
    ok "a subcommand" completes doctor lab doc
    ok "a number is the user's own" completes '' bench --seed ''
else
    skip "completion in bash" "bash is not there"
fi
# offers WORD WORDS...   behind WORDS, the last of which is begun, WORD may stand
offers() {
    want=$1
    shift
    "$rungs" completion words -- "$@" | cut -f 1 | grep -qx -e "$want" || { echo "not $want"; return 1; }
}
offers_all() {
    for command in $commands; do
        offers "$command" '' || return 1
        "$rungs" $command --help | sed '1,/^Options:/d; /^$/,$d' |
            sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' >"$tmp/help"
        while read -r option; do
            offers "--$option" "$command" -- || return 1
        done <"$tmp/help"
    done
}
ok "all commands and options are offered" offers_all
ok "a value behind = in one word" offers --size=XL bench --size=
ok "... one of several" offers --image=svg,png plot --image=svg,p
for shell in bash zsh fish; do
    "$rungs" completion $shell >"$tmp/script"
    if command -v $shell >/dev/null; then
        ok "$shell reads the script" $shell -n "$tmp/script"
    else
        skip "$shell reads the script" "$shell is not there"
    fi
done
ok "no other shell" refuses 'completion takes a shell: bash, zsh or fish' completion csh

finish
