#!/bin/sh
# run.sh [BUILD]
#
# Does the harness print what a program of one's own measures?  Times eight loops three ways: by `rungs bench`, by a small C
# program with the same loop, and by the same under google-benchmark (Debian: libbenchmark-dev), the three in turns and three
# times over (TURNS).  Prints the medians and how far apart they are, and exits with 1 if a program differs from the harness by more
# than 3 %.  It takes three minutes on an idle machine and means nothing on a busy one.  FLAGS: as variants are compiled.  LOOPS:
# only these.
set -u
cd "$(dirname "$0")/../../.." || exit 2
export LC_ALL=C OMP_NUM_THREADS=1
build=${1:-build}
flags=${FLAGS:--O3 -fopenmp -fno-math-errno -fPIC -fvisibility=hidden -falign-functions=64 -falign-loops=64}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
here=tests/timing/alone
echo 'int main(){}' >"$work/empty.cc"
g++ -o "$work/empty" "$work/empty.cc" -lbenchmark 2>/dev/null || echo "no google-benchmark here: only the C programs"

# median FILE   of the numbers in it
median() {
    sort -g "$1" | awk '{ v[NR] = $1 } END { if (NR) print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

printf '%-22s %12s %12s %8s %16s %8s\n' loop rungs program apart google-benchmark apart
failed=0
all="saxpy/cpu_naive:S saxpy/cpu_naive:M stencil/cpu_naive:S stencil/cpu_naive:M fft/cpu_stockham:S fft/cpu_stockham:M
    knn/cpu_naive:S matmul/cpu_naive:S"
for loop in ${LOOPS:-$all}; do
    variant=${loop%:*} size=${loop#*:} problem=${loop%%/*}
    gcc -std=gnu11 -I. -I"$here" $flags -DPROBLEM_"$problem" -DLOOP="\"variants/$variant.c\"" -c -o "$work/loop.o" "$here/loop.c" &&
        gcc -std=gnu11 -O2 -I"$here" -o "$work/alone" "$here/alone.c" "$work/loop.o" -lm || exit 2
    [ -x "$work/empty" ] &&
        g++ -O2 -I"$here" -o "$work/benchmark" "$here/benchmark.cc" "$work/loop.o" -lbenchmark -lpthread -lm
    : >"$work/rungs.s"; : >"$work/alone.s"; : >"$work/benchmark.s"
    for turn in $(seq "${TURNS:-3}"); do
        "$build/rungs" bench "$variant" --size "$size" --passes 1 --max-time 1.5 --format json --out "$work/$turn.jsonl" -q 2>/dev/null |
            python3 -c 'import json, sys
print(json.loads(sys.stdin.readline())["phases"]["run"]["stat"]["median"] * 1e-9)' >>"$work/rungs.s"
        rm -f "$work/$turn.jsonl"
        "$work/alone" "$size" >>"$work/alone.s"
        [ ! -x "$work/benchmark" ] || "$work/benchmark" "$size" >>"$work/benchmark.s"
    done
    echo "$loop $(median "$work/rungs.s") $(median "$work/alone.s") $(median "$work/benchmark.s")" | awk '
        function apart(t) { return t ? sprintf("%+.1f %%", 100 * (t / $2 - 1)) : "-" }
        function far(t) { return t && (t / $2 > 1.03 || $2 / t > 1.03) }
        { printf "%-22s %9.2f us %9.2f us %8s %13.2f us %8s\n", $1, $2 * 1e6, $3 * 1e6, apart($3), $4 * 1e6, apart($4)
          exit far($3) || far($4) }' || failed=1
done
exit $failed
