#!/bin/sh
# make memcheck, with the simulator instead of a GPU and a few lines of shell instead of compute-sanitizer: what it
# runs, how it reads each report, and its exit status.
targets="rungs rungs-broken-cuda"
. tests/sim/build.sh
. tests/tools/tap.sh

# Runs the program, and reports mistakes of the wrong variants unless FAKE is "blind"; if FAKE is "mixed", also of
# others, of each in another way.
mkdir "$tmp/bin"
cat >"$tmp/bin/compute-sanitizer" <<'EOS'
#!/bin/sh
[ "$1" != --help ] || exec echo "  --max-connections arg (=10)"
echo "$*" >>"$CALLS"
while [ "${1#--}" != "$1" ]; do
    [ "$1" != --log-file ] || log=$2
    shift 2
done
what=clean
case $FAKE:$3 in
blind:*) ;;
*:saxpy/strays | *:saxpy/races | *:reduce/warp_without_sync | mixed:saxpy/cuda_warp) what=finds ;;
mixed:saxpy/cuda_vector) what=hazard ;;
mixed:saxpy/cuda_shared) what=unsummed ;;
mixed:saxpy/cuda_streams) what=quiet ;;
mixed:saxpy/cuda_multi) what=hangs ;;
mixed:saxpy/cuda_naive) what=fails ;;
esac
echo "========= COMPUTE-SANITIZER" >"$log"
case $what in
clean | fails)
    [ $what != fails ] || export RUNGS_SIM_MEMORY=1 # for the largest of its sizes it is too little
    "$@"
    status=$?
    echo "========= ERROR SUMMARY: 0 errors" >>"$log"
    exit $status
    ;;
finds)
    echo "========= Invalid __global__ read of size 4 bytes
=========     at shift(unsigned long)+0x90 in strays.cu:12
========= ERROR SUMMARY: 1 error" >>"$log"
    exit 9
    ;;
hazard) # as for a killed process: the status does not show it
    "$@"
    echo "========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)" >>"$log"
    ;;
unsummed)
    "$@"
    echo "========= Error: Race reported between Write access at reverse+0x1 in races.cu:15
========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)" >>"$log"
    ;;
quiet) "$@" ;;
hangs) sleep 60 ;;
esac
EOS
chmod +x "$tmp/bin/compute-sanitizer"
PATH=$tmp/bin:$PATH
export CALLS="$tmp/calls"

# memcheck FAKE STATUS LINE   for saxpy; it ends with this status, and a line matches
memcheck() {
    FAKE=$1 TOOLS=${4-memcheck} LIMIT=${5-100} sh tests/gpu/memcheck.sh $BUILD saxpy \
        >"$tmp/out" 2>"$tmp/err"
    status=$?
    cat "$tmp/out" "$tmp/err"
    echo "status $status, expected $2 and a line with $3"
    [ $status -eq "$2" ] && grep -Eq -e "$3" "$tmp/out" "$tmp/err"
}
has() {
    grep -Eq -e "$1" "$tmp/out"
}

libraries=$(grep -lE '#include <(cublas|cub/)' variants/saxpy/*.cu | wc -l) # refused in the simulator
others=$(($(grep -L TRAIT_RANKS variants/saxpy/*.cu | wc -l) - libraries)) # not those of several ranks

ok "nothing found: a line with how many" memcheck clean 0 \
    "^memcheck   saxpy           ok      $others ok, $libraries refused, [0-9]+ s$"
ok "... and one for what must be found" has \
    '^memcheck   saxpy/strays    ok      found, as it must be$'
ok "... and no more" test "$(wc -l <"$tmp/out")" -eq 2
ok "each variant was run once, by itself" sh -c '
    for file in $(grep -L TRAIT_RANKS variants/saxpy/*.cu); do
        variant=$(basename "$file" .cu)
        test "$(grep -c " check saxpy/$variant --size" "$1")" = 1 || exit 1
    done' sh "$CALLS"
ok "... its workers too, under a tool" sh -c \
    '! grep -v -e "^--tool memcheck --target-processes all --error-exitcode 9 " "$1"' sh "$CALLS"
ok "... at ports of its own" sh -c \
    'test "$(sed -n "s/.*--port \([0-9]*\) .*saxpy.cuda.*/\1/p" "$1" | sort | uniq -d)" = ""' sh "$CALLS"

ok "six that are not as they should be: their names" memcheck mixed 1 "not: cuda_multi cuda_naive\
 cuda_shared cuda_streams cuda_vector cuda_warp\$" memcheck 10
because() {
    has "^    $2; $BUILD/memcheck/memcheck-saxpy-$1\.report:\$"
}
ok "... something found" because cuda_warp "found something"
ok "... and the report" has '^    =========     at shift.* in strays\.cu:12$'
ok "... a hazard that the status does not tell of" because cuda_vector "found something"
ok "... one that the summary does not tell of" because cuda_shared "found something"
ok "... no summary" because cuda_streams "no summary, status 0: ========= COMPUTE-SANITIZER"
ok "... no end" because cuda_multi "not done within 10 s"
ok "... a variant that fails under the tool" because cuda_naive \
    'memory: variants/saxpy/.*: out of memory'
ok "a tool that does not see the workers" memcheck blind 1 \
    '^memcheck   saxpy/strays    FAILED  not found, as it must be$'
: >"$CALLS"
ok "other tools: a line each" memcheck clean 0 \
    '^synccheck  saxpy           ok      [0-9]+ ok, 0 refused' "racecheck synccheck"
ok "... of which racecheck must find a race" has '^racecheck  saxpy/races     ok      found, '
ok "... and libraries' kernels are left out" sh -c '! grep -q cuda_cublas "$1"' sh "$CALLS"

ok "without the tool: one line, status 2" env COMPUTE_SANITIZER=no-such-tool sh -c '
    sh tests/gpu/memcheck.sh "$1" >"$2" 2>&1
    test $? -eq 2 && test "$(wc -l <"$2")" -eq 1 && grep -q "there is no no-such-tool" "$2"' \
    sh $BUILD "$tmp/none"
ok "without a GPU as well" sh -c '
    mkdir "$2"
    printf "%s\n" "#!/bin/sh" "echo '\''{\"available\":false,\"reason\":\"no CUDA driver\"}'\''" >"$2/rungs"
    chmod +x "$2/rungs"
    sh tests/gpu/memcheck.sh "$2" >"$2/out" 2>&1
    test $? -eq 2 && grep -qx "memcheck: no CUDA driver: it needs a GPU" "$2/out"' \
    sh $BUILD "$tmp/gone"

finish
