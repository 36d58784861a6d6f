#!/bin/sh
# rungs bench --processes 1,2: several processes of a variant at the same time.  All are judged, and none is left.
. tests/tools/tap.sh

sees() {
    grep -Eq -- "$1" "$tmp/out" || { cat "$tmp/out" "$tmp/err"; return 1; }
}

run bench saxpy/cpu_naive saxpy/cpu_openmp --processes 2,1 --quick --max-time 0.2 --size n=2^16 --out "$tmp/a.jsonl"
ok "a row each, in order" sh -c 'test "$(grep -o "^cpu_naive@[0-9]" "$1" | tr "\n" " ")" = "cpu_naive@1 cpu_naive@2 "' \
    sh "$tmp/out"
ok "all are right" test "$(grep -cE '^cpu_(naive|openmp)@[12] +ok ' "$tmp/out")" = 4
ok "what they do together is a table" sees '^cpu_naive +processes +2 +end to end .* [0-9.]+ +[0-9.]+ to [0-9.]+ +[0-9]+%'
ok "its records are whole" python3 "$tests/tools/records.py" "$tmp/a.jsonl"
ok "... and say how many there were" python3 - "$tmp/a.jsonl" <<'END'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
assert records[0]["scaling"]["processes"] == [1, 2], records[0]["scaling"]
rows = [r for r in records if r["record"] == "measurement"]
assert [r["scale"] for r in rows] == 2 * [{"processes": 1}, {"processes": 2}], rows
assert all(r["mps"] is None for r in rows), rows  # it is of GPUs
of = [r for r in records if r["record"] == "scaling"]
assert of and all(r["axis"] == "processes" and r["value"] == 2 for r in of), of
END
ok "show prints it again" shows '^cpu_naive +processes +2 +end to end ' show "$tmp/a.jsonl"
ok "compare tells them apart" sh -c '"$rungs" compare "$1" "$1" | grep -q "^cpu_naive@2 "' sh "$tmp/a.jsonl"
if [ -x "${rungs%/*}/rungs-ranks" ] && command -v mpirun >/dev/null; then
    run bench saxpy/cpu_mpi --processes 1,2 --quick --max-time 0.05 --size n=1000 --out "$tmp/mpi.jsonl"
    ok "variants by MPI have ranks instead" sees '^cpu_mpi +ok '
else
    skip "variants by MPI" "no MPI: mpicc and mpirun"
fi

# --- two of them at the same time ---------------------------------------------------------------------------------
# The first to prepare has the file; the other one finds it taken, unless both are never there together.
mkdir -p "$tmp/more/saxpy"
write_variant() {
    cat >"$tmp/more/saxpy/$1.c" <<END
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include "common/saxpy.h"
#include "common/variant.h"

static int second;

static void prepare(const void *problem)
{
    static int file = -1;

    (void)problem;
    if (file >= 0 || getenv("LOCK") == NULL)
        return;
    file = open(getenv("LOCK"), O_RDONLY | O_CREAT, 0600);
    second = flock(file, LOCK_EX | LOCK_NB) != 0;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    if (second) {
        $2;
    }
}

VARIANT(.idea = "one of two processes is wrong", .prepare = prepare, .run = run)
END
}
write_variant wrong_beside 'p->z[0] += 1.0f'
write_variant crashes_beside 'raise(SIGSEGV)'
write_variant hangs_beside 'for (;;) (void)getppid()'
sed -i 's/#include <stdlib.h>/&\n#include <unistd.h>/' "$tmp"/more/saxpy/*.c
"$rungs" build "$tmp"/more/saxpy/*.c >"$tmp/built" 2>&1 || cat "$tmp/built"
RUNGS_CONFINE=none
export RUNGS_CONFINE
beside() {
    LOCK=$tmp/lock run bench "saxpy/$1" --variants "$tmp/more" --processes 2 --quick --max-time 0.1 --size n=1000 \
        --timeout "$(patience 3)" --out "$tmp/$1.jsonl"
}
beside wrong_beside
ok "a wrong answer of the second is the row's" sees '^wrong_beside(@2)? +wrong .*process 2 of 2: '
beside crashes_beside
ok "... and its crash" sees '^crashes_beside(@2)? +crash .*process 2 of 2: '
beside hangs_beside
ok "... and its endless loop" sees '^hangs_beside(@2)? +timeout .*process 2 of 2: '
unset RUNGS_CONFINE
ok "without the other all are right" sh -c '"$rungs" bench saxpy/wrong_beside --variants "$1/more" --processes 1,2 --quick \
    --max-time 0.05 --size n=1000 --out "$1/c.jsonl" | grep -Eq "^wrong_beside@2 +ok "' sh "$tmp"
ok "no worker is left" none_left

# --- what it does not take ----------------------------------------------------------------------------------------
ok "no process at all" refuses '--processes takes numbers from 1 to 4096, not "0"' bench saxpy --processes 0
ok "not with another axis" refuses '--processes goes with one number of threads and devices' \
    bench saxpy --processes 1,2 --threads 1,2
finish
