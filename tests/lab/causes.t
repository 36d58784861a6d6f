#!/bin/sh
# Mistakes with the same symptom are told apart: the verdict states the fact by which they differ.
. tests/tools/tap.sh
. tests/lab/tree.sh

# told NN NAME WORDS   the verdict on that wrong version says the words
told() {
    master=$(ls workshop/"$1"_*)
    base=${master##*/}
    file=learn/$(sed -n 's/^problem: *//p' "$master")/$base
    mkdir -p "${file%/*}"
    $rungs lab dev show "$1" "$2" >"$file"
    $rungs lab run "$1" >"$tmp/out" 2>&1
    tr -s '\n ' '  ' <"$tmp/out" >"$tmp/words"
    grep -q "$3" "$tmp/words" || { cat "$tmp/out"; return 1; }
}

ok "what is added to what was there" told 01 plus_equals 'it holds that number and the right result behind it'
ok "a step of the loop that is too short" told 03 step_of_grid 'in steps of 32, the number of blocks (gridDim.x); there are 8192 threads'
ok "an offset in bytes" told 04 parts_in_bytes 'that is 4 floats behind the start of d_x, with n = 1'
ok "room for elements, not for bytes" told 04 room_for_elements 'it has 1 byte, less than n floats need: 4,'
ok "an image that a step reads and writes" told 05 write_first 'launch 2 reads and writes the same image, d_odd launch 2 reads d_odd, into which nothing'
ok "the input is an image of the steps" told 05 into_input 'launch 2 writes d_in, into which a copy has put the input'
ok "steps that build on the input again" told 05 no_exchange 'launch 2 reads d_in, .* launch 1, the one before, has written d_even'
ok "a step that is left out" told 05 one_less 'at every size the result is the image one step too early .* the loop leaves steps out'
ok "pairs of steps" told 13 pairs '2 launches were made, and there are 3 steps: the loop leaves steps out'
ok "all steps, and another image" told 13 wrong_image 'the result is what launch 1 has written, into m_even; launch 2, the last one, has written m_odd'
ok "pixels below each other" told 06 starter 'each is 1 row below that of the lane before'
ok "a search that goes on with the last one's result" told 07 two_each 'observation i has got what observation i - 16 had got'
ok "threads that have returned" told 08 early_return 'by the return in line [0-9]* those that have returned: 1 to 255'
ok "a barrier under a condition" told 08 barrier_in_if 'stands under the condition of line'
ok "a barrier before the writing" told 09 barrier_first 'the barrier of line [0-9]* stands before line [0-9]*, which writes'
ok "a tile for more floats than threads" told 10 long_tiles 'that is one for each of the 256 threads of the block'
ok "padding that the index does not use" told 11 flat 'room for rows of 33; the index puts them 32 apart'
ok "a longer column, not a longer row" told 11 rows_not_columns 'its rows are 32 long: the last length'
ok "lanes that do not call the shuffle" told 12 in_condition 'lanes that call it: 0 to 15 lanes that do not: 16 to 31'
ok "lanes that have left before" told 12 half_leave 'lanes that do not: 16 to 31. These have left by the return in line'
ok "numbers that are multiplied" told 03 product 'element 256 \* blockIdx.x \* threadIdx.x'
ok "a line that reserves again and again" told 04 helper_reserves 'that line has made 4, and 2 of them were freed'
ok "what the problem before has freed" told 04 once_for_all 'in release, has freed it, when the problem before this one was done'
ok "a loop from -1 without a sign" told 05 never_runs 'has a type without a sign, so it is never below 0'
ok "arguments in another order than the parameters" told 05 turned_arguments 'smooth gets cols where its parameter is called rows'
ok "a function that exchanges its own pointers" told 05 own_copies 'a copy of the pointer that it was given'
ok "a search that skips nearer references" told 07 sum_as_bound 'skips a reference if the sum of its two differences'
ok "two lanes of one bank" told 11 by_pairs 'lanes 0 and 1 want elements 0 and 32: both are of bank 0'
ok "the place of a pointer" told 04 address_of_pointer '&d_x is the place of the pointer itself'
ok "another array is copied back" told 04 brings_y 'the copy back reads d_y, .* the last one, has written d_z'
ok "whole distances" told 07 whole 'each distance is a whole number'
ok "sums into an array that holds nothing" told 10 into_c 'launch 1 reads d_c, into which nothing was written before, and writes there'
ok "warps that write one element" told 12 number_in_turn 'in block 0 all 4 of them write element 0'
ok "the rest of a division by the team" told 02 halves 'multiples of [0-9]*, the number of threads of the team'
ok "the rest of a division by 2" told 01 in_pairs 'the sizes that are right are multiples of 2: at all others a rest is left'
ok "a gap that begins with the first element only at small sizes" told 01 rest_of_fours 'the first gap is from z\[1020\]'
ok "the rest of a division by the elements of a thread" told 03 in_fours 'the last 3 are fewer than 4, and no thread writes them'
ok "blocks that were rounded down" told 03 division 'that is 100003 / 256, rounded down'
ok "a number of too few bits" told 03 short_number 'begin anew after 65536, as in a variable of 16 bits'
ok "a place inside of an array is freed" told 04 one_array 'it is a place inside of one, 4 bytes behind its start'
ok "threads that leave with a pixel" told 05 short_guard 'threads for all 131 rows, and those from row 130 on have written nothing'
ok "an image written by columns" told 05 turned 'element column \* 2 + row of out holds what belongs into element row \* 65 + column'
ok "a border that threads in line do not see" told 06 in_line 'if thread 5 has pixel 5, that is row 1, column 2: it is on the border'
ok "a row that is too long" told 06 padded_rows 'row 1, column 0 is element 3, and its neighbours are -1 to 7: 32 is none of them'
ok "a grid that counts rows for columns" told 06 only_kernel 'that is what the [0-9]* rows need'
ok "a tile of pairs, read too far" told 08 pairs_too_far 'as many are written as there are references'
ok "a search in the tile from the thread on" told 08 own_begin 'has begun at place t of each tile of 256'
ok "the number of a thread for that of a reference" told 09 thread_number 'modulo 128: this is the number of the thread'
ok "a turn of the loop that passes by the barrier" told 10 passes_by 'goes on with the next turn of the loop, and so passes by line'
ok "the lane behind the right one" told 12 counted_from_one 'what the lane behind the one with the nearest reference has found'
ok "warps that read references for themselves" told 18 small_blocks 'a block has 32 threads, which is one warp: each of the 16 blocks'
ok "a look-back of all threads" told 20 all_look_back 'in each of the 32 blocks 8 warps do so'
ok "a number of ALL that no tile leaves" told 20 never_all 'one warp does so, 15.5 times the word of tile 0 says OWN in the end'
ok "loads that are made again" told 22 each_element 'a warp makes 24 loads, .* that is 4 times as many'
ok "more rows alone" told 24 rows_only '9 = 8 + 1: as for 8 x 1 elements'
ok "additions of warps" told 19 warps_add 'threads make 512 atomic additions: 2 for each warp'
ok "lanes that are added up twice" told 19 lanes_twice 'the lanes of a warp were added up twice'
ok "an exchange without a third variable" told 15 no_third 'line [0-9]*: from = to, and then line [0-9]*: to = from'
ok "a copy back that waits for the kernel" told 16 in_turn 'again and again (3), .*cudaMemcpy(p->index + first'
ok "a tile that has not published, and is left out" told 20 left_out 'if another block has not written yet when this line reads for the first time, it is wrong'
ok "a wait that looks at a copy" told 20 of_a_copy 'stays as it is: the place is not read again'
ok "a ticket that a shuffle hands on to one warp" told 20 handed_on '__shfl_sync hands on to the lanes of its warp'
ok "a lane that adds what it has behind the shuffles" told 19 two_adders 'thread 1 of each block adds to element 1 of d_totals'
ok "a lane that puts less than the whole" told 19 lane_one_puts 'of each warp lane 1 has passed on what it had'
ok "squares that are lost on the way" told 19 sums_for_squares 'behind it the squares are lost: .* gives squares the same as line'
ok "totals of warps that are added to what was there" told 19 not_from_0 'to what its lanes still had, and not to 0'
ok "elements of several lanes that are added up" told 22 lanes_of_row 'which are 2 and 1 lanes apart, as by __shfl_xor_sync'
ok "two fragments in another order" told 22 both_in_order 'rows g and g + 8 of column t the fragment of b has rows 2t'
ok "sums that are stored at other columns" told 24 stored_beside 'stores one of its sums to column 1, .* in another order'
ok "columns of a tile that are read at other places" told 24 read_beside 'lanes 0, 1 and 2 of a warp read elements 0, 4 and 8 of b_tile'
ok "the first column for all" told 24 first_column 'that is the sum of column 0, as its first'
ok "images that take turns by steps" told 25 other_image 'asks whether left is odd, and line [0-9]* changes it by depth'
ok "a rest of steps, where fewer are right" told 25 rest_of_several 'and fewer steps than a group were all made'
ok "the mean of several times" told 26 mean 'it is the mean of the times of the 20 pairs'
ok "the mean of calls between one pair of stamps" told 26 mean_of_one_pair 'divided by the 20 calls of start() in it: the mean'
ok "the first of several times" told 26 first 'it is the time of pair 1 of 20'
ok "a loop that the compiler has left out" told 26 void_only 'the compiler has left the loop out'
ok "stamps with nothing between them" told 26 around_nothing 'there is neither a loop nor a call'
# The thread is stopped at any place of its loop, which has three lines.
ok "a launch that does not end" told 20 chain \
    'was in line [0-9]* then [0-9]* | \(word = words\[tile - 1\];\|while (what_of(word) != ALL);\|return word & 3;\)'
ok "an element that is always the same" told 21 got_r 'r is l there, so got\[r\] is the same place'
ok "steps of launches" told 25 tiles_only '8 steps are made by 8 launches'
ok "a number for the whole team in a loop that is divided" told 02 divided_number 'there is one t for all threads of the team, .* before the team began'
ok "a static number of a team" told 02 static_number 'declares it as static: such a variable exists once'
ok "a team in a function that a team calls" told 02 team_of_function 'line [0-9]* calls this function in each thread of the first team'
ok "a copy in a function that is called later" told 04 late_x 'launch 1 in run reads d_x, and only a copy in download writes into it'
ok "an array that is made in a function that is called later" told 04 late_z 'in download, makes d_z, and run uses it: download is called after run'
ok "a function that frees too early" told 04 frees_early 'in upload, has freed it: release alone'
ok "lanes that do one pixel of a row" told 06 lanes_once 'each of its 32 threads has written one pixel of it: none goes on'
ok "rows that are as long as there are rows" told 06 by_rows 'thread 131 of all has the first pixel of row 1'
ok "a tile that is read before it is complete" told 08 no_wait 'writes what line [0-9]* reads further on, and no barrier'
ok "a tile that is overwritten in the next turn" told 08 no_second_barrier 'in the next turn of the loop line [0-9]* writes there again'
ok "a wait of one warp" told 09 only_warps 'stands the __syncwarp() of line'
ok "a barrier that the number of a thread decides" told 09 turns_wait 'and the number of the thread decides there how many turns'
ok "a search that all threads make" told 09 all_search 'all threads of the block do this, and place\[0\] is the same place'
ok "a search that a warp makes" told 09 one_warp 'all 32 lanes of a warp do this, and place\[0\]'
ok "a first value that each thread sets" told 09 one_key 'all threads of the block do this, and key is the same place'

# changed NN SCRIPT   runs the solution, changed by the script
changed() {
    master=$(ls workshop/"$1"_*)
    base=${master##*/}
    file=learn/$(sed -n 's/^problem: *//p' "$master")/$base
    mkdir -p "${file%/*}"
    $rungs lab dev show "$1" solution | sed "$2" >"$file"
    ! $rungs lab dev show "$1" solution | cmp -s - "$file" || return 1
    $rungs lab run "$1" >"$tmp/out" 2>&1
    tr -s '\n ' '  ' <"$tmp/out" >"$tmp/words"
}
# wrong NN SCRIPT WORDS   its verdict says the words
wrong() {
    changed "$1" "$2" && grep -q "$3" "$tmp/words" || { cat "$tmp/out"; return 1; }
}
# not_said WORDS   the last verdict does not say the words
not_said() {
    ! grep -q "$1" "$tmp/words"
}
# right NN SCRIPT   it is right and passes
right() {
    changed "$1" "$2" && grep -q 'passed: right' "$tmp/out" || { cat "$tmp/out"; return 1; }
}

ok "a rest of four" wrong 01 's/i < p->n; i++/i + 3 < p->n; i++/; s/p->z\[i\] = .*/for (size_t end = i + 4; i < end; i++) p->z[i] = p->a * p->x[i] + p->y[i]; i--;/' \
    'multiples of 4: at all others a rest is left'
ok "a thread of a plane that has no pixel" wrong 05 's/r >= rows || c >= cols/r > rows || c > cols/' 'row 0, column 1: there is no such pixel'
ok "two of four edges" wrong 06 's/c == 0 || r == rows - 1 || c == cols - 1/r == rows - 1/; s/  out\[i\] = (up.*/  out[i] = c == 0 || c == cols - 1 ? 0 : (up[-1] + up[0] + up[1] +/;
    /up\[-1\]/a\
        mid[-1] + mid[0] + mid[1] + down[-1] + down[0] + down[1]) / 9;' 'these have wrong values: first column, last column'
ok "a choice on a flat map" wrong 07 's/float d = haversine.*/float a = ref_lat[j] - obs_lat[i], b = ref_lon[j] - obs_lon[i], d = a * a + b * b;/
    s/distance\[i\] = least/distance[i] = haversine(obs_lat[i], obs_lon[i], ref_lat[which], ref_lon[which])/' 'nearest on a flat map, by the squares'
ok "half of a square" wrong 07 's/fminf(h, 1)/fminf(2 * h, 1)/' 'the root of half of the square of the chord'
ok "a shift that is too long" wrong 03 's/z\[i\] = .*/z[i] = a * x[i] + y[i] + (float)(1 + (blockIdx.x << 32));/' 'the shift moves all bits out of a number of this type'
ok "many parts that are copied back" wrong 14 's/first < p->n; first/first + chunk <= p->n; first/' '\[98304\] and all up to \[100002\]: no part brings it back'

ok "the condition of the wrong elements" wrong 03 's/z\[i\] = .*/z[i] = x[i] > 0.25f ? a * x[i] + y[i] : x[i] * y[i];/' \
    'line 20: x\[i\] > 0.25f is false for each of the [0-9]* wrong elements, and for '
ok "a border that a condition leaves out" wrong 06 's/r == 0 || c == 0 || r == rows - 1 || c == cols - 1/i <= cols || i + cols + 1 >= rows * cols/' \
    'rows \* cols is true for the edges that are right, and false for out\[1\]\[[0-9]*\], as for what is inside'
ok "a loop that makes no turn" wrong 05 's/^    const float \*up = .*/    float sum = 0; for (unsigned d = -1; d <= 1; d++) for (int e = -1; e <= 1; e++) sum += in[i + d * cols + e];/; s/^    out\[i\] = (up.*/    out[i] = sum \/ 9;/' \
    'd <= 1 is false at once, for each thread: this loop makes no turn'
ok "a loop over the tiles that ends too early for one column" wrong 10 's/first < k; first/first < k \&\& first < 2 * n; first/' \
    "all sums lack the products from number 16 on, of 40"
ok "turns of loops, where nothing explains the values" wrong 10 's/sum += a_tile/sum += (float)(t + 1) * a_tile/' \
    "turns of the kernel's loops, each time: [0-9]* in line 23, 16 in line 27"
ok "of two lines in which the host waits, that one which no result needs" wrong 23 's/^ *smooth_rows(b, now, b->first + 1, b->last - 1, b->inner);/            if (g == 0 \&\& step > 0) CUDA(cudaStreamSynchronize(b->halo));\n&/' \
    'the host waits there again and again .* if (g == 0 && step > 0) CUDA(cudaStreamSynchronize(b->halo));'
ok "arrays that one line has made" wrong 05 's/\*d_even, \*d_odd/*d_img[2]/; s/d_even/d_img[0]/g; s/d_odd/d_img[1]/g; s/^ *CUDA(cudaMalloc(&d_img\[0\].*/    for (int k = 0; k < 2; k++) CUDA(cudaMalloc(\&d_img[k], image_bytes(p)));/; /cudaMalloc(&d_img\[1\]/d; s/^ *read = write;.*//' \
    'launch 1, the one before, has written d_img\[k\] (the first)'
ok "four bytes too many are too many" wrong 26 's/return 12.0 . (double)n;/return 12.0 * (double)n + 4;/' 'that is 4 bytes more than 12 for each'
ok "a factor that was copied in prepare" wrong 03 's/^static float \*d_x.*/&\nstatic float factor;/; s/CUDA(cudaMalloc(&d_x, bytes));/factor = p->a; &/; s/p->n, p->a, d_x/p->n, factor, d_x/' \
    'z\[0\] was computed from a as it was in prepare'
ok "a launch that writes over its input" wrong 03 's/d_x, d_y, d_z);/d_x, d_y, d_y);/; s/p->z, d_z,/p->z, d_y,/' \
    'launch 1 writes d_y, into which a copy has put the input'
ok "another loop than that of the elements" wrong 26 's/^static float z\[MOST\].*/static float sum;/; s/z\[i\] = a \* x\[i\] + y\[i\];/sum = sum \/ 3 + a * x[i] + y[i];/; s/seen = z\[n . 2\]/seen = sum/' \
    'The file has no array z'
ok "sums in an image that holds NaN" told 05 adds_to_old 'have written every element, and NaN where the result is NaN'
ok "a first value before which no barrier stands" wrong 09 's/__shared__ uint32_t place_index\[THREADS\];/&\n    __shared__ unsigned long long key;\n    if (threadIdx.x == 0) key = ~0ull;/; s/least = d;/& atomicMin(\&key, (unsigned long long)j);/' \
    'writes there later, at line 37'
ok "warps that have a row each" wrong 06 's/^    size_t c = .*/    size_t t = blockIdx.x * blockDim.x + threadIdx.x, c = 0;/; s/^    size_t r = .*/    size_t r = t \/ 32;/; s/^    size_t i = .*/    for (c = t % 32; c < cols; c += 32) { size_t i = r * cols + c;/; /__global__/,/^}/s/ return;/ continue;/; s/ \/ 9;/&}/; s/block(32, 8)/block(256)/; s/^    dim3 grid(.*/    dim3 grid((p->rows + 255) \/ 256);/; /^              (unsigned)((p->rows/d; s/if (r >= rows || c >= cols)/if (r >= rows)/' \
    'each warp has a row: the launch has 1 block of 256 threads, which are 8 warps'
ok "a sum that is not set back" wrong 01 's/^    for (size_t i = 0.*/    float sum = 0;\n&/; s/p->z\[i\] = .*/{ sum += p->a * p->x[i]; p->z[i] = sum + p->y[i]; }/' \
    'what was added up before is not set back'
ok "a division in each turn" wrong 05 's/^    out\[i\] = (up.*/    float sum = 0; for (int d = 0; d < 9; d++) sum = (sum + (d < 3 ? up : d < 6 ? mid : down)[d % 3 - 1]) \/ 9;\n    out[i] = sum;/' \
    'divided by 9 in each of its nine turns'
ok "the place of the first observation for all" wrong 07 's/obs_lon\[i\]/obs_lon[0]/' 'elements of d_obs_lon only number 0 is read'
ok "all threads of a block for one observation" wrong 07 's/^    \(const \)*size_t i = .*/    const size_t i = blockIdx.x;/' 'all threads of the block do this, and index\[i\] is the same place'
ok "a right program may set a variable of each thread" right 02 's/^#pragma omp parallel for/    float t;\n#pragma omp parallel private(t)\n#pragma omp for/; s/p->z\[i\] = .*/{ t = p->a * p->x[i]; p->z[i] = t + p->y[i]; }/'
ok "a right program may use shuffles" right 18 's/^    if (!mine)$/    which = __shfl_sync(0xffffffff, which, threadIdx.x % 32);\n&/'
ok "a right program may name slot 0" right 14 's/&slots\[first \/ chunk % SLOTS\]/\&slots[0] + first \/ chunk % SLOTS/'
ok "an image that threads of one launch read and write" told 13 same_image 'launch 1 reads and writes the same image, m_even'
ok "the GPU that is left set" told 16 last_stays 'GPU set at the end 2 (goal: at most 0)'
ok "the GPU that is left set may be the last of a loop that counts down" right 16 's/g = 0; g < cards; g++) { \/\*/g = cards - 1; g >= 0; g--) { \/*/; /cudaSetDevice(0)); \/\* other/d'
ok "copies for another GPU than the one that is set" wrong 16 '0,/^ *CUDA(cudaSetDevice(g));$/s///; s/^        if (blocks > 0)/        CUDA(cudaSetDevice(g));\n&/' \
    'copies for memory of another GPU than the one that is set (2 times)'
ok "a division before the product" wrong 16 's/p->m \* (size_t)g \/ (size_t)cards/p->m * (size_t)(g \/ cards)/' 'all of obs_lat goes to GPU 2, and nothing to the others'
ok "parts that are rounded up" wrong 16 's/p->m \* (size_t)g \/ (size_t)cards/(p->m + (size_t)cards - 1) \/ (size_t)cards * (size_t)g/' 'begins at element 1, behind the last of 1'
ok "the tests of both loads, for each of them" wrong 10 's/row < m && first + x < k ?/row < m \&\& first + x < k \&\& first + y < k \&\& column < n ?/;
    s/? b\[/\&\& row < m \&\& first + x < k &/' 'loads a only if first + y < k and column < n, too.* loads b only if row < m and first + x < k, too'
ok "what fits a single column is not the cause" wrong 10 's/row < m && first + x < k ?/row < m \&\& column < n ?/' 'with rows of 37 elements that is in row 33'
ok "some sums that end early are not all sums" wrong 10 's/row < m && first + x < k ?/row < m \&\& first + y < k ?/' 'does not load some elements of a that there are'
ok "a loop over the tiles that ends at n" wrong 10 's/first < k; first/first < n; first/' 'goes on to n with its loop over the tiles'
ok "sums without fractions" wrong 10 's/float sum = 0/int sum = 0/' 'every element of c is a whole number'
ok "numbers that only a larger size shows" wrong 10 's/blockIdx.y \* SIDE + threadIdx.y, column = (size_t)blockIdx.x/blockIdx.x * SIDE + threadIdx.y, column = (size_t)blockIdx.y/' \
    "the row of a thread's element is 16 \* blockIdx.x + threadIdx.y"
ok "too much room" wrong 11 's/\[SIDE + 1\]/[16 * SIDE]/' 'A row of the tile needs a few bytes more, not many times as much'
ok "padding at the beginning" wrong 11 's/b_tile\[x\]\[y\] = /b_tile[x][y + 1] = /' 'of each 33 in a row the last 32 are written'
ok "several lanes that write" wrong 12 's/mine && lane == 0/mine \&\& lane < 2/' 'the same for both, which are lanes of one warp'
ok "a size in elements" wrong 14 's/s->d_z, bytes, cudaMemcpyDeviceToHost/s->d_z, n, cudaMemcpyDeviceToHost/' 'is also the number of its bytes'
ok "the signal of another block" wrong 15 '/^    x += blockIdx/d' 'X\[1\] is the transform of signal 0, and should be that of signal 1'
ok "a root that there is not" wrong 15 's/w\[k \* (n \/ (2 \* half))\]/w[k * half]/' 'that is k \* half with half = 8'
away='s/^    distance\[i\] = .*/    const float a = sinf((ref_lat[which] - lat) \/ 2), b = sinf((ref_lon[which] - lon) \/ 2);\n    distance[i] = 2 * asinf(sqrtf(fminf(a * a + cos_lat * cosf(ref_lat[which]) * b * b, 1)));/'
ok "a flat map with a cosine" wrong 18 "s/float h = sin_lat.*/float u = tile_lat[t] - lat, r = (tile_lon[t] - lon) * cos_lat, h = u * u + r * r;/; $away" \
    "on a flat map, by the squares .* times the cosine of the observation's latitude"
ok "a point that is not on the sphere" wrong 18 "s/float h = sin_lat.*/float u = tile_cos[t] * cosf(tile_lon[t]) - cos_lat * cosf(lon), v = tile_cos[t] * sinf(tile_lon[t]) - sinf(lat) * sinf(lon),\
    r = sinf(tile_lat[t]) - sinf(lat), h = u * u + v * v + r * r;/; $away" 'y of the observations is sin lat \* sin lon: it should be cos lat \* sin lon'
ok "a chunk's place that goes on too early" wrong 14 's/^\( *\)CUDA(cudaMemcpyAsync(p->z + first/\1first += n;\n&/; s/first < p->n; first += chunk/first < p->n;/' \
    'begins at x\[0\], and the first part that is copied back goes to z\[1\]'
ok "the place of an element is no place of a pointer" wrong 14 's/p->z + first, s->d_z, bytes, cudaMemcpyDeviceToHost/\&p->z[first], s->d_z, bytes, cudaMemcpyHostToDevice/' \
    'the copy goes the other way'
ok "nothing is said of a pointer then" not_said 'is the place of the pointer itself'
ok "a difference from what was just written" wrong 15 's/to\[j + half\] = make_float2(u.x - v.x, u.y - v.y)/to[j + half] = make_float2(to[j].x - v.x, to[j].y - v.y)/' 'computed from what had just been written in the place of u'
ok "results in other places" wrong 15 's/^        X\[i\] = from\[i\];/        X[i] = from[i ^ 1];/' 'X\[0\]\[0\] holds what belongs into X\[0\]\[1\]'
ok "a signal that begins in another one" wrong 15 's/^    x += blockIdx.x \* n;/    x += blockIdx.x;/' 'X\[1\] is the transform of the 4 numbers from x\[1\] on'
ok "lengths of the grid in each other's place" wrong 13 's/^ *float \*read = m_in/    unsigned length = grid.x;\n    grid.x = grid.y;\n    grid.y = length;\n&/' \
    'so many blocks, of 32 threads in x, are what the 101 columns need'
finish
