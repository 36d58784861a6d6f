#!/bin/sh
# rungs profile: which profiler, with which words, and what is made of what it says.  The profilers are
# scripts here that print what real ones have printed; tests/unit/test_profile.c reads that number by number.
. tests/tools/tap.sh
bin=$tmp/bin
mkdir -p "$bin" "$tmp/tmp"
real=$PATH
export TMPDIR="$tmp/tmp" # scratch; nothing may be left there
recorded=$tests/profile

# tool NAME   a profiler: the script on standard input, run with its words in "$@"; it writes them down
tool() {
    { echo '#!/bin/sh'
      echo "printf '%s\\n' \"\$@\" >>'$tmp/$1.words'"
      echo "recorded=$recorded"
      cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}
# with a perf or an ncu of ours in front of those that may be there
fresh() {
    rm -rf "$bin" "$tmp"/*.words
    mkdir -p "$bin"
    PATH=$bin:$real
}
says() { grep -Eq -- "$1" "$tmp/out" || { echo "no $1 in"; cat "$tmp/out" "$tmp/err"; return 1; }; }
complains() { grep -Eq -- "$1" "$tmp/err" || { echo "no $1 in"; cat "$tmp/err"; return 1; }; }
word() { grep -qx -- "$2" "$tmp/$1.words" || { echo "$1 did not get $2"; cat "$tmp/$1.words"; return 1; }; }
no_word() { ! grep -x -- "$2" "$tmp/$1.words"; }
clean() { [ -z "$(ls "$TMPDIR")" ] || { ls -R "$TMPDIR"; return 1; }; }

# --- the command line -----------------------------------------------------------------------------
ok "which variant?" refuses 'profile takes a variant' profile
ok "one that is unknown" refuses 'no variant is called saxpy/cpu_nave; did you mean' profile saxpy/cpu_nave
ok "a tool that is unknown" refuses '--tool is ncu, nsys, perf or sim, not "gdb"' \
    profile saxpy/cpu_naive --tool gdb
ok "ncu on the CPU" refuses 'saxpy/cpu_naive: ncu profiles variants on a GPU' \
    profile saxpy/cpu_naive --tool ncu
ok "one report of several variants" refuses '--out names one report' profile saxpy --out "$tmp/x"
ok "--tool elsewhere" refuses '--tool is an option of profile, not of bench' bench saxpy --tool ncu
ok "--capture elsewhere" refuses '--capture is an option of run, not of bench' bench saxpy --capture
ok "--capture=no" refuses '--capture takes a number of seconds' run saxpy/cpu_naive --capture=no
ok "the simulator, which is not in the build" sh -c '"$rungs" profile saxpy/cpu_naive --tool sim 2>&1 |
    grep -q "needs a variant in the simulator"'

# --- what is captured -----------------------------------------------------------------------------
ok "run --capture: one call" shows '^captured 1 call, [0-9.]+ ms$' run saxpy/cpu_naive --capture
ok "run without it: none" shows '^saxpy/cpu_naive' run saxpy/cpu_naive
ok "..." sh -c '! grep captured "$1"' sh "$tmp/out"
ok "--capture=0.3: calls for as long" shows '^captured [0-9]+ calls, [34][0-9][0-9]\.?[0-9]* ms$' \
    run saxpy/cpu_naive --capture=0.3
ok "none of a variant that is wrong" sh -c '"$rungs-broken" run saxpy/all_zeros --capture >"$1"
    test $? -eq 1 && ! grep -q captured "$1"' sh "$tmp/wrong"

# --- perf -----------------------------------------------------------------------------------------
# As perf does: it waits for a word at the pipe, and answers; the variant is really run.
fresh
tool perf <<'E2'
out= pipes= report=
while [ "$1" != -- ] && [ $# -gt 0 ]; do
    case $1 in
    -o) out=$2 ;;
    report) report=yes ;;
    --control=*) pipes=${1#--control=fifo:} ;;
    esac
    shift
done
if [ -n "$report" ]; then
    printf '\n    71.20%%  [.] answer_group\n    20.10%%  [.] other\n'
    exit
fi
control=${pipes%,*} answer=${pipes#*,}
while read -r said; do echo "$said" >>"$(dirname "$0")/heard"; echo ack; done <>"$control" 1<>"$answer" &
shift
"$@"
ended=$?
kill $!
cp "$recorded/${PERF_COUNTS:-perf-virtual}" "$out"
exit $ended
E2
cd "$tmp" # where results/ will be
ok "a variant on the CPU" exits 0 profile saxpy/cpu_naive
ok "... is counted and sampled" sh -c 'test "$(grep -cx "stat\|record" "$1")" -eq 2' sh "$tmp/perf.words"
ok "... from its word on" sh -c 'printf "enable\ndisable\nenable\ndisable\n" | cmp - "$1"' \
    sh "$bin/heard"
ok "... waits until then" word perf --delay=-1
ok "... as many calls as fill a second" word perf --capture=1
ok "... at size S" sh -c 'grep -x -A 1 -e --size "$1" | grep -qx S' sh "$tmp/perf.words"
ok "the command is shown" says '^\$ .*/perf stat -x, '
ok "calls" says '^saxpy/cpu_naive, [0-9]+ calls of [0-9.e-]+ ms$'
ok "what this machine does not count" says 'does not count cycles'
ok "what it does" says 'a call +[0-9.e-]+ page faults, [0-9.e-]+ context switches'
ok "where the time goes" says '^  where +71\.20%  \[\.\] answer_group$'
ok "the report" sh -c 'grep -q "perf annotate -i results/profile-.*-saxpy-cpu_naive\.perf" "$1" &&
    ls results/profile-*-saxpy-cpu_naive.perf' sh "$tmp/out"
ok "nothing is left of the rest" clean
cat >"$recorded/../profile-hardware.$$" <<'E2'
4000000000,,cycles,900,100.00,,
10000000000,,instructions,900,100.00,2.5,insn per cycle
1000000000,,branches,900,100.00,,
100000,,branch-misses,900,100.00,,
<not supported>,,cache-references,0,100.00,,
1000,,cache-misses,900,100.00,,
1000.00,msec,task-clock,1000,100.00,1,CPUs utilized
1,,page-faults,1,100.00,,
E2
mv "$recorded/../profile-hardware.$$" "$tmp/hardware"
export PERF_COUNTS=../../../../../../../../../../../../../..$tmp/hardware
rm "$tmp/perf.words"
ok "where cycles are counted" exits 0 profile saxpy/cpu_naive --quick
ok "... what bounds it" says 'bound by +arithmetic'
ok "... --quick counts only" no_word perf record
unset PERF_COUNTS
ok "sizes and inputs are handed on" exits 0 profile knn/cpu_naive --size m=9,n=40 --k 3 --seed 7 --quick
for pair in "--size m=9,n=40" "--k 3" "--seed 7"; do
    ok "... $pair" sh -c 'grep -x -A 1 -e "${2% *}" "$1" | grep -qx -- "${2#* }"' sh "$tmp/perf.words" "$pair"
done
ok "several variants, one after the other" exits 0 profile saxpy/cpu_naive saxpy/cpu_simd --quick
ok "..." sh -c 'test "$(grep -c "^saxpy/cpu_.* call" "$1")" -eq 2' sh "$tmp/out"
rungs=$rungs-broken
ok "one that is wrong: 1" exits 1 profile saxpy/all_zeros --quick
ok "... with its reason" complains '^rungs: saxpy/all_zeros.* wrong: z\['
rungs=${rungs%-broken}
ok "an input that is not there: 2" exits 2 profile saxpy/cpu_naive --x nowhere.npy --y nowhere.npy --quick
ok "... with the reason" complains '^rungs: nowhere\.npy'
fresh
# without ARGUMENT...   rungs profile with nothing on the PATH
without() {
    status=0
    sh -c 'PATH=$1; shift; "$rungs" profile "$@"' sh "$bin" "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
    [ "$status" -eq 4 ] || { echo "exit status $status"; cat "$tmp/out" "$tmp/err"; return 1; }
}
ok "no perf: 4" without saxpy/cpu_naive
ok "... says so" complains '^rungs: perf is not on the PATH$'

# --- without ncu ----------------------------------------------------------------------------------
# A made-up card's variant, and a page on its problem's profiles.
mkdir -p "$tmp/docs/profiles"
printf '# What ncu says\n\n## `another`\n\nUnlike `loses_device`.\n' >"$tmp/docs/profiles/saxpy.md"
printf '## `cuda_tiled`\n' >"$tmp/docs/profiles/knn.md"
rungs=$rungs-broken
ok "no ncu, and no profile of this variant on record: 4" without saxpy/loses_device
ok "... the page is not said to have one" complains \
    '^rungs: saxpy/loses_device: docs/profiles/saxpy\.md has ncu reports of other variants on an H200, not of this one$'
printf '\n## `loses_device`\n\n23 us.\n' >>"$tmp/docs/profiles/saxpy.md"
ok "no ncu, and one on record: 4" without saxpy/loses_device
ok "... the page is named" complains \
    '^rungs: saxpy/loses_device: see docs/profiles/saxpy\.md for what ncu reported on an H200$'
rungs=${rungs%-broken}
tool perf <<'E2'
echo "Access to performance monitoring and observability operations is limited." >&2
exit 255
E2
PATH=$bin:$real
ok "a perf that may not: 1, with its last line" exits 1 profile saxpy/cpu_naive
ok "..." complains 'rungs: saxpy/cpu_naive: the profiler ended with status 255: Access to performance'
# A variant's own files stay small; a profiler's, which its library writes in the worker, do not: nsys
# crashed at a megabyte.
ok "a profiler's files may be large" python3 - "$rungs" <<'END'
import subprocess, sys
def largest(*words):
    run = subprocess.Popen([sys.argv[1], "run", "saxpy/cpu_naive", "--size", "n=2^24", *words],
                           stdout=subprocess.DEVNULL)
    seen = set()
    while run.poll() is None:
        try:
            worker = run.pid
            while "--serve" not in open(f"/proc/{worker}/cmdline").read().split("\0"): # or its keeper
                worker, = open(f"/proc/{worker}/task/{worker}/children").read().split()
            if "--serve" in open(f"/proc/{worker}/cmdline").read().split("\0"):
                limits = open(f"/proc/{worker}/limits").read()
                seen.add(limits.split("Max file size")[1].split()[0])
        except (OSError, ValueError, IndexError):
            pass
    return seen
assert largest() == {"1048576"}, largest()
assert largest("--capture") == {"unlimited"}, largest("--capture")
END
ok "nothing is left" clean

# --- ncu ------------------------------------------------------------------------------------------
cd "$tests/.."
if ! "$rungs" list saxpy/cuda_naive --format json 2>/dev/null | grep -q '"device":"gpu"'; then
    skip "rungs on a GPU" "none in this build"
    finish
    exit
fi
cd "$tmp"
# What ncu says, recorded on an H200; that of another variant will do.
fake_ncu() {
    tool ncu <<'E2'
log= out=
for word in "$@"; do
    [ "$last" = --log-file ] && log=$word
    [ "$last" = -o ] && out=$word
    [ "$word" = --import ] && exec cat "$recorded/knn-cuda_tiled.csv"
    last=$word
done
echo '==PROF== Connected to process 1 (build/rungs)'
echo 'knn/cuda_tiled  m=65536 n=8192 k=1  ok  error 0.63 of the limit  exact 100%  2.2 ms'
echo 'captured 1 call, 812.5 ms'
[ -z "$log" ] || cp "$recorded/knn-cuda_tiled.csv" "$log"
[ -z "$out" ] || touch "$out.ncu-rep"
E2
}
fresh
fake_ncu
ok "a variant on a GPU" exits 0 profile knn/cuda_tiled --out "$tmp/mine"
for want in --profile-from-start off --set full --capture "$tmp/mine"; do
    ok "... ncu gets $want" word ncu "$want"
done
ok "... which is at size M" sh -c 'grep -x -A 1 -e --size "$1" | grep -qx M' sh "$tmp/ncu.words"
ok "... and is read again" word ncu --import
ok "the variant, its size, the device" says '^knn/cuda_tiled  m=65536 n=8192 k=1  NVIDIA H200$'
ok "the kernel that takes longest comes first" sh -c \
    'grep "^kernel" "$1" | head -n 1 | grep -q "^kernel knn_tiled_answer: 126 us, 56 %"' sh "$tmp/out"
ok "the others follow" says '^kernel knn_tiled_units: .* at most, 2 launches, 2 %'
for fact in 'bound by +too little work: the grid fills 43 %' 'of the peak +memory 3 %' \
    'sectors a request +loads 8\.1 for 207 bytes; stores 4\.0 for 128' 'shared memory +not used' \
    'occupancy +13 % of 56 % possible, for want of registers'; do
    ok "... $fact" says "^  $fact"
done
ok "how to open the report" says "ncu-ui $tmp/mine.ncu-rep"
ok "... which is kept" test -e "$tmp/mine.ncu-rep"
rm -f "$tmp/ncu.words"
ok "--quick" exits 0 profile knn/cuda_tiled --quick
ok "... asks for what it shows" word ncu --metrics
ok "... and for no more" no_word ncu full
ok "... has the same facts" says '^  bound by +too little work'
ok "... and no report" sh -c '! grep "ncu-ui" "$1"' sh "$tmp/out"
narrow() {
    TERM=xterm python3 "$tests/tools/terminal.py" 80 50 "$rungs" profile knn/cuda_tiled --quick |
        sed -n '/^knn/,$p' >"$tmp/narrow"
    grep -q 'bound by' "$tmp/narrow" && ! grep -E '.{81}' "$tmp/narrow"
}
ok "on a terminal of 80 columns it fits" narrow
ok "nothing is left" clean

# The driver says no: ncu runs the program all the same.
tool ncu <<'E2'
echo '==PROF== Connected to process 1 (build/rungs)'
echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0. For instructions on enabling permissions and to get more information see https://developer.nvidia.com/ERR_NVGPUCTRPERM'
echo 'captured 1 call, 0.1 ms'
exit 1
E2
tool nsys <<'E2'
last= rep=
for word in "$@"; do
    [ "$last" = --output ] && rep=$word
    [ "$last" = --report ] && report=$word
    last=$word
done
case $1 in
profile)
    echo 'knn/cuda_tiled  m=65536 n=8192 k=1  ok'
    echo 'captured 1 call, 1.5 ms'
    touch "$rep.nsys-rep" ;;
stats)
    echo "Processing [$last] with [$report.py]..."
    echo
    case $report in
    cuda_gpu_kern_sum)
        echo 'Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name'
        echo '60.0,600000,1,600000.0,600000.0,600000,600000,0.0,"knn_tiled(unsigned long, float const*)"'
        echo '40.0,400000,2,200000.0,200000.0,200000,200000,0.0,"knn_tiled_units(unsigned long)"' ;;
    cuda_gpu_mem_time_sum)
        echo 'Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Operation'
        echo '100.0,2000000,2,1000000.0,1000000.0,1000000,1000000,0.0,[CUDA memcpy Host-to-Device]' ;;
    nvtx_pushpop_sum)
        echo 'Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Range'
        echo '50.0,2500000,1,2500000.0,2500000.0,2500000,2500000,0.0,rungs:upload'
        echo '30.0,1400000,1,1400000.0,1400000.0,1400000,1400000,0.0,rungs:run'
        echo '2.0,100000,1,100000.0,100000.0,100000,100000,0.0,rungs:download'
        echo '80.0,4100000,1,4100000.0,4100000.0,4100000,4100000,0.0,rungs:M: m=65536 n=8192 k=1' ;;
    esac ;;
esac
E2
ok "the driver refuses the counters: falls back to nsys" exits 0 profile knn/cuda_tiled
ok "... says so" complains 'ERR_NVGPUCTRPERM'
ok "... and what the administrator must set" complains 'NVreg_RestrictProfilingToAdminUsers=0'
ok "... in two sentences" sh -c 'test "$(grep -o "[.]  [A-Z]\|[.]$" "$1" | wc -l)" -eq 2' sh "$tmp/err"
ok "nsys traces the call alone" word nsys --capture-range=cudaProfilerApi
ok "... copies" says '^  copies +2 ms +50 %'
ok "... kernels, and which" says '^  kernels +1 ms +25 %   mostly knn_tiled$'
ok "... what is neither" says '^  neither +1 ms +25 %'
ok "... the longest phase" says '^  phases +4 ms +100 %   mostly upload$'
ok "... and the report" says 'nsys-ui results/profile-.*-knn-cuda_tiled\.nsys-rep'
ok "--tool ncu does not fall back: 4" exits 4 profile knn/cuda_tiled --tool ncu
ok "... and names what was recorded" complains 'docs/profiles/knn\.md'
fake_ncu
ok "--tool nsys, where ncu may" exits 0 profile knn/cuda_tiled --tool nsys
ok "..." says '^  copies'
tool nsys <<'E2'
for word in "$@"; do [ "$last" = --output ] && rm -f "$word".* && touch "$word.qdstrm"; last=$word; done
echo 'captured 1 call, 1.5 ms'
exit 1
E2
ok "an nsys without an importer: 4" exits 4 profile knn/cuda_tiled --tool nsys
ok "... says what is left to do" complains 'QdstrmImporter results/profile-.*-knn-cuda_tiled\.qdstrm'
ok "perf on a GPU" refuses 'perf profiles variants on a CPU' profile knn/cuda_tiled --tool perf

tool ncu <<'E2'
echo 'knn/cuda_tiled  m=65536 n=8192 k=1  no device: no CUDA driver'
exit 4
E2
ok "no device: 4, with the reason" exits 4 profile knn/cuda_tiled
ok "..." complains '^rungs: knn/cuda_tiled .*no device: no CUDA driver'
tool ncu <<'E2'
echo '==PROF== Connected to process 1 (build/rungs)'
echo 'captured 1 call, 0.1 ms'
for word in "$@"; do [ "$last" = --log-file ] && echo '==WARNING== No kernels were profiled.' >"$word"; last=$word; done
E2
ok "an ncu that has seen nothing: 2" exits 2 profile knn/cuda_tiled --quick
ok "..." complains 'no table'

# Neither here nor there.
rm "$bin"/*
there=
for file in /usr/local/cuda*/bin/ncu /opt/nvidia/nsight-compute/*/ncu /usr/local/cuda*/bin/nsys \
    /opt/nvidia/nsight-systems/*/bin/nsys; do
    [ -x "$file" ] && there=$file
done
if [ -n "$there" ]; then
    skip "no tool at all" "$there"
else
    ok "no tool at all: 4" without knn/cuda_tiled
    ok "... says which there could be" complains 'ncu .*was not found'
    ok "..." complains 'nsys .*was not found'
    ok "... and what was recorded" complains 'docs/profiles/knn\.md'
fi
ok "nothing is left" clean

finish
