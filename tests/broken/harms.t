#!/bin/sh
# Harm to a run, by a malicious variant or an impatient user: no process may be left, and the records must stay whole.
# What happens to the variant's own row is stated in the files of tests/broken/saxpy.
. tests/tools/tap.sh
rungs=$rungs-broken
cd "$tmp" || exit 1
short="--quick --size n=1000 --max-time 0.05"

# --- processes ------------------------------------------------------------------------------------------
# daemon_at_work COUNT   waits for the parent, the worker, its program, the process that has left it, and a keeper
daemon_at_work() {
    for _ in $(seq 300); do
        [ "$(workers | wc -l)" -ge "$1" ] && return 0
        sleep 0.1
    done
    echo "processes: $(workers)"
    return 1
}

# What is compiled can start none, but a program in another language can.
mkdir -p "$tmp/perl/saxpy"
cat >"$tmp/perl/saxpy/daemon_waits.pl" <<'END'
# /// script
# [tool.rungs]
# idea = "a process that has left its parent; and no answer, or one that is none"
# ///
$| = 1;
while (<STDIN>) {
    if (/^run$/) {
        if (fork == 0) { fork ? exit : sleep }
        sleep if $0 =~ /waits/;
    }
    print /^rungs/ ? "rungs 1 Perl\n" : "ok\n";
}
END
cp "$tmp/perl/saxpy/daemon_waits.pl" "$tmp/perl/saxpy/daemon.pl"
# killed SIGNAL
killed() {
    "$rungs" check saxpy/daemon_waits --variants "$tmp/perl" --timeout 60 >"$tmp/out" 2>&1 </dev/null &
    parent=$!
    daemon_at_work 5 || return 1
    kill -"$1" $parent
    wait $parent 2>/dev/null
    none_left
}
ok "after SIGKILL no process is left" killed KILL
ok "nor after SIGTERM" killed TERM
ok "nor after SIGHUP" killed HUP
ended() {
    exits 1 check saxpy/daemon --variants "$tmp/perl" && none_left
}
ok "nor at the end" ended

# --- inputs ---------------------------------------------------------------------------------------------
unhides() {
    # shellcheck disable=SC2086
    exits 1 bench saxpy/unhides_inputs saxpy/right $short --out blind.jsonl || return 1
    cat "$tmp/out"
    grep -q 'unhides_inputs .*reads its input x\[[0-9]*\] in prepare' "$tmp/out"
}
ok "inputs that hold values are not there in prepare" unhides

# --- records --------------------------------------------------------------------------------------------
# removed COMMAND...   done to the folder of the records while a run writes to them
removed() {
    rm -rf folder
    mkdir folder
    "$rungs" bench saxpy/right saxpy/slow_twin --size n=1000 --max-time 20 --out folder/r.jsonl \
        >"$tmp/out" 2>"$tmp/err" </dev/null &
    run=$!
    for _ in $(seq 300); do
        grep -q '"record":"block"' folder/r.jsonl && break
        sleep 0.1
    done
    "$@" folder
    status=0
    wait $run || status=$?
    cat "$tmp/err"
    [ "$status" -eq 2 ] && grep -q '^rungs: folder/r.jsonl: was removed during the run' "$tmp/err"
}
empty() { rm -f "$1"/*; }
moved() { mv "$1" elsewhere; }
ok "records that are removed during the run are an error" removed empty
ok "... and a folder that is" removed rm -rf
ok "... or moved" removed moved

closed() {
    # shellcheck disable=SC2086
    "$rungs" bench saxpy/right $short --out closed.jsonl <&- >&- 2>&-
    ! grep -v '^{"record":' closed.jsonl && [ "$(wc -l <closed.jsonl)" -gt 2 ]
}
ok "without standard files the records are records alone" closed
unwritten() {
    "$rungs" list saxpy >&- 2>"$tmp/err"
    [ $? = 2 ] && grep -q "cannot write to standard output" "$tmp/err" && "$rungs" list saxpy <&- >"$tmp/out" && [ -s "$tmp/out" ]
}
ok "a table that goes nowhere is an error" unwritten

# shellcheck disable=SC2086
resumed() {
    exits 0 bench saxpy/right $short --out whole.jsonl || return 1
    head -c -30 whole.jsonl >half.jsonl
    cp half.jsonl before.jsonl
    refuses 'made with --seed 1, not 2' bench saxpy/right $short --seed 2 --resume half.jsonl || return 1
    cmp half.jsonl before.jsonl
}
ok "a --resume that is refused leaves the file as it was" resumed

# --- memory ---------------------------------------------------------------------------------------------
# shellcheck disable=SC2086
unconfined() {
    RUNGS_CONFINE=none exits 0 bench saxpy/right $short --out none.jsonl
    grep -q "^warning: RUNGS_CONFINE=none" "$tmp/out"
}
ok "RUNGS_CONFINE=none is said above the tables" unconfined

group=/sys/fs/cgroup/memory/rungs-test-$$
limit=$group/memory.limit_in_bytes
[ -d /sys/fs/cgroup/memory ] || { group=/sys/fs/cgroup/rungs-test-$$ limit=$group/memory.max; }
limited() {
    sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" check saxpy/right --size n=2^26' sh "$group" "$rungs" \
        >"$tmp/out" 2>&1
    cat "$tmp/out"
    grep -q '^rungs: needs 0.8 GiB of memory; 0.[0-9] GiB are free' "$tmp/out"
}
if mkdir "$group" 2>/dev/null && echo 419430400 2>/dev/null >"$limit"; then
    ok "a control group's limit of memory counts" limited
else
    skip "a control group's limit of memory counts" "no such group can be made here"
fi
rmdir "$group" 2>/dev/null

finish
