#!/bin/sh
# librungs.so: variants called from C and from Python, and their failures as errors.
. tests/tools/tap.sh

build=${BUILD:-build}
here=$PWD/$build

# ends NAME   no process of that name runs any more, after a second at most
ends() {
    for try in 1 2 3 4 5 6 7 8 9 10; do
        pgrep -f "$1" >/dev/null || return 0
        sleep 0.1
    done
    pgrep -af "$1"
    return 1
}

ok "a C program links with the library" "${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -I. tests/cli/library/calls.c -o "$tmp/calls" \
    "$here/librungs.so" -Wl,-rpath,"$here" -lm -pthread
timeout 60 "$tmp/calls" >"$tmp/lines"
for line in "abi" "two calls" "no array" "bytes" "no length" "no handle" "two handles" "no elements" "two threads"; do
    ok "... $line" grep -qx "right $line" "$tmp/lines"
done
ok "... and its processes end with it" ends "rungs serve saxpy/cpu_simd --size n=1000"

# --- Java --------------------------------------------------------------------------------------------
if [ "$build" = build ] && command -v javac >/dev/null; then
    ok "the class for Java is built" make -s --no-print-directory java
    ok "... a program in Java compiles with it" javac -cp "$here/rungs.jar" -d "$tmp" tests/cli/library/Calls.java
    timeout 60 java -Drungs.jni="$here/librungs_jni.so" -cp "$here/rungs.jar:$tmp" Calls >"$tmp/lines" 2>&1
    for line in "right" "an output cannot be written" "no variant is called saxpy/none; did you mean saxpy?" "closed"; do
        ok "... $line" grep -qxF "$line" "$tmp/lines"
    done
else
    skip "calls from Java" "there is no JDK"
fi

# --- Python ------------------------------------------------------------------------------------------
[ -n "$numpy" ] || { skip "calls from Python" "NumPy is not there"; finish; exit 0; }

# python MODULE-LESS CODE on standard input
calls() {
    PYTHONPATH=$here timeout 100 "$numpy" - "$@"
}
ok "variants that are open at a time are not placed on the same processor" calls <<'END'
import os, rungs_c
def below(process):
    for child in open(f"/proc/{process}/task/{process}/children").read().split():
        yield int(child)
        yield from below(child)
with rungs_c.open("saxpy/cpu_simd", n=1000, threads=1), rungs_c.open("saxpy/cpu_naive", n=1000, threads=1):
    places = [os.sched_getaffinity(process) for process in below(os.getpid())]
    print(places)
    assert len(places) >= 4 and all(place == os.sched_getaffinity(0) for place in places)
END
ok "every problem's arrays have names and shapes" calls <<'END'
import numpy as np, rungs_c
with rungs_c.open("knn/cpu_tree", m=50, n=300, k=2, threads=1) as knn:
    assert knn.index.shape == (50, 2) and knn.index.dtype == np.uint32
    points = np.random.default_rng(1).uniform(-1, 1, (4, 300)).astype("f4")
    knn.obs_lat[:], knn.obs_lon[:] = points[0, :50], points[1, :50]
    knn.ref_lat[:], knn.ref_lon[:] = points[2], points[3]
    assert knn() > 0 and knn.judge() <= 1
with rungs_c.open("stencil/cpu_naive", rows=4, cols=5, sweeps=1, bytes=1) as stencil:
    stencil.in8[:] = 9
    stencil()
    assert (stencil.out8 == 9).all() and not hasattr(stencil, "out")
with rungs_c.open("fft/cpu_stockham", batch=1, n=8) as fft:
    fft.x[:] = 1
    fft()
    assert abs(fft.X[0, 0] - 8) < 1e-5 and fft.X.dtype == np.complex64
END
ok "an output cannot be written" calls <<'END'
import rungs_c
with rungs_c.open("saxpy/cpu_naive", n=10) as saxpy:
    try:
        saxpy.z[:] = 0
        raise SystemExit("it could")
    except ValueError:
        pass
END
ok "names that cannot be set are errors, and so is a call after the with" calls <<'END'
import re, rungs_c
def error(pattern, what, *arguments):
    try:
        what(*arguments)
    except rungs_c.RungsError as said:
        assert re.search(pattern, str(said)), said
        return
    raise SystemExit("no error: " + pattern)
with rungs_c.open("saxpy/cpu_naive", n=4) as saxpy:
    error(r"x is an array: write x\[:\] = ", setattr, saxpy, "x", [1, 2, 3, 4])
    error("z is an output", setattr, saxpy, "z", [1, 2, 3, 4])
    error("saxpy/cpu_naive has no w; it has n, a, x, y, z", setattr, saxpy, "w", 1)
    saxpy.a = 2
    assert saxpy.a == 2 and saxpy() > 0
error("saxpy/cpu_naive is closed", saxpy)
error("saxpy/cpu_naive is closed", saxpy.judge)
error("saxpy/cpu_naive is closed", setattr, saxpy, "a", 1)
saxpy.close()
END
# fails VARIANT AXES PATTERN   opening, calling or judging it raises an error of these words
fails() {
    calls "$@" <<'END'
import re, sys, rungs_c
axes = dict(word.split("=") for word in sys.argv[2].split())
try:
    with rungs_c.open(sys.argv[1], **axes) as variant:
        for name in [name for name, value in vars(variant).items() if hasattr(value, "shape") and value.flags.writeable]:
            getattr(variant, name)[:] = 0.5
        variant.a = 2
        variant()
        variant.judge()
        sys.exit("no error")
except rungs_c.RungsError as error:
    assert re.search(sys.argv[3], str(error)), error
with rungs_c.open("saxpy/cpu_naive", n=10) as next:  # the library goes on
    next()
END
}
ok "a misspelt variant is named" fails saxpy/cpu_simdd n=10 "did you mean saxpy/cpu_simd"
ok "... and a size that is none" fails saxpy/cpu_simd n=ten "takes a whole number"
RUNGS_PATH=$here/tests/broken RUNGS_TIMEOUT=3
export RUNGS_PATH RUNGS_TIMEOUT
ok "... and why a variant refuses" fails saxpy/refuses_all n=10 "^refused: "
ok "a variant that crashes is an error" fails saxpy/null_pointer n=10 "^crash: .*segmentation fault"
ok "... one that exits" fails saxpy/exits n=10 "^crash: .*exit"
ok "... one that hangs" fails saxpy/deadlocks n=10 "^timeout: .*within 3 s"
ok "... one that takes all memory" fails saxpy/eats_memory n=10 "^memory: "
ok "... and a wrong answer, when it is judged" fails saxpy/all_zeros n=10 "^wrong: z"
ok "... with no process left" ends "rungs serve"
finish
