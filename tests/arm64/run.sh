#!/bin/sh
# Builds for 64-bit ARM with Debian's cross compiler, judges variants there and runs the unit tests, all under qemu.
# The libraries for ARM come from Debian's own packages, unpacked in build-arm64/root: nothing is installed, and apt
# learns of no second architecture.  Other optional libraries are left out, as on a machine that lacks them.
#
# The kernel starts programs for ARM through qemu: by the machine's own registration if there is one, else by one in a
# namespace of this script (Linux 6.7 or newer).
set -eu
cd "$(dirname "$0")/../.."
root=$PWD/build-arm64/root
lib=$root/usr/lib/aarch64-linux-gnu
known=/proc/sys/fs/binfmt_misc

for tool in aarch64-linux-gnu-gcc qemu-aarch64-static apt-get; do
    command -v $tool >/dev/null || {
        echo "arm64: $tool is missing: on Debian or Ubuntu, apt-get install gcc-aarch64-linux-gnu qemu-user-static"
        exit 1
    }
done

# Fetches with lists and a cache of its own.
fetch() {
    mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
    : >"$root/apt/status"
    set -- -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$root/apt" \
        -o Dir::State::status="$root/apt/status" -o Dir::Cache="$root/apt" -o APT::Sandbox::User=root
    apt-get "$@" update && (cd "$root/apt/archives" &&
        apt-get "$@" download libjansson-dev libjansson4 libcmocka-dev libcmocka0)
    for package in "$root"/apt/archives/*.deb; do
        dpkg-deb -x "$package" "$root"
    done
    rm -r "$root/apt"
}
[ -f "$lib/libjansson.so" ] && [ -f "$lib/libcmocka.so" ] || fetch

if [ "${1:-}" = inside ]; then # the first 20 bytes of a program for 64-bit ARM, and which of their bits count
    mount -t binfmt_misc none $known
    printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:'"$(command -v qemu-aarch64-static)"':OCF' >$known/register
elif [ ! -e $known/qemu-aarch64 ]; then
    unshare --user --map-root-user --mount sh "$0" inside
    exit
fi

export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu LD_LIBRARY_PATH="$lib"
export PKG_CONFIG_LIBDIR="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
# -isystem: the tests include cmocka without asking pkg-config
make BUILD=build-arm64 SETUP=: NVCC= MPICC= CC="aarch64-linux-gnu-gcc -isystem $root/usr/include -L$lib -Wl,-rpath-link,$lib" emulated
