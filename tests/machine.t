#!/bin/sh
# The machine changes under a run: it says so, and its numbers stay numbers.
. tests/tap.sh

# --- processors go away -----------------------------------------------------------------------------
lose_a_processor() {
    "$rungs" bench saxpy/cpu_naive --size n=3000000 --max-time 2 --out "$tmp/lost.jsonl" \
        >"$tmp/lost.out" 2>"$tmp/lost.err" &
    pid=$!
    sleep 0.7
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

# --- the calendar's clock jumps ---------------------------------------------------------------------
cat >"$tmp/jump.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static long jump(void)
{
    static long so_far;

    return so_far -= 3600; /* another hour back, each time that somebody asks */
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
if ${CC:-cc} -shared -fPIC -o "$tmp/jump.so" "$tmp/jump.c" -ldl 2>/dev/null &&
    ! nm "$rungs" | grep -q __asan_init; then
    ok "a clock that jumps back makes a run no longer and no shorter" sh -c '
        LD_PRELOAD="$1/jump.so" "$rungs" bench saxpy/cpu_naive --quick --size n=1000 \
            --max-time 0.2 --out "$1/jump.jsonl" && python3 "$tests/records.py" "$1/jump.jsonl" &&
        wall=$(tail -n 1 "$1/jump.jsonl" | sed "s/.*\"wall_ns\":\([0-9]*\).*/\1/") &&
        test "$wall" -gt 100000000 -a "$wall" -lt 30000000000' sh "$tmp"
else
    skip "a clock that jumps back" "no compiler, or a sanitizer that has the clock already"
fi

# --- more threads than processors -------------------------------------------------------------------
ok "more threads than processors: told before the table" sh -c '
    "$rungs" bench saxpy/cpu_naive --quick --size n=1000 --max-time 0.05 --threads 999 \
        --out "$1" | grep -q "^mind: 999 threads on"' sh "$tmp/threads.jsonl"

finish
