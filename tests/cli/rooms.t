#!/bin/sh
# The map in harness/README.md holds: each file includes only what its room may, nothing lies flat in
# harness/ or tests/, tests/README.md knows every folder, and no header is left that no file includes.  The files
# that answer questions there exist.
cd "$(dirname "$0")/../.." || exit 1
files=$(find harness common variants workshop tests -name '*.[ch]' -o -name '*.cu' -o -name '*.S')

found=$({
    find harness -maxdepth 1 -type f ! -name main.c ! -name README.md -printf '%p: lies in no room\n'
    find tests -mindepth 1 -maxdepth 1 -type f ! -name README.md -printf '%p: lies in no folder\n'
    for folder in tests/*/; do
        grep -q "^| \`$(basename "$folder")\` |" tests/README.md ||
            echo "$folder: tests/README.md does not say what it is"
    done
    awk '/^### /{ room = $2 }
    /^- [^:]*: / && room != "Outside" { # - question: `file`, `file`, ...
        sub(/^[^:]*: /, "")
        for (n = split($0, part, "`"); n > 1; n--)
            if (n % 2 == 0 && part[n] ~ /^[a-z0-9_.\/]+$/)
                print room, part[n]
    }' harness/README.md | while read -r room name; do
        ls "harness/$room/$name" "harness/$room/$name".* "harness/$name" "harness/$name".* "$name" 2>/dev/null | grep -q . ||
            echo "harness/README.md: $room has no file $name"
    done
    # shellcheck disable=SC2086
    awk '
    FILENAME == ARGV[1] { # the map: | `room` | what it holds | may include |
        if (split($0, cell, /[ ]*\|[ ]*/) == 5 && cell[2] ~ /^`/) {
            gsub(/`/, "", cell[2])
            gsub(/,/, "", cell[4])
            may[cell[2]] = " " cell[4] " "
        }
        next
    }
    FNR == 1 { # harness/ROOM/..., FOLDER/...
        split(FILENAME, part, "/")
        room = part[1] == "harness" ? part[2] : part[1]
        if (!(room in may))
            print FILENAME ": the map has no room " room
        folder = FILENAME
        sub(/[^\/]*$/, "", folder)
        here[FILENAME] = 1
    }
    /^[ \t]*[#.][ \t]*include[ \t]+"/ {
        split($0, quoted, "\"")
        name = quoted[2]
        while (name ~ /^\.\.\//) name = substr(name, 4)
        included[name] = included[folder name] = 1
        split(name, part, "/")
        to = part[1] == "harness" ? part[2] : part[1]
        if (to in may && to != room && to != "common" && may[room] !~ " (" to "|all) " )
            print FILENAME ": " room " may not include " name
    }
    END {
        for (name in here)
            if (name ~ /\.h$/ && !(name in included) && name !~ /sim\/include/) # named as in CUDA
                print name ": no file includes it"
    }' harness/README.md $files
})
printf '1..1\n'
[ -z "$found" ] || { echo "$found" | sort | sed 's/^/# /'; printf 'not '; }
echo "ok 1 - every include is one that the map in harness/README.md allows"
