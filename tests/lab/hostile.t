#!/bin/sh
# Learners' programs that misbehave: none passes, and none does harm.
. tests/tools/tap.sh
. tests/lab/tree.sh

mine=learn/saxpy/01_read_the_table.c
harmed=$tmp/harmed

# judged KIND STATEMENTS [BEFORE]   exercise 01 with the solution and these statements in run(), and BEFORE outside of
# it.  It must not pass, must get this kind of mistake, and must do no harm.
judged() {
    mkdir -p learn/saxpy
    cat >"$mine" <<EOF
/* answer bytes: 12 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/saxpy.h"
#include "common/variant.h"
${3-}
static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    $2
}

VARIANT(.idea = "hostile", .run = run)
EOF
    rm -f "$harmed"
    began=$(date +%s)
    exits 1 lab run 01 || return 1
    grep -Fq "rungs lab explain $1)" "$tmp/out" || { cat "$tmp/out" "$tmp/err"; return 1; }
    if grep -Eq '^  [*.]+ passed' "$tmp/out"; then
        cat "$tmp/out"
        return 1
    fi
    [ $(($(date +%s) - began)) -lt "$(patience 60)" ] || { echo "took a minute"; return 1; }
    [ ! -e "$harmed" ] || { echo "it wrote a file"; return 1; }
    grep -q "^01_read_the_table	-	" learn/progress.tsv || { cat learn/progress.tsv; return 1; }
    nothing_runs
}

# Succeeds if no process of an exercise's program is left.
nothing_runs() {
    for _ in $(seq 100); do
        left=
        for exe in /proc/[0-9]*/exe; do
            case $(readlink "$exe" 2>/dev/null) in
            "$tree"/*.lab*) left="$left ${exe%/exe}" ;;
            esac
        done
        [ -z "$left" ] && return 0
        sleep 0.1
    done
    echo "still running:$left"
    return 1
}

# not_a_program TEXT KIND   the same for a text that does not become a program
not_a_program() {
    mkdir -p learn/saxpy
    printf '%s\n' "$1" >"$mine"
    exits 1 lab run 01 && grep -Fq "rungs lab explain $2)" "$tmp/out" || {
        cat "$tmp/out" "$tmp/err"
        return 1
    }
}

ok "an endless loop" judged endless 'for (volatile int i = 0;; i++) ;'
ok "an endless sleep" judged endless 'for (;;) pause();'
ok "a child that stays" judged forks 'if (fork() == 0) for (;;) pause();'
ok "a child that gets away" judged forks \
    'if (fork() == 0) { setsid(); if (fork() == 0) for (;;) pause(); _exit(0); }'
ok "exit(0)" judged exits 'exit(0);'
ok "_exit(0)" judged exits '_exit(0);'
ok "exit before main" judged exits '' \
    '__attribute__((constructor)) static void first(void) { _exit(0); }'
ok "closes all files" judged closes-files 'for (int i = 0; i < 100; i++) close(i);'
ok "prints a verdict" judged prints 'printf("  * passed\n"); fflush(stdout);'
ok "prints without an end" judged prints \
    'for (int i = 0; i < 1000000; i++) printf("* passed, * passed, * passed\n");'
ok "overwrites its input" judged writes-input 'if (p->n > 0) ((float *)p->x)[0] = 1;'
ok "writes past its output" judged out-of-bounds '((volatile float *)p->z)[p->n] = 1;'
ok "a null pointer" judged crash '*(volatile int *)0 = 1;'
# Writes one byte of each piece: to fill all memory would take longer than a call may.
ok "takes all memory" judged memory \
    'for (;;) { volatile char *more = malloc(1 << 24); more[0] = 1; }'
ok "gives up by a signal" judged crash 'abort();'
ok "empty" not_a_program '' empty
ok "all of it a comment" not_a_program '/* VARIANT(.idea = "x", .run = run) */' empty
ok "no C" not_a_program 'VARIANT this is not C' does-not-compile
ok "a compiler that does not end" not_a_program '#include "/dev/zero"
VARIANT' does-not-compile
ok "includes itself without an end" not_a_program '#include "01_read_the_table.c"
VARIANT' does-not-compile

# Attempts that need not decide whether the program passes, but must have no effect.
# harmless STATEMENTS   it may pass or not, but no file is written and no star is won
harmless() {
    judged_any "$1" || return 1
    [ ! -e "$harmed" ] || { echo "it wrote a file"; return 1; }
    [ "$(cut -f 2 learn/progress.tsv | grep -c speed)" -eq 0 ] || { cat learn/progress.tsv; return 1; }
    grep -q "^exercise	stars	" learn/progress.tsv || { cat learn/progress.tsv; return 1; }
}
judged_any() {
    judged crash "$1" >/dev/null
    [ "$status" -le 1 ] || { echo "status $status"; cat "$tmp/out" "$tmp/err"; return 1; }
}
ok "writes the progress file" harmless \
    'FILE *f = fopen("learn/progress.tsv", "w"); if (f) { fputs("01_read_the_table\tright+structure+speed\t1\t0\t1\t1\t1\t-\n", f); fclose(f); }'
ok "removes it" harmless 'unlink("learn/progress.tsv"); unlink("learn/.kept/progress.tsv");'
if "$rungs" lab doctor | grep -q '+ Landlock'; then
    ok "writes a file of its own" harmless "int f = open(\"$harmed\", O_CREAT | O_WRONLY, 0666); if (f >= 0) close(f);"
else
    skip "writes a file of its own" "this kernel has no Landlock"
fi
ok "kills the runner" harmless 'kill(getppid(), SIGKILL);'

# --- of a kernel's file -------------------------------------------------------------------------------
kernel() {
    mkdir -p learn/saxpy
    "$rungs" lab dev show 03 solution | sed "s|^    size_t i = .*|&\n    $2|; 1i #include <stdio.h>\n#include <sys/stat.h>\n#include <unistd.h>" >learn/saxpy/03_first_kernel.cu
    exits 1 lab run 03 || return 1
    grep -Fq "rungs lab explain $1)" "$tmp/out" || { cat "$tmp/out" "$tmp/err"; return 1; }
    nothing_runs
}
ok "a kernel that does not end" kernel endless 'for (volatile int k = 0;; k++) ;'
ok "a kernel that prints" kernel prints 'printf("* passed\\\\n");'
ok "a kernel that divides by zero" kernel crash 'volatile int zero = 0; if (i < n) z[i] = 7 / zero;'
# So many threads that the bytes of their list overflow: the lab crashed when it believed them.
ok "a kernel that lies about what its threads have written" kernel gaps \
    'struct stat s; for (int fd = 3; i == 0 \&\& fd < 64; fd++) if (fstat(fd, \&s) == 0 \&\& S_ISREG(s.st_mode) \&\& s.st_size == 0 \&\& write(fd, "65536 65536 65536 8192 0 0 0 0 100000 4 0 0 1 ", 45) < 0) break; if (i % 2 == 1) return;'

# --- the learner's files ------------------------------------------------------------------------------
pass_01() {
    "$rungs" lab dev show 01 solution >"$mine"
    exits 0 lab run 01
}
ok "after all that, the solution passes" pass_01
ok "... and is noted" grep -q "^01_read_the_table	right	" learn/progress.tsv
again() {
    rm learn/progress.tsv
    shows 'brought back' lab list && grep -q "^01_read_the_table	right	" learn/progress.tsv
}
ok "a deleted progress file comes back" again
damaged() {
    echo nonsense >learn/progress.tsv
    shows 'brought back' lab list && grep -q "^01_read_the_table	right	" learn/progress.tsv
}
ok "a damaged one, too" damaged
deleted() {
    cp "$mine" "$tmp/mine"
    rm "$mine"
    shows 'was gone' lab story 01 && cmp "$mine" "$tmp/mine"
}
ok "a deleted exercise comes back as it was" deleted
reset() {
    shows 'is the starter again' lab reset 01 && cmp learn/saxpy/01_read_the_table.1.c "$tmp/mine" &&
        "$rungs" lab dev show 01 starter | cmp - "$mine"
}
ok "reset keeps what was there" reset
killed() {
    before=$(cat learn/progress.tsv)
    timeout -s KILL 0.4 "$rungs" lab run 03 >/dev/null 2>&1
    [ "$(head -n 1 learn/progress.tsv)" = "$(echo "$before" | head -n 1)" ] &&
        grep -q "^01_read_the_table	right	" learn/progress.tsv && shows '01 ' lab list
}
ok "killed in the middle, nothing is lost" killed
full() {
    pass_01 || return 1
    cp learn/progress.tsv "$tmp/progress"
    # no file may grow, as on a full disk; only the name of the error differs
    (trap '' XFSZ && ulimit -f 0 && exec timeout 300 "$rungs" lab hint 01 1) 2>&1 | cat >"$tmp/out"
    cat "$tmp/out"
    grep -q 'not on the disk' "$tmp/out" && cmp learn/progress.tsv "$tmp/progress"
}
ok "on a full disk the old progress stays" full

finish
