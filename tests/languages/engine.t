#!/bin/sh
# What an engine may do more than others (a loopback, processes, shared memory, a folder) ends with its worker, and reaches
# nothing else.  Each file of tests/hostile/engine is run as an engine, and without that line of its card.
. tests/tools/tap.sh
. tests/languages/broken.sh
find_python

mkdir "$tmp/folder" "$tmp/files"
chmod 700 "$tmp/folder"
cat >"$tmp/host.py" <<'END'
# Services of this host.  Each one that is reached leaves a word.
import os, select, socket, sys
scratch, name = sys.argv[1:]
tcp = socket.create_server(("127.0.0.1", 0))
named = socket.socket(socket.AF_UNIX); named.bind(scratch + "/named"); named.listen()
abstract = socket.socket(socket.AF_UNIX); abstract.bind("\0" + name); abstract.listen()
log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); log.bind(scratch + "/log")
with open(scratch + "/port.new", "w") as file:
    file.write(str(tcp.getsockname()[1]))
os.rename(scratch + "/port.new", scratch + "/port")
while True:
    for ready in select.select([tcp, named, abstract, log], [], [])[0]:
        ready.recv(99) if ready is log else ready.accept()
        open(scratch + "/reached", "a").write(f"{ready}\n")
END
HOSTILE_NAME=rungs-hostile-$$
python3 "$tmp/host.py" "$tmp" "$HOSTILE_NAME" &
host=$!
echo yesterday >"/dev/shm/$HOSTILE_NAME"
trap 'kill $host; rm -rf "$tmp" "/dev/shm/$HOSTILE_NAME" /dev/shm/rungs-hostile-left' EXIT
while [ ! -f "$tmp/port" ]; do sleep 0.02; done
HOSTILE_PORT=$(cat "$tmp/port") HOSTILE_FILE=$tmp/named HOSTILE_LOG=$tmp/log HOSTILE_FOLDER=$tmp/folder HOSTILE_PID=$$
TMPDIR=$tmp/files
export HOSTILE_NAME HOSTILE_PORT HOSTILE_FILE HOSTILE_LOG HOSTILE_FOLDER HOSTILE_PID TMPDIR

nothing_left() { # nothing_left WHEN
    ok "no service of the host is reached $1" test ! -e "$tmp/reached"
    ok "no file is left in the folders of others $1" test -z "$(ls -A "$tmp/folder" "$tmp/files" | grep -v :)"
    ok "its rights are as before $1" test "$(stat -c %a "$tmp/folder")" = 700
    ok "no shared memory is left $1" test ! -e /dev/shm/rungs-hostile-left
    ok "no System V segment is left $1" sh -c '! grep -q " 1381322311 " /proc/sysvipc/shm'
    ok "no process is left $1" sh -c '! grep -qx rungs-stays /proc/[0-9]*/comm 2>/dev/null'
}

run list --variants tests/hostile/engine
if grep -q "needs namespaces" "$tmp/out"; then
    ok "where there are no namespaces, an engine is left out" test "$status" = 0
else
    verdicts py tests/hostile/engine check --timeout 10
    nothing_left "by an engine"
fi

mkdir -p "$tmp/without/saxpy"
for file in tests/hostile/engine/saxpy/*.py; do
    sed -e '/^# engine = /d' -e '/^# expected:/d' -e 's/^# without an engine:/# expected:/' "$file" \
        >"$tmp/without/saxpy/$(basename "$file")"
done
verdicts py "$tmp/without" check --timeout 10
nothing_left "without one"

finish
