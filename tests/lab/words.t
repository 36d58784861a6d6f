#!/bin/sh
# What the lab says is true: size, array and element of a mistake, the exercise of a hint, the order on the board.
. tests/tools/tap.sh
. tests/lab/tree.sh

# says NN PATTERN [PATTERN]   the exercise does not pass; its verdict has the first pattern and not the second
says() {
    exits 1 lab run "$1" && grep -Eq -- "$2" "$tmp/out" && { [ -z "$3" ] || ! grep -Eq -- "$3" "$tmp/out"; } ||
        { cat "$tmp/out"; return 1; }
}

# fill FILE COMMENT TEXT   replaces the comment that begins with COMMENT by TEXT
fill() {
    python3 - "$@" <<'END'
import re, sys
path, begins, text = sys.argv[1:]
with open(path) as file:
    whole = file.read()
new, count = re.subn(r"/\* " + re.escape(begins) + r".*?\*/", lambda _: text, whole, count=1, flags=re.S)
assert count == 1, begins
with open(path, "w") as file:
    file.write(new)
END
}

# Every thread does all the work: too slow at the largest size, and a race at a smaller one.
exits 0 lab story 03
exits 1 lab run 03
all_do_all() {
    fill learn/saxpy/03_first_kernel.cu "Which element" \
        "for (size_t i = 0; i < n; i++) z[i] = a * x[i] + y[i];"
    says 03 'writes d_z\[[0-9]+\], of [0-9]+ elements' '' || return 1
    size=$(sed -n 's/.*sizes right; at n=\([0-9]*\):.*/\1/p' "$tmp/out")
    grep -Fq "of $size elements" "$tmp/out" || { cat "$tmp/out"; return 1; }
}
ok "a race is reported with the size at which it was seen" all_do_all

# Three arrays made in one line: the line does not tell which of them it is.
exits 1 lab run 04
mine=learn/saxpy/04_there_and_back.cu
fill $mine "to be replaced" "CUDA(cudaMalloc(&d_x, p->n * 4)); CUDA(cudaMalloc(&d_y, p->n * 4)); CUDA(cudaMalloc(&d_z, p->n * 4));"
fill $mine "to be replaced" "CUDA(cudaMemcpy(d_x, p->x, p->n * 4, cudaMemcpyHostToDevice));"
fill $mine "to be replaced" "CUDA(cudaMemcpy(p->z, d_z, p->n * 4, cudaMemcpyDeviceToHost));"
fill $mine "to be filled" "CUDA(cudaFree(d_x)); CUDA(cudaFree(d_y)); CUDA(cudaFree(d_z));"
ok "an array that cannot be told apart from others gets no name" says 04 'explain unwritten-read' \
    'reads .*d_x'
python3 - $mine <<'END'
import sys
with open(sys.argv[1]) as file:
    text = file.read().replace("CUDA(cudaMalloc(&d_y", "\n    CUDA(cudaMalloc(&d_y").replace(
        "CUDA(cudaMalloc(&d_z", "\n    CUDA(cudaMalloc(&d_z")
with open(sys.argv[1], "w") as file:
    file.write(text)
END
ok "... and its own where it is" says 04 'reads d_y\[0\], of [0-9]+ elements?' 'd_x\['

# A single digit is a level of the current exercise, and not an exercise.
ok "a hint names its exercise" sh -c '"$1" lab hint 3 | grep -q "^0[0-9] .*, hint 3 of 4: "' \
    sh "$rungs"

# told FILE NAME PATTERN [PATTERN]   a wrong version is told the first pattern, and not the second
told() {
    number=${1##*/}
    number=${number%%_*}
    exits 0 lab reset "$number" && "$rungs" lab dev show "$number" "$2" >"learn/$1" && says "$number" "$3" "${4:-}"
}
ok "a quarter of a result is a matter of bytes" told saxpy/04_there_and_back.cu back_by_number \
    'a quarter of them: a float has 4 bytes'
ok "an error in a header of the simulator is shown at the learner's line" told saxpy/14_hide_the_copies.cu \
    stream_third '^ +14_hide_the_copies.cu:40:[0-9]+: cannot convert' 'harness/'
ok "... with what to do" says 14 'The stream is the fourth value of a launch' ''
ok "a copy that waits for another GPU is told which kernel it should wait for" told knn/16_two_cards.cu set_once \
    'they are in streams of two GPUs, and nothing says which of them comes first'
ok "an edge in a stream that does not wait for the halo is told both lines" told stencil/23_halos.cu lower_edge_inside \
    'line 59: the kernel smooth reads b->d_image.1. .element 429 of 462., which the copy$' 'must be waited for'
ok "... also if the result is right by luck" told stencil/23_halos.cu mixed_streams 'the result was right, by luck'
ok "chunks that replace others unread are told their copy" told saxpy/14_hide_the_copies.cu all_in_first \
    'line 3[0-9]: the copy to the GPU puts something into s->d_x again' 'no order'
ok "work in one stream, or in the default one, is told as that" told saxpy/14_hide_the_copies.cu one_slot \
    'all copies and kernels of a GPU are in one stream' 'default stream'
ok "... with its line" told saxpy/14_hide_the_copies.cu default_stream 'line 40: what is queued there .* is in the default stream' 'one stream;'
ok "a grid that is too small is told by what is written" told stencil/25_five_times.cu grid_of_sides \
    'rows 0 to 111 and columns 0 to 111 are written' 'by upload'
ok "steps that are left are told apart from others" told stencil/25_five_times.cu rounded_down \
    'of 5 steps 4 were made, and of 9 steps 8$' 'not the one that is copied'
ok "sums without the last tile are not told about fragments" told matmul/10_tiles_that_pay.cu whole_tiles \
    'a kernel that ends with the last whole tile$' 'slice'
ok "threads that look at their own place of a tile are told so" told knn/08_share_the_reading.cu one_each \
    'thread t of a block has looked at references? t' 'infinite'
ok "an index that is compared too late is told when to compare" told knn/12_talk_inside_a_warp.cu compares_late \
    'Compare first, then take over'
ok "a distance that is not that of its index is told so" told knn/12_talk_inside_a_warp.cu adds \
    'distance and index do not belong together'
ok "exchanged arguments are told in their order" told knn/07_nearest.cu ref_turned \
    'with its arguments in this order: latitude 1,' 'values are wrong'
ok "an array that was not written has its name" told knn/07_nearest.cu no_distance 'the array is d_distance'
ok "... and what to do about it" says 07 '^ +distance\[i\] is not written' ''
ok "a half that is missing in the formula is told so" told knn/18_beat_the_table.cu whole_difference \
    'the sine of the whole difference of the latitudes:'
ok "a race of threads within a step is no matter of the host" told stencil/13_one_pointer.cu same_image \
    'launch 1 reads and writes the same image' 'or the host'
ok "exchanged names of x and y are told by what they give" told matmul/10_tiles_that_pay.cu xy_exchanged \
    'threadIdx.x and threadIdx.y are exchanged'
ok "a chord in the place of its half is told so" told knn/18_beat_the_table.cu chord \
    'the distance is twice the arcsine of the chord'

# Each of these is told by a general check, so the text matters and not the kind alone.
ok "a place of kept is told what it counts too much" told compact/20_look_back.cu own_lane_too 'the place counts the element itself'
ok "... or that it counts its warp twice" told compact/20_look_back.cu own_warp_too 'own warp twice'
ok "an index outside of a matrix is told the length of a row that gives it" told matmul/10_tiles_that_pay.cu rows_of_k \
    'if a row of d_b had k = '
ok "a thread that reads its own place of a tile is told so" told knn/18_beat_the_table.cu own_place 'number of the thread itself'
ok "a copy that is too short is told at a size where a part was copied" told saxpy/04_there_and_back.cu half_of_y \
    'all before it is written'
ok "a kernel that takes more than was copied is told so" told knn/16_two_cards.cu takes_more 'takes more than its GPU was given'
ok "sums of other rows of a tile are told so" told matmul/24_bound.cu sum_of_rows 'made of other rows'
ok "a place of shared memory has its indices" told matmul/10_tiles_that_pay.cu no_zero 'that is a_tile\[[0-9]+\]\[[0-9]+\], of 16 x 16'
ok "the last turn of a loop that is missing is told so" told reduce/19_many_threads.cu whole_steps 'the last turn of the loop'

# Each starter with a question says what takes the place of the question mark.
for number in 01 02 04 06 09 11 17; do
    "$rungs" lab dev show $number starter >"$tmp/starter"
    ok "$number says what takes the place of the ?" grep -Eq '^ \* Write .* in place of the question marks?\.$' "$tmp/starter"
done

# Wrong only in another order of threads, without a race.
exits 0 lab reset 03
fill learn/saxpy/03_first_kernel.cu "Which element" "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i] + (getenv(\"RUNGS_SIM_SEED\") != NULL && i % 7 == 1 ? (float)(i % 5) : 0);"
sed -i '1i #include <stdlib.h>' learn/saxpy/03_first_kernel.cu
ok "an answer that is wrong in another order only" says 03 'right at all 12 sizes, but not always' ''
ok "... by its values" says 03 'explain wrong-values' ''

# --- on a terminal --------------------------------------------------------------------------------
story_on() {
    python3 "$tests/tools/terminal.py" "$1" 24 "$rungs" lab story 07 | tail -n +3 >"$tmp/out"
    awk -v most="$1" 'length($0) > most { print "too long: " $0; bad = 1 } END { exit bad || NR < 10 }' "$tmp/out"
}
for columns in 100 80 50; do
    ok "a story fits a terminal of $columns columns" story_on $columns
done
ok "... and is not broken where there is more room than prose needs" sh -c \
    '"$rungs" lab story 07 | awk "{ if (length(\$0) > most) most = length(\$0) } END { exit !(most > 85 && most < 100) }"'

# --- colours --------------------------------------------------------------------------------------
coloured() {
    TERM=xterm python3 - "$rungs" lab list "$@" <<'END'
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
said = b""
try:
    while chunk := os.read(terminal, 4096):
        said += chunk
except OSError:
    pass  # the program has closed the terminal
os.waitpid(pid, 0)
sys.exit(b"\033" not in said or b"First kernel" not in said)
END
}
plain() {
    coloured --no-color && return 1
    shows 'First kernel' lab list --no-color
}
ok "a terminal has colours" coloured
ok "... but not with --no-color" plain

# --- the board ------------------------------------------------------------------------------------
# Two right versions of 03.  Seat a reads x twice, seat b once, so b must rank first.
mkdir "$tmp/room"
exits 0 lab reset 03
fill learn/saxpy/03_first_kernel.cu "Which element" "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const volatile float *again = x;

    if (i < n)
        z[i] = a * again[i] + y[i] + 0 * again[i];"
exits 0 lab run 03
RUNGS_SEAT=a exits 0 lab submit "$tmp/room" 03
exits 0 lab reset 03
fill learn/saxpy/03_first_kernel.cu "Which element" "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];"
exits 0 lab run 03
RUNGS_SEAT=b exits 0 lab submit "$tmp/room" 03
ranks() {
    exits 0 lab board "$tmp/room" 03 || return 1
    awk '{ name[NR] = $2; bytes[NR] = $3 }
         END { exit !(NR == 2 && name[1] == "b" && name[2] == "a" && bytes[1] > 0 && bytes[1] < bytes[2]) }' \
        "$tmp/out" || { cat "$tmp/out"; return 1; }
}
ok "without a clock the board ranks by the bytes that are moved" ranks
ok "... says that no version was submitted" shows '^there is no version of 05 in' lab board "$tmp/room" 05
ok "... or that there is no such folder" refuses '/nowhere: No such file' lab board "$tmp/nowhere" 03
ok "... and so does the room" refuses '/nowhere: No such file' lab room "$tmp/nowhere"

finish
