#!/bin/sh
# inside.sh BUILD VARIANTS SLOT PROBLEM/BYSTANDER PROBLEM/NAME WORD...   the first process of a namespace of its own, started by run.sh.
#
# Makes everything read-only except a folder in memory, and runs `rungs bench` of the two variants there as a user
# without rights.  Writes a tar archive of the results to standard output: exit status, output, records, remaining
# processes, changed files.
#
# It is process 1, which no signal from inside the namespace can end.
set -u
build=$1 variants=$2 slot=$3 bystander=$4 attack=$5
shift 5

mount -t tmpfs -o size=3g,mode=755 none /mnt || exit 99
problem=${attack%/*}
mkdir -p /mnt/bin/variants/"$problem" /mnt/tmp /mnt/report
cp "$build/rungs" "$build/rungs-worker" /mnt/bin/
for name in "${bystander#*/}" "${attack#*/}"; do
    cp "$variants/$name.so" "$variants/$name.card" "/mnt/bin/variants/$problem/"
done
mount --bind /mnt/tmp /tmp || exit 99
mount -t tmpfs -o size=1g,mode=1777 none /dev/shm || exit 99
chmod 1777 /tmp
# Files that are not in memory cannot be written, even by an attack that succeeds.
mount -o remount,bind,ro / || exit 99
awk '$2 != "/" && $2 !~ "^/(mnt|tmp|proc|dev/shm|dev/pts)" && $3 ~ "^(ext|xfs|btrfs|overlay|tmpfs|zfs|fuse|9p|virtiofs|nfs)" {
    print $2 }' /proc/mounts | while read -r place; do
    mount -o remount,bind,ro "$place" 2>/dev/null
done

mkdir -p /tmp/work/results /tmp/home
echo '{"record":"run","of":"yesterday"}' >/tmp/work/results/yesterday.jsonl
echo 'do not touch' >/tmp/work/notes.txt
as=
if [ "$(cat /proc/self/uid_map | tr -s ' ')" = " 0 0 4294967295" ]; then # a real root gives its rights up
    as="--reuid $((60001 + slot)) --regid $((60001 + slot)) --clear-groups"
    chown -R $((60001 + slot)):$((60001 + slot)) /tmp/work /tmp/home /mnt/bin
fi

look() {
    find /tmp /dev/shm /mnt/bin ! -path /tmp/work/results/new.jsonl ! -type d -printf '%p %m %u %s ' \
        \( -type f -size -1M -exec md5sum {} \; -o -printf '%y\n' \)
    find /tmp /dev/shm /mnt/bin -type d -printf '%p %m %u\n'
    sed 1d /proc/sysvipc/shm | awk '{ print "sysv shm", $1, $4 }'
    sed 1d /proc/sysvipc/msg | awk '{ print "sysv msg", $1 }'
    sed 1d /proc/sysvipc/sem | awk '{ print "sysv sem", $1 }'
}
look | sort >/mnt/report/before

cd /tmp/work || exit 99
# shellcheck disable=SC2086
RUNGS_VARIANTS=/mnt/bin/variants HOME=/tmp/home TMPDIR=/tmp XDG_RUNTIME_DIR=/tmp/home setpriv $as --no-new-privs --bounding-set=-all \
    --inh-caps=-all sh -c 'ulimit -p 1500 2>/dev/null || ulimit -u 1500; ulimit -c unlimited; exec "$@"' sh \
    /mnt/bin/rungs bench "$bystander" "$attack" "$@" --quick --out results/new.jsonl \
    >/mnt/report/out 2>/mnt/report/err </dev/null 3<&- &
bench=$!
# The state of the program that another process could change, as it is at the end.  (The program changes its own
# affinity for a moment when it inspects the machine.)
status_of() {
    read -r line 2>/dev/null <"/proc/$1/stat" || return 1
    set -- "$1" ${line##*) }
    [ "$2" != Z ] && [ "$2" != X ] || return 1
    echo "nice ${18} policy ${40}"
    grep Cpus_allowed_list "/proc/$1/status"
}
watch() {
    status_of "$bench" || return 1
    grep -qx rungs "/proc/$bench/comm" || return 0
    grep -v 'Max pending' "/proc/$bench/limits" | tr -s ' '
}
while watch >/mnt/now 2>/dev/null; do
    if [ -f /mnt/then ]; then
        diff /mnt/then /mnt/now | sed -n 's/^> //p' >/mnt/report/state
    elif grep -q '^Max' /mnt/now; then # its limits are those of the start
        { status_of 1; grep '^[LM]' /mnt/now; } >/mnt/then
    fi
    sleep 0.1
done
wait $bench
echo $? >/mnt/report/status

# Notes the processes that are left after a second, by what the shell itself can do, so that it starts none.
left() {
    for stat in /proc/[0-9]*/stat; do
        read -r line <"$stat" || continue
        case ${line##*) } in
        Z*) ;; # has ended and waits for process 1
        *) [ "${line%% *}" = 1 ] || echo "${line%%)*})" ;;
        esac
    done 2>/dev/null
}
for _ in 1 2 3 4 5; do
    left >/mnt/report/left
    [ -s /mnt/report/left ] || break
    sleep 0.2
done
look | sort >/mnt/report/after
cp /tmp/work/results/new.jsonl /mnt/report/ 2>/dev/null
head -c 100000 /mnt/report/out >/mnt/report/out.head
head -c 100000 /mnt/report/err >/mnt/report/err.head
wc -c </mnt/report/out >/mnt/report/out.bytes
rm /mnt/report/out /mnt/report/err
tar -C /mnt/report -c .
