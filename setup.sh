#!/bin/sh
# Looks after the packages that Rungs builds with, on Debian and its relatives.  Called by make;
# installs what is missing where it may, else prints the one line to run.  Without what is optional
# the rest works: a library that is not there leaves its variants out, a tool its tests.
set -u

required="gcc libjansson-dev pkg-config"
optional="libhwloc-dev libopenblas-dev libfftw3-dev libpng-dev gnuplot-nox"
for_tests="g++ libcmocka-dev perl python3-numpy clang-tidy cppcheck"

for_ci="chromium gfortran nodejs python3-venv" # too large to be brought along unasked: ./setup.sh ci
case ${1:-} in ci) for_tests="$for_tests $for_ci" ;; esac

# What each package is needed for, as a test that it is there.
there() {
    case $1 in
    chromium) chromium --version || google-chrome --version ;;
    gcc | g++ | gfortran | clang-tidy | cppcheck) command -v "$1" ;;
    nodejs) command -v node ;;
    python3-venv) python3 -c 'import ensurepip' ;;
    perl) command -v prove ;; # Debian's smallest perl has none
    pkg-config) command -v pkg-config ;;
    libjansson-dev) pkg-config --exists jansson ;;
    libopenblas-dev) pkg-config --exists openblas ;;
    libfftw3-dev) pkg-config --exists fftw3f ;;
    libhwloc-dev) pkg-config --exists hwloc ;;
    libpng-dev) pkg-config --exists libpng ;;
    gnuplot-nox) command -v gnuplot ;;
    libcmocka-dev) pkg-config --exists cmocka ;;
    python3-numpy) python3 -c 'import numpy' || /usr/bin/python3 -c 'import numpy' ;;
    esac >/dev/null 2>&1
}

missing() {
    for package; do
        there "$package" || printf '%s ' "$package"
    done
}

wanted=$(missing $required $optional $for_tests)
[ -n "$wanted" ] || exit 0

as_root=
[ "$(id -u)" -eq 0 ] || as_root="sudo -n"
if command -v apt-get >/dev/null && { [ -z "$as_root" ] || sudo -n true 2>/dev/null; }; then
    echo "installing $wanted" >&2
    { $as_root apt-get update -qq &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $wanted; } >&2 ||
        for package in $wanted; do # one that is not to be had must not keep the others away
            $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" >&2
        done
fi

left=$(missing $required $optional $for_tests)
if [ -n "$left" ]; then
    echo "not installed: $left" >&2
    echo "to install:    sudo apt-get install $left" >&2
fi
[ -z "$(missing $required)" ] || exit 1
