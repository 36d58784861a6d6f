#!/bin/sh
# rungs bench --devices 1,2: how many devices a worker sees.  The simulator has devices, and no clock.
targets=rungs
. tests/sim/build.sh
. tests/tap.sh

cat >"$tmp/note.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void note(int argc, char **argv)
{
    FILE *f = argc > 2 && strcmp(argv[1], "--worker") == 0 ? fopen(getenv("NOTES"), "a") : NULL;
    const char *cuda = getenv("CUDA_VISIBLE_DEVICES"), *sim = getenv("RUNGS_SIM_DEVICES");

    if (f == NULL)
        return;
    fprintf(f, "%s %s %s\n", argv[2], cuda != NULL ? cuda : "all", sim != NULL ? sim : "all");
    fclose(f);
}
END
${CC:-cc} -shared -fPIC -o "$tmp/note.so" "$tmp/note.c"
export NOTES="$tmp/notes"

# bench CUDA_VISIBLE_DEVICES   on three devices
bench() {
    rm -f "$NOTES"
    visible=$1
    run
}
run() {
    rm -f "$tmp/records.jsonl"
    (
        [ -z "$visible" ] || export CUDA_VISIBLE_DEVICES="$visible"
        export RUNGS_SIM_DEVICES=3 LD_PRELOAD="$tmp/note.so"
        "$rungs" bench saxpy/cuda_multi saxpy/cuda_naive --devices 1,2,4 --quick --size n=1000 \
            --out "$tmp/records.jsonl" >"$tmp/out" 2>"$tmp/err"
    )
}
sees() {
    grep -Eq -- "$1" "$2" || { cat "$2"; return 1; }
}

# With nothing to be timed, a worker may be let go before it has begun: another run then.
noted() {
    for i in 1 2 3 4 5 6 7 8 9; do
        ! grep -Eq -- "$1" "$NOTES" || return 0
        run
    done
    sees "$1" "$NOTES"
}

bench ""
ok "a row for each number of devices" sees '^cuda_multi@1 +skipped' "$tmp/out"
ok "... and for two" sees '^cuda_multi@2 +skipped' "$tmp/out"
ok "... but there are no four" sees \
    '^cuda_multi@4 +no device +4 devices are asked for, and there are 3$' "$tmp/out"
ok "what uses one is there once" sees '^cuda_naive +skipped' "$tmp/out"
ok "a worker for one device sees the first" noted '^saxpy/cuda_multi 0 1$'
ok "... for two the first two" noted '^saxpy/cuda_multi 0,1 2$'
ok "others see all" noted '^saxpy/cuda_naive all 3$'
ok "... and nobody sees a number for nothing" sh -c '! grep -q "cuda_naive [0-9]" "$1"' sh "$NOTES"
ok "on record" sees '"variant":"cuda_multi".*"scale":\{"devices":2\}' "$tmp/records.jsonl"
bench 2,0,7
ok "the first ones of those that are visible" noted '^saxpy/cuda_multi 2,0 2$'
ok "... and the first of them" noted '^saxpy/cuda_multi 2 1$'

finish
