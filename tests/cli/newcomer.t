#!/bin/sh
# A learner's first variant: one new file appears everywhere, and a wrong one is found out.
. tests/tools/tap.sh

# A copy of the tree, objects and all: only what is new is compiled.
tree=$tmp/tree
build=${BUILD:-build}
mkdir "$tree"
cp -a Makefile setup.sh common harness plots variants workshop "$tree"
cp -a "$build" "$tree/$build"
mkdir -p "$tree/build" "$tree/results"
[ ! -e build/packages.mk ] || cp -a build/packages.mk "$tree/build"
rungs=$tree/$build/rungs
mine=$tree/variants/saxpy/cpu_mine.c

# A file of 15 lines; $1 is the loop's bounds and $2 its body.
write_mine() {
    cat >"$mine" <<EOF
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for ($1)
        $2
}

VARIANT(.idea = "my first variant", .base = "cpu_naive", .run = run)
EOF
}

case $build in
build-*) sanitize=SANITIZE=${build#build-} ;;
*) sanitize= ;;
esac

build() {
    (cd "$tree" && make --no-print-directory $sanitize "$build/rungs")
}

in_tree() {
    (cd "$tree" && "$@")
}

# --- a right one ----------------------------------------------------------------------------------
write_mine "size_t i = 0; i < p->n; i++" "p->z[i] = p->y[i] + p->x[i] * p->a;"
ok "it is at most 15 lines" test "$(wc -l <"$mine")" -le 15
ok "make builds it" build
ok "... and compiles nothing else" sh -c 'test -z "$(find "$1" -name "*.o" -newer "$2" |
    grep -v -e cpu_mine.o -e build_info.o)"' sh "$tree/$build" "$mine"
ok "list shows it" in_tree shows '^saxpy/cpu_mine +cpu_naive +cpu +f32 +- +- +my first variant$' list
ok "check passes it" in_tree shows '^saxpy/cpu_mine +ok ' check 'saxpy/cpu_*'
ok "bench times it" in_tree shows '^cpu_mine +ok ' bench 'saxpy/cpu_*' --quick --size n=1000 \
    --max-time 0.1
ok "... and puts it on record" sh -c 'grep -q "\"variant\":\"cpu_mine\"" "$1"/results/*.jsonl' \
    sh "$tree"
ok "run runs it" in_tree shows '^saxpy/cpu_mine +n=50 +ok' run saxpy/cpu_mine --size n=50

# --- wrong ones -----------------------------------------------------------------------------------
# rejected REASON BOUNDS BODY
rejected() {
    write_mine "$2" "$3"
    build || return 1
    in_tree exits 1 check saxpy/cpu_mine || return 1
    grep -Eq "^saxpy/cpu_mine +$1" "$tmp/out" || {
        cat "$tmp/out"
        return 1
    }
}
all="size_t i = 0; i < p->n; i++"
ok "a wrong formula is wrong" rejected \
    'wrong +z\[[0-9]+\] is .*, expected .* \+- .* wrong\)' "$all" "p->z[i] = p->a * p->x[i];"
ok "an element left out is nan" rejected 'nan +z\[[0-9]+\] is -?nan, expected' \
    "size_t i = 1; i < p->n; i++" "p->z[i] = p->a * p->x[i] + p->y[i];"
ok "an element too many is a breach" rejected \
    'breach +(reads|writes) [0-9]+ bytes past the end of ' \
    "size_t i = 0; i <= p->n; i++" "p->z[i] = p->a * p->x[i] + p->y[i];"
ok "bench does not time it" in_tree exits 1 bench saxpy/cpu_mine --quick --size n=9 --max-time 0.1
ok "... and says why" grep -Eq '^cpu_mine +breach +(reads|writes) ' "$tmp/out"
ok "run does not write its answer" in_tree exits 1 run saxpy/cpu_mine --size n=50 --out "$tmp/z.npy"
ok "... at all" test ! -e "$tmp/z.npy"

# --- cards that make no sense ---------------------------------------------------------------------
# card FILE FIELDS...   a variant that does nothing
card() {
    file=$tree/variants/saxpy/$1
    shift
    cat >"$file" <<EOF
#include "common/variant.h"
static void run(const void *problem) { (void)problem; }
VARIANT($*)
EOF
}
refused_card() {
    build && in_tree refuses "$1" list
}
rm "$mine" "$tree/$build/variants/saxpy/cpu_mine.o"

card cpu_mine.c '.base = "cpu_naive", .run = run'
ok "no idea" refused_card 'variants/saxpy/cpu_mine\.c: \.idea is missing'
card cpu_mine.c '.idea = "i", .base = "cpu_naivv", .run = run'
ok "a base that is not there" refused_card \
    'variants/saxpy/cpu_mine\.c: its base saxpy/cpu_naivv does not exist'
card cpu_mine.c '.idea = "i", .base = "cpu_yours", .run = run'
card cpu_yours.c '.idea = "i", .base = "cpu_mine", .run = run'
ok "bases in a circle" refused_card 'variants/saxpy/cpu_(mine|yours)\.c: .* circle'
rm "$tree"/variants/saxpy/cpu_yours.c
card cpu_mine.c '.idea = "i", .base = "cpu_naive"'
ok "no run" refused_card 'variants/saxpy/cpu_mine\.c: \.run is missing'
rm "$mine"
card cpu_mine.part.c '.idea = "i", .run = run'
card cpu_mine.c '.idea = "i", .run = run'
ok "two of one name" refused_card 'cpu_mine.* and .*cpu_mine.* have the same name'
rm "$mine" "$tree"/variants/saxpy/cpu_mine.part.c
mkdir "$tree/variants/saxpi"
card ../saxpi/cpu_mine.c '.idea = "i", .run = run'
ok "a problem that is not there" refused_card \
    'variants/saxpi/cpu_mine\.c: there is no problem called saxpi'
rm -r "$tree/variants/saxpi"
ok "with them gone, all is well again" sh -c 'cd "$1" && make --no-print-directory "$2/rungs" &&
    "$2/rungs" list' sh "$tree" "$build"

finish
