#!/bin/sh
# Variants from elsewhere: rungs build, RUNGS_PATH, --variants, and an installed program.
. tests/tools/tap.sh

mkdir -p "$tmp/mine/saxpy"
cat >"$tmp/mine/saxpy/mine.c" <<'END'
#include "common/saxpy.h"
#include "common/variant.h"

/* Names of the C library: what a helper is called is its author's own matter. */
int poll(void *a, unsigned long b, int c);
double fmin(double a, double b);
int poll(void *a, unsigned long b, int c) { return a == 0 && b == 0 ? c : 7; }
double fmin(double a, double b) { return a + b; }

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = fmin(poll(0, 0, 1) * p->a * p->x[i], p->y[i]);
}

VARIANT(.idea = "says \"mine\"", .base = "cpu_naive", .run = run)
END
sed -e 's/p->y\[i\]/2/' -e 's/"mine/"wrong/' "$tmp/mine/saxpy/mine.c" >"$tmp/wrong.c"

cd "$tmp/mine" || exit 1
ok "a source that is not built is named" refuses 'saxpy/mine\.c is not built: rungs build ' \
    list saxpy --variants .
ok "it builds" exits 0 build saxpy/mine.c
ok "... to a shared object and a card" test -f saxpy/mine.so -a -f saxpy/mine.card
ok "... of one name that is its own" sh -c '! nm -D --defined-only saxpy/mine.so | grep -v " rungs_variant$"'
completes() {
    "$rungs" completion words -- check "$@" saxpy/mi | grep -q '^saxpy/mine	'
}
ok "it is completed, too" completes --variants .
ok "... also with =, which bash splits off" completes --variants = .
ok "... and not without its folder" sh -c '! "$1" completion words -- check saxpy/mi | grep mine' sh "$rungs"
ok "it is in the list, behind its base" shows '^saxpy/mine +cpu_naive +cpu +f32 +- +- +says "mine"' \
    list saxpy --variants .
ok "... by RUNGS_PATH as well" env RUNGS_PATH="$tmp/none_of_these:$tmp/mine" sh -c \
    'mkdir -p "$2/none_of_these" && "$1" list saxpy | grep -q "^saxpy/mine "' sh "$rungs" "$tmp"
ok "... and not without" refuses 'no variant is called saxpy/mine' list saxpy/mine
ok "its helpers hide nothing: it is right, and so is the one beside it" exits 0 \
    check saxpy/mine saxpy/cpu_naive --variants .
ok "it is timed beside its base" exits 0 bench saxpy/mine saxpy/cpu_naive --quick --size n=9999 \
    --max-time 0.1 --variants . --out "$tmp/records.jsonl"
ok "... and on record" grep -q '"variant":"mine",' "$tmp/records.jsonl"

if grep -q '^RUNGS_NVCC := .' "${rungs%/*}/variant.mk"; then
    sed -e 's,^#include "common/variant.h",/* nvcc: sm_90a */\n&,' -e 's/    size_t i = (size_t)blockIdx/    asm volatile("wgmma.fence.sync.aligned;");\n&/' \
        "${rungs%/*}/../variants/saxpy/cuda_naive.cu" >"$tmp/mine/saxpy/hopper.cu"
    ok "a file of one GPU generation gets its instructions" exits 0 build "$tmp/mine/saxpy/hopper.cu"
    rm "$tmp/mine/saxpy"/hopper.*
fi

sleep 0.01
touch saxpy/mine.c
ok "one that has changed must be built again" refuses 'has changed since it was built' list --variants .
ok "... and then is there" sh -c '"$1" build saxpy/mine.c && "$1" list saxpy/mine --variants .' sh "$rungs"

mkdir -p "$tmp/theirs/saxpy"
cp saxpy/mine.so "$tmp/theirs/saxpy/theirs.so"
ok "a shared object without a card is named" refuses 'theirs\.so is not built: rungs build' \
    list --variants "$tmp/theirs"
ok "... and gets one" exits 0 build "$tmp/theirs/saxpy/theirs.so"
ok "... with which it can be judged" exits 0 check saxpy/theirs --variants "$tmp/theirs"

cp "$tmp/wrong.c" saxpy/wrong.c
ok "a wrong one is rejected as any other is" sh -c '"$1" build saxpy/wrong.c &&
    "$1" check saxpy/wrong --variants . | grep -Eq "^saxpy/wrong +wrong "' sh "$rungs"
rm saxpy/wrong.*

echo nonsense >"$tmp/theirs/saxpy/bad.c"
ok "what does not compile: the compiler's words, and status 1" sh -c \
    '"$1" build "$2/theirs/saxpy/bad.c" 2>"$2/said"; test $? -eq 1 && grep -q "bad.c:1" "$2/said"' \
    sh "$rungs" "$tmp"
rm "$tmp/theirs/saxpy/bad.c"
echo 'idea = mine' >"$tmp/theirs/saxpy/theirs.card"
ok "a card that cannot be read is named with its line" refuses \
    'theirs\.card:1: expected text in double quotes' list --variants "$tmp/theirs"
ok "... and is no matter of a command that reads records" env RUNGS_PATH="$tmp/theirs" "$rungs" \
    show "$tmp/records.jsonl"
ok "a folder that is not there" refuses 'nowhere: No such file' list --variants "$tmp/nowhere"
mkdir "$tmp/empty"
ok "... or has no variant" refuses '\-\-variants .*empty: no variant lies in it' list --variants "$tmp/empty"
ok "... because it is a problem's own" refuses 'mine/saxpy: no variant lies in it' list --variants "$tmp/mine/saxpy"
ok "a file that is not there" refuses 'saxpy/none\.c: No such file' build saxpy/none.c
mkdir -p "$tmp/mine/src" "$tmp/two words/saxpy"
echo 'int x;' >"$tmp/mine/src/x.c"
ok "a folder that is no problem's is passed over" shows '^saxpy/mine ' list saxpy/mine --variants .
cp saxpy/mine.c "$tmp/two words/saxpy/mine.c"
ok "a path that make cannot build" refuses 'make cannot build a path that contains a blank' \
    build "$tmp/two words/saxpy/mine.c"
commands_by_name() {
    cp saxpy/mine.c "saxpy/x;id>begun;.c"
    refuses 'cannot build a path that contains' build "saxpy/x;id>begun;.c" && [ ! -e begun ]
    status=$?
    rm saxpy/x*
    return $status
}
ok "... or whose name is a command" commands_by_name
commands_by_package() {
    { echo '/* needs: begins.pc */' && cat saxpy/mine.c; } >saxpy/packed.c
    printf 'Name: a\nDescription: a\nVersion: 1\nLibs:\nCflags: ;id>begun;\n' >begins.pc
    "$rungs" build saxpy/packed.c >/dev/null 2>&1
    [ ! -e begun ]
    status=$?
    rm -f saxpy/packed.* begins.pc begun
    return $status
}
ok "... and a package's file in the working folder is not read" commands_by_package
cp saxpy/mine.c m.c
for file in m.c ./m.c saxpy/../m.c; do
    ok "a file in no problem's folder, $file" refuses 'm\.c: a variant must be in a folder named after its problem, e\.g\. saxpy/m\.c$' build $file
done
mkdir -p "$tmp/fixed/saxpy"
cp saxpy/mine.c "$tmp/fixed/saxpy"
chmod a-w "$tmp/fixed/saxpy"
if ! [ -w "$tmp/fixed/saxpy" ]; then # root writes everywhere
    ok "a folder that cannot be written" refuses 'fixed/saxpy: build writes into this folder: Permission denied' build "$tmp/fixed/saxpy/mine.c"
fi

# --- a problem of one's own ------------------------------------------------------------------------
mkdir -p "$tmp/mine/negate"
cat >"$tmp/mine/negate/negate.h" <<'END'
#include <stddef.h>
struct negate { size_t n; const float *x; float *y; };
END
cat >"$tmp/mine/negate/problem.c" <<'END'
#include <stdlib.h>
#include "negate.h"
#include "harness/base/random.h"
#include "harness/model/problem.h"

static const struct size check_sizes[] = {{"one", {1}}, {"prime", {257}}, {NULL, {0}}};
static const struct size bench_sizes[] = {{"S", {1 << 12}}, {"M", {1 << 16}}, {NULL, {0}}};

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct negate *p = c;

    p->n = dims[0];
    p->x = arena_input(arena, "x", p->n, 1, sizeof *p->x);
    p->y = arena_output(arena, "y", p->n, 1, sizeof *p->y);
}

static void fill(void *c, uint64_t seed)
{
    struct negate *p = c;

    random_floats((float *)p->x, p->n, seed, 1);
}

static void *solve(const void *c)
{
    (void)c;
    return malloc(1);
}

static struct verdict judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    struct verdict v = verdict_start();
    const struct negate *p = c;

    (void)solution, (void)math, (void)seed;
    for (size_t i = 0; i < p->n; i++)
        if (!verdict_see(&v, "y", i, p->y[i], -p->x[i], 0.0))
            break;
    return v;
}

static struct cost cost(const size_t dims[])
{
    return (struct cost){.flops = (double)dims[0], .bytes = 8.0 * (double)dims[0], .items = (double)dims[0]};
}

PROBLEM(.formula = "y = -x", .axes = {"n"}, .rate = RATE_BYTES, .item = "elements",
        .check_sizes = check_sizes, .bench_sizes = bench_sizes, .case_bytes = sizeof(struct negate),
        .shape = shape, .fill = fill, .solve = solve, .judge = judge, .cost = cost)
END
for strategy in plain:- wrong:1-; do
    cat >"$tmp/mine/negate/${strategy%:*}.c" <<END
#include "negate.h"
#include "common/variant.h"
static void run(const void *problem)
{
    const struct negate *p = problem;
    for (size_t i = 0; i < p->n; i++)
        p->y[i] = ${strategy#*:}p->x[i];
}
VARIANT(.idea = "a loop", .run = run)
END
done
ok "a problem that is not built is named" refuses 'negate/plain\.c is not built: rungs build ' \
    list negate --variants .
ok "it builds, with its variants" exits 0 build negate/problem.c negate/plain.c negate/wrong.c
ok "it is in the list" shows '^negate/plain ' list --variants .
ok "its right variant passes, its wrong one does not" sh -c '"$1" check negate --variants . >"$2"
    test $? -eq 1 && grep -Eq "^negate/plain +ok" "$2" && grep -Eq "^negate/wrong +wrong " "$2"' sh "$rungs" "$tmp/out"
ok "it is timed" exits 0 bench negate/plain --variants . --quick --size S --max-time 0.1 --out "$tmp/negate"

# --- what build sees ---------------------------------------------------------------------------------
# built PATTERN FILE...   build ends with status 1 and one line that matches the pattern
built() {
    pattern=$1
    shift
    exits 1 build "$@" && cat "$tmp/err" && grep -v '^make: ' "$tmp/err" | grep -Eq -- "$pattern"
}
mkdir -p "$tmp/bad/saxpy" "$tmp/bad/nothing"
cat >"$tmp/bad/saxpy/factor.c" <<'END'
#include "common/saxpy.h"
#include "common/variant.h"
extern const float factor;
static void run(const void *problem)
{
    const struct saxpy *p = problem;
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = K * factor * p->a * p->x[i] + p->y[i];
}
VARIANT(.idea = "a factor of a library", .run = run)
END
library() {
    echo "const float factor = $1;" >"$tmp/factor.c" && cc -fPIC -c "$tmp/factor.c" -o "$tmp/factor.o" &&
        ar rc "$tmp/libfactor.a" "$tmp/factor.o"
}
is() {
    want=$1
    shift
    env CFLAGS="$*" LDLIBS="$tmp/libfactor.a" "$rungs" build "$tmp/bad/saxpy/factor.c" || return 1
    exits "$want" check saxpy/factor --variants "$tmp/bad"
}
library 1 && ok "it is built with a library" is 0 -DK=1
library 2
ok "... again, when the library has changed" is 1 -DK=1
ok "... and when the flags have" is 0 -DK=0.5f
rm -r "$tmp/bad/saxpy"/*
sed -e 's/\.idea = [^,]*, //' saxpy/mine.c >"$tmp/bad/saxpy/a.c"
ok "build names a missing .idea" built 'saxpy/a\.c: \.idea is missing' "$tmp/bad/saxpy/a.c"
sed -e 's/cpu_naive/cpu_none/' saxpy/mine.c >"$tmp/bad/saxpy/b.c"
ok "... a base that does not exist" built 'its base saxpy/cpu_none does not exist' "$tmp/bad/saxpy/b.c"
cp saxpy/mine.c "$tmp/bad/saxpy/cpu_naive.c"
ok "... a name that is taken" built 'have the same name: rename .*bad/saxpy/cpu_naive\.c' "$tmp/bad/saxpy/cpu_naive.c"
cp saxpy/mine.c "$tmp/bad/nothing/mine.c"
ok "... a folder of no problem" built 'there is no problem called nothing' "$tmp/bad/nothing/mine.c"
sed -e '1i /* needs: nothere */' saxpy/mine.c >"$tmp/bad/saxpy/c.c"
ok "... a package that is not there" built 'left out: pkg-config does not know the package nothere' "$tmp/bad/saxpy/c.c"
rm -r "$tmp/bad/saxpy"/*
cp saxpy/mine.c "$tmp/bad/saxpy/second.c"
sed -e 's/cpu_naive/second/' saxpy/mine.c >"$tmp/bad/saxpy/first.c"
ok "a base may be built beside it" exits 0 build "$tmp/bad/saxpy/first.c" "$tmp/bad/saxpy/second.c"
ok "... and again, on the path" env RUNGS_PATH="$tmp/bad" "$rungs" build "$tmp/bad/saxpy/first.c"
cp "$tmp/mine/saxpy/mine.so" "$tmp/bad/saxpy/second.so"
ok "a shared object of another tool is left as it is" sh -c '"$1" build "$2/bad/saxpy/second.so" &&
    cmp "$2/mine/saxpy/mine.so" "$2/bad/saxpy/second.so"' sh "$rungs" "$tmp"

# --- a judge that goes wrong --------------------------------------------------------------------------
# judge_of DEFECT   the problem negate, whose function judge begins with that statement
judge_of() {
    mkdir -p "$tmp/judges/negate" && cp negate/negate.h negate/plain.c "$tmp/judges/negate" &&
        sed -e '1i #include <unistd.h>' -e "/^static struct verdict judge/,/^}/s/(void)solution/$1; &/" negate/problem.c >"$tmp/judges/negate/problem.c" &&
        "$rungs" build "$tmp/judges/negate/problem.c" "$tmp/judges/negate/plain.c"
}
faults() {
    judge_of '*(volatile int *)8 = 1' || return 1
    run check negate --variants "$tmp/judges"
    cat "$tmp/err"
    [ "$status" -eq 139 ] && grep -q '^rungs: segmentation fault in the judge of negate (.*judges/negate/problem.c)$' "$tmp/err"
}
ok "a judge that faults is named" faults
hangs() {
    judge_of 'write(2, "begun", 5); for (volatile int i = 0; i < 1;) {}' || return 1
    "$rungs" check negate --variants "$tmp/judges" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    until grep -q begun "$tmp/err"; do sleep 0.1; done
    while kill $pid 2>/dev/null; do sleep 0.3; done
    status=0
    wait $pid || status=$?
    cat "$tmp/err"
    [ $status -eq 143 ] && grep -q 'rungs: ended in the judge of negate (' "$tmp/err"
}
ok "one that hangs ends with the second signal" hangs
ok "... and leaves no process" none_left
ok "PROBLEM without a member is named when it is built" sh -c '
    sed "s/\.solve = solve, //" negate/problem.c >"$2/judges/negate/problem.c"
    "$1" build "$2/judges/negate/problem.c" >"$2/out" 2>&1; test $? -eq 1 && grep -q "PROBLEM has no .solve" "$2/out"' \
    sh "$rungs" "$tmp"
ok "... and when it is loaded" refuses 'problem\.c: PROBLEM has no \.solve' check negate --variants "$tmp/judges"

# An installed one knows its own files, and builds as this one does.
cd "$tests/.." || exit 1
case ${BUILD:-build} in
build) ;;
*) finish; exit ;;
esac
ok "it installs" sh -c 'make -s --no-print-directory install DESTDIR="$1/root" PREFIX=/usr >"$1/out" 2>&1 ||
    { cat "$1/out"; false; }' sh "$tmp"
rungs=$tmp/root/usr/bin/rungs
cd "$tmp/mine" || exit 1
ok "... with its variants" shows '^saxpy/cpu_naive ' list saxpy
ok "... its rules" sh -c 'rm saxpy/mine.card && "$1" build saxpy/mine.c' sh "$rungs"
ok "... and its worker" exits 0 check saxpy/mine saxpy/cpu_naive --variants .
ok "... and its headers" sh -c 'touch negate/problem.c && "$1" build negate/problem.c &&
    "$1" check negate/plain --variants .' sh "$rungs"
if perl -MJSON::PP -e 1 2>/dev/null; then
    ok "... and what is in another language" shows '^saxpy/pl_loop +ok' check saxpy/pl_loop
fi
ok "pkg-config finds it" sh -c 'PKG_CONFIG_PATH="$1/root/usr/lib/pkgconfig" pkg-config --cflags \
    --define-variable=prefix="$1/root/usr" rungs | grep -q "include/rungs"' sh "$tmp"
cat >"$tmp/call.c" <<'END'
#include "rungs.h"

int main(void)
{
    struct rungs *r = rungs_open("saxpy/cpu_naive", "n=3", 1);

    return r == 0 || rungs_call(r) < 0.0;
}
END
ok "a program calls variants of the installed one" sh -c 'export PKG_CONFIG_PATH="$1/root/usr/lib/pkgconfig"
    cc "$1/call.c" -o "$1/call" $(pkg-config --cflags --libs --define-variable=prefix="$1/root/usr" rungs) \
        -Wl,-rpath,"$1/root/usr/lib" && "$1/call"' sh "$tmp"
[ -z "$numpy" ] || ok "... and tasks of engines do, beside the launcher" env PYTHONPATH="$tmp/root/usr/lib/rungs" "$numpy" -c 'import shares, bands'
[ -z "$numpy" ] || ok "... from Python, too" env PYTHONPATH="$tmp/root/usr/lib/rungs/python" "$numpy" -c '
import rungs_c
with rungs_c.open("saxpy/cpu_naive", n=3) as saxpy:
    saxpy()'

finish
