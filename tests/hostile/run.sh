#!/bin/sh
# run.sh [--tap] [FILE...]   Every variant in tests/hostile/ tries to be accepted with a wrong answer, to be timed
# for work that it did not do, or to harm more than its own row.  Each runs beside an honest one in a namespace of its
# own (README.md).  The table at the end says which attacks were held off.
#
# Exit status 1 if any was not.  JOBS is how many run at a time (3: some only wait), BUILD names the build (build).
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build} JOBS=${JOBS:-3}
home=$PWD
here=$home/tests/hostile
tap=
[ "${1:-}" = --tap ] && tap=--tap && shift

skip() {
    echo "1..0 # skip $*"
    exit 0
}
python=python3
command -v $python >/dev/null || skip "python3 is not there"
command -v setpriv >/dev/null || skip "setpriv is not there"
user=
[ "$(id -u)" = 0 ] || user="--user --map-root-user"
# shellcheck disable=SC2086
unshare $user --pid --mount --ipc --net --fork --kill-child --mount-proc true 2>/dev/null ||
    skip "no namespaces here, and without them this is too dangerous"

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
jobs=
# shellcheck disable=SC2086
trap 'kill $jobs 2>/dev/null; exit 130' INT TERM

# --- what is run ------------------------------------------------------------------------------------
[ $# -gt 0 ] || set -- tests/hostile/*/*.c
for file; do
    [ "$(basename "$file")" = bystander.c ] || echo "$file"
done >"$scratch/files"

# They are built in a separate folder, because the sources' folder may not be writable; with a bystander for each
# problem.  The table says which cannot be built.
problems=$(sed 's|.*/\([^/]*\)/[^/]*$|\1|' "$scratch/files" | sort -u)
for problem in $problems; do
    mkdir -p "$scratch/built/$problem"
    echo "tests/hostile/$problem/bystander.c"
done | cat - "$scratch/files" | while read -r file; do
    problem=$(basename "$(dirname "$file")")
    ln -sf "$home/$file" "$scratch/built/$problem/"
    echo "$scratch/built/$problem/$(basename "$file")"
done >"$scratch/sources"
# as many at a time as a command takes
CFLAGS="-w -D_GNU_SOURCE" xargs -n 100 "$BUILD/rungs" build <"$scratch/sources" >"$scratch/built.log" 2>&1

# --- one run ----------------------------------------------------------------------------------------
says() { # says KEY FILE   prints the value of that key in the file
    sed -n "s|^/\* $1: \(.*\) \*/\$|\1|p" "$2" | head -n 1
}

# run_one FILE SLOT   leaves the results in $scratch/PROBLEM-NAME/
run_one() {
    name=$(basename "$1" .c)
    problem=$(basename "$(dirname "$1")")
    folder=$scratch/$problem-$name
    rm -rf "$folder"
    mkdir -p "$folder"
    size=$(says size "$1")
    more=$(says more "$1")
    patience=${PATIENCE:-30}
    [ -z "$more" ] || patience=$((4 * patience)) # large ones
    variants=$scratch/built/$problem
    if [ ! -f "$variants/$name.card" ]; then
        grep "$problem/$name\." "$scratch/built.log" >"$folder/built.log"
        return 0
    fi
    # The time limit is enforced from outside, which the attack cannot reach.  A network namespace separates
    # abstract sockets.
    # shellcheck disable=SC2086
    timeout -k 2 "$patience" unshare $user --pid --mount --ipc --net --uts --fork --kill-child --mount-proc \
        sh "$here/inside.sh" "$BUILD" "$variants" "$2" "$problem/bystander" "$problem/$name" \
        --size "${size:-S}" --timeout 3 ${more:---max-time 0.25} >"$folder/report.tar" 2>"$folder/outer.err" </dev/null
    echo $? >"$folder/outer"
    tar -C "$folder" -xf "$folder/report.tar" 2>/dev/null
    rm -f "$folder/report.tar"
}

job() { # job SLOT FILE...
    slot=$1
    shift
    for f; do run_one "$f" "$slot"; done
}
# Every JOBS-th file is of one slot.
slot=0
while [ $slot -lt "$JOBS" ]; do
    # shellcheck disable=SC2046
    job $slot $(awk -v n="$JOBS" -v s=$slot 'NR % n == s' "$scratch/files") &
    jobs="$jobs $!"
    slot=$((slot + 1))
done
wait

# What a busy machine may have caused is run again, alone.
# shellcheck disable=SC2046
for again in $("$python" "$here/verdict.py" --again "$scratch" $(cat "$scratch/files")); do
    run_one "$again" 0
done
[ -z "${KEEP:-}" ] || cp -r "$scratch" "$KEEP"
# shellcheck disable=SC2046
"$python" "$here/verdict.py" $tap "$scratch" $(cat "$scratch/files")
