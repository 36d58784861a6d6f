#!/bin/sh
# The table of options, as users see it: --help of each command, the man page's list, completion.
. tests/tools/tap.sh

commands=$("$rungs" --help | sed -n '/^  list /,/^$/s/^  \([a-z]*\) .*/\1/p')

# --- help -----------------------------------------------------------------------------------------
# lists COMMAND   its help has the options that are the command's by the man page, and no other
lists() {
    "$rungs" help man-options | sed '/^\.El/,$d' | awk -v command="$1" '
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
ok "... and those of each problem" sh -c 'sed "1,/^\.Cm knn :/d; /^\.El/,\$d" docs/rungs.1 | grep -q "^\.It Fl -float64$" &&
    sed "1,/^\.Cm align :/d; /^\.El/,\$d" docs/rungs.1 | grep -q "^\.It Fl -onto Ar FILE$"'
if command -v groff >/dev/null; then
    ok "the man page is clean" sh -c '[ -z "$(groff -mandoc -Tutf8 -ww -z docs/rungs.1 2>&1)" ]'
else
    skip "the man page is clean" "groff is not there"
fi

# --- defaults of the user -------------------------------------------------------------------------
# defaults LINE...   the file holds these lines
defaults() {
    mkdir -p "$XDG_CONFIG_HOME/rungs"
    printf '%s\n' "$@" >"$XDG_CONFIG_HOME/rungs/options"
}
# says OPTION VALUE FROM   rungs config shows this
says() {
    "$rungs" config --format csv | grep -qx -e "--$1,$2,$3,RUNGS_[A-Z_]*" || { "$rungs" config; return 1; }
}
recorded() { grep -q '"argv":\[.*"--max-time=0.05","--passes=1"\]' "$tmp/recorded.jsonl"; }
defaults '# mine' '' '--max-time 0.05' '  --passes=1  ' --quick
ok "config shows a default of the file, and its line" says max-time 0.05 "$XDG_CONFIG_HOME/rungs/options:3"
ok "... a flag" says quick on "$XDG_CONFIG_HOME/rungs/options:5"
ok "... one that is not set" says seed '' ''
ok "... as a table" shows '^--passes +1 +.*options:4 +RUNGS_PASSES$' config
ok "bench takes it" shows 'preset quick' bench saxpy/cpu_naive --size n=9 --thorough --quick --out "$tmp/taken.jsonl"
defaults '--max-time 0.05' --passes=1
ok "... and another" exits 0 bench saxpy/cpu_naive --size n=9 --out "$tmp/recorded.jsonl"
ok "... and records it as if it had been typed" recorded
ok "a variable comes before the file" env RUNGS_MAX_TIME=7 sh -c '"$rungs" config | grep -q "^--max-time  *7  *RUNGS_MAX_TIME "'
ok "... and takes a flag away" sh -c '! RUNGS_QUICK=0 "$rungs" config | grep "^--quick  *on"'
ok "the command line comes before both" sh -c 'RUNGS_FORMAT=csv "$rungs" list saxpy --format md | grep -q "^| "'
ok "a variable is a default" sh -c 'RUNGS_FORMAT=md "$rungs" list saxpy | grep -q "^| "'
ok "config itself heeds no default" sh -c 'RUNGS_FORMAT=json "$rungs" config | grep -q "^--format  *json"'
ok "a wrong value names the variable" sh -c 'RUNGS_SEED=x "$rungs" check saxpy/cpu_naive 2>&1 |
    grep -qx "rungs: RUNGS_SEED: --seed takes a whole number, not \"x\""'
ok "... also in config" sh -c 'RUNGS_SEED=x "$rungs" config 2>&1 | grep -q "^rungs: RUNGS_SEED: "'
# The first option of another command counts as well: the variable is a default for that one.
ok "a misspelt variable is named" sh -c 'RUNGS_MAXTIME=7 "$rungs" list saxpy 2>&1 >"$1/listed" |
    grep -qx "rungs: nothing reads the variable RUNGS_MAXTIME; did you mean RUNGS_MAX_TIME?" && grep -q cpu_naive "$1/listed"' sh "$tmp"
ok "... one that is no option's, too" sh -c 'RUNGS_PHYTON=x "$rungs" list saxpy 2>&1 | grep -q "did you mean RUNGS_PYTHON?$"'
ok "... and not one that is right, or far from all" sh -c '
    test -z "$(RUNGS_MAX_TIME=7 RUNGS_SIM_SEED=1 RUNGS_OF_MY_LADDER=1 "$rungs" list saxpy 2>&1 >/dev/null)"'
# names_read   every variable that the program reads is in variables.c, or is an option's
names_read() {
    grep -rhoE 'getenv\("RUNGS_[A-Z_]*"\)' harness workshop/lab | grep -o 'RUNGS_[A-Z_]*' | sort -u >"$tmp/read"
    grep -o 'RUNGS_[A-Z_]*' harness/commands/variables.c | cat - "$tmp/of-options" | sort -u | comm -23 "$tmp/read" - >"$tmp/unknown"
    [ -s "$tmp/read" ] && [ ! -s "$tmp/unknown" ] || { cat "$tmp/unknown"; return 1; }
}
"$rungs" config --format csv | sed 's/.*,//' >"$tmp/of-options"
ok "... and all that are read are known" names_read
defaults --quick '--maxtime 3'
ok "a wrong line is named" refuses '/rungs/options:2: there is no option --maxtime; did you mean --max-time\?$' list
ok "... by config, too" refuses '/rungs/options:2: there is no option' config
for wrong in 'quick|takes an option a line, .*, not "quick"' '--quick 3|--quick takes no value' \
    '--seed|--seed needs a value' '--out x|--out is for the command line only' '--obs x|--obs is for the command line only'; do
    defaults "${wrong%%|*}"
    ok "a line that is wrong: ${wrong%%|*}" refuses "/rungs/options:1: ${wrong#*|}" list
done
rm -r "$XDG_CONFIG_HOME"
for letter in "-o $tmp/short.jsonl --quiet" "-q -o$tmp/letters.jsonl"; do
    # shellcheck disable=SC2086
    run bench saxpy/cpu_naive --size n=9 --quick --max-time 0.05 $letter
    ok "$letter: no legend" sh -c 'grep -q "^cpu_naive" "$1" && ! grep UNRESOLVED: "$1"' sh "$tmp/out"
done
ok "... and -o is --out" test -s "$tmp/short.jsonl" -a -s "$tmp/letters.jsonl"
ok "-q of check: no legend, nor of run" sh -c '
    "$rungs" check saxpy/cpu_naive -q >"$1/checked" && grep -q "^saxpy/cpu_naive" "$1/checked" && ! grep "^error " "$1/checked" &&
    "$rungs" run saxpy/cpu_naive -q --size n=9' sh "$tmp"
ok "-v: the legend" shows 'UNRESOLVED: ' show -v "$tmp/short.jsonl"

# --- folders --------------------------------------------------------------------------------------
mkdir "$tmp/full"
: >"$tmp/full/results"
ok "a folder that cannot be made is named with the cause" sh -c 'cd "$1" && "$rungs" bench saxpy/cpu_naive 2>&1 |
    grep -qx "rungs: results/: Not a directory; name a file elsewhere with --out"' sh "$tmp/full"

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
    ok "... by its letter" completes -o bench -o
    ok "... and its value" completes records.jsonl bench -o rec
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
