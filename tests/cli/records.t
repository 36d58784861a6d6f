#!/bin/sh
# Records: whole lines whatever happens, never in the place of older ones.
. tests/tools/tap.sh

quick="saxpy/cpu_* --quick --size n=1000 --max-time 0.05"

well_formed() {
    python3 "$tests/tools/records.py" "$@"
}

# --- a run that nothing disturbs ------------------------------------------------------------------
ok "bench ends with status 0" exits 0 bench $quick --out "$tmp/a.jsonl"
ok "its records are whole" well_formed "$tmp/a.jsonl"
ok "one measurement a variant" test "$(grep -c '"measurement"' "$tmp/a.jsonl")" = \
    "$("$rungs" list "saxpy/cpu_*" --format json | wc -l)"
ok "two problems and two sizes in one file" sh -c '
    "$rungs" bench saxpy/cpu_naive matmul/cpu_naive --quick --max-time 0.05 --size n=10 \
        --size n=20 --out "$1" && python3 "$tests/tools/records.py" "$1" &&
    test "$(grep -c "\"measurement\"" "$1")" = 4' sh "$tmp/two.jsonl"
ok "check writes records as well" sh -c '
    "$rungs" check saxpy/cpu_naive --size n=10 --out "$1" && python3 "$tests/tools/records.py" "$1"' \
    sh "$tmp/check.jsonl"
ok "a name that is not UTF-8" sh -c '
    name=$(printf "%s/\377.jsonl" "$1")
    "$rungs" bench saxpy/cpu_naive --quick --size n=9 --max-time 0.05 --out "$name" &&
    python3 "$tests/tools/records.py" "$name"' sh "$tmp"
ok "a failed run is on record, with its status" sh -c '
    "$rungs" bench saxpy/cpu_naive --quick --size n=9 --timeout 1e-9 --max-time 1e-9 --out "$1"
    test $? = 1 && python3 "$tests/tools/records.py" "$1" && tail -n 1 "$1" |
    grep -q "\"exit_status\":1" && grep -q "\"status\":\"timeout\"" "$1"' sh "$tmp/failed.jsonl"

ok "a run that ends with status 2 leaves no half of a file" sh -c '
    "$rungs" bench saxpy/cpu_naive --size XXL --out "$1"
    test ! -e "$1" || python3 "$tests/tools/records.py" "$1"' sh "$tmp/xxl.jsonl"

# --- never overwritten ----------------------------------------------------------------------------
cp "$tmp/a.jsonl" "$tmp/kept"
ok "bench refuses a file that exists" refuses 'a\.jsonl: exists already' \
    bench $quick --out "$tmp/a.jsonl"
ok "... and leaves it alone" cmp "$tmp/a.jsonl" "$tmp/kept"
ok "check refuses a file that exists" refuses 'a\.jsonl: exists already' \
    check saxpy/cpu_naive --size n=10 --out "$tmp/a.jsonl"
ok "... and leaves it alone" cmp "$tmp/a.jsonl" "$tmp/kept"
ln -s "$tmp/nowhere" "$tmp/link.jsonl"
ok "nor does it write through a dangling link" refuses 'link\.jsonl' \
    bench $quick --out "$tmp/link.jsonl"
mkdir -p "$tmp/twice/results"
ok "two runs in one second, two files" sh -c '
    cd "$1" && for _ in 1 2; do
        "$rungs" bench saxpy/cpu_naive --quick --size n=9 --max-time 0.05 >out &
    done
    wait
    test "$(ls results/*.jsonl | wc -l)" = 2' sh "$tmp/twice"

# --- nowhere to write -----------------------------------------------------------------------------
ok "a folder that does not exist" refuses 'none/x\.jsonl: No such file' \
    bench $quick --out "$tmp/none/x.jsonl"
ok "a folder in the place of a file" refuses "$tmp: " bench $quick --out "$tmp"
mkdir "$tmp/empty"
ok "the folder for results is made" sh -c '
    cd "$1" && "$rungs" bench saxpy/cpu_naive --quick --size n=9 --max-time 0.05 &&
    python3 "$tests/tools/records.py" results/*.jsonl' sh "$tmp/empty"
ok "... unless it cannot be" sh -c '
    cd "$1" && rm -r results && : >results
    "$rungs" bench saxpy/cpu_naive --quick --size n=9 2>err
    test $? = 2 && test "$(wc -l <err)" = 1 && grep -q "results/.*: Not a directory" err' \
    sh "$tmp/empty"
mkdir "$tmp/locked"
chmod 555 "$tmp/locked"
if touch "$tmp/locked/probe" 2>/dev/null; then # this user is root, so permissions do not matter
    ok "a folder that cannot be written" refuses '/sys/x\.jsonl: ' bench $quick --out /sys/x.jsonl
else
    ok "a folder that cannot be written" refuses 'locked/x\.jsonl: Permission denied' \
        bench $quick --out "$tmp/locked/x.jsonl"
fi
# A disk of 8 KiB, where mounting one is allowed.
full_disk() {
    unshare -rm sh -c 'mount -t tmpfs -o size=8k none "$1" && shift && exec "$@"' sh "$tmp/locked" \
        sh -c '"$rungs" bench "saxpy/cpu_*" --size n=9 --max-time 0.3 --out "$1/x.jsonl" 2>"$2"
        status=$?
        cat "$2"
        test -z "$(tail -c 1 "$1/x.jsonl")" || { echo "half a line is left"; exit 1; }
        test $status = 2 && test "$(wc -l <"$2")" = 1 && grep -q "x.jsonl: No space" "$2"
        ' sh "$tmp/locked" "$tmp/err"
}
if unshare -rm mount -t tmpfs none "$tmp/locked" 2>/dev/null; then
    ok "a full disk" full_disk
else
    skip "a full disk" "mounting is not allowed here"
fi
for command in --help "list saxpy" "list saxpy --format json" "check saxpy/cpu_naive --size n=9" \
    "run saxpy/cpu_naive --size n=9" "bench $quick --out $tmp/unseen.jsonl"; do
    ok "standard output is full: ${command%% --out*}" sh -c '
        "$rungs" $1 >/dev/full 2>"$2"
        status=$?
        cat "$2"
        test $status = 2 && test "$(wc -l <"$2")" = 1' sh "$command" "$tmp/err"
done

# --- killed and interrupted -----------------------------------------------------------------------
# start NAME ARGUMENT...   in the background, until the file NAME.jsonl has a second line
start() {
    file=$tmp/$1.jsonl
    shift
    # An interactive shell lets its children have SIGINT; one that runs a script does not.
    python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$rungs" "$@" --out "$file" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    for _ in $(seq 600); do
        [ "$(cat "$file" 2>/dev/null | wc -l)" -ge 2 ] && return 0
        sleep 0.1
    done
    echo "# no record came"
}

# Ends it with a signal; its exit status in $status, the milliseconds that this took in $took.
end() {
    before=$(date +%s%N)
    kill -"$1" $pid
    status=0
    wait $pid 2>/dev/null || status=$?
    took=$((($(date +%s%N) - before) / 1000000))
}

# A size that is soon done, then many that are not.
slow="$quick"
for _ in 1 2 3 4 5 6 7 8; do
    slow="$slow --size n=2^22"
done
slow="$slow --max-time 1"

start killed bench $slow
end KILL
ok "a kill leaves whole lines" well_formed "$tmp/killed.jsonl" cut
ok "... and no worker" none_left

for signal in INT:130 TERM:143 HUP:129; do
    start ${signal%:*} bench $slow
    end ${signal%:*}
    ok "${signal%:*} ends it with status ${signal#*:}" test $status = ${signal#*:}
    ok "... soon (it took $took ms)" test $took -lt "$(patience 15)000"
    ok "... with a table" grep -q 'cpu_naive .*stopped' "$tmp/out"
    ok "... with whole records" well_formed "$tmp/${signal%:*}.jsonl"
    ok "... and its status in them" grep -q "\"exit_status\":${signal#*:}" \
        "$tmp/${signal%:*}.jsonl"
    ok "... and no worker" none_left
done

# While the harness itself is busy, with a case of hundreds of megabytes.
large() {
    "$rungs" bench saxpy/cpu_naive --size n=2^26 --out "$tmp/large.jsonl" >"$tmp/out" 2>&1 &
    pid=$!
    sleep 1
    end TERM
    cat "$tmp/out"
    echo "status $status after $took ms"
    [ $status -eq 143 ] && [ $took -lt "$(patience 20)000" ]
}
ok "a large case is left once its data are filled in" large
ok "... and no worker" none_left

# While a call goes on and on: a variant that never ends.
# spinning   the worker of $pid has been at work for 0.3 s of a processor, far longer than it takes to start
spinning() {
    for _ in $(seq 600); do
        children=$(cat /proc/$pid/task/$pid/children 2>/dev/null) # a worker, or its keeper
        for child in $children $(for keeper in $children; do
            cat "/proc/$keeper/task/$keeper/children" 2>/dev/null
        done); do
            ticks=$(sed 's/.*) //' "/proc/$child/stat" 2>/dev/null | cut -d ' ' -f 12)
            [ "${ticks:-0}" -lt 30 ] || return 0
        done
        sleep 0.1
    done
    echo "no worker is at work"
}
endless() {
    "$rungs-broken" check saxpy/spins --size n=9 --timeout 100 >"$tmp/out" 2>&1 &
    pid=$!
    spinning
    end TERM
    cat "$tmp/out"
    echo "status $status after $took ms"
    [ $status -eq 143 ] && [ $took -lt "$(patience 15)000" ] && grep -q 'spins *stopped' "$tmp/out"
}
if [ -x "$rungs-broken" ]; then
    ok "an endless call is left within 2 s as well" endless
else
    skip "an endless call is left within 2 s as well" "rungs-broken has not been built"
fi

finish
