#!/bin/sh
# Variants in C++, Fortran, Rust and Zig, those of this repository and those of another folder: the right ones are right, and
# broken ones are rejected.
. tests/tools/tap.sh

all_right() {
    run check "$1" && cat "$tmp/out" "$tmp/err" && [ "$status" -eq 0 ]
}

# elsewhere NAME ENDING EDIT FROM   a copy of FROM outside of this repository is right, and wrong after sed has edited it
elsewhere() {
    mine=$1 ending=$2 edit=$3 from=$4
    mkdir -p "$tmp/own/saxpy"
    cp "$from" "$tmp/own/saxpy/$mine.$ending"
    ok "... also outside of this repository" sh -c '"$1" build "$2" && "$1" check "saxpy/$3" --variants "$4"' sh \
        "$rungs" "$tmp/own/saxpy/$mine.$ending" "$mine" "$tmp/own"
    sed "$edit" "$from" >"$tmp/own/saxpy/$mine.$ending"
    "$rungs" build "$tmp/own/saxpy/$mine.$ending"
    run check "saxpy/$mine" --variants "$tmp/own"
    ok "... and one with a wrong sign is wrong" grep -Eq "^saxpy/$mine +wrong +z\[" "$tmp/out"
    rm -r "$tmp/own"
}

if command -v "${CXX:-g++}" >/dev/null; then
    ok "C++" all_right '*/cpp_*'
    elsewhere cpp_own cpp 's/ x + y/ x - y/' variants/saxpy/cpp_transform.cpp
else
    skip "C++" "no g++"
fi
if command -v gfortran >/dev/null; then
    ok "Fortran" all_right '*/f_*'
    elsewhere f_own f90 's/ + y(i)/ - y(i)/' variants/saxpy/f_concurrent.f90
    mkdir -p "$tmp/own/saxpy"
    sed 's/subroutine run/subroutine go/' variants/saxpy/f_concurrent.f90 >"$tmp/own/saxpy/f_own.f90"
    "$rungs" build "$tmp/own/saxpy/f_own.f90" 2>"$tmp/err"
    ok "no function run" grep -q 'exports neither rungs_variant nor a function run' "$tmp/err"
    rm -r "$tmp/own"
else
    skip "Fortran" "no gfortran"
fi
if command -v rustc >/dev/null; then
    ok "Rust" all_right '*/rs_*'
    elsewhere rs_own rs 's/ + y;/ - y;/' variants/saxpy/rs_iter.rs
else
    skip "Rust" "no rustc"
fi
if "$rungs" list saxpy/zig_vector --names >/dev/null 2>&1; then
    ok "Zig" all_right '*/zig_*'
    elsewhere zig_own zig 's/ x + y;/ x - y;/' variants/saxpy/zig_vector.zig
else
    skip "Zig" 'no zig: make python GROUPS="core zig"'
fi

# A build for which there is no Zig: one line says so, and the variants are no rows.
make -s SETUP=: ZIG=no-such-zig BUILD="$tmp/build" "$tmp/build/variants/saxpy/zig_vector.card" >/dev/null
ok "a language without its compiler only has a card, which names the compiler" sh -c '
    grep -qx "needs = \"no-such-zig\"" "$1/saxpy/zig_vector.card" && [ ! -e "$1/saxpy/zig_vector.so" ] &&
    RUNGS_VARIANTS="$1" "$2" check saxpy/zig_vector 2>&1 | grep -q "^rungs: saxpy/zig_vector is left out: it needs no-such-zig"' sh "$tmp/build/variants" "$rungs"

finish
