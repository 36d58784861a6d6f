#!/bin/sh
# Checks the packages that Rungs is built with.  Make runs this.  It installs missing packages if it has the right to,
# else prints the one line to run: with apt-get (Debian, Ubuntu), dnf (Fedora) or pacman (Arch).  Without an optional
# library its variants are left out, without an optional tool its tests.
#
#     ./setup.sh           what builds Rungs and tests it
#     ./setup.sh build     what builds it
#     ./setup.sh ci        also what is large: a browser, Fortran, Node, MPI, a cross compiler
set -u

[ "$(uname -s)" = Linux ] || {
    echo "Rungs needs Linux; docs/where-it-runs.md says how to run it elsewhere" >&2
    exit 1
}

required="gcc libjansson-dev pkg-config"
optional="libhwloc-dev libopenblas-dev libfftw3-dev libpng-dev libjpeg-dev libmicrohttpd-dev gnuplot-nox"
! command -v nvcc >/dev/null || optional="$optional gcc-offload-nvptx" # C that GCC sends to a GPU
for_tests="g++ libcmocka-dev perl python3-numpy cmark-gfm clang-tidy cppcheck"
for_ci="ccache chromium default-jdk-headless gfortran nodejs python3-venv rustc libgdal-dev libopenmpi-dev openmpi-bin libfftw3-mpi-dev gcc-aarch64-linux-gnu qemu-user-static"
case ${1:-} in
build) for_tests= ;;
ci) for_tests="$for_tests $for_ci" ;;
esac

# The names in Debian, Fedora and Arch; - where there is no such package.
names='
gcc                   gcc                  gcc
libjansson-dev        jansson-devel        jansson
pkg-config            pkgconf-pkg-config   pkgconf
libhwloc-dev          hwloc-devel          hwloc
libopenblas-dev       openblas-devel       openblas
libfftw3-dev          fftw-devel           fftw
libpng-dev            libpng-devel         libpng
libjpeg-dev           libjpeg-turbo-devel  libjpeg-turbo
libmicrohttpd-dev     libmicrohttpd-devel  libmicrohttpd
cmark-gfm             -                    -
gnuplot-nox           gnuplot              gnuplot
gcc-offload-nvptx     gcc-offload-nvptx    -
g++                   gcc-c++              gcc
libcmocka-dev         libcmocka-devel      cmocka
perl                  perl-Test-Harness    perl
python3-numpy         python3-numpy        python-numpy
clang-tidy            clang-tools-extra    clang
cppcheck              cppcheck             cppcheck
ccache                ccache               ccache
chromium              chromium             chromium
gfortran              gcc-gfortran         gcc-fortran
nodejs                nodejs               nodejs
python3-venv          python3              python
default-jdk-headless  java-latest-openjdk-devel jdk-openjdk
rustc                 rust                 rust
gcc-aarch64-linux-gnu -                    -
qemu-user-static      -                    -
libopenmpi-dev        openmpi-devel        openmpi
openmpi-bin           openmpi              openmpi
libfftw3-mpi-dev      fftw-openmpi-devel   fftw-openmpi
libgdal-dev           gdal-devel           gdal'

# there PACKAGE   is it installed?
there() {
    case $1 in
    chromium) chromium --version || google-chrome --version ;;
    gcc | g++ | gfortran | ccache | cmark-gfm | clang-tidy | cppcheck | rustc) command -v "$1" ;;
    gcc-aarch64-linux-gnu) command -v aarch64-linux-gnu-gcc ;;
    qemu-user-static) command -v qemu-aarch64-static ;;
    default-jdk-headless) command -v java ;;
    nodejs) command -v node ;;
    python3-venv) python3 -c 'import ensurepip' ;;
    perl) command -v prove ;; # perl-base has none
    gcc-offload-nvptx) [ -e "$(gcc -print-file-name=accel/nvptx-none/mkoffload)" ] ;;
    pkg-config) command -v pkg-config ;;
    libjansson-dev) pkg-config --exists jansson ;;
    libopenblas-dev) pkg-config --exists openblas ;;
    libfftw3-dev) pkg-config --exists fftw3f ;;
    libhwloc-dev) pkg-config --exists hwloc ;;
    libpng-dev) pkg-config --exists libpng ;;
    libjpeg-dev) pkg-config --exists libjpeg ;;
    libgdal-dev) pkg-config --exists gdal ;;
    libopenmpi-dev) command -v mpicc ;;
    openmpi-bin) command -v mpirun ;;
    libfftw3-mpi-dev) [ -e "$(gcc -print-file-name=libfftw3f_mpi.so)" ] ;;
    libmicrohttpd-dev) pkg-config --exists libmicrohttpd ;;
    gnuplot-nox) command -v gnuplot ;;
    libcmocka-dev) pkg-config --exists cmocka ;;
    python3-numpy) python3 -c 'import numpy' || /usr/bin/python3 -c 'import numpy' ;;
    esac >/dev/null 2>&1
}

# The package manager, the column of its names, and how it installs.
manager='' column=1
for tool in apt-get dnf pacman; do
    [ -z "$manager" ] && command -v $tool >/dev/null && manager=$tool
done
case $manager in
dnf) column=2 install="dnf install" unasked=-y ;;
pacman) column=3 install="pacman -S --needed" unasked=--noconfirm ;;
*) install="apt-get install" unasked="-y -qq" ;;
esac

# missing PACKAGE...   prints those that are not installed, by this system's names
missing() {
    for package; do
        there "$package" || echo "$names" | awk -v package="$package" -v column=$column \
            '$1 == package && $column != "-" { printf "%s ", $column }'
    done
}

wanted=$(missing $required $optional $for_tests)
[ -n "$wanted" ] || exit 0

as_root=
[ "$(id -u)" -eq 0 ] || as_root="sudo -n"
if [ -n "$manager" ] && { [ -z "$as_root" ] || sudo -n true 2>/dev/null; }; then
    echo "installing $wanted" >&2
    unasked="env DEBIAN_FRONTEND=noninteractive $install $unasked"
    {
        [ "$manager" != apt-get ] || $as_root apt-get update -qq
        $as_root $unasked $wanted ||
            for package in $wanted; do # one that cannot be installed must not prevent the others
                $as_root $unasked "$package"
            done
    } >&2
fi

left=$(missing $required $optional $for_tests)
if [ -n "$left" ]; then
    echo "not installed: $left" >&2
    echo "to install:    sudo $install $left" >&2
fi
[ -z "$(missing $required)" ] || exit 1
