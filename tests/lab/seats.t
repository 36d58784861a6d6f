#!/bin/sh
# The room of a workshop: a seat finds its name, and the instructor sees who is there, who is not, and what the signs mean.
. tests/tools/tap.sh
. tests/lab/tree.sh

room=$tmp/room
mkdir "$room"
user=$(id -un) host=$(hostname)
unset RUNGS_SEAT
exits 1 lab run 01

# is SEAT   submit takes this name
is() {
    rm -f "$room"/*.tsv
    exits 0 lab submit "$room" && grep -Fq "as seat $1 " "$tmp/out" && [ -f "$room/$1.tsv" ] || {
        cat "$tmp/out"
        ls "$room"
        return 1
    }
}
# listed SEAT LINE...   with these lines in the list
listed() {
    want=$1
    shift
    printf '%s\n' "$@" >"$room/seats"
    is "$want"
}
both=$(printf '%.30s-%.30s' "$user" "$host" | tr -c 'A-Za-z0-9_-' '-')
ok "without a list a seat is user and computer, so that two users of one computer are two" is "$both"
ok "a list names users" listed 7 '# who  seat' '' 'other 6' "$user 7" "$host 8"
ok "... or computers" listed 8 'other 6' "$host 8"
ok "... or a user at a computer" listed 9 "$user@elsewhere 5" "$user@$host 9"
ok "... the first line that fits counts" listed a "$host a" "$user b"
ok "a name becomes the name of a file" listed ---up "$user ../up"
ok "... of any alphabet" listed 'Zoé' "$user Zoé"
ok "... and no longer than it may be, in whole letters" listed "$(printf 'x%.0s' $(seq 62))" \
    "$user $(printf 'x%.0s' $(seq 62))éé"
ok "lines that are no pair are left out" listed 3 alone '   ' "$user 3"
given() {
    RUNGS_SEAT=mine
    export RUNGS_SEAT
    is mine
    ended=$?
    unset RUNGS_SEAT
    return $ended
}
ok "RUNGS_SEAT goes before the list" given

unknown() {
    rm -f learn/progress.tsv learn/.kept/progress.tsv
    is "$both"
}
rm "$room/seats"
ok "a seat without progress can submit, too" unknown

absent() {
    printf '%s\n' 'ada 1' "$user 2" 'bob 3' >"$room/seats"
    is 2 && exits 0 lab room "$room" && grep -qx 'nothing submitted yet: 1, 3' "$tmp/out" || { cat "$tmp/out"; return 1; }
}
ok "the room names the seats that have submitted nothing" absent
ok "... and says what its signs mean" grep -q '^h0: tried, no hint shown' "$tmp/out"
complete() {
    printf '%s\n' "$user 2" >"$room/seats"
    exits 0 lab room "$room" && ! grep -q 'nothing submitted' "$tmp/out"
}
ok "... and none when all have" complete
finish
