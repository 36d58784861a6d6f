#!/bin/sh
# Checks the packages that Rungs is built with, on Debian and its derivatives.  Make runs this.  It installs missing
# packages if it has the right to, else prints the one line to run.  Without an optional library its variants are
# left out, without an optional tool its tests.
set -u

required="gcc libjansson-dev pkg-config"
optional="libhwloc-dev libopenblas-dev libfftw3-dev libpng-dev libjpeg-dev gnuplot-nox"
for_tests="g++ libcmocka-dev perl python3-numpy clang-tidy cppcheck"

for_ci="chromium gfortran nodejs python3-venv" # large, so only on request: ./setup.sh ci
case ${1:-} in ci) for_tests="$for_tests $for_ci" ;; esac

# there PACKAGE   is it installed?
there() {
    case $1 in
    chromium) chromium --version || google-chrome --version ;;
    gcc | g++ | gfortran | clang-tidy | cppcheck) command -v "$1" ;;
    nodejs) command -v node ;;
    python3-venv) python3 -c 'import ensurepip' ;;
    perl) command -v prove ;; # perl-base has none
    pkg-config) command -v pkg-config ;;
    libjansson-dev) pkg-config --exists jansson ;;
    libopenblas-dev) pkg-config --exists openblas ;;
    libfftw3-dev) pkg-config --exists fftw3f ;;
    libhwloc-dev) pkg-config --exists hwloc ;;
    libpng-dev) pkg-config --exists libpng ;;
    libjpeg-dev) pkg-config --exists libjpeg ;;
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
        for package in $wanted; do # one that cannot be installed must not prevent the others
            $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" >&2
        done
fi

left=$(missing $required $optional $for_tests)
if [ -n "$left" ]; then
    echo "not installed: $left" >&2
    echo "to install:    sudo apt-get install $left" >&2
fi
[ -z "$(missing $required)" ] || exit 1
