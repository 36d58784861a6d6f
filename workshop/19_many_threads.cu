/* EXERCISE
track: beyond eighteen
title: Many threads, one result
problem: reduce
concept: a tree of lanes, warps and blocks, in place of atomics
minutes: 30
story:
  n numbers go in, and two come out: their sum, and their norm, the root of the sum of their squares. The threads have to
  meet somewhere. atomicAdd(p, v) adds v to *p as one step that no other thread can come between. So it is right, and all
  threads stand in line at one address. Additions can also meet in a tree: each thread adds up its own numbers, the lanes
  of a warp add up theirs by shuffles (exercise 12), the warps of a block by shared memory, and only blocks use atomics.
task:
  Write of_lanes(): five shuffles, after which lane 0 returns the sum of what all 32 lanes have passed. Use it twice in
  the kernel, for each of the two totals. First each thread adds up all numbers of its loop, and each warp puts the sum of
  its lanes into shared memory. Then the first warp of the block adds up what the 8 warps have put there, and its lane 0
  does the only two atomic additions of the block.

  Totals are of double, because the judge also takes numbers whose squares no float can hold.
now: two atomic additions for each number
goal: two atomic additions for each block, and one barrier
why: 32 blocks with a total of numbers and one of squares each are 64 additions that must meet in memory
sizes: 0 1 2 3 31 32 33 255 256 257 1023 8191 8193 65537 100003
data: awkward
count: 32768
gate: atomics <= 64 | atomic-each | There are more atomic additions than two for each block.
gate: barriers_per_block <= 1.2 | needless-barrier | One barrier is enough: between what the warps write to shared memory and what the first warp reads there.
clue: [lane] = sum | - | shared-unwritten | The sum is put at the place of the lane, which is 0 in every warp that writes.
clue: float sum | - | out-of-range | The totals are declared as float.
clue: without __shared__ | atomicAdd | not-shared | The array for the warps' sums is not declared with __shared__, so no warp sees what another one has put there.
answer lost: 16777216 or 2^24 | A float has 24 binary digits. 16777217 would need 25 of them, so the 1 is lost. A total that has grown large loses small numbers in this way.
clue: __shared__ float | - | out-of-range | An array in shared memory is of float: what is kept there is rounded, and infinite above 3e38.
starter: atomic-each
hint 1:
  A thread of block 0 adds up x[0] and more. Which other threads must it meet before one number for the block can go to
  memory? How can it meet those of its warp, and how those of other warps?
hint 2:
  All lanes must take part in the shuffles, also lanes that had no number: so the shuffles stand behind the loop. And
  there are 8 warps, but 32 lanes read their sums: what should lanes 8 to 31 pass?
hint 3:
  of_lanes: for 16, 8, 4, 2, 1 lanes apart: add what the lane so far on has passed
  kernel, for each of the two totals:
      the thread's own total, by the loop; then that of its lanes
      lane 0 of each warp puts it into shared memory, at its warp's place
  barrier
  first warp: lanes 0 to 7 take the warps' totals, the others 0; then of_lanes again
      lane 0 adds to memory
say atomic-each: for each warp |
  Every warp adds to the totals in memory. There are 8 warps in a block: let their sums meet in shared memory first.
say atomic-each: for each thread |
  Every thread adds its own totals to those in memory. Let the lanes of a warp meet by shuffles first, and the warps of a block in shared
  memory.
say atomic-each: for each number |
  A thread has several numbers. It adds them up in variables of its own first, and then the threads of a block meet.
say atomic-each:
  One thread of each block makes two atomic additions, behind everything else. Which of them make more here?
say out-of-range: in shared memory is of float |
  Sums of squares need double wherever they are kept, also between the warps.
say out-of-range:
  A float is at most 3e38, and 0 below 1e-45. What on the way of a square is a float: the product (x[i] * x[i] is one, and (double)x[i] * x[i]
  is none), the shared array, what a shuffle hands on, or a total?
say rounding:
  A float keeps 7 digits. A total of many numbers is large, and each addition loses the digits of the small number that do
  not fit. Totals of double keep 16.
say wrong-half: behind the barrier |
  Behind the barrier, lanes 0 to 7 of the first warp take the totals of the warps from shared memory, both the sum and the squares, and the
  other lanes 0.
say wrong-half: counts 8 times |
  The 8 totals of the warps are at different places of shared memory. Each of lanes 0 to 7 takes the one with its own number.
say wrong-half: four warps |
  Which lanes read the sums of warps 4 to 7?
say wrong-half: adds to element |
  Let lane 0 make both additions: behind the shuffles no other lane has all of the numbers.
say wrong-half: those from warp |
  Which lane takes the totals of the first warps from shared memory, and which lane adds to memory? Behind the shuffles lane 0 has the whole.
say wrong-half: last warp |
  Which lane reads the sum of warp 7?
say wrong-half: first warp |
  The other 7 warps of the block have their sums, too. Where do they put them, and who adds those up?
say wrong-half: lane 16, 8 |
  __shfl_sync takes the value of the lane with that number, the same one for all. A step needs the lane so many further
  on: __shfl_down_sync.
say wrong-half:
  32 lanes become 16, 8, 4, 2, 1: five steps, 16, 8, 4, 2 and 1 lanes apart.
say alone:
  Lane 0 must get what the lanes above it have: __shfl_down_sync, and the value that comes must be added. This holds for
  both totals.
say counted-again: added up twice |
  of_lanes() adds up the lanes once. A second call for the same totals adds to lane 0, which has the whole, the parts of other lanes again.
say counted-again: loops of several threads |
  The threads of all blocks share the work: a thread begins with its own number of all, and two numbers of one thread are
  blockDim.x * gridDim.x apart.
say counted-again: first number of each thread |
  A total begins with 0, or the loop with the second number of the thread.
say counted-again: for each of the 8 sums |
  32 lanes of the first warp can take the sums of warps, and there are 8 of these. If each lane takes one, each sum is taken by 4 lanes:
  lanes 8 to 31 have to pass 0.
say counted-again: block has warps |
  If all 8 warps of a block add to memory what the block has, it is there 8 times: only the first warp adds.
say counted-again: lane of the first warp |
  After the shuffles only lane 0 has the whole. The others have a part of it, which must not be added again.
say counted-again: still had |
  The first warp's total is in shared memory, like those of the others. Its lanes take what is there, or 0, and what they had before is no part of it.
say counted-again: first warp of each |
  The first warp's sum is in shared memory, like those of the others. So what it reads there must not be added to what it
  has.
say cut-off:
  A total of int has no fraction. Both totals are of double.
say counted-again: warp has lanes |
  With __shfl_xor_sync all lanes have the whole. Even then only one of them may add it.
say counted-again: reads each number once |
  The loops are right. Behind them each sum is to be added once: that of a lane to its warp's, that of a warp to its block's, and that of a
  block to the total. Which sum is passed on by several threads, or is added to where it is in already?
say counted-again:
  Each number is read once, by one thread, and each total begins with 0. The threads of all blocks share the work: two
  numbers of one thread are blockDim.x * gridDim.x apart.
say last-missed:
  The last number is x[n - 1].
say overwritten: each thread has only |
  A thread has several numbers, and adds each of them to what it has so far: +=, and not =.
say overwritten:
  __shfl_down_sync returns the other lane's value. It is to be added to the lane's own: mine += ...
say exchanged:
  totals[0] is that of the numbers, and totals[1] that of their squares.
say part-missing: left out its last |
  The loop goes on as long as the thread's own number, i, is below n. Whether there is a number one step further does not matter.
say part-missing: last turn |
  A thread goes on as long as its number is below n. Whether the one after that is below n, too, does not matter.
say part-missing:
  There are at most 32 blocks of 256 threads, 8192 threads. A thread needs a loop if there are more numbers than that.
say tail-missing:
  The loop of a thread goes on while its number is below n.
say shared-unwritten: later |
  The first warp reads what the other warps write, so there must be a barrier between: behind the writing, and before the first
  warp reads.
say shared-unwritten:
  The first warp reads a place of shared memory that was not written. Does each of the 8 warps write to the place with its
  own number, warp? What should lanes 8 to 31 take, for which there is no warp? And is there a barrier between writing and
  reading?
say shared-out-of-bounds: writes |
  There are 8 warps, so the array has 8 places. A warp writes to the one with its own number, warp, from 0 to 7.
say shared-out-of-bounds:
  There are 8 warps, so the array has 8 places. Lanes 8 to 31 of the first warp have nothing to read there.
say race: do this, and |
  Each of them does this, and once is enough: for the sum of a warp its lane 0, for that of a block its thread 0.
say race: blocks of a launch have no order |
  Blocks may add to one place in memory only by atomicAdd(). A store overwrites what another block has put there.
say term-missing: the squares are lost |
  The squares go the same way as the numbers, in variables and places of their own: from the loop through the shuffles, shared memory and the shuffles
  of the first warp to memory. At one step of this way the sums are taken a second time.
say term-missing: nothing was squared |
  The norm is the root of the sum of squares. Each number is multiplied by itself, in double, before it is added.
say term-missing:
  The squares go the same way as the numbers, in places of their own: of_warp[1] and totals[1].
say race: both write |
  Each warp has a place of its own in shared memory, the one with its number, and only lane 0 writes there.
say race:
  The warps write their sums, and the first warp reads them. Between the two all must wait.
say missing-lane:
  All 32 lanes must reach each shuffle. In a loop that some lanes leave earlier, or behind a condition, they do not: put
  it behind the loop.
say second-run:
  The totals are set to 0 before each launch. Does the kernel keep anything else from one call to the next?
say not-a-number:
  Does each total begin with 0?
say wrong-values:
  Follow one number: from the thread's loop to lane 0, to shared memory, to the first warp, to memory. And the same for
  its square.
wrong warps_add: atomic-each | It is right. How many warps has a block, and what do they have in common?
wrong no_shuffles: alone | Who else has a part of what lane 0 adds?
wrong eight_first: wrong-half | Which lanes does lane 0 never hear of?
wrong no_one: wrong-half | How many lanes are left after 16, 8, 4 and 2?
wrong upwards: alone | From where does lane 0 get something?
wrong by_number: wrong-half | Whose number does lane 5 get?
wrong first_warp: wrong-half | Where are the sums of warps 1 to 7?
wrong squares_left: wrong-half | Both totals go the same way: where do the squares leave it?
wrong lanes_place: shared-unwritten | Which number has lane 0 of each warp, and which number has the warp?
wrong every_lane: counted-again | Which lane has the whole after the shuffles, and which lanes add?
wrong float_squares: out-of-range | In which type is x[i] * x[i] computed?
wrong float_totals: out-of-range | What is the largest float?
wrong squared_total: wrong-brackets | Is (a + b)^2 the same as a^2 + b^2?
wrong one_less: last-missed | Which is the last number: n or n - 1?
wrong both_to_one: exchanged | To which total is the sum of the squares added?
wrong one_each: part-missing | How many threads are there, and how many numbers?
wrong in_loop: missing-lane | Which lanes are still in the loop when the last numbers are added?
wrong sums_again: counted-again | How many lanes take the sum of warp 0?
wrong every_warp_adds: counted-again | How many warps of a block add to memory, and what does each of them add?
wrong every_thread_adds: counted-again | Which threads of the first warp have the whole, and which of them adds?
wrong begins_with_x: counted-again | With which number does the loop begin, and what is in sum then?
wrong all_lanes_read: shared-unwritten | How many warps have written there, and how many lanes read?
wrong lanes_twice: counted-again | What have lanes 1 to 31 after the first of the two calls?
wrong squares_of_before: wrong-half | Which lanes have the squares of other warps?
wrong first_warps_sum: wrong-half | Which total does lane 5 of the first warp take?
wrong not_added: overwritten | What becomes of the lane's own total in a step?
wrong no_barrier: shared-unwritten | When does the first warp read, and when have the others written?
wrong block_step: counted-again | Which numbers do thread 0 of block 0 and thread 0 of block 1 add up?
wrong short_step: counted-again | How many threads has the launch, and by how much does i grow?
wrong whole_steps: part-missing | What does a thread do with its last number?
wrong step_ahead: part-missing | Which number is tested, and which one is added?
wrong squares_set: overwritten | How many numbers has a thread?
wrong tree_in_shared: needless-barrier | It is right. How many of these barriers would shuffles need?
wrong blocks_alike: counted-again | Which numbers do blocks 0 and 1 begin with?
wrong sum_times_x: wrong-brackets | What is in sum when the second number comes?
wrong step_of_blocks: counted-again | How many threads share the numbers?
wrong two_adders: wrong-half | What has lane 1 behind the shuffles?
wrong lane_one_puts: alone | Which lane of each warp has the whole?
wrong sums_for_squares: term-missing | What does the first warp add up for the norm?
wrong not_from_0: counted-again | What have lanes 1 to 31 of the first warp, before they take the totals of warps?
wrong by_four: wrong-half | Which lanes apart are left out?
extra:
  Write the answers on the GPU, too, still in one launch: each block takes a ticket (atomicInc) when its totals are in
  memory, and who gets the last ticket knows that all others are there. variants/reduce/cuda_single.cu does so. What is
  __threadfence() for?
discuss:
  Two calls may give different last bits. Why, and in which of these two: atomics of double, or the tickets of the extra
  task?
*/
/*
 * 19 Many threads, one result: the sum of n numbers, and the root of the sum of their squares.
 *
 * It is right.  Let the additions meet in a tree, and only one thread of each block in memory.
 */
#include <math.h>

#include "common/cuda.h"
#include "common/reduce.h"
#include "common/variant.h"

#if STARTER
/* A float has 24 binary digits.  What is 16777216.0f + 1.0f, as a float?  (16777216 is 2^24.)
   answer lost: ? */
#else
/* A float has 24 binary digits.  What is 16777216.0f + 1.0f, as a float?  (16777216 is 2^24.)
   answer lost: 16777216, because 16777217 has 25 binary digits */
#endif
enum { WARPS = 8, THREADS = WARPS * 32, MOST_BLOCKS = 32 };

static float *d_x;       /* on the device, like everything that begins with d_ */
static double *d_totals; /* of the numbers, and of their squares; both are 0 before each launch */

/* Returns, in lane 0, the sum of what the 32 lanes of a warp have passed. */
__device__ static double of_lanes(double mine)
{
#if STARTER
    return mine; /* __shfl_down_sync(0xffffffff, mine, apart) takes doubles, too */
#elif WRONG_no_shuffles
    return mine;
#elif WRONG_eight_first
    for (unsigned apart = 8; apart > 0; apart /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, apart);
    return mine;
#elif WRONG_no_one
    for (unsigned apart = 16; apart > 1; apart /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, apart);
    return mine;
#elif WRONG_upwards
    for (unsigned apart = 16; apart > 0; apart /= 2)
        mine += __shfl_up_sync(0xffffffff, mine, apart);
    return mine;
#elif WRONG_not_added
    for (unsigned apart = 16; apart > 0; apart /= 2)
        mine = __shfl_down_sync(0xffffffff, mine, apart);
    return mine;
#elif WRONG_by_number
    for (unsigned apart = 16; apart > 0; apart /= 2)
        mine += __shfl_sync(0xffffffff, mine, apart);
    return mine;
#elif WRONG_by_four
    for (unsigned apart = 16; apart > 0; apart /= 4)
        mine += __shfl_down_sync(0xffffffff, mine, apart);
    return mine;
#else
    for (unsigned apart = 16; apart > 0; apart /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, apart);
    return mine;
#endif
}

__global__ static void reduce(size_t n, const float *x, double *totals)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t first = (size_t)blockIdx.x * THREADS + threadIdx.x, step = (size_t)gridDim.x * THREADS;

#if STARTER
    for (size_t i = first; i < n; i += step) {
        atomicAdd(&totals[0], (double)x[i]);
        atomicAdd(&totals[1], (double)x[i] * x[i]);
    }
    (void)lane;
    (void)warp;
    (void)of_lanes;
#elif WRONG_warps_add
    double sum = 0, squares = 0;

    (void)warp;
#elif WRONG_float_totals
    __shared__ float of_warp[2][WARPS];
    float sum = 0, squares = 0;

#elif WRONG_begins_with_x
    __shared__ double of_warp[2][WARPS];
    double sum = first < n ? x[first] : 0, squares = 0;

#elif WRONG_all_lanes_read
    __shared__ double of_warp[2][32];
    double sum = 0, squares = 0;

#elif WRONG_tree_in_shared
    __shared__ double of_thread[2][THREADS];
    double sum = 0, squares = 0;

#else
    __shared__ double of_warp[2][WARPS];
    double sum = 0, squares = 0;

#endif
#if STARTER
#elif WRONG_one_less
    for (size_t i = first; i + 1 < n; i += step) {
        sum += x[i];
        squares += (double)x[i] * x[i];
    }
#elif WRONG_float_squares
    for (size_t i = first; i < n; i += step) {
        sum += x[i];
        squares += x[i] * x[i];
    }
#elif WRONG_short_step
    for (size_t i = first; i < n; i += THREADS) {
        sum += x[i];
        squares += (double)x[i] * x[i];
    }
    (void)step;
#elif WRONG_whole_steps
    for (size_t i = first; i + step <= n; i += step) {
        sum += x[i];
        squares += (double)x[i] * x[i];
    }
#elif WRONG_step_ahead
    for (size_t i = first; i + step < n; i += step) {
        sum += x[i];
        squares += (double)x[i] * x[i];
    }
#elif WRONG_squares_set
    for (size_t i = first; i < n; i += step) {
        sum += x[i];
        squares = (double)x[i] * x[i];
    }
#elif WRONG_squared_total
    for (size_t i = first; i < n; i += step)
        sum += x[i];
    squares = sum * sum;
#elif WRONG_one_each
    if (first < n) {
        sum = x[first];
        squares = (double)x[first] * x[first];
    }
    (void)step;
#elif WRONG_in_loop
    for (size_t i = first; i < n; i += step) {
        sum += of_lanes(x[i]);
        squares += of_lanes((double)x[i] * x[i]);
    }
#elif WRONG_block_step
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
        sum += x[i];
        squares += (double)x[i] * x[i];
    }
    (void)first;
    (void)step;
#elif WRONG_blocks_alike
    for (size_t i = threadIdx.x; i < n; i += step) {
        sum += x[i];
        squares += (double)x[i] * x[i];
    }
    (void)first;
#elif WRONG_sum_times_x
    for (size_t i = first; i < n; i += step) {
        sum += x[i];
        squares += sum * x[i];
    }
#elif WRONG_step_of_blocks
    for (size_t i = first; i < n; i += gridDim.x) {
        sum += x[i];
        squares += (double)x[i] * x[i];
    }
    (void)step;
#else
    for (size_t i = first; i < n; i += step) {
        sum += x[i];
        squares += (double)x[i] * x[i];
    }
#endif
#if STARTER || WRONG_in_loop || WRONG_tree_in_shared
#elif WRONG_lanes_twice
    sum = of_lanes(of_lanes(sum));
    squares = of_lanes(of_lanes(squares));
#else
    sum = of_lanes(sum);
    squares = of_lanes(squares);
#endif
#if STARTER
#elif WRONG_warps_add
    if (lane == 0) {
        atomicAdd(&totals[0], sum);
        atomicAdd(&totals[1], squares);
    }
#elif WRONG_tree_in_shared
    of_thread[0][threadIdx.x] = sum;
    of_thread[1][threadIdx.x] = squares;
    __syncthreads();
    for (unsigned apart = THREADS / 2; apart > 0; apart /= 2) {
        if (threadIdx.x < apart) {
            of_thread[0][threadIdx.x] += of_thread[0][threadIdx.x + apart];
            of_thread[1][threadIdx.x] += of_thread[1][threadIdx.x + apart];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicAdd(&totals[0], of_thread[0][0]);
        atomicAdd(&totals[1], of_thread[1][0]);
    }
    (void)lane;
    (void)warp;
    (void)of_lanes;
#elif WRONG_no_barrier
    if (lane == 0) {
        of_warp[0][warp] = sum;
        of_warp[1][warp] = squares;
    }
#elif WRONG_lanes_place
    if (lane == 0) {
        of_warp[0][lane] = sum;
        of_warp[1][lane] = squares;
    }
    __syncthreads();
#elif WRONG_first_warp
    (void)of_warp;
#elif WRONG_lane_one_puts
    if (lane == 0)
        of_warp[0][warp] = sum;
    if (lane == 1)
        of_warp[1][warp] = squares;
    __syncthreads();
#else
    if (lane == 0) {
        of_warp[0][warp] = sum;
        of_warp[1][warp] = squares;
    }
    __syncthreads();
#endif
#if STARTER || WRONG_warps_add || WRONG_tree_in_shared
#elif WRONG_first_warp
    if (warp == 0) {
#elif WRONG_all_lanes_read
    if (warp == 0) {
        sum = of_lanes(of_warp[0][lane]);
        squares = of_lanes(of_warp[1][lane]);
#elif WRONG_squares_of_before
    if (warp == 0) {
        sum = of_lanes(lane < WARPS ? of_warp[0][lane] : 0);
        squares = of_lanes(squares);
#elif WRONG_first_warps_sum
    if (warp == 0) {
        sum = of_lanes(lane < WARPS ? of_warp[0][warp] : 0);
        squares = of_lanes(lane < WARPS ? of_warp[1][warp] : 0);
#elif WRONG_sums_for_squares
    if (warp == 0) {
        sum = of_lanes(lane < WARPS ? of_warp[0][lane] : 0);
        squares = of_lanes(lane < WARPS ? of_warp[0][lane] : 0);
#elif WRONG_not_from_0
    if (warp == 0) {
        sum = of_lanes(sum + (lane < WARPS ? of_warp[0][lane] : 0));
        squares = of_lanes(squares + (lane < WARPS ? of_warp[1][lane] : 0));
#elif WRONG_sums_again
    if (warp == 0) {
        sum = of_lanes(of_warp[0][lane % WARPS]);
        squares = of_lanes(of_warp[1][lane % WARPS]);
#elif WRONG_every_warp_adds
    {
        sum = of_lanes(lane < WARPS ? of_warp[0][lane] : 0);
        squares = of_lanes(lane < WARPS ? of_warp[1][lane] : 0);
#elif WRONG_every_thread_adds
    if (warp == 0) {
        sum = lane < WARPS ? of_warp[0][lane] : 0;
        squares = lane < WARPS ? of_warp[1][lane] : 0;
        for (unsigned apart = 1; apart < 32; apart *= 2) {
            sum += __shfl_xor_sync(0xffffffff, sum, apart);
            squares += __shfl_xor_sync(0xffffffff, squares, apart);
        }
#elif WRONG_squares_left
    if (warp == 0) {
        sum = of_lanes(lane < WARPS ? of_warp[0][lane] : 0);
#else
    if (warp == 0) {
        sum = of_lanes(lane < WARPS ? of_warp[0][lane] : 0);
        squares = of_lanes(lane < WARPS ? of_warp[1][lane] : 0);
#endif
#if STARTER || WRONG_warps_add || WRONG_tree_in_shared
#elif WRONG_both_to_one
        if (lane == 0) {
            atomicAdd(&totals[0], sum);
            atomicAdd(&totals[0], squares);
        }
    }
#elif WRONG_two_adders
        if (lane < 2)
            atomicAdd(&totals[lane], lane == 0 ? sum : squares);
    }
#elif WRONG_every_lane || WRONG_every_thread_adds
        atomicAdd(&totals[0], sum);
        atomicAdd(&totals[1], squares);
    }
#else
        if (lane == 0) {
            atomicAdd(&totals[0], sum);
            atomicAdd(&totals[1], squares);
        }
    }
#endif
}

/* --- the host's side: nothing to do here ------------------------------------------------------- */

static void prepare(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    CUDA(cudaMalloc(&d_x, p->n * sizeof *d_x));
    CUDA(cudaMalloc(&d_totals, 2 * sizeof *d_totals));
}

static void upload(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof *d_x, cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const size_t blocks = (p->n + THREADS - 1) / THREADS;

    CUDA(cudaMemset(d_totals, 0, 2 * sizeof *d_totals));
    if (blocks == 0)
        return;
    reduce<<<(unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS), THREADS>>>(p->n, d_x, d_totals);
    CUDA(cudaGetLastError());
}

static void download(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    double totals[2];

    CUDA(cudaMemcpy(totals, d_totals, sizeof totals, cudaMemcpyDeviceToHost));
    *p->sum = (float)totals[0];
    *p->norm = (float)sqrt(totals[1]);
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_totals));
}

VARIANT(.idea = "a tree of shuffles, two atomic additions a block, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
