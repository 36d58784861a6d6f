# For the tests of the program as a whole, which are sourced shell scripts: TAP, a folder of their
# own, and the program under test.  They run from the repository's root, and BUILD names another
# build than build/, e.g. BUILD=build-address prove --exec '' tests/cli/*.t
set -u
rungs=$PWD/${BUILD:-build}/rungs
tests=$PWD/tests
export rungs tests
unset OMP_NUM_THREADS
known_python=${RUNGS_PYTHON:-} RUNGS_PYTHON=none # a table has the same rows wherever it is tested
export RUNGS_PYTHON

. tests/tools/ok.sh

[ -x "$rungs" ] || { echo "1..0 # skip $rungs has not been built"; exit 0; }
unset $("$rungs" config --format csv | sed 's/.*,//') # the variables of options
command -v python3 >/dev/null || { echo "1..0 # skip python3 is not there"; exit 0; }

# A Python with NumPy, for reference answers; empty if there is none.
numpy=
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null && { numpy=$python; break; }
done

# third NUMBER   a third of the check sizes, for check --shard: which one depends on the commit and the number.  SHARD=1/1: all
third() {
    commit=$(git rev-parse --short=7 HEAD 2>/dev/null)
    echo "${SHARD:-$(((0x${commit:-0} + $1) % 3 + 1))/3}"
}

# --- the program ----------------------------------------------------------------------------------
# run ARGUMENT...   for ten minutes at most; its output in $tmp/out and $tmp/err, its exit status in
# $status
run() {
    status=0
    timeout 600 "$rungs" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
}

# exits STATUS ARGUMENT...   the program ends with that status
exits() {
    want=$1
    shift
    run "$@"
    [ "$status" -eq "$want" ] || {
        echo "exit status $status, expected $want"
        cat "$tmp/out" "$tmp/err"
        return 1
    }
}

# refuses PATTERN ARGUMENT...   exit status 2, nothing on standard output, and on standard error one
# line that begins with the program's name and matches the (extended) pattern
refuses() {
    pattern=$1
    shift
    exits 2 "$@" || return 1
    if [ -s "$tmp/out" ] || [ "$(wc -l <"$tmp/err")" -ne 1 ] || ! grep -q '^rungs: ' "$tmp/err" ||
        ! grep -Eq -- "$pattern" "$tmp/err"; then
        echo "expected one line with $pattern"
        cat "$tmp/out" "$tmp/err"
        return 1
    fi
}

# shows PATTERN ARGUMENT...   exit status 0, a line of standard output matches, no word of errors
shows() {
    pattern=$1
    shift
    exits 0 "$@" && [ ! -s "$tmp/err" ] && grep -Eq -- "$pattern" "$tmp/out" || {
        echo "expected a line with $pattern"
        cat "$tmp/out" "$tmp/err"
        return 1
    }
}

# patience SECONDS   prints that many seconds for an idle machine, and proportionally more for a busy one: for upper
# bounds, which must hold on a busy machine, too
patience() {
    awk -v seconds="$1" -v cores="$(nproc)" \
        '{ busy = $1 / cores; printf "%d\n", seconds * (busy > 1 ? busy : 1) }' /proc/loadavg
}

# Prints the processes of this program and its workers that this test has started and that still run.
export RUNGS_TEST=$tmp
workers() {
    for exe in /proc/[0-9]*/exe; do
        case $(readlink "$exe" 2>/dev/null) in
        "${rungs%/*}"/* | */perl) ;;
        *) continue ;;
        esac
        grep -qzx "RUNGS_TEST=$tmp" "${exe%exe}environ" 2>/dev/null && echo "${exe%/exe}"
    done
}

# none_left   within 10 s no process of the program is left
none_left() {
    for _ in $(seq 100); do
        [ -z "$(workers)" ] && return 0
        sleep 0.1
    done
    echo "still running: $(workers)"
    return 1
}
