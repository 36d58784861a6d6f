#!/bin/sh
# The machine changes under a run: it says so, and its numbers stay numbers.
. tests/tools/tap.sh

# begun FILE [VARIANT]   a run has written the first of its blocks, or of that variant's; at once, as what
# follows has to come before the last one
begun() {
    for _ in $(seq 6000); do
        grep -q "\"block\".*\"variant\":\"$2" "$1" 2>/dev/null && return 0
        sleep 0.02
    done
    return 1
}

# --- processors go away -----------------------------------------------------------------------------
lose_a_processor() {
    "$rungs" bench saxpy/cpu_naive --size n=3000000 --max-time 2 --out "$tmp/lost.jsonl" \
        >"$tmp/lost.out" 2>"$tmp/lost.err" &
    pid=$!
    begun "$tmp/lost.jsonl" cpu_naive
    taskset -pc "$(taskset -pc $pid | sed 's/.*[-, ]//')" $pid >/dev/null
    wait $pid
}
if [ "$(nproc)" -gt 1 ] && command -v taskset >/dev/null; then
    ok "a run that loses processors goes on" lose_a_processor
    ok "... says so" grep -q "processors when the run began, and 1 when it ended" "$tmp/lost.err"
    ok "... and puts it on record" sh -c '
        tail -n 1 "$1" | grep -q "\"warnings\":\[\"there were"' sh "$tmp/lost.jsonl"
else
    skip "a run that loses processors" "there is but one, or no taskset"
fi

# As when a processor goes offline: the kernel moves what was bound to it.
move_the_workers() {
    "$rungs" bench saxpy/cpu_openmp --size n=3000000 --max-time 2 --out "$tmp/moved.jsonl" \
        >"$tmp/moved.out" 2>"$tmp/moved.err" &
    pid=$!
    moved=
    begun "$tmp/moved.jsonl" cpu_openmp
    while [ -z "$moved" ] && kill -0 $pid; do # between two passes there are none
        for keeper in $(cat /proc/$pid/task/*/children); do # each with its worker behind it
            worker=$(cat /proc/"$keeper"/task/*/children 2>/dev/null)
            worker=${worker:-$keeper}
            for task in /proc/"${worker% }"/task/*; do
                taskset -pc 0 "${task##*/}" >/dev/null && moved=yes || [ ! -e "$task" ] || return 1
            done
        done
    done
    wait $pid && [ -n "$moved" ] && grep -q '^cpu_openmp  *ok' "$tmp/moved.out" &&
        python3 "$tests/tools/records.py" "$tmp/moved.jsonl"
}
if [ "$(nproc)" -gt 1 ] && command -v taskset >/dev/null && [ -e /proc/$$/task/$$/children ]; then
    ok "a worker that loses a processor goes on" move_the_workers
else
    skip "a worker that loses a processor goes on" "there is but one, or no taskset"
fi

# --- a file as large as it may be -----------------------------------------------------------------
ok "a limit on files' sizes: one line, and status 2" sh -c '
    (ulimit -f 1 && exec "$rungs" bench saxpy/cpu_naive --quick --size n=1000 --max-time 0.1 \
        --out "$1/limited.jsonl") >"$1/out" 2>"$1/err"
    status=$?
    cat "$1/err"
    test $status = 2 && test "$(wc -l <"$1/err")" = 1 && grep -q "File too large" "$1/err"' sh "$tmp"

# --- the calendar's clock jumps ---------------------------------------------------------------------
cat >"$tmp/jump.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static long jump(void)
{
    static long so_far;

    return so_far -= 3600; /* another hour back at each call */
}

time_t time(time_t *t)
{
    time_t now = 1700000000 + jump();

    return t != NULL ? *t = now : now;
}

int clock_gettime(clockid_t which, struct timespec *t)
{
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(which, t);

    if (which == CLOCK_REALTIME)
        t->tv_sec += jump();
    return status;
}
END
# What the run says of its own length lies between what its blocks took and what a clock that does not
# jump says of the whole process, however fast the machine; and it ends neither late nor early.  The
# limit of 0.2 s counts what lies between the blocks, too: half of it is left to that.
cat >"$tmp/lasts.py" <<'END'
import json, os, subprocess, sys, time

rungs, jump, path = sys.argv[1:]
now = lambda: time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
start = now()
subprocess.run([rungs, "bench", "saxpy/cpu_naive", "--quick", "--size", "n=1000", "--max-time", "0.2",
                "--out", path], env={**os.environ, "LD_PRELOAD": jump}, check=True, timeout=120,
               stdout=subprocess.DEVNULL)
elapsed = now() - start
records = [json.loads(line) for line in open(path)]
blocks = [r for r in records if r["record"] == "block"]
took = sum(b["took_ns"] for b in blocks)
wall = records[-1]["wall_ns"]
assert 0 < took <= wall <= elapsed, (took, wall, elapsed)
for b in blocks:
    assert 0 < b["reps"] * sum(b["e2e"]) <= 1.001 * b["took_ns"], b
stop = [r["stop"] for r in records if r["record"] == "measurement"]
early = took < 0.1e9 and stop not in (["converged"], ["max_rounds"])
assert not early, (stop, took, wall)
END
if ${CC:-cc} -shared -fPIC -o "$tmp/jump.so" "$tmp/jump.c" -ldl 2>/dev/null &&
    ! nm "${rungs%/*}/rungs" | grep -q __asan_init; then
    ok "a clock that jumps back makes a run no longer and no shorter" \
        python3 "$tmp/lasts.py" "$rungs" "$tmp/jump.so" "$tmp/jump.jsonl"
    ok "... and its records are whole" python3 "$tests/tools/records.py" "$tmp/jump.jsonl"
else
    skip "a clock that jumps back" "no compiler, or a sanitizer that has the clock already"
fi

# --- more threads than processors -------------------------------------------------------------------
ok "more threads than processors: told before the table" sh -c '
    "$rungs" bench saxpy/cpu_naive --quick --size n=1000 --max-time 0.05 --threads 999 \
        --out "$1" | grep -q "^warning: 999 threads share"' sh "$tmp/threads.jsonl"


# --- the card -------------------------------------------------------------------------------------
# A variant on a card that is made up, and an NVML that knows it, with as many processes on it as a file
# has lines.
cat >"$tmp/nvml.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nvmlInit_v2(void) { return 0; }
int nvmlSystemGetDriverVersion(char *version, unsigned length)
{
    snprintf(version, length, "1.2.3");
    return 0;
}
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 1; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) { *device = device; return (int)index; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device)
{
    *device = device;
    return strcmp(bus, "0000:1b:00.0") == 0 ? 0 : 2;
}
int nvmlDeviceGetName(void *device, char *name, unsigned length)
{
    (void)device;
    snprintf(name, length, "Made-up Card");
    return 0;
}
int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz)
{
    (void)device;
    *mhz = which == 1 ? 1980 : 2619;
    return 0;
}
int nvmlDeviceGetTemperature(void *device, int which, unsigned *celsius)
{
    (void)device;
    *celsius = 91 + (unsigned)which;
    return 0;
}
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    (void)device;
    *milliwatts = 700000;
    return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    (void)device;
    *reasons = getenv("NVML_HOT") != NULL ? 0x20 : 0; /* software thermal slowdown */
    return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *list)
{
    FILE *f = fopen(getenv("NVML_PROCESSES"), "r");
    unsigned lines = 0;
    int c;

    (void)device, (void)list;
    while (f != NULL && (c = fgetc(f)) != EOF)
        lines += c == '\n';
    if (f != NULL)
        fclose(f);
    *count = lines;
    return lines > 0 ? 7 : 0;
}
END
card() {
    "$rungs-broken" bench saxpy/right saxpy/loses_device "$@" --size n=1000 >"$tmp/out" 2>"$tmp/err"
}
sees() {
    grep -Eq -- "$1" "$2" || { cat "$tmp/out" "$tmp/err"; return 1; }
}
mkdir "$tmp/nvml"
if [ -x "$rungs-broken" ] && ! nm "$rungs" | grep -q __asan_init &&
    ${CC:-cc} -shared -fPIC -o "$tmp/nvml/libnvidia-ml.so.1" "$tmp/nvml.c" 2>/dev/null; then
    export LD_LIBRARY_PATH="$tmp/nvml" NVML_PROCESSES="$tmp/processes"
    : >"$tmp/processes"
    card --quick --max-time 0.2 --out "$tmp/alone.jsonl"
    ok "a card of our own: nothing to mind" sh -c '! grep -q "other process.* on the Made-up Card" "$1/out" "$1/err"' sh "$tmp"
    ok "... and its clocks are on record" sees '"gpu_mhz":\[1980' "$tmp/alone.jsonl"
    echo a >"$tmp/processes"
    card --quick --max-time 0.2 --out "$tmp/shared.jsonl"
    ok "another user of the card: told above the tables" sees \
        '^warning: 1 other process on the Made-up Card$' "$tmp/out"
    ok "... and on record" sees '"warnings":\[.*"1 other process on the Made-up Card"' "$tmp/shared.jsonl"
    : >"$tmp/processes"
    (begun "$tmp/came.jsonl" right && printf 'a\nb\n' >"$tmp/processes") &
    card --max-time 1.5 --out "$tmp/came.jsonl"
    wait
    ok "another user comes in mid-run: told at its end" sees \
        '^rungs: 2 other processes started on the Made-up Card during the run$' "$tmp/err"
    ok "... and on record" sh -c 'tail -n 1 "$1" | grep -q "other processes started on the Made-up Card"' \
        sh "$tmp/came.jsonl"
    : >"$tmp/processes"
    NVML_HOT=1 card --quick --max-time 0.2 --out "$tmp/hot.jsonl"
    ok "a card that holds itself back for heat is flagged" sees '^loses_device +ok .* T[A-Z]*$' "$tmp/out"
    (begun "$tmp/gone.jsonl" loses_device && : >"$tmp/lost") &
    RUNGS_LOSES_DEVICE=$tmp/lost card --max-time 8 --size n=2^23 --out "$tmp/gone.jsonl"
    ended=$?
    wait
    ok "a card that is lost in mid-run: status 1" test $ended = 1
    ok "... a row that says so" sees '^loses_device +crash +exits in run: .*cudaDeviceSynchronize\(\): CUDA' \
        "$tmp/out"
    ok "... at the sizes after it as well" sh -c 'test "$(grep -c "^loses_device *crash" "$1")" = 2' sh "$tmp/out"
    ok "... while the others are timed" sh -c 'test "$(grep -c "^right *ok" "$1")" = 2' sh "$tmp/out"
    ok "... after blocks of its own" sees '"block".*"variant":"loses_device"' "$tmp/gone.jsonl"
    ok "... in whole records" python3 "$tests/tools/records.py" "$tmp/gone.jsonl"
    unset LD_LIBRARY_PATH
else
    skip "a card that is shared, hot or lost" "no compiler, or rungs-broken has not been built"
fi

finish
