#!/bin/sh
# Which commit a build says it is of, and which version its Debian package has.
. tests/tools/tap.sh

# says COMMIT   what the Makefile of the clone would write into its build
says() {
    said=$(make -C "$tmp/clone" -s SETUP=: NVCC= BUILD="$tmp/none" --eval='commit: ; @echo "$(COMMIT)"' commit)
    [ "$said" = "$1" ] || { echo "says $said, expected $1"; return 1; }
}

if git rev-parse --git-dir >/dev/null 2>&1; then
    git clone -q --shared . "$tmp/clone"
    cp Makefile "$tmp/clone" # the one that is tested
    git -C "$tmp/clone" -c user.name=a -c user.email=a@b commit -qam changed --allow-empty
    commit=$(git -C "$tmp/clone" describe --always)
    ok "a build of a commit" says "$commit"
    echo >"$tmp/clone/notes"
    ok "... also beside files that are in no binary" says "$commit"
    echo >"$tmp/clone/variants/saxpy/cpu_new.c"
    ok "a new file of a variant, which git does not know yet, is in the binary" says "$commit-dirty"
    rm "$tmp/clone/variants/saxpy/cpu_new.c"
    echo >>"$tmp/clone/common/saxpy.h"
    ok "so is a changed header" says "$commit-dirty"
else
    skip "the commit of a build" "this is no git repository"
fi
ok "the Debian package has the program's version" \
    sh -c 'grep -q "^rungs ($("$rungs" --version | sed "s/^rungs \([0-9.]*\).*/\1/")) " debian/changelog'

finish
