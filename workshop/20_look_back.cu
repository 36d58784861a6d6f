/* EXERCISE
title: Look back
problem: compact
concept: decoupled look-back: a prefix sum over blocks in one launch
minutes: 40
story:
  From an array the NaN ("not a number") are to be left out, and the rest keeps its order. An element's new place is the
  number of kept elements before it. Within a tile of 256 elements the block finds that out by itself. But where does a
  tile begin? A block cannot wait for all others, because perhaps not all fit on the GPU. With two launches, x is read
  twice.

  So the tiles tell each other, in one launch. Each tile has a word in memory, which says first how many elements it keeps
  itself (OWN), and later how many it and all tiles before it keep (ALL). A tile looks back, word by word: it adds OWN
  numbers until it finds ALL. A word that still says NOTHING is read again. The wait ends if the blocks of all earlier
  tiles have begun. That is why tiles are numbered by tickets, in the order in which blocks begin, and not by blockIdx.x.
task:
  - Thread 0 takes the block's ticket, atomicAdd(tickets, 1), which returns the old value. All threads need it.
  - Thread 0 publishes the tile's own count: publish(words, tile, own, OWN).
  - It looks back from tile - 1 on, as the story says. what_of(word) is NOTHING, OWN or ALL; number_of(word) is the
  number.
  - It publishes ALL, and tells all threads how many elements lie before the tile.
now: each block counts all elements before its tile again: 540 KB are read for 32 KB
goal: each element is read once, and each tile looks back as far as it must
why: 8190 elements are 32760 bytes, which warps read by 256 loads; the words of 32 tiles come on top
sizes: n=0,nan=20 n=1,nan=20 n=31,nan=20 n=33,nan=50 n=255,nan=20 n=256,nan=0 n=257,nan=20 n=513,nan=50
  n=1200,nan=70 n=1025,nan=0 n=1025,nan=100 n=4097,nan=20 n=20011,nan=20
data: awkward
count: n=8190,nan=20
gate: load_bytes <= 50000 | n-squared | Elements of x are read more than once.
gate: load_requests <= 400 | looks-too-far | x takes 256 loads by warps. The others are those of the look-back.
clue: (what_of(word) != ALL) | - | endless | It waits until the tile before says ALL. That tile may be late, and waits in the same way for the one before it.
clue: words[ | OWN), OWN; | endless | The kernel publishes no number as OWN.
clue: blockIdx.x | - | race | The kernel uses blockIdx.x. The tile is the block's ticket, and blocks may begin in any order.
clue: words[ | == NOTHING, NOTHING ==, case NOTHING, > NOTHING, !what_of, ) == 0, word == 0, while (!, != NOTHING, != OWN &&, < OWN, NOTHING) | no-wait | The program reads words, and never asks whether one still says NOTHING.
clue: fewer than 3 tickets, | - | endless | No block takes a ticket, so a tile may wait for a block that has not begun.
starter: n-squared
hint 1:
  The block of tile 5 has counted its elements. Which words must it read to know its place, if tile 4 has published OWN,
  and tile 3 ALL? When can it publish its own OWN, and when its ALL?
hint 2:
  A word that says NOTHING says nothing yet: read it again. The look-back ends behind the first ALL; before tile 0 there
  is nothing. What one thread has found out reaches the others by shared memory, and a barrier.
hint 3:
  thread 0: ticket into shared memory; barrier; the tile is the ticket
  ... the tile's own count ...
  thread 0:
      publish OWN
      from the tile before this one back to tile 0:
          read its word until it says something; add its number
          stop if it is that of ALL
      publish ALL, the sum and the own count; put the sum into shared memory
  barrier
say endless: not read again |
  A copy of a word stays as it is. The wait must read the word in memory anew in each turn: do word = words[t]; while (what_of(word) == NOTHING).
say endless: order |
  In another order of blocks it does not end. A tile waits for the tile before it, so that one must belong to a block that
  has begun already. blockIdx.x does not say so: number the tiles by tickets, in the order in which blocks begin.
say endless: until the tile before |
  Add the numbers of OWN as well, and go further back: then no tile has to wait for the look-back of another one.
say endless: != ALL) |
  The quoted line waits until a word says ALL. The tile of that word may be late, and waits in the same way. Wait while the word says
  NOTHING; add a number of OWN, and go further back.
say endless: publishes no number as OWN |
  Each tile publishes the number of its own elements as OWN before it looks back, so that no later tile must wait for more.
say endless:
  A tile waits for a word that is never written, or the loop back does not end. Does each tile publish OWN before it looks
  back? Does it begin with the tile before it, and not with itself? Does one thread take one ticket for the block?
say no-wait: goes on with it |
  A word that says NOTHING is not there yet, and its tile may keep elements: the same word must be read again, until it says OWN or ALL. What does
  your loop do with such a word: does it leave it out, or end?
say out-of-bounds: hands on to the lanes |
  A shuffle reaches 32 lanes, and a block has 256 threads. The ticket gets to all of them through shared memory: thread 0 writes it, all wait at a barrier,
  all read.
say race: hands on to the lanes |
  A shuffle reaches 32 lanes, and a block has 256 threads. The ticket gets to all of them through shared memory: thread 0 writes it, all wait at a barrier,
  all read.
say wrong-place: at the beginning |
  The sum that the look-back has found must be added to each thread's place. Which threads know it? And what do tiles
  publish: the number for all of the tile, or that of a thread?
say wrong-place: as ALL |
  ALL means: this tile and all before it. So the number to publish is the sum of the look-back and the tile's own count.
say wrong-place: again and again |
  Which word is read must depend on how far back the loop is: words[back - 1].
say wrong-place: itself |
  words[back - 1] is the word of the tile before tile `back`. The look-back begins with tile - 1, and ends with tile 0.
say wrong-place: is lost |
  The number of ALL counts the tiles up to that one, and those of OWN the tiles behind it. The place needs both: add it.
say wrong-place: thread 0 of each tile |
  A variable of thread 0 is no variable of the others. What it has found out goes through shared memory: it writes, all wait at a
  barrier, all read.
say wrong-place: warp of each tile |
  A shuffle reaches the lanes of one warp. What thread 0 has found out reaches all threads of the block through shared memory.
say wrong-place: its first warp keeps |
  The number of a tile is that of all that its 8 warps keep: own, which adds up of_warp[].
say wrong-place: of the tile before only |
  If the word says OWN, it counts one tile. Those before that one are still missing: go on back until a word says ALL.
say wrong-place: just before it |
  The look-back begins with the word of the tile just before, words[tile - 1], and goes back from there to that of tile 0.
say wrong-place: says OWN and the number |
  The number of OWN is that of the elements that the tile itself keeps: own.
say wrong-place: of OWN |
  A number of OWN counts one tile. The look-back adds it, and goes on until there is a number of ALL, which it adds as well.
say wrong-place: lacks what tile 0 |
  The look-back ends with tile 0, and its number belongs to the sum, too. For tile 1 the first word to read is that of
  tile 0.
say wrong-place: where it should end |
  The place of a tile counts the tiles before it, and not the tile itself. What is published as ALL counts both.
say wrong-place: goes on behind |
  ALL counts all tiles before that one, too. So add it, and stop.
say wrong-place:
  The place of a tile is the number of elements that all tiles before it keep. A tile may keep nothing: its number is 0, and
  its word says OWN all the same.
say out-of-bounds: d_words[256] |
  The first ticket of block 1 is 256, so each of the 256 threads of block 0 has taken one. One thread takes one ticket for the block,
  and tells the others by shared memory.
say out-of-bounds: words[tile] = |
  The tile's number is out of range. The first ticket is 0: atomicAdd returns the old value, and not the sum. One thread takes one
  ticket for the block.
say out-of-bounds: far from any |
  Can the index be below 0? An unsigned number never is: before tile 0 there is no tile, and 0 - 1 is four thousand million. A loop
  "back > 0" that reads words[back - 1] ends in time.
say out-of-bounds: d_words[ |
  There is a word for each tile, and the tile is the ticket. One thread takes one ticket for the block.
say out-of-bounds: whole words |
  A word has two bits that say what its number counts. number_of(word) is the number alone.
say out-of-bounds: the place counts |
  An element's place counts those that are kept before it: in the tiles before its own, in the warps before its own, and in the lanes
  before its own.
say out-of-bounds:
  What is added up in this place, and is anything added more than once? Does the look-back stop at ALL? Is number_of() used for the
  number, and is the tile a ticket of one thread, taken once for the block?
say wrong-count: of those that are not kept |
  The lanes whose element is to be kept vote with yes in __ballot_sync: those whose element is not NaN.
say wrong-count:
  The last tile of the array writes the count: what lies before it, and what it keeps itself. Which tile is that?
say shared-unwritten: later |
  What thread 0 writes to shared memory, the others may read only behind a barrier.
say shared-unwritten:
  What thread 0 has found out reaches the other threads by shared memory: it writes, then all wait at a barrier, then all
  read.
say race: do this, and |
  Each of them does this work, and once is enough: thread 0 alone looks back and tells the others in shared memory.
say race: blocks of a launch have no order |
  Two tiles write to the same place. Do all threads of a block know what thread 0 has found out: is it in shared memory? Is what a tile publishes the number of all that it keeps, own, and not that of a warp
  or of a thread? Is ALL the sum of the look-back and of own? And does the look-back go on behind a tile that keeps nothing?
say race:
  What thread 0 writes to shared memory others read: a barrier must stand between. And only thread 0 may write it.
say n-squared: read 2 times |
  Each element is read twice, where once would do: a thread can keep its element in a variable.
say n-squared:
  Publish the count of the tile, and look back through the counts of others, instead of counting their elements again.
say looks-too-far: warps do so |
  All threads look back, and each warp reads the words by itself. One thread is enough: thread 0 looks back, and puts what it has found
  into shared memory.
say looks-too-far: says OWN in the end |
  A tile that knows its place knows the number of ALL up to its end. It should publish that, and who finds it can stop. If it publishes
  ALL: does another thread write OWN over it? Thread 0 alone publishes.
say looks-too-far:
  Where does the look-back end? Who finds a number of ALL needs no word before that one.
say wrong-values:
  Follow tile 1: what does tile 0 publish, and what does tile 1 add to its places?
wrong own_lane_too: out-of-bounds | Which lanes come before lane 0?
wrong own_warp_too: out-of-bounds | Which warps come before warp 0?
wrong block_number: endless | What does a block wait for that has begun first, if it has the last tile?
wrong every_thread: out-of-bounds | How many tickets does a block take here?
wrong no_barrier: race | When do the other threads read the ticket?
wrong own_as_all: wrong-place | What does ALL mean to the tile that reads it?
wrong not_added: wrong-place | Who knows how many elements lie before the tile, and who needs it?
wrong inclusive: wrong-place | Where does tile 0 begin?
wrong goes_on: wrong-place | Which tiles does the number of ALL count?
wrong stops_early: wrong-place | Which is the last word that tile 1 must read?
wrong from_itself: wrong-place | Whose word does the look-back read first?
wrong chain: endless | What does tile 31 wait for, and what could it do meanwhile?
wrong all_at_once: endless | Which tiles does a number count that was published before the look-back?
wrong set_by_all: wrong-place | What is in sum when ALL is found, and what becomes of it?
wrong private_sum: wrong-place | Which threads have a variable of their own with this name?
wrong from_the_front: wrong-place | Which word does tile 2 read first?
wrong publishes_rank: wrong-place | Of what is rank the number, in thread 0?
wrong one_word: wrong-place | What is to be done if the word of the tile before says OWN?
wrong all_left_out: wrong-place | Does the number of ALL belong to the sum?
wrong own_left_out: wrong-place | What is to be done with a number of OWN?
wrong all_lacks_own: wrong-place | Which tiles does ALL count?
wrong stops_at_own: wrong-place | What is still missing when the first OWN has been added?
wrong never_all: looks-too-far | It is right. How many words does tile 31 read?
wrong all_look_back: looks-too-far | It is right. Which threads read the words, and which need to?
wrong left_out: no-wait | What does NOTHING say of the elements that a tile keeps?
wrong of_a_copy: endless | What changes when another block publishes: the word, or the copy of it?
wrong handed_on: out-of-bounds | Which threads does a shuffle reach?
wrong no_wait: no-wait | What does it add if the other block has not published anything yet?
wrong warps_count: wrong-place | What does thread 0 publish, and of which elements is it the number?
wrong whole_word: out-of-bounds | What else is in a word?
wrong below_zero: out-of-bounds | Which tile comes before tile 0?
wrong only_thread_0: race | Which threads know the sum?
wrong votes_for_nan: wrong-count | Which lanes vote with yes?
right by_number: it asks for NOTHING without its name
extra:
  Let a whole warp look back, 32 words at a time: __ballot_sync says which lanes have found ALL.
  variants/compact/cuda_lookback.cu does so, and keeps 16 elements for each thread. Why is that faster on a GPU?
discuss:
  Word and state are one number of 64 bits. What could go wrong if they were two words? And why is a loop that waits for
  another block usually forbidden?
*/
/*
 * 20 Look back: the elements of x that are not NaN, in their order, and how many there are.
 *
 * It is right.  Let each tile learn from the tiles before it how many elements they keep.
 */
#include <math.h>

#include "common/compact.h"
#include "common/cuda.h"
#include "common/variant.h"

enum { WARPS = 8, TILE = WARPS * 32 }; /* a block has as many threads as a tile has elements */

/* What the number in a tile's word counts: kept elements of the tile itself, or of all tiles up to it. */
enum { NOTHING, OWN, ALL };

/* On the device.  There is a word for each tile; words and tickets are 0 before each launch. */
static float *d_x, *d_kept;
static uint64_t *d_count, *d_words;
static unsigned *d_tickets;

/* Writes the word of a tile, in one piece.  On a GPU tiles run at the same time, and the number of ALL may be late.  The
   simulator runs blocks one after another, so there two of three tiles are late for good: with OWN numbers alone a
   later tile must find its place as well. */
__device__ static void publish(volatile uint64_t *words, unsigned tile, uint64_t number, unsigned what)
{
#ifdef CUDASIM_CUDA_RUNTIME_H
    if (what == ALL && tile % 3 != 0)
        return;
#endif
    words[tile] = number << 2 | what;
}

__device__ static unsigned what_of(uint64_t word)
{
    return word & 3;
}

__device__ static uint64_t number_of(uint64_t word)
{
    return word >> 2;
}

__device__ static bool is_nan(float x)
{
    return (__float_as_uint(x) & 0x7fffffff) > 0x7f800000;
}

/* words are volatile: each read goes to memory, because other blocks write them meanwhile. */
__global__ static void pack(size_t n, const float *x, float *kept, uint64_t *count, unsigned *tickets,
                            volatile uint64_t *words)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    __shared__ unsigned of_warp[WARPS];

#if STARTER || WRONG_block_number
    const unsigned tile = blockIdx.x;
#elif WRONG_every_thread
    __shared__ unsigned ticket;

    ticket = atomicAdd(tickets, 1);
    __syncthreads();
    const unsigned tile = ticket;
#elif WRONG_no_barrier
    __shared__ unsigned ticket;

    if (threadIdx.x == 0)
        ticket = atomicAdd(tickets, 1);
    const unsigned tile = ticket;
#elif WRONG_handed_on
    unsigned ticket = 0;

    if (threadIdx.x == 0)
        ticket = atomicAdd(tickets, 1);
    const unsigned tile = __shfl_sync(0xffffffff, ticket, 0);
#else
    __shared__ unsigned ticket;

    if (threadIdx.x == 0)
        ticket = atomicAdd(tickets, 1);
    __syncthreads();
    const unsigned tile = ticket;
#endif

    /* Which place does this thread's element get among those of the tile, and how many are they? */
    const size_t i = (size_t)tile * TILE + threadIdx.x;
    const float mine = i < n ? x[i] : NAN;
#if WRONG_votes_for_nan
    const unsigned keeping = __ballot_sync(0xffffffff, is_nan(mine));
#else
    const unsigned keeping = __ballot_sync(0xffffffff, !is_nan(mine));
#endif
#if WRONG_own_lane_too
    unsigned rank = __popc(keeping & ((2u << lane) - 1)), own = 0;
#else
    unsigned rank = __popc(keeping & ((1u << lane) - 1)), own = 0;
#endif

    if (lane == 0)
        of_warp[warp] = __popc(keeping);
    __syncthreads();
    for (unsigned w = 0; w < WARPS; w++) {
#if WRONG_own_warp_too
        rank += w <= warp ? of_warp[w] : 0;
#else
        rank += w < warp ? of_warp[w] : 0;
#endif
        own += of_warp[w];
    }

#if STARTER
    /* Counts all elements before the tile. */
    __shared__ unsigned before;

    if (threadIdx.x == 0)
        before = 0;
    __syncthreads();
    for (size_t j = threadIdx.x; j < (size_t)tile * TILE; j += TILE)
        if (!is_nan(x[j]))
            atomicAdd(&before, 1);
    __syncthreads();
    (void)tickets;
    (void)words;
    (void)publish;
    (void)what_of;
    (void)number_of;
#elif WRONG_private_sum || WRONG_all_look_back
    uint64_t before = 0;

#elif WRONG_not_added
    uint64_t before = 0, ignored;

#else
    __shared__ uint64_t before;

#endif
#if STARTER
#elif WRONG_chain
    if (threadIdx.x == 0) {
        uint64_t sum = 0, word = 0;

#elif WRONG_all_at_once
    if (threadIdx.x == 0) {
        uint64_t sum = 0, word = 0;

        publish(words, tile, own, ALL);
#elif WRONG_all_look_back
    {
        uint64_t sum = 0, word = 0;

        if (threadIdx.x == 0)
            publish(words, tile, own, OWN);
#elif WRONG_inclusive
    if (threadIdx.x == 0) {
        uint64_t sum = own, word = 0;

        publish(words, tile, own, OWN);
#elif WRONG_publishes_rank
    if (threadIdx.x == 0) {
        uint64_t sum = 0, word = 0;

        publish(words, tile, rank, OWN);
#elif WRONG_warps_count
    if (threadIdx.x == 0) {
        uint64_t sum = 0, word = 0;

        own = of_warp[0];
        publish(words, tile, own, OWN);
#else
    if (threadIdx.x == 0) {
        uint64_t sum = 0, word = 0;

        publish(words, tile, own, OWN);
#endif
#if STARTER
#elif WRONG_goes_on || WRONG_never_all
        for (unsigned back = tile; back > 0; back--) {
#elif WRONG_one_word
        for (unsigned back = tile; back > 0 && back == tile; back--) {
#elif WRONG_stops_at_own
        for (unsigned back = tile; back > 0 && what_of(word) != OWN; back--) {
#elif WRONG_stops_early
        for (unsigned back = tile; back > 1 && what_of(word) != ALL; back--) {
#elif WRONG_below_zero
        for (unsigned back = tile; what_of(word) != ALL; back--) {
#elif WRONG_chain
        if (tile > 0) {
#else
        for (unsigned back = tile; back > 0 && what_of(word) != ALL; back--) {
#endif
#if STARTER
#elif WRONG_chain
            do
                word = words[tile - 1];
            while (what_of(word) != ALL);
#elif WRONG_from_itself
            do
                word = words[back];
            while (what_of(word) == NOTHING);
#elif WRONG_from_the_front
            do
                word = words[tile - back];
            while (what_of(word) == NOTHING);
#elif RIGHT_by_number
            do
                word = words[back - 1];
            while (what_of(word) < 1);
#elif WRONG_no_wait
            word = words[back - 1];
#elif WRONG_left_out
            word = words[back - 1];
            if (what_of(word) == NOTHING)
                continue;
#elif WRONG_of_a_copy
            word = words[back - 1];
            while (what_of(word) == NOTHING)
                ;
#else
            do
                word = words[back - 1];
            while (what_of(word) == NOTHING);
#endif
#if STARTER
#elif WRONG_own_left_out
            if (what_of(word) == ALL)
                sum += number_of(word);
        }
#elif WRONG_set_by_all
            if (what_of(word) == ALL) {
                sum = number_of(word);
                break;
            }
            sum += number_of(word);
        }
#elif WRONG_all_left_out
            if (what_of(word) != ALL)
                sum += number_of(word);
        }
#elif WRONG_whole_word
            sum += word;
        }
#else
            sum += number_of(word);
        }
#endif
#if STARTER
#elif WRONG_never_all
        before = sum;
    }
    __syncthreads();
#elif WRONG_all_look_back
        if (threadIdx.x == 0)
            publish(words, tile, sum + own, ALL);
        before = sum;
    }
#elif WRONG_own_as_all
        publish(words, tile, own, ALL);
        before = sum;
    }
    __syncthreads();
#elif WRONG_inclusive || WRONG_all_lacks_own
        publish(words, tile, sum, ALL);
        before = sum;
    }
    __syncthreads();
#elif WRONG_not_added
        publish(words, tile, sum + own, ALL);
        ignored = sum;
    }
    __syncthreads();
    (void)ignored;
#elif WRONG_only_thread_0
        publish(words, tile, sum + own, ALL);
        before = sum;
    }
#else
        publish(words, tile, sum + own, ALL);
        before = sum;
    }
    __syncthreads();
#endif

    /* --- from here on there is nothing to do here ------------------------------------------------ */

    if (!is_nan(mine))
        kept[before + rank] = mine;
    if (tile == gridDim.x - 1 && threadIdx.x == 0)
        *count = before + own;
}

static size_t tiles_of(size_t n)
{
    return (n + TILE - 1) / TILE;
}

static void prepare(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    CUDA(cudaMalloc(&d_x, p->n * sizeof *d_x));
    CUDA(cudaMalloc(&d_kept, p->n * sizeof *d_kept));
    CUDA(cudaMalloc(&d_count, sizeof *d_count));
    CUDA(cudaMalloc(&d_words, tiles_of(p->n) * sizeof *d_words));
    CUDA(cudaMalloc(&d_tickets, sizeof *d_tickets));
}

static void upload(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof *d_x, cudaMemcpyHostToDevice));
    /* A float with all bits set is NaN, so a place that is never written shows. */
    CUDA(cudaMemset(d_kept, 0xff, p->n * sizeof *d_kept));
}

static void run(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;
    const size_t tiles = tiles_of(p->n);

    CUDA(cudaMemset(d_count, 0, sizeof *d_count));
    if (tiles == 0)
        return;
    CUDA(cudaMemset(d_words, 0, tiles * sizeof *d_words));
    CUDA(cudaMemset(d_tickets, 0, sizeof *d_tickets));
    pack<<<(unsigned)tiles, TILE>>>(p->n, d_x, d_kept, d_count, d_tickets, d_words);
    CUDA(cudaGetLastError());
}

static void download(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    CUDA(cudaMemcpy(p->count, d_count, sizeof *d_count, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->kept, d_kept, p->n * sizeof *d_kept, cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_kept));
    CUDA(cudaFree(d_count));
    CUDA(cudaFree(d_words));
    CUDA(cudaFree(d_tickets));
}

VARIANT(.idea = "one launch, each tile looks back, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
