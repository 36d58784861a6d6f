/* EXERCISE
title: Butterflies in registers
problem: fft
concept: radix 4 in registers, and a transposition by shuffles
minutes: 40
story:
  In exercise 15 a butterfly had two numbers, and after each of the log2(n) stages all numbers went through shared memory.
  A thread has room for more than two. With four numbers in registers it does two stages at once, which is called radix 4.
  Then n = 16 takes two butterflies, and the numbers change threads only once, between them.

  A signal of 16 numbers belongs to four lanes. Lane l has x[l], x[l + 4], x[l + 8] and x[l + 12]: a column of a table
  with 4 x 4 places. After the first butterfly it needs a row. So the table is transposed: lane l gets number l of each
  lane. A shuffle can do that, without shared memory.
task:
  Each warp has 8 signals; lane l of 0 to 3 works on its signal. The lane loads its four numbers v[0] to v[3]. Then:
  - butterfly(v), the transform of four numbers. With a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3] and d = -i (v[1] -
  v[3]), the results are a + c, b + d, a - c and b - d, in this order. -i (x + iy) is y - ix.
  - v[k] is multiplied by the root w[l * k].
  - The exchange: the new v[j] is number l of lane j. of_lane(value, j) returns the `value` that lane j of this signal has
  passed.
  - butterfly(v) once more. v[k] is X[l + 4 * k].
now: each lane reads the whole signal for each of its four results
goal: at most 12000 bytes are loaded for 64 signals, and nothing goes through shared memory
why: 64 signals of 16 numbers are 8192 bytes, and each lane needs the roots
sizes: batch=0,n=16 batch=1,n=16 batch=3,n=16 batch=7,n=16 batch=8,n=16 batch=9,n=16 batch=31,n=16 batch=33,n=16 batch=100,n=16
count: batch=64,n=16
gate: load_bytes <= 12000 | n-squared | The 64 signals are 8192 bytes, and the roots are few more. What is above that was read more than once.
gate: shared_requests <= 0 | needless-shared | The four lanes of a signal belong to one warp, so shuffles can do the exchange.
clue: of_lane(v[l], j) | - | wrong-register | of_lane(v[l], j): v[l] is what this lane passes on, with its own l. The lane that asks has another one.
starter: n-squared
hint 1:
  Draw the table: 4 columns, one for each lane, and 4 rows, one for each k. The first butterfly goes down a column. Along
  what does the second go, and who has these numbers?
hint 2:
  The first value of of_lane() is what this lane passes on, and all four lanes of a signal ask for different ones of it.
  So lane j must pass on all four, one after another, and each lane keeps the one that it needs. The old numbers are
  needed until the end.
hint 3:
  butterfly of the own numbers; each times its root
  for j from 0 to 3: for r from 0 to 3:
      all lanes pass on number r, and take what lane j passes
      the lane that needs number r keeps it, as its new number j
  butterfly of the new numbers
say race: both write, in the same line |
  Two threads have the same number in the same signal. The four lanes of a signal are side by side, so l is threadIdx.x % LANES.
say wrong-register: number of that lane |
  In round r each lane passes on a number and gets one. What comes from lane j is the new number j, in whichever round it comes.
say wrong-register: behind the exchange |
  The new number j of lane l is number l of lane j. Follow that one number: which lane passes it on, in which call, and at which place is it
  kept?
say wrong-register: last one |
  got[j] is written four times, and the last number stays. Keep what comes only if r is l.
say wrong-register:
  Two loops: over the lane j that is asked, and over the number r that all pass on. All lanes call of_lane() each time, and
  keep what comes if r is l.
say not-exchanged: real parts |
  A float2 has two parts, .x and .y. Both come from the other lane.
say not-exchanged: before the exchange |
  What is stored at the end is v. Put the new numbers there.
say not-exchanged:
  Before the second butterfly v[j] must be number l of lane j. Is what of_lane() returns kept, and used by the second
  butterfly?
say in-place: a sum was put |
  All of a, b, c and d are computed from the old numbers. Only then do the new ones take the places of v[0] to v[3].
say in-place:
  Put what comes into four new variables. The old numbers are needed until the last of_lane().
say not-repeatable: the same place |
  A lane gets four new numbers, one from each lane j: what comes from lane j is its new number j. Only which of the numbers that j passes on
  is kept depends on l.
say not-repeatable:
  Is a number used that was not set? A lane must get all of its four new numbers. For lane l, r must reach l.
say wrong-sign: v[2] - v[0] |
  The four results are combinations of a, b, c and d: check the sign of each.
say wrong-sign:
  d = -i (v[1] - v[3]). With v[1] - v[3] = x + iy that is y - ix: its real part is y, and its imaginary part is -x.
say wrong-operator:
  times() multiplies complex numbers.
say wrong-partner: was computed where |
  v[0] and v[2] belong together, in a sum and a difference, and so do v[1] and v[3].
say wrong-partner:
  v[0] and v[2] belong together, and v[1] and v[3].
say wrong-order:
  First the butterfly, then the roots, then the exchange, then the butterfly.
say exchanged:
  The order is a + c, b + d, a - c, b - d. Are all four computed from the old numbers?
say transposed:
  Loading and storing: number k of lane l is element l + 4 * k, in x and in X.
say stage-missing:
  Two butterflies: one down the columns, and one along the rows.
say root-missing:
  Each v[k] is multiplied by w[l * k], between the two butterflies. The function times() multiplies complex numbers.
say wrong-root: other way |
  w[k] is exp(-2 pi i k / 16) already.
say wrong-root:
  w[l * k]: the lane's number in its signal times the number's in the lane.
say inverse:
  -i in the butterfly, and w as it is in memory: both belong to the forward transform.
say missing-lane:
  All 32 lanes take part in each shuffle, also those whose signal does not exist. So no shuffle may stand behind a
  condition.
say needless-shared:
  of_lane() is a shuffle. Lane l needs number l of lane 0, 1, 2 and 3.
say out-of-bounds: reads d_w |
  There are 16 roots. w[l * k] is at most w[9]: l is the lane's number within its signal, 0 to 3, and k is that of the
  lane's number.
say out-of-bounds:
  The last warp may have lanes without a signal. They take part in the shuffles, and must neither load nor store.
say same-for-all:
  x and X point to the first signal. Signal s begins 16 * s numbers further on.
say wrong-part:
  Signal s begins at x[16 * s] and at X[16 * s]. It belongs to lanes 4 * s to 4 * s + 3, counted over all blocks.
say wrong-values: single 1 |
  Follow that signal by hand: what has each lane after the first butterfly, after the roots, and after the exchange? All but
  few numbers are 0.
say wrong-values:
  Take a signal with a single 1 at x[0]: after the first butterfly, lane 0 has four times 1, and the others 0. What should
  each lane have after the exchange? And at the end all 16 results are 1.
wrong no_roots: root-missing | What happens to v[k] between the two butterflies?
wrong no_exchange: not-exchanged | Whose numbers does the second butterfly add?
wrong own_number: wrong-register | Which l is that in v[l]: the sender's, or that of the lane that asks?
wrong overwritten: in-place | Which number does lane j pass on after its v[j] was replaced?
wrong plus_i: wrong-sign | What is -i times (x + iy)?
wrong bit_order: exchanged | In which order do the results of a butterfly come?
wrong rows_in: transposed | Which four numbers has lane 1?
wrong rows_out: transposed | Which frequency is v[1] of lane 0?
wrong root_by_k: wrong-root | Which root has v[1] in lane 3?
wrong root_by_place: wrong-root | Which root has v[1] in lane 0?
wrong root_cut: wrong-root | Which root has number 2 in lane 2?
wrong lanes_apart: race | Which four lanes have the same signal, and which l has each of them?
wrong roots_first: wrong-order | What does the first butterfly work on?
wrong neighbours: wrong-partner | Which numbers does a add?
wrong got_r: not-repeatable | What is r when a lane keeps what comes, and which of its new numbers is that?
wrong if_j: not-repeatable | From which lanes does lane 2 keep something?
wrong last_number: wrong-register | How often is got[j] written, and what is in it in the end?
wrong lane_of_warp: out-of-bounds | Which of its signal's four lanes is lane 5 of the warp?
wrong one_butterfly: stage-missing | How many stages has n = 16, and how many of them does one butterfly do?
wrong by_round: wrong-register | From which lane does a number come in round r, and where does it belong?
wrong backwards: wrong-register | At which place is what lane 0 has passed on?
wrong behind_condition: wrong-register | Which lanes call of_lane() with the same r at the same time?
wrong through_shared: needless-shared | It is right. Where are the lanes that exchange numbers?
wrong no_guard: out-of-bounds | How many lanes has the last warp, and how many signals?
wrong other_number: wrong-partner | Of which two numbers is c the sum?
wrong sum_first: in-place | What is in v[0] when v[2] is computed?
extra:
  n = 64 takes three butterflies: 16 lanes for a signal, and two exchanges. Or two butterflies of 8, with 8 lanes. Which
  needs fewer shuffles? variants/fft/registers.h goes on to 4096 numbers, by shared memory.
discuss:
  of_lane(v[r], j) has a register number that is known when the program is compiled, if the loop over r is unrolled. What
  would v[l], with l known only at run time, cost on a GPU? And of 16 numbers that a lane gets, it uses 4: is there a way
  with fewer?
*/
/*
 * 21 Butterflies in registers: the Fourier transform of signals of 16 numbers, by four lanes each.
 *
 * It is right.  Let each lane do butterflies of four numbers, and exchange them by shuffles.
 */
#include <math.h>

#include "common/cuda.h"
#include "common/fft.h"
#include "common/variant.h"

enum { N = 16, LANES = 4, THREADS = 128 }; /* lanes of a signal, threads of a block */

/* On the device.  A float2 has two floats, .x for the real and .y for the imaginary part. */
static float2 *d_x, *d_X, *d_w; /* w[k] = exp(-2 pi i k / 16), for 0 <= k < 16 */

__device__ static float2 plus(float2 a, float2 b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}

__device__ static float2 minus(float2 a, float2 b)
{
    return make_float2(a.x - b.x, a.y - b.y);
}

/* The product of two complex numbers. */
__device__ static float2 times(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* Returns what lane j of this signal, 0 to 3, has passed to the same call.  All lanes of the warp must call it. */
__device__ static float2 of_lane(float2 passed, unsigned j)
{
    return make_float2(__shfl_sync(0xffffffff, passed.x, j, LANES), __shfl_sync(0xffffffff, passed.y, j, LANES));
}

/* Replaces four numbers by their Fourier transform. */
__device__ static void butterfly(float2 v[4])
{
#if STARTER
    (void)v; /* a + c, b + d, a - c, b - d */
    (void)plus;
    (void)minus;
#elif WRONG_plus_i
    const float2 a = plus(v[0], v[2]), b = minus(v[0], v[2]);
    const float2 c = plus(v[1], v[3]), e = minus(v[1], v[3]), d = make_float2(-e.y, e.x);

    v[0] = plus(a, c);
    v[1] = plus(b, d);
    v[2] = minus(a, c);
    v[3] = minus(b, d);
#elif WRONG_neighbours
    const float2 a = plus(v[0], v[1]), b = minus(v[0], v[1]);
    const float2 c = plus(v[2], v[3]), e = minus(v[2], v[3]), d = make_float2(e.y, -e.x);

    v[0] = plus(a, c);
    v[1] = plus(b, d);
    v[2] = minus(a, c);
    v[3] = minus(b, d);
#elif WRONG_bit_order
    const float2 a = plus(v[0], v[2]), b = minus(v[0], v[2]);
    const float2 c = plus(v[1], v[3]), e = minus(v[1], v[3]), d = make_float2(e.y, -e.x);

    v[0] = plus(a, c);
    v[1] = minus(a, c);
    v[2] = plus(b, d);
    v[3] = minus(b, d);
#elif WRONG_other_number
    const float2 a = plus(v[0], v[2]), b = minus(v[0], v[2]);
    const float2 c = plus(v[1], v[2]), e = minus(v[1], v[3]), d = make_float2(e.y, -e.x);

    v[0] = plus(a, c);
    v[1] = plus(b, d);
    v[2] = minus(a, c);
    v[3] = minus(b, d);
#elif WRONG_sum_first
    v[0] = plus(v[0], v[2]);
    v[2] = minus(v[0], v[2]);
    v[1] = plus(v[1], v[3]);
    v[3] = minus(v[1], v[3]);
    const float2 a = v[0], b = v[2], c = v[1], d = make_float2(v[3].y, -v[3].x);

    v[0] = plus(a, c);
    v[1] = plus(b, d);
    v[2] = minus(a, c);
    v[3] = minus(b, d);
#else
    const float2 a = plus(v[0], v[2]), b = minus(v[0], v[2]);
    const float2 c = plus(v[1], v[3]), e = minus(v[1], v[3]), d = make_float2(e.y, -e.x);

    v[0] = plus(a, c);
    v[1] = plus(b, d);
    v[2] = minus(a, c);
    v[3] = minus(b, d);
#endif
}

__global__ static void transform(size_t batch, const float2 *w, const float2 *x, float2 *X)
{
#if WRONG_lanes_apart
    const unsigned l = threadIdx.x / LANES % LANES;
#else
    const unsigned l = threadIdx.x % LANES;
#endif
    const size_t signal = ((size_t)blockIdx.x * THREADS + threadIdx.x) / LANES;
    const bool mine = signal < batch; /* it exists */
    float2 v[4];

    x += signal * N;
    X += signal * N;
#if STARTER
    for (unsigned k = 0; k < 4; k++) {
        const unsigned f = l + 4 * k;

        v[k] = make_float2(0, 0);
        for (unsigned t = 0; mine && t < N; t++)
            v[k] = plus(v[k], times(x[t], w[f * t % N]));
    }
    (void)of_lane;
    (void)butterfly;
#elif WRONG_lane_of_warp
    const unsigned lane = threadIdx.x % 32;

    for (unsigned k = 0; k < 4; k++)
        v[k] = mine ? x[lane + 4 * k] : make_float2(0, 0);
#elif WRONG_rows_in
    for (unsigned k = 0; k < 4; k++)
        v[k] = mine ? x[4 * l + k] : make_float2(0, 0);
#elif WRONG_no_guard
    for (unsigned k = 0; k < 4; k++)
        v[k] = x[l + 4 * k];
#else
    for (unsigned k = 0; k < 4; k++)
        v[k] = mine ? x[l + 4 * k] : make_float2(0, 0);
#endif
#if STARTER
#elif WRONG_no_roots
    butterfly(v);
    (void)w;
    (void)times;
#elif WRONG_root_by_k
    butterfly(v);
    for (unsigned k = 0; k < 4; k++)
        v[k] = times(v[k], w[k]);
#elif WRONG_root_by_place
    butterfly(v);
    for (unsigned k = 0; k < 4; k++)
        v[k] = times(v[k], w[l + 4 * k]);
#elif WRONG_root_cut
    butterfly(v);
    for (unsigned k = 0; k < 4; k++)
        v[k] = times(v[k], w[l * k % 4]);
#elif WRONG_roots_first
    for (unsigned k = 0; k < 4; k++)
        v[k] = times(v[k], w[l * k]);
    butterfly(v);
#else
    butterfly(v);
    for (unsigned k = 0; k < 4; k++)
        v[k] = times(v[k], w[l * k]);
#endif
#if STARTER
#elif WRONG_no_exchange
    butterfly(v);
    (void)of_lane;
#elif WRONG_through_shared
    __shared__ float2 table[THREADS][4];
    const unsigned first = threadIdx.x - l;

    for (unsigned k = 0; k < 4; k++)
        table[threadIdx.x][k] = v[k];
    __syncwarp();
    for (unsigned j = 0; j < 4; j++)
        v[j] = table[first + j][l];
    butterfly(v);
    (void)of_lane;
#elif WRONG_own_number
    float2 got[4];

    for (unsigned j = 0; j < 4; j++)
        got[j] = of_lane(v[l], j);
#elif WRONG_last_number
    float2 got[4];

    for (unsigned j = 0; j < 4; j++)
        for (unsigned r = 0; r < 4; r++)
            got[j] = of_lane(v[r], j);
#elif WRONG_got_r
    float2 got[4];

    for (unsigned j = 0; j < 4; j++)
        for (unsigned r = 0; r < 4; r++) {
            const float2 other = of_lane(v[r], j);

            if (r == l)
                got[r] = other;
        }
#elif WRONG_if_j
    float2 got[4];

    for (unsigned j = 0; j < 4; j++)
        for (unsigned r = 0; r < 4; r++) {
            const float2 other = of_lane(v[r], j);

            if (l != j)
                continue;
            got[j] = other;
        }
#elif WRONG_by_round
    float2 got[4];

    for (unsigned round = 0; round < 4; round++)
        for (unsigned r = 0; r < 4; r++) {
            const float2 other = of_lane(v[r], l ^ round);

            if (r == l)
                got[round] = other;
        }
#elif WRONG_backwards
    float2 got[4];

    for (unsigned j = 0; j < 4; j++)
        for (unsigned r = 0; r < 4; r++) {
            const float2 other = of_lane(v[r], j);

            if (r == l)
                got[3 - j] = other;
        }
#elif WRONG_behind_condition
    float2 got[4];

    for (unsigned j = 0; j < 4; j++)
        for (unsigned r = 0; r < 4; r++)
            if (r == l)
                got[j] = of_lane(v[r], j);
#elif WRONG_overwritten
    for (unsigned j = 0; j < 4; j++)
        for (unsigned r = 0; r < 4; r++) {
            const float2 other = of_lane(v[r], j);

            if (r == l)
                v[j] = other;
        }
    butterfly(v);
#else
    float2 got[4];

    for (unsigned j = 0; j < 4; j++)
        for (unsigned r = 0; r < 4; r++) {
            const float2 other = of_lane(v[r], j);

            if (r == l) /* this lane needs number l of each lane */
                got[j] = other;
        }
#endif
#if STARTER || WRONG_no_exchange || WRONG_through_shared || WRONG_overwritten
#elif WRONG_one_butterfly
    for (unsigned k = 0; k < 4; k++)
        v[k] = got[k];
#else
    butterfly(got);
    for (unsigned k = 0; k < 4; k++)
        v[k] = got[k];
#endif
#if WRONG_rows_out
    for (unsigned k = 0; k < 4; k++)
        if (mine)
            X[4 * l + k] = v[k];
#else
    for (unsigned k = 0; k < 4; k++)
        if (mine)
            X[l + 4 * k] = v[k];
#endif
}

/* --- the host's side: nothing to do here ------------------------------------------------------- */

static const char *refuse(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    return p->n == N ? NULL : "n is 16";
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    float2 w[N];

    for (int k = 0; k < N; k++) {
        double angle = -2 * M_PI * (double)k / N;
        w[k] = make_float2((float)cos(angle), (float)sin(angle));
    }
    CUDA(cudaMalloc(&d_w, sizeof w));
    CUDA(cudaMemcpy(d_w, w, sizeof w, cudaMemcpyHostToDevice));
    CUDA(cudaMalloc(&d_x, p->batch * N * sizeof *d_x));
    CUDA(cudaMalloc(&d_X, p->batch * N * sizeof *d_X));
}

static void upload(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMemcpy(d_x, p->x, p->batch * N * sizeof *d_x, cudaMemcpyHostToDevice));
    /* A float with all bits set is NaN, so a number that is never written shows. */
    CUDA(cudaMemset(d_X, 0xff, p->batch * N * sizeof *d_X));
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (p->batch == 0)
        return;
    transform<<<(unsigned)((p->batch * LANES + THREADS - 1) / THREADS), THREADS>>>(p->batch, d_w, d_x, d_X);
    CUDA(cudaGetLastError());
}

static void download(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMemcpy(p->X, d_X, p->batch * N * sizeof *d_X, cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_X));
    CUDA(cudaFree(d_w));
}

VARIANT(.idea = "butterflies of four in registers, exchanged by shuffles, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
