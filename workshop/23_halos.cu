/* EXERCISE
title: Halos
problem: stencil
concept: halos between GPUs, copied while the interior is computed
minutes: 35
story:
  In a step of the mean, a pixel needs the rows above and below its own. If each GPU has a band of rows, the outermost rows
  of a band need rows of the neighbours' bands. So each GPU keeps copies of these rows. They are its halo: one row above its
  band, and one below. After a step the halos are old, because the neighbours have computed new rows.

  The copies take time. Only two rows of a band need them, its edges. All the others, its interior, can be computed
  meanwhile.
task:
  Below, every GPU computes its whole band in each step, and the halos are never renewed: right for one step, wrong for two.
  - Before each step but the first, copy both halos from the neighbours. cudaMemcpyPeerAsync(to, to_gpu, from, from_gpu,
  bytes, stream) copies from one GPU to another. row_at(g, now, r) is where GPU g has row r of the image, and its halos are
  rows b->first - 1 and b->last. The first GPU has no band above it, and the last none below.
  - Compute the interior while the halos are copied. Each band has two streams: halo for the copies and the edges, which need
  them, and inner for the interior. smooth_rows(b, now, r, end, stream) computes rows r to end - 1 of the image. The
  simulator has three GPUs for this exercise.
now: halos that came with the image, and are never renewed
goal: halos of the step before, and 9 of 10 bytes of them copied beside a kernel
why: an interior of many rows takes longer than a copy of two, so the copy costs nothing
sizes: rows=0,cols=5,sweeps=1 rows=1,cols=1,sweeps=1 rows=2,cols=7,sweeps=2 rows=3,cols=5,sweeps=3 rows=7,cols=9,sweeps=2 rows=10,cols=33,sweeps=1
  rows=31,cols=34,sweeps=2 rows=29,cols=31,sweeps=3 rows=40,cols=33,sweeps=5
count: rows=102,cols=64,sweeps=4
devices: 3
gate: peer_overlap_share >= 0.9 | no-overlap | No kernel can run while the halos are copied. Is the interior in another stream than the copies, and queued before anything waits for them?
gate: concurrent_kernel_share >= 0.9 | cards-in-turn | GPUs work one after another: something waits for one GPU before the next has got its work.
gate: bytes_between <= 4096 | copies-too-much | 4 steps need at most 16 rows of 256 bytes. A halo is one row.
gate: threads <= 38000 | repeated-work | Some rows are computed twice in a step. The interior ends before the edges: it is rows b->first + 1 to b->last - 2.
gate: unfinished <= 0 | not-waited | run returns while copies and kernels are still queued.
clue: without MemcpyPeer | cudaMemcpyDefault, DeviceToDevice | halo-old | No call below copies from one GPU to another, so the halos stay as they came with the image.
clue: without cudaDeviceSynchronize | cudaStreamSynchronize, cudaStreamWaitEvent, cudaEventSynchronize | halo-old | Nothing waits at the end of a step, so a GPU copies rows that its neighbour has not computed yet.
clue: fewer than 1 cudaDeviceSynchronize | cudaStreamSynchronize, cudaStreamWaitEvent, cudaEventSynchronize | no-order | Nothing waits at the end of a step, so a GPU copies rows that its neighbour has not computed yet.
clue: fewer than 2 b->halo | - | no-overlap | Nothing is queued in stream halo.
starter: halo-old
hint 1:
  Which rows of a band can be computed without the halos? And which rows of the neighbours must be finished before the next
  step?
hint 2:
  The row above band b is row b->first - 1 of the image. GPU g - 1 has computed it, and GPU g wants it in the same row of its
  own array: the same r in both calls of row_at, and another GPU. Within a stream, one thing comes after the other: what must
  come after the copies, and what need not?
hint 3:
  in each step
      for each GPU: set it
          unless this is the first step: copy both halos from the neighbours that there are, in stream halo
          the interior in stream inner: without the first row of the band, and without the last
      for each GPU: set it
          the first row and the last row, in stream halo
      for each GPU: set it, and wait for it
say no-order: so that row is either |
  A copy writes one row, `row` bytes, into a halo, row b->first - 1 or b->last, and does not go on into the band. It reads a row that the
  neighbour computes itself.
say no-order: another GPU than the kernel |
  A GPU queues the copy of the rows that it needs itself, in its own stream halo. Its edges, behind the copy in the same stream, then wait for it.
say no-order: streams of two GPUs |
  At the end of a step every GPU must be waited for, because its neighbours copy its rows in the next one. cudaDeviceSynchronize()
  waits for the GPU that is set: cudaSetDevice(g) belongs before it.
say no-order: which the copy between GPUs |
  The launch that computes an edge needs the halo. It belongs into the stream of the copies, halo, behind them.
say no-order: the copy between GPUs writes |
  The copies into the halos come first, and then, in the same stream, the edges that read them.
say no-order: either may overwrite |
  A row is computed in both streams. The interior leaves the edges out: it is rows b->first + 1 to b->last - 2.
say no-order:
  At the end of a step every GPU must be waited for, in all its streams: cudaSetDevice(g), and then cudaDeviceSynchronize().
say halo-old: reads the other image |
  A step reads image `now`, and the other one is that of the step before. A halo comes from image `now` of the neighbour, and goes into image
  `now`, before every step but the first. When does the condition around the copies hold?
say halo-old: that is the other image |
  A step reads image `now`, and writes the other one. A halo belongs into the image that the step reads, and its row comes from the same
  image of the neighbour: `now` in both calls of row_at.
say halo-old: second step |
  The halos must be renewed before every step but the first. When does the condition around the copies hold?
say halo-old: first quarter |
  A row has `row` bytes. cols is the number of its pixels.
say halo-old: is never renewed |
  Which halos are copied? A GPU with a band above has a halo above, and a GPU with a band below has one below. Into which
  image do the copies go, and from which GPU do they come? A step reads image `now`, and the neighbour has computed the row.
say halo-old: steps old |
  The halo still holds what an earlier copy has brought. Are the copies of a step queued before the edges that read them, in the same stream?
  And do copies and steps take image `now`, in both calls of row_at?
say halo-old:
  A halo must hold what the neighbour has computed in the step before. Does the interior leave out the first and the last row
  of the band, which need the halos? Are the copies queued before the edges that need them, in the same stream? Is the row
  that they copy finished: does every GPU wait at the end of a step? And do they copy from and to image `now`, which this
  step reads?
say halo-wrong:
  The halo above a band is the last row of the band above it. The halo below it is the first row of the band below. Both have
  the same number of the image on both GPUs.
say halo:
  Go through both copies. `to` is a halo of GPU g: row b->first - 1 or b->last, and never a row of the band itself. `from` is
  the same row of the image on the neighbour that has computed it. Both are in image `now`, in every step but the first. The
  first array of the call is where the row goes, and `row` bytes are a whole row.
say unwritten-read: of 1 element |
  Before the first step, the image is in image 0: a step must read what bring() or the step before has written.
say unwritten-read:
  Which row is it? A row of the band is computed in each step, as a part of the interior or as an edge. A halo comes by a copy into image
  `now`. (In the first step `now` is 0.)
say step-missing:
  Does the loop make p->sweeps steps? And does fetch() copy the image that the last step has written? If the first step reads image 0, that is
  image p->sweeps % 2.
say step-too-many:
  How many steps does the loop make, and how many are p->sweeps?
say not-computed:
  Each step reads image `now`, and writes the other one. Which number has `now` in each step, and which image does fetch() copy?
say no-overlap: in one stream |
  The copies of the halos need one stream of the band, and the interior the other one.
say no-overlap: the host waits there |
  Queue all of a step first: the copies, the interior and the edges of all GPUs. Wait only then.
say no-overlap:
  A stream does one thing after another, and the default stream (0) waits for all others. The copies need one stream of the
  band, the interior another, and no call between them may wait.
say cards-in-turn:
  Three loops: the first queues the copies and the interior on each GPU, the second the edges, and only the third waits.
say wrong-device:
  cudaMemcpyPeerAsync names the GPU of each array: the one where the row goes, and the one where it comes from.
say bad-launch:
  A stream belongs to the GPU that was set when it was made. Call cudaSetDevice(g) before the launches of GPU g.
say out-of-bounds: before the start |
  The first GPU has no band above it, and so no halo above its band.
say out-of-bounds:
  The halos are rows b->first - 1 and b->last. The first GPU has none above, and the last none below. `row` is the bytes of a
  row.
say cuda-error:
  Is there such a GPU? The first GPU has no neighbour above, and the last none below.
say not-waited:
  At the end, the host must wait for each GPU: set it, and call cudaDeviceSynchronize().
say part-missing:
  Is each row of the band computed in every step: the interior, the first and the last one?
say wrong-values:
  Is each row of the band computed once in every step: the interior, the first and the last one? Does each GPU wait at the
  end of a step? Do the copies go into image `now`?
wrong other_end: halo-wrong | Which row of the upper neighbour lies next to this band?
wrong own_row: halo-wrong | Which GPU has computed the row above this band?
wrong own_outer_row: halo | Into which row does the copy from below go?
wrong pushed: no-order | What says that the rows have come before a neighbour computes its edges?
wrong after_edges: halo-old | When do the edges read the halos?
wrong other_image: halo-old | Which image holds the neighbour's newest rows?
wrong into_the_next: halo-old | Which of the two images does this step read?
wrong lower_from_the_other: halo-old | In which image has the neighbour its newest rows?
wrong behind_the_copies: no-overlap | It is right. In which stream is the interior, and behind what?
wrong two_rows: no-order | How many rows has a halo?
wrong above_only: halo-old | How many neighbours has the band in the middle?
wrong one_stream: no-overlap | It is right. What does the interior wait for?
wrong mixed_streams: no-order | It may be right by luck. What says that the edges come after the copies?
wrong copies_first: no-overlap | It is right. What does the host wait for before it queues the interior?
wrong in_turn: cards-in-turn | It is right. When does the second GPU begin a step?
wrong no_wait: no-order | What says that the neighbour has finished its edge?
wrong no_edges: unwritten-read | Which rows are neither computed nor copied?
wrong no_edge_of_two: unwritten-read | Which rows has a band of two rows?
wrong edges_inside: no-order | In which stream are the copies, and which kernel reads what they bring?
wrong edges_twice: no-order | It is right here. Which of the two results of an edge is written last?
wrong no_first_guard: out-of-bounds | Who is above the first GPU?
wrong floats: halo-old | How many bytes has a row?
wrong lower_edge_inside: no-order | What does the lower edge of a band need?
extra:
  Replace the wait of the host at the end of each step by events: cudaEventRecord in the stream of a neighbour's edges, and
  cudaStreamWaitEvent before the copies. Which other wait is needed then, because the two images take turns?
discuss:
  With halos of two rows, two steps need one exchange. What is computed twice then, and when does that pay off?
*/
/*
 * 23 Halos: a band of rows for each GPU, whose neighbours' rows arrive while the interior is computed.
 */
#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"

enum { MOST = 16 };

/* Of a GPU: rows first to last - 1 of the image are its own.  With its halos it has rows top to bottom - 1. */
static struct band {
    size_t first, last, top, bottom;
    float *d_image[2];          /* a step reads image `now`, and writes the other one */
    cudaStream_t inner, halo;
} band[MOST];
static int cards;               /* GPUs with a band: not more than there are rows */
static size_t rows, cols, row;  /* of the image; bytes of a row */

/* Returns where GPU g has row r of the image, in image `now` of its two. */
static float *row_at(int g, size_t now, size_t r)
{
    return band[g].d_image[now] + (r - band[g].top) * cols;
}

/* Queues a step for rows r to end - 1 of the image, if there are any. */
static void smooth_rows(const struct band *b, size_t now, size_t r, size_t end, cudaStream_t stream);

/* Copies the image to the GPUs, each band with its halos, into image 0. */
static void bring(const float *in);

/* Copies the bands back from image `now`. */
static void fetch(float *out, size_t now);

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    bring(p->in);
    for (size_t step = 0; step < p->sweeps; step++) {
        const size_t now = step % 2;

#if WRONG_copies_first
        for (int g = 0; g < cards; g++) {
            const struct band *b = &band[g];

            CUDA(cudaSetDevice(g));
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g - 1, now, b->first - 1), g - 1, row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last), g,
                                         row_at(g + 1, now, b->last), g + 1, row, b->halo));
            CUDA(cudaStreamSynchronize(b->halo));
        }
#endif
#if STARTER
        for (int g = 0; g < cards; g++) {
            const struct band *b = &band[g];

            CUDA(cudaSetDevice(g));
            smooth_rows(b, now, b->first, b->last, b->inner);
        }
#else
        for (int g = 0; g < cards; g++) {
            const struct band *b = &band[g];

            CUDA(cudaSetDevice(g));
#endif
#if STARTER || WRONG_copies_first || WRONG_after_edges
#elif WRONG_other_end
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g - 1, now, band[g - 1].first), g - 1, row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last), g,
                                         row_at(g + 1, now, b->last), g + 1, row, b->halo));
#elif WRONG_own_row
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g, now, b->first), g, row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last), g,
                                         row_at(g, now, b->last - 1), g, row, b->halo));
#elif WRONG_own_outer_row
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g - 1, now, b->first - 1), g - 1, row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last - 1), g,
                                         row_at(g + 1, now, b->last - 1), g + 1, row, b->halo));
#elif WRONG_pushed
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g - 1, now, b->first), g - 1,
                                         row_at(g, now, b->first), g, row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g + 1, now, b->last - 1), g + 1,
                                         row_at(g, now, b->last - 1), g, row, b->halo));
#elif WRONG_other_image
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, 1 - now, b->first - 1), g,
                                         row_at(g - 1, 1 - now, b->first - 1), g - 1, row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, 1 - now, b->last), g,
                                         row_at(g + 1, 1 - now, b->last), g + 1, row, b->halo));
#elif WRONG_lower_from_the_other
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g - 1, now, b->first - 1), g - 1, row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last), g,
                                         row_at(g + 1, 1 - now, b->last), g + 1, row, b->halo));
#elif WRONG_into_the_next
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, 1 - now, b->first - 1), g,
                                         row_at(g - 1, now, b->first - 1), g - 1, row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, 1 - now, b->last), g,
                                         row_at(g + 1, now, b->last), g + 1, row, b->halo));
#elif WRONG_two_rows
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g - 1, now, b->first - 1), g - 1, 2 * row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last), g,
                                         row_at(g + 1, now, b->last), g + 1, row, b->halo));
#elif WRONG_above_only
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g - 1, now, b->first - 1), g - 1, row, b->halo));
#elif WRONG_one_stream || WRONG_mixed_streams
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g - 1, now, b->first - 1), g - 1, row, b->inner));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last), g,
                                         row_at(g + 1, now, b->last), g + 1, row, b->inner));
#elif WRONG_no_first_guard
            if (step > 0) {
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g > 0 ? g - 1 : 0, now, b->first - 1), g > 0 ? g - 1 : 0, row, b->halo));
                if (g + 1 < cards)
                    CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last), g,
                                             row_at(g + 1, now, b->last), g + 1, row, b->halo));
            }
#elif WRONG_floats
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g - 1, now, b->first - 1), g - 1, cols, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last), g,
                                         row_at(g + 1, now, b->last), g + 1, cols, b->halo));
#else
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g - 1, now, b->first - 1), g - 1, row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last), g,
                                         row_at(g + 1, now, b->last), g + 1, row, b->halo));
#endif
#if STARTER
#elif WRONG_edges_twice
            smooth_rows(b, now, b->first, b->last, b->inner);
        }
#elif WRONG_edges_inside
            smooth_rows(b, now, b->first, b->last, b->inner);
        }
#elif WRONG_behind_the_copies
            smooth_rows(b, now, b->first + 1, b->last - 1, b->halo);
        }
#elif WRONG_in_turn
            smooth_rows(b, now, b->first + 1, b->last - 1, b->inner);
            smooth_rows(b, now, b->first, b->first + 1, b->halo);
            smooth_rows(b, now, b->last - 1, b->last, b->halo);
            CUDA(cudaDeviceSynchronize());
        }
#else
            smooth_rows(b, now, b->first + 1, b->last - 1, b->inner);
        }
#endif
#if STARTER || WRONG_edges_inside || WRONG_in_turn || WRONG_no_edges
#elif WRONG_no_edge_of_two
        for (int g = 0; g < cards; g++) {
            const struct band *b = &band[g];

            CUDA(cudaSetDevice(g));
            smooth_rows(b, now, b->first, b->first + 1, b->halo);
            if (b->last - b->first != 2)
                smooth_rows(b, now, b->last - 1, b->last, b->halo);
        }
#elif WRONG_one_stream
        for (int g = 0; g < cards; g++) {
            const struct band *b = &band[g];

            CUDA(cudaSetDevice(g));
            smooth_rows(b, now, b->first, b->first + 1, b->inner);
            smooth_rows(b, now, b->last - 1, b->last, b->inner);
        }
#elif WRONG_after_edges
        for (int g = 0; g < cards; g++) {
            const struct band *b = &band[g];

            CUDA(cudaSetDevice(g));
            smooth_rows(b, now, b->first, b->first + 1, b->halo);
            smooth_rows(b, now, b->last - 1, b->last, b->halo);
        }
        for (int g = 0; g < cards; g++) {
            const struct band *b = &band[g];

            CUDA(cudaSetDevice(g));
            if (step > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->first - 1), g,
                                         row_at(g - 1, now, b->first - 1), g - 1, row, b->halo));
            if (step > 0 && g + 1 < cards)
                CUDA(cudaMemcpyPeerAsync(row_at(g, now, b->last), g,
                                         row_at(g + 1, now, b->last), g + 1, row, b->halo));
        }
#elif WRONG_lower_edge_inside
        for (int g = 0; g < cards; g++) {
            const struct band *b = &band[g];

            CUDA(cudaSetDevice(g));
            smooth_rows(b, now, b->first, b->first + 1, b->halo);
            smooth_rows(b, now, b->last - 1, b->last, b->inner);
        }
#else
        for (int g = 0; g < cards; g++) {
            const struct band *b = &band[g];

            CUDA(cudaSetDevice(g));
            smooth_rows(b, now, b->first, b->first + 1, b->halo);
            smooth_rows(b, now, b->last - 1, b->last, b->halo);
        }
#endif
#if WRONG_no_wait
#else
        for (int g = 0; g < cards; g++) { /* no neighbour may be a step ahead or behind */
            CUDA(cudaSetDevice(g));
            CUDA(cudaDeviceSynchronize());
        }
#endif
    }
    fetch(p->out, p->sweeps % 2);
}

/* --- the kernel, and the rest of the host's side: nothing to do here --------------------------- */

/* Computes rows first to end - 1 of the image.  `in` and `out` begin with its row `top`. */
__global__ static void smooth(size_t rows, size_t cols, size_t top, size_t first, size_t end, const float *in, float *out)
{
    size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t r = first + (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    size_t i = (r - top) * cols + c;

    if (r >= end || c >= cols)
        return;
    if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
        out[i] = in[i];
        return;
    }
    const float *mid = in + i, *up = mid - cols, *down = mid + cols;
    out[i] = (up[-1] + up[0] + up[1] +
              mid[-1] + mid[0] + mid[1] +
              down[-1] + down[0] + down[1]) * (1.0f / 9.0f);
}

static void smooth_rows(const struct band *b, size_t now, size_t r, size_t end, cudaStream_t stream)
{
    dim3 block(32, 8);

    if (r >= end)
        return;
    dim3 grid((unsigned)((cols + block.x - 1) / block.x), (unsigned)((end - r + block.y - 1) / block.y));
    smooth<<<grid, block, 0, stream>>>(rows, cols, b->top, r, end, b->d_image[now], b->d_image[1 - now]);
    CUDA(cudaGetLastError());
}

static void bring(const float *in)
{
    for (int g = 0; g < cards; g++) {
        const struct band *b = &band[g];

        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(b->d_image[0], in + b->top * cols, (b->bottom - b->top) * row, cudaMemcpyHostToDevice));
        /* The halos of the other image are written, too, so that a halo that is never renewed is old and not unwritten. */
        if (b->top < b->first)
            CUDA(cudaMemcpy(row_at(g, 1, b->top), in + b->top * cols, row, cudaMemcpyHostToDevice));
        if (b->last < b->bottom)
            CUDA(cudaMemcpy(row_at(g, 1, b->last), in + b->last * cols, row, cudaMemcpyHostToDevice));
    }
}

static void fetch(float *out, size_t now)
{
    for (int g = 0; g < cards; g++) {
        const struct band *b = &band[g];

        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(out + b->first * cols, row_at(g, now, b->first), (b->last - b->first) * row,
                        cudaMemcpyDeviceToHost));
    }
    CUDA(cudaSetDevice(0)); /* other code expects this one to be set */
}

static const char *refuse(const void *problem)
{
    return ((const struct stencil *)problem)->bytes ? "bytes: this variant is for float32" : NULL;
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    rows = p->rows;
    cols = p->cols;
    row = cols * sizeof(float);
    CUDA(cudaGetDeviceCount(&cards));
    cards = cards < MOST ? cards : MOST;
    cards = (size_t)cards < rows ? cards : (int)rows;
    for (int g = 0; g < cards; g++) {
        struct band *b = &band[g];

        b->first = rows * (size_t)g / (size_t)cards;
        b->last = rows * ((size_t)g + 1) / (size_t)cards;
        b->top = b->first > 0 ? b->first - 1 : 0;
        b->bottom = b->last < rows ? b->last + 1 : rows;
        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&b->d_image[0], (b->bottom - b->top) * row));
        CUDA(cudaMalloc(&b->d_image[1], (b->bottom - b->top) * row));
        CUDA(cudaStreamCreate(&b->halo));
        CUDA(cudaStreamCreate(&b->inner));
    }
    CUDA(cudaSetDevice(0));
}

static void release(void)
{
    for (int g = 0; g < cards; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaStreamDestroy(band[g].inner));
        CUDA(cudaStreamDestroy(band[g].halo));
        CUDA(cudaFree(band[g].d_image[0]));
        CUDA(cudaFree(band[g].d_image[1]));
    }
    CUDA(cudaSetDevice(0));
}

VARIANT(.idea = "a band for each GPU, halos copied beside the interior, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
