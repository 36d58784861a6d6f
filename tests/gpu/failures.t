#!/bin/sh
# Staged CUDA failures (fake_driver.c, failing_runtime.c): each gives a row with the reason and an exit status, and
# affects no other variant.
. tests/tools/tap.sh

failing=$PWD/${BUILD:-build}/rungs-failing
driver=$PWD/${BUILD:-build}/tests/gpu
if ! "$rungs" list saxpy/cuda_naive --format json 2>/dev/null | grep -q '"device":"gpu"'; then
    ok "no CUDA in this build that could fail" true
    finish
    exit
fi

# ends STATUS ROW ARGUMENT...   exit status, nothing on standard error, and one row, of saxpy/cuda_naive
ends() {
    status=$1 row=$2
    shift 2
    exits "$status" "$@" || return 1
    if [ -s "$tmp/err" ] || [ "$(grep -c 'cuda_naive' "$tmp/out")" -ne 1 ] ||
        ! grep -Eq -- "cuda_naive +$row\$" "$tmp/out"; then
        echo "expected one row with $row"
        cat "$tmp/out" "$tmp/err"
        return 1
    fi
}

check="check saxpy/cuda_naive --size n=5 --timeout 10"
both="saxpy/cpu_naive saxpy/cuda_naive --quick --size n=1000 --max-time 0.05 --timeout 10"

# --- a driver that does not start -----------------------------------------------------------------
mkdir "$tmp/absent" # a folder instead of the library is the same as no library
echo "no library" >"$tmp/absent/libcuda.so.1"
export LD_LIBRARY_PATH="$tmp/absent"
ok "no driver: no device" ends 4 'no device +no CUDA driver' $check
ok "... which list says as well" shows 'unavailable: +no CUDA driver' list saxpy/cuda_naive
ok "... and run, in one line" ends 4 'n=5  no device: no CUDA driver' run saxpy/cuda_naive \
    --size n=5
ok "... while bench times the rest" ends 0 'no device +no CUDA driver' bench $both \
    --out "$tmp/records"
ok "... and has both on record" sh -c 'test "$(grep -c "\"measurement\"" "$1")" = 2 &&
    grep -q "\"status\":\"no device\",\"reason\":\"no CUDA driver\"" "$1"' sh "$tmp/records"
ok "... and check judges the rest" ends 0 'no device +no CUDA driver' check saxpy/cuda_naive \
    saxpy/cpu_naive --size n=5

# driver FAILURE STATUS ROW [ARGUMENT...]
driver() {
    export LD_LIBRARY_PATH="$driver" RUNGS_FAKE_DRIVER="$1"
    shift
    ends "$@"
}
ok "a driver older than the runtime: no device" driver "too old" 4 \
    'no device +CUDA driver version is insufficient for CUDA runtime version' $check
ok "no device" driver 100 4 'no device +no CUDA-capable device is detected' $check
ok "a driver that is not what the kernel has" driver 803 4 \
    'no device +system has unsupported display driver / cuda driver combination' $check
ok "a fabric that is not up yet" driver 802 4 'no device +system not yet initialized' $check
ok "an error without a name" driver 999 4 'no device +unknown error' $check
ok "a driver that crashes: a crash" driver crashes 1 'crash +segmentation fault in .*' $check
ok "a driver that hangs: a timeout" driver hangs 1 'timeout +no answer from .* within 1 s' \
    check saxpy/cuda_naive --size n=5 --timeout 1
ok "... and nothing is left of it" none_left
unset RUNGS_FAKE_DRIVER

# --- calls that fail ------------------------------------------------------------------------------
rungs=$failing
export LD_LIBRARY_PATH="$tmp/absent"
call() {
    export RUNGS_CUDA_FAILS="$1"
    shift
    ends "$@"
}
ok "nothing fails, and the kernel does nothing: wrong" call "" 1 \
    'wrong +z\[[0-9]+\] is 0, expected .*' $check
ok "the device is another's, in exclusive mode: no device" call "device is taken" 4 \
    'no device +CUDA-capable device\(s\) is/are busy or unavailable' $check
ok "no memory for a context: no device" call "device is full" 4 'no device +out of memory' $check
ok "no memory for an array: a failure" call "out of memory" 1 \
    'memory +variants/saxpy/cuda_naive\.cu:[0-9]+: cudaMalloc\(.*\): out of memory' $check
ok "... and bench times the rest" call "out of memory" 1 'memory +.*: out of memory' bench $both \
    --out "$tmp/memory"
ok "... which run says as well" call "out of memory" 1 'n=5  memory: .*: out of memory' \
    run saxpy/cuda_naive --size n=5
ok "a device that nothing was compiled for: a crash" call "no machine code" 1 \
    'crash +exits in run: .*: no kernel image is available for execution on the device' $check
ok "a kernel that strays: a crash" call "kernel strays" 1 \
    'crash +exits in download: .*: an illegal memory access was encountered' $check
ok "a kernel that hangs: a timeout" call "kernel hangs" 1 \
    'timeout +no answer from download within 1 s' check saxpy/cuda_naive --size n=5 --timeout 1
ok "... and nothing is left of it" none_left

slow() {
    RUNGS_CUDA_FAILS="device is slow" exits 1 bench $both --out "$tmp/slow" &&
        tail -n 1 "$tmp/slow" | python3 -c '
import json, sys
end = json.load(sys.stdin)
assert end["called_ns"] >= 1e9 > 2 * end["judged_ns"], end'
}
ok "the time that a device takes to start is not judging" slow

# --- libraries, each of which is a matter of the variants that call it ----------------------------
cublas() {
    RUNGS_CUDA_FAILS='' exits "$1" run matmul/cuda_cublas && grep -Eq -- "$2" "$tmp/out"
}
ok "a library that fails: its variant does, in the library's own words" cublas 1 \
    'crash: exits in prepare: .*: cublasCreate\(.*\): the library was not initialized$'
echo "no library" >"$tmp/absent/libcublas.so.13"
echo "no library" >"$tmp/absent/libcublas.so.12"
ok "... and one that cannot be opened: which, and why" cublas 4 \
    'skipped: the worker could not start: .*/libcublas.so.1[0-9]: file too short$'
ok "... while the others do not know" call "" 1 'wrong +z.*' $check
build=${failing%/*}
ok "nothing else is linked with them" sh -c 'for file; do
    readelf -d "$file"; done | grep NEEDED | { ! grep -E "cublas|cufft"; }' sh "$build/rungs" \
    "$build/rungs-worker" "$build/variants/matmul/cuda_naive.so" "$build/variants/matmul/cpu_naive.so"

finish
