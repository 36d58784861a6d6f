#!/bin/sh
# memcheck.sh BUILD [PROBLEM...]
#
# Runs the CUDA variants of these problems, or of all, under the tools of NVIDIA's compute-sanitizer, on
# this machine's GPU: each variant under each tool, at a few small sizes.  BUILD/rungs is the program.
# Prints a line for each tool and problem, and the sanitizer's own report if it finds something;
# complete reports are in BUILD/memcheck/.  First each tool must find the mistake that tests/gpu/broken/ has
# for it, because a tool that does not reach the workers would never find anything.
#
# Exit status: 0 nothing was found, 1 something was found or a variant did not run to its end,
# 2 there is no compute-sanitizer or no GPU.
#
# From the environment:
#   TOOLS              memcheck, racecheck, synccheck; initcheck as well if it is named
#   VARIANT            only those of this name, e.g. cuda_multi
#   JOBS               variants at a time; half the cores
#   LIMIT              seconds for one variant under one tool; 300
#   COMPUTE_SANITIZER  the command; compute-sanitizer
set -u
export LC_ALL=C
tools=${TOOLS:-memcheck racecheck synccheck}
jobs=${JOBS:-$((($(nproc) + 1) / 2))}
limit=${LIMIT:-300}
sanitizer=${COMPUTE_SANITIZER:-compute-sanitizer}

# Small sizes that take a tool seconds: less than a warp, block or tile, odd remainders of several, and each path of a
# kernel that depends on sizes.
sizes_of() {
    case $1 in
    fft) echo batch=17,n=1 batch=3,n=30 batch=2,n=343 batch=3,n=1024 batch=1,n=4096 batch=1,n=5040 \
        batch=17,n=101 batch=1,n=8209 batch=1,n=10403 ;;
    knn) echo m=1,n=1,k=1 m=33,n=33,k=33 m=65,n=65,k=2 m=127,n=257,k=1 m=65,n=2100,k=1 \
        m=300,n=1100,k=3 m=101377,n=65,k=1 ;;
    matmul) echo m=1,n=1,k=1 m=33,n=33,k=33 m=1,n=129,k=127 m=65,n=67,k=1 m=131,n=257,k=67 \
        m=9,n=11,k=700 m=3,n=70,k=600 m=40,n=33,k=900 ;;
    saxpy) echo n=1 n=33 n=1025 n=104729 ;;
    stencil) echo rows=1,cols=64,sweeps=2,bytes=1 rows=3,cols=127,sweeps=2 \
        rows=33,cols=33,sweeps=3 rows=35,cols=35,sweeps=4,bytes=1 rows=131,cols=257,sweeps=1 \
        rows=127,cols=211,sweeps=5 ;;
    *) ;; # the problem's own check sizes
    esac
}

cannot() {
    echo "memcheck: $*" >&2
    exit 2
}

# --- one variant under one tool ------------------------------------------------------------------------
# Prints the outcome: "ok", "refused" (by the variant), or what is wrong.  $1: the exit status, $2: the sanitizer's
# report, $3: the variant's output.
verdict() {
    if [ "$1" -eq 124 ]; then
        echo "not done within $limit s"
    elif [ "$1" -eq 9 ] || grep 'SUMMARY:' "$2" | grep -qv ': 0 ' ||
        grep -Eq '^=========     at |^=========.* access at |^========= Program hit ' "$2"; then
        echo "found something"
    elif ! grep -q 'SUMMARY: 0 ' "$2"; then
        echo "no summary, status $1: $(tail -n 1 "$2")"
    elif [ "$1" -eq 4 ] && grep -q '"status":"refused"' "$3"; then
        echo refused
    elif [ "$1" -ne 0 ] || ! grep -q '"status":"ok"' "$3"; then
        said=$(sed -n 's/.*"status":"\([^"]*\)","reason":"\(.*\)","error_over.*/\1: \2/p' "$3")
        echo "${said:-status $1: $(tail -n 1 "$3")}"
    else
        echo ok
    fi
}

if [ "$1" = --variant ]; then # --variant RUNGS LOGS TOOL NUMBER PROBLEM/VARIANT, from below
    program=$2 tool=$4 variant=$6
    log=$3/$tool-$(echo "$variant" | tr / -)
    sizes=
    for size in $(sizes_of "${variant%/*}"); do
        sizes="$sizes --size $size"
    done
    # Sanitizers that run at the same time must not use the same port.
    ports=
    if "$sanitizer" --help 2>/dev/null | grep -q -e --max-connections; then
        ports="--port $((49152 + 100 * $5)) --max-connections 100"
    fi
    rm -f "$log".*
    timeout -k 10 "$limit" "$sanitizer" --tool "$tool" --target-processes all --error-exitcode 9 \
        --launch-timeout 120 $ports --log-file "$log.report" \
        "$program" check "$variant" $sizes --format json --timeout "$limit" \
        >"$log.rows" 2>&1 </dev/null
    status=$?
    touch "$log.report"
    verdict $status "$log.report" "$log.rows" >"$log.verdict"
    exit 0
fi

# --- can it be done here? ---------------------------------------------------------------------------
build=$1
program=$build/rungs
shift
command -v "$sanitizer" >/dev/null || cannot "there is no $sanitizer; it comes with the CUDA" \
    "toolkit, and COMPUTE_SANITIZER=... says where it is"
here=$("$program" list saxpy/cuda_naive --format json 2>/dev/null) ||
    cannot "$program has no CUDA rungs: it was built without nvcc"
case $here in
*'"available":true'*) ;;
*) cannot "$(echo "$here" | sed 's/.*"reason":"\([^"]*\)".*/\1/'): it needs a GPU" ;;
esac
logs=$build/memcheck
mkdir -p "$logs" || cannot "$logs cannot be made"
[ $# -gt 0 ] || set -- $(ls variants/*/*.cu | cut -d / -f 2 | sort -u)

# --- tool by tool, problem by problem ---------------------------------------------------------------
failures=0

# line TOOL WHAT STATE REST   prints a line
line() {
    printf '%-9s  %-14s  %-6s  %s\n' "$@"
    [ "$3" = ok ] || failures=$((failures + 1))
}

# Prints the report of a variant: $1, TOOL-PROBLEM-VARIANT
show() {
    echo "    $(cat "$logs/$1.verdict"); $logs/$1.report:"
    head -n 40 "$logs/$1.report" | sed 's/^/    /'
}

# Checks that the tool finds what it must.
prove() {
    for file in $(grep -l "expected: $1 " tests/gpu/broken/*/*.cu); do
        variant=${file#tests/gpu/broken/}
        variant=${variant%.cu}
        log=$1-$(echo "$variant" | tr / -)
        sh "$0" --variant "$program-broken-cuda" "$logs" "$1" 1 "$variant"
        if [ "$(cat "$logs/$log.verdict")" = "found something" ]; then
            line "$1" "$variant" ok "found, as it must be"
        else
            line "$1" "$variant" FAILED "not found, as it must be"
            show "$log"
        fi
    done
}

# In the file, or in headers of the same folder that it includes.
has_kernel() {
    included=$(sed -n 's/^#include "\([^"/]*\)".*/\1/p' "$1" | sed "s|^|${1%/*}/|")
    cat "$1" $included | grep -q __global__
}

# For a variant without a kernel, only memcheck has anything to check.  Those of several ranks are left out: mpirun starts
# their processes.
variants_for() {
    for file in $(grep -L TRAIT_RANKS variants/"$2"/${VARIANT:-*}.cu); do
        if [ "$1" = memcheck ] || has_kernel "$file"; then
            basename "$file" .cu
        fi
    done
}

look() {
    start=$(date +%s)
    ok=0 refused=0 bad=
    names=$(variants_for "$1" "$2")
    echo "$names" | nl -w 1 -s " $2/" |
        xargs -r -P "$jobs" -n 2 sh "$0" --variant "$program" "$logs" "$1"
    for name in $names; do
        case $(cat "$logs/$1-$2-$name.verdict") in
        ok) ok=$((ok + 1)) ;;
        refused) refused=$((refused + 1)) ;;
        *) bad="$bad $name" ;;
        esac
    done
    counts="$ok ok, $refused refused, $(($(date +%s) - start)) s"
    if [ -n "$bad" ]; then
        line "$1" "$2" FAILED "$counts; not:$bad"
    elif [ $ok -eq 0 ]; then
        line "$1" "$2" FAILED "$counts"
    else
        line "$1" "$2" ok "$counts"
    fi
    for name in $bad; do
        show "$1-$2-$name"
    done
}

for tool in $tools; do
    prove "$tool"
    for problem; do
        look "$tool" "$problem"
    done
done
[ $failures -eq 0 ]
