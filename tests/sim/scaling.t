#!/bin/sh
# rungs bench --devices 1,2: how many devices a worker sees.  The simulator has devices, and no clock.
targets=rungs
. tests/sim/build.sh
. tests/tools/tap.sh

# Each worker notes the devices that it sees.  It ends soon, because nothing is timed.  So a fork in the parent returns
# only when the new worker has written its note or has ended; the worker holds a pipe open until then.
cat >"$tmp/note.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOT_NOTED_YET = 99 }; /* a descriptor that nothing else uses */

pid_t fork(void)
{
    pid_t (*real)(void) = (pid_t (*)(void))dlsym(RTLD_NEXT, "fork");
    int ends[2];
    char byte;

    if (pipe2(ends, O_CLOEXEC) != 0 || dup2(ends[1], NOT_NOTED_YET) < 0)
        abort();
    close(ends[1]);
    pid_t pid = real();
    if (pid != 0) {
        close(NOT_NOTED_YET);
        while (read(ends[0], &byte, 1) > 0)
            ;
        close(ends[0]);
    }
    return pid;
}

__attribute__((constructor)) static void note(int argc, char **argv)
{
    FILE *f = argc > 2 && strcmp(argv[1], "--serve") == 0 ? fopen(getenv("NOTES"), "a") : NULL;
    const char *cuda = getenv("CUDA_VISIBLE_DEVICES"), *sim = getenv("RUNGS_SIM_DEVICES");

    if (f == NULL)
        return;
    fprintf(f, "%s %s %s\n", argv[2], cuda != NULL ? cuda : "all", sim != NULL ? sim : "all");
    fclose(f);
    close(NOT_NOTED_YET);
}
END
${CC:-cc} -shared -fPIC -o "$tmp/note.so" "$tmp/note.c"
export NOTES="$tmp/notes"

# bench CUDA_VISIBLE_DEVICES   on three devices
bench() {
    rm -f "$NOTES" "$tmp/records.jsonl"
    (
        [ -z "$1" ] || export CUDA_VISIBLE_DEVICES="$1"
        export RUNGS_SIM_DEVICES=3 LD_PRELOAD="$tmp/note.so"
        "$rungs" bench saxpy/cuda_multi saxpy/cuda_naive --devices 1,2,4 --quick --size n=1000 \
            --out "$tmp/records.jsonl" >"$tmp/out" 2>"$tmp/err"
    )
}
sees() {
    grep -Eq -- "$1" "$2" || { cat "$2"; return 1; }
}

bench ""
ok "a row for each number of devices" sees '^cuda_multi@1 +skipped' "$tmp/out"
ok "... and for two" sees '^cuda_multi@2 +skipped' "$tmp/out"
ok "... but there are no four" sees \
    '^cuda_multi@4 +no device +needs 4 devices; this machine has 3$' "$tmp/out"
ok "what uses one is there once" sees '^cuda_naive +skipped' "$tmp/out"
ok "a worker for one device sees the first" sees '^saxpy/cuda_multi 0 1$' "$NOTES"
ok "... for two the first two" sees '^saxpy/cuda_multi 0,1 2$' "$NOTES"
ok "others see all" sees '^saxpy/cuda_naive all 3$' "$NOTES"
ok "... and no number is there without a reason" sh -c '! grep -q "cuda_naive [0-9]" "$1"' sh "$NOTES"
ok "on record" sees '"variant":"cuda_multi".*"scale":\{"devices":2\}' "$tmp/records.jsonl"
bench 2,0,7
ok "the first ones of those that are visible" sees '^saxpy/cuda_multi 2,0 2$' "$NOTES"
ok "... and the first of them" sees '^saxpy/cuda_multi 2 1$' "$NOTES"

finish
