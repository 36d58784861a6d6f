# TAP, and a folder of its own, for the tests that are shell scripts; sourced.
export LC_ALL=C
tmp=$(mktemp -d "${TMPDIR:-/tmp}/rungs-test-XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP

# The user's own defaults, cache and configuration stay out of the tests.
export XDG_CACHE_HOME=$tmp/cache XDG_CONFIG_HOME=$tmp/config

count=0

# ok NAME COMMAND...   the command succeeds; if it does not, shows what it printed
ok() {
    name=$1
    shift
    count=$((count + 1))
    ended=0
    "$@" >"$tmp/said" 2>&1 || ended=$?
    if [ $ended -eq 0 ]; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        { # where prove shows it
            echo "# not ok $count - $name"
            echo "# status $ended: $*" | head -n 1
            sed 's/^/#   /' "$tmp/said" | head -n 20
        } >&2
    fi
}

skip() {
    count=$((count + 1))
    echo "ok $count - $1 # skip $2"
}

finish() {
    echo "1..$count"
}
