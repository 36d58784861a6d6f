/* EXERCISE
title: Five times faster
problem: stencil
concept: find the waste without a plan that is given
minutes: 60
story:
  This is a plain program: 16 steps of the mean of nine pixels, a thread for each pixel, a launch for each step. It is right,
  its warps read along rows, and a user says that it is too slow. How it should look instead is up to you.

  Without a GPU, the measure is the number of sectors that all warps load and store in global memory. On a GPU it is the
  time.
task:
  Make it do the same with a fifth of the sectors. Nothing in this file has to stay as it is, except the result, at any size
  and any number of steps, and the phases that VARIANT names.

  Work as you would for a user: measure, guess what is wasted, change one thing, measure again. `rungs lab profile 25`
  counts, and `rungs lab view 25` draws what costs most. There is no list of steps. If you want one, ask for the hints.
now: 119280 sectors for 8 steps of 96 x 100 pixels
goal: a fifth of that: at most 23800
why: 2400 sectors would be enough, if each pixel were loaded once and stored once
sizes: rows=0,cols=5,sweeps=1 rows=1,cols=1,sweeps=3 rows=2,cols=7,sweeps=2 rows=3,cols=3,sweeps=4 rows=33,cols=31,sweeps=1
  rows=31,cols=34,sweeps=0 rows=70,cols=60,sweeps=3 rows=40,cols=33,sweeps=5 rows=131,cols=37,sweeps=1 rows=121,cols=115,sweeps=9
count: rows=96,cols=100,sweeps=8
gate: global_sectors <= 23800 | reads-again | More than a fifth of the starter's 119280 sectors are left.
clue: without __shared__ | __shfl | wrong-values | There is no shared memory in the file. An array that several threads fill together must be declared with __shared__.
clock: rows=4096,cols=4096,sweeps=16 | starter | solution | 0.8 | The sectors are fewer, but the time is not. How many threads wait at
  each barrier, how many pixels are computed twice, and how often is each pixel of the tile read in a step? The mean below shares six of nine.
starter: reads-again
hint 1:
  How often is each pixel loaded in one step, and how often in all 8? How often is it stored? Which of these loads and stores
  would be needed, if a block had a memory of its own?
hint 2:
  A tile in shared memory saves most loads of a step. The image is still loaded and stored once in each step. What would a
  block need in its tile, to make two steps before it stores anything? And for four?
hint 3:
  a block has a tile of the image, with DEPTH pixels more on each side, twice in shared memory
  load all of it from one of the two
  for each of DEPTH steps, or fewer in the last launch
      barrier
      compute what can be computed from the other one: one pixel less on each side than before; keep the image's border
  store the tile without the pixels around it; launch again for the next DEPTH steps
say reads-again: 8 steps are made by 8 launches |
  A launch that makes one step loads and stores the whole image for it. A tile with more pixels around it is enough for several steps.
say reads-again:
  What does a launch load and store beside its tile, and which pixels are loaded by several blocks? The wider the tile is beside the pixels
  around it, the fewer these are.
say halo:
  Each step needs one more pixel around the tile. For several steps in one tile, the tile must have as many more pixels on
  each side.
say race: do not take turns |
  The images change places with each launch, and not with each step: count the launches, and let the last one write d_out.
say step-missing: do not take turns |
  The images change places with each launch, and not with each step: count the launches, and let the last one write d_out.
say race: reads and writes the same image |
  Each launch writes another image than it reads: what the launch before has written is read, and the images change places with each launch. The last
  one writes d_out.
say race: do this, and |
  Each thread does this for the same place. A thread loads pixels of its own, and puts them at places of its own.
say race: both write |
  A block stores pixels that belong to another block. It stores the inner TILE x TILE pixels of its tile only: those around them are
  loaded for its own steps, and another block stores them.
say race: blocks of a launch |
  The launch reads the image that it writes: one block reads a pixel when another one may have changed it already.
say race:
  Some threads still read pixels of the old image, and others write new ones in their place. Two images in shared memory and
  a barrier after each step keep them apart.
say step-missing: left of the division |
  sweeps / DEPTH is rounded down. One more launch makes the steps that are left, and they are fewer than DEPTH.
say step-missing: lost one |
  Of the two images in the tile, that of the step before is stored. Which one has the last step written?
say step-missing: the last one, has written |
  The image of the last launch is not the one that is copied back.
say step-missing:
  How many steps do all launches make together? And is the image that the last one has written the one that is copied back?
say step-too-many:
  The last launch makes fewer steps than the others, if the number of steps is no multiple.
say one-step:
  Each launch must read what the launch before has written, and each step in a tile what the step before has computed.
say not-computed:
  What is stored is what was loaded. Is a step made at all? Of the two images in the tile, the last step has written the one that must be
  stored.
say border: taken for the border |
  The border is row 0, row rows - 1, column 0 and column cols - 1 of the image. The next ones are not: look at the comparisons.
say border:
  The image's border keeps its values in every step, also inside a tile.
say in-place:
  A step must not change pixels that others still read. Use two images, in turns.
say unwritten-read: do not reach further |
  The grid has too few blocks. It needs as many in x as the columns need, and as many in y as the rows need, at TILE pixels a block:
  those that it stores, not those that it loads.
say unwritten-read: left out whole rows |
  A block stores TILE x TILE pixels. Which of its threads, in which turn of the loop, stores the pixels of that row? And does a block have
  this row?
say unwritten-read: nothing in it |
  Nothing has been written into the image that is read. Which image has the launch before written? The first launch reads d_in.
say unwritten-read:
  A part of the image that is read was written, by upload or by the launch before. Which block has this row and this column in its
  tile? A tile begins DEPTH pixels above and left of the pixels that its block stores.
say part-missing:
  Do all pixels have a block? The grid needs as many blocks in x as the columns need, and as many in y as the rows need, at TILE pixels a
  block: those that it stores, not those that it loads.
say gaps: do not reach further |
  The grid has too few blocks. It needs as many in x as the columns need, and as many in y as the rows need, at TILE pixels a block:
  those that it stores, not those that it loads.
say shared-unwritten: later |
  There must be a barrier between the two: behind the loading, and between two steps, because threads read what others have written.
say shared-unwritten: outside of the image |
  A pixel of the border keeps its value, because it has no neighbours on one side. Which rows and which columns are the border, and is each
  of the four compared with in the line that tests for it?
say shared-unwritten: out[ |
  The result is taken from a place of the tile that no step has computed. Where in the tile does the pixel lie that is stored
  there?
say shared-unwritten:
  No thread has ever written this place: neither the loading, nor a step. In which image of the tile is it, and which pixels does
  each step write there? A step reads one pixel further out, on each side, than it writes.
say nothing-written: no launch has written |
  The launches write two images in turns. The last one must write the image that is copied back, for an even number of launches and for an
  odd one.
say nothing-written:
  Which sizes are wrong? With no step at all the result is a copy of the image.
say all-zero:
  Was the tile filled with zeros where the image has pixels? Look at the test that decides which pixels are in the image, and
  at the numbers in it: are they signed, and can one be below 0?
say host-pointer:
  An index that is outside of an array leads to memory that is not its own. Which pixels around the tile does the quoted line
  read, for the outermost pixel of a tile?
say shared-out-of-bounds:
  A pixel at the edge of the tile in shared memory has no neighbours there. Each step computes one pixel less on each side.
say bad-launch:
  A block has at most 1024 threads, and at most 48 KiB of shared memory in arrays that are declared in the kernel.
say second-run:
  run may be called again without upload, so it must not write to d_in.
say scaled:
  The mean is the sum of nine pixels divided by 9.
say out-of-bounds: begins with |
  A tile with pixels around it reaches past the image on all four sides. What does a size_t become below 0?
say out-of-bounds:
  Look at the index in the quoted line. Pixel (r, c) is at r * cols + c, and it is there if r is below rows and c below cols.
  A tile with pixels around it reaches past the image on all four sides.
say no-blocks: rounded down |
  The grid needs (cols + TILE - 1) / TILE blocks in x, and in the same way in y: rounded up, so that the rest has a block, too.
say no-blocks:
  An image without pixels has no blocks, and a launch of none is an error.
say divergent-barrier:
  Threads without a pixel of their own must still reach the barriers.
say wrong-values:
  Try one step first, then two. Are the steps in the tile separated by barriers? Is the border kept? Does each launch make at
  most as many steps as the tile has pixels around it, and the last one those that are left?
wrong tiles_only: reads-again | It is right. How often is the image loaded and stored in 8 steps?
wrong too_few_pixels: halo | How many pixels around the tile do four steps need?
wrong one_image: race | Who still reads the pixel that a thread writes?
wrong no_barrier: shared-unwritten | When is the neighbour's pixel of this step there?
wrong always_four: step-too-many | How many steps are left for the last launch, if there are 5?
wrong rest_of_several: step-missing | How many launches do 5 steps need, if 3 steps need one?
wrong rounded_down: step-missing | How many launches do 5 steps need?
wrong border_lost: border | Which values has the border of the image after two steps?
wrong stores_halo: shared-unwritten | Which blocks write the pixel at the edge of a tile?
wrong grid_exchanged: part-missing | How many blocks do 65 rows need, and which number of the grid is that?
wrong other_image: race | Where has the last launch written?
wrong writes_input: second-run | What does the next run begin with?
wrong below_zero: out-of-bounds | Which row is DEPTH rows above row 0?
wrong grid_of_sides: unwritten-read | How far apart are two blocks, and how many pixels does each of them store?
wrong border_of_two: border | Which rows are the border?
wrong half_stored: unwritten-read | Which rows of a tile are stored?
wrong columns_by_rows: border | Which is the last column?
wrong first_stored: not-computed | Into which of the two images does a step write, and which is stored?
extra:
  How far does it go? Draw the sectors against the number of steps in a launch, 1 to 8, and beside them the pixels that are
  computed twice. Where would you stop, and what does a GPU say?
discuss:
  Five times fewer sectors need not be five times less time. What else could hold the program up, and which counter would
  show it?
*/
/*
 * 25 Five times faster: steps of the 3x3 mean, in any way you like.
 */
#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"

#if STARTER
#elif WRONG_tiles_only
enum { SIDE = 64, DEPTH = 1, TILE = SIDE - 2 * DEPTH, DOWN = 16 };
#elif WRONG_too_few_pixels
enum { SIDE = 64, DEPTH = 4, TILE = SIDE - 2, DOWN = 16 };
#else
/* A block has SIDE x SIDE pixels.  With each step those that are right become one less on each side: of DEPTH steps the inner TILE x TILE are
   stored.  A thread goes DOWN pixels of a column down. */
enum { SIDE = 64, DEPTH = 4, TILE = SIDE - 2 * DEPTH, DOWN = 16 };
#endif

/* Images on the device.  Steps write d_out and d_other in turns; d_in stays as it is, for the next run. */
static float *d_in, *d_out, *d_other;

#if STARTER
__global__ static void smooth(size_t rows, size_t cols, const float *in, float *out)
{
    size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t r = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    size_t i = r * cols + c;

    if (r >= rows || c >= cols)
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
#else
/* A pixel and those left and right of it.  A mean is the sum of three of these, below each other, and the next one shares two. */
__device__ static float row_sum(const float *mid)
{
    return mid[-1] + mid[0] + mid[1];
}

/* Makes `depth` steps, at most DEPTH. */
__global__ static void smooth(int rows, int cols, int depth, const float *in, float *out)
{
    __shared__ float tile[2][SIDE][SIDE];
    const int around = (SIDE - TILE) / 2, tx = (int)threadIdx.x, first = (int)threadIdx.y * DOWN;
    const int top = (int)blockIdx.y * TILE - around, c = (int)blockIdx.x * TILE - around + tx; /* of tile[0][0], and of the thread */
    int now = 0;

    for (int ty = first; ty < first + DOWN; ty++) {
        const int r = top + ty;
#endif
#if STARTER
#elif WRONG_below_zero
        tile[0][ty][tx] = r < rows && c < cols ? in[r * cols + c] : 0;
    }
#else
        tile[0][ty][tx] = r >= 0 && r < rows && c >= 0 && c < cols ? in[r * cols + c] : 0;
    }
#endif
#if STARTER
#elif WRONG_no_barrier
    __syncthreads();
    for (int step = 1; step <= depth; step++, now = 1 - now) {
#elif WRONG_first_stored
    for (int step = 1; step <= depth; step++) {
        __syncthreads(); /* what this step reads is complete */
#else
    for (int step = 1; step <= depth; step++, now = 1 - now) {
        __syncthreads(); /* what this step reads is complete */
#endif
#if STARTER
#elif WRONG_too_few_pixels
        const int begin = max(first, 1), end = min(first + DOWN, SIDE - 1);

        for (int ty = first; ty < first + DOWN; ty++)
            tile[1 - now][ty][tx] = tile[now][ty][tx];
        if (tx < 1 || tx >= SIDE - 1)
            continue;
#else
        const int begin = max(first, step), end = min(first + DOWN, SIDE - step);

        if (tx < step || tx >= SIDE - step)
            continue;
#endif
#if STARTER
#elif WRONG_one_image
        float above = row_sum(&tile[0][begin - 1][tx]), here = row_sum(&tile[0][begin][tx]);
        for (int ty = begin; ty < end; ty++) {
            const float below = row_sum(&tile[0][ty + 1][tx]);
            const int r = top + ty;

            if (r > 0 && r < rows - 1 && c > 0 && c < cols - 1)
                tile[0][ty][tx] = (above + here + below) * (1.0f / 9.0f);
            above = here;
            here = below;
        }
    }
    __syncthreads();
    now = 0;
#else
        float above = row_sum(&tile[now][begin - 1][tx]), here = row_sum(&tile[now][begin][tx]);
        for (int ty = begin; ty < end; ty++) {
            const float below = row_sum(&tile[now][ty + 1][tx]);
#endif
#if STARTER || WRONG_one_image
#elif WRONG_border_lost

            tile[1 - now][ty][tx] = (above + here + below) * (1.0f / 9.0f);
            above = here;
            here = below;
        }
    }
    __syncthreads();
#elif WRONG_columns_by_rows
            const int r = top + ty;
            const bool border = r <= 0 || r >= rows - 1 || c <= 0 || c >= rows - 1;

            tile[1 - now][ty][tx] = border ? tile[now][ty][tx] : (above + here + below) * (1.0f / 9.0f);
            above = here;
            here = below;
        }
    }
    __syncthreads();
#elif WRONG_border_of_two
            const int r = top + ty;
            const bool border = r <= 1 || r >= rows - 1 || c <= 0 || c >= cols - 1;

            tile[1 - now][ty][tx] = border ? tile[now][ty][tx] : (above + here + below) * (1.0f / 9.0f);
            above = here;
            here = below;
        }
    }
    __syncthreads();
#else
            const int r = top + ty;
            const bool border = r <= 0 || r >= rows - 1 || c <= 0 || c >= cols - 1;

            tile[1 - now][ty][tx] = border ? tile[now][ty][tx] : (above + here + below) * (1.0f / 9.0f);
            above = here;
            here = below;
        }
    }
    __syncthreads();
#endif
#if STARTER
#elif WRONG_half_stored
    for (int ty = max(first, around); ty < min(first + DOWN, around + TILE / 2); ty++) {
        const int r = top + ty;

        if (tx >= around && tx < around + TILE && r < rows && c < cols)
            out[r * cols + c] = tile[now][ty][tx];
    }
}
#elif WRONG_stores_halo
    for (int ty = first; ty < first + DOWN; ty++) {
        const int r = top + ty;

        if (r >= 0 && r < rows && c >= 0 && c < cols)
            out[r * cols + c] = tile[now][ty][tx];
    }
}
#else
    for (int ty = max(first, around); ty < min(first + DOWN, around + TILE); ty++) {
        const int r = top + ty;

        if (tx >= around && tx < around + TILE && r < rows && c < cols)
            out[r * cols + c] = tile[now][ty][tx];
    }
}
#endif

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
#if STARTER
    dim3 block(32, 8);
    dim3 grid((unsigned)((p->cols + block.x - 1) / block.x), (unsigned)((p->rows + block.y - 1) / block.y));
    const float *from = d_in;

    if (p->rows * p->cols == 0)
        return;
    if (p->sweeps == 0)
        CUDA(cudaMemcpyAsync(d_out, d_in, p->rows * p->cols * sizeof(float), cudaMemcpyDeviceToDevice));
    for (size_t left = p->sweeps; left > 0; left--) {
        float *to = left % 2 == 1 ? d_out : d_other; /* so that the last step writes d_out */

        smooth<<<grid, block>>>(p->rows, p->cols, from, to);
        CUDA(cudaGetLastError());
        from = to;
    }
#elif WRONG_grid_of_sides
    dim3 block(SIDE, SIDE / DOWN);
    dim3 grid((unsigned)((p->cols + SIDE - 1) / SIDE), (unsigned)((p->rows + SIDE - 1) / SIDE));
    const float *from = d_in;

    if (p->rows * p->cols == 0)
        return;
    if (p->sweeps == 0)
        CUDA(cudaMemcpyAsync(d_out, d_in, p->rows * p->cols * sizeof(float), cudaMemcpyDeviceToDevice));
#elif WRONG_grid_exchanged
    dim3 block(SIDE, SIDE / DOWN);
    dim3 grid((unsigned)((p->rows + TILE - 1) / TILE), (unsigned)((p->cols + TILE - 1) / TILE));
    const float *from = d_in;

    if (p->rows * p->cols == 0)
        return;
    if (p->sweeps == 0)
        CUDA(cudaMemcpyAsync(d_out, d_in, p->rows * p->cols * sizeof(float), cudaMemcpyDeviceToDevice));
#else
    dim3 block(SIDE, SIDE / DOWN);
    dim3 grid((unsigned)((p->cols + TILE - 1) / TILE), (unsigned)((p->rows + TILE - 1) / TILE));
    const float *from = d_in;

    if (p->rows * p->cols == 0)
        return;
    if (p->sweeps == 0)
        CUDA(cudaMemcpyAsync(d_out, d_in, p->rows * p->cols * sizeof(float), cudaMemcpyDeviceToDevice));
#endif
#if STARTER
#elif WRONG_rounded_down
    for (size_t launches = p->sweeps / DEPTH; launches > 0; launches--) {
        float *to = launches % 2 == 1 ? d_out : d_other;

        smooth<<<grid, block>>>((int)p->rows, (int)p->cols, DEPTH, from, to);
        CUDA(cudaGetLastError());
        from = to;
    }
    if (p->sweeps / DEPTH == 0)
        CUDA(cudaMemcpyAsync(d_out, d_in, p->rows * p->cols * sizeof(float), cudaMemcpyDeviceToDevice));
#elif WRONG_rest_of_several
    for (size_t launches = p->sweeps < DEPTH ? p->sweeps > 0 : p->sweeps / DEPTH, left = p->sweeps; launches > 0; launches--) {
        const size_t depth = left < DEPTH ? left : (size_t)DEPTH;
        float *to = launches % 2 == 1 ? d_out : d_other;

        smooth<<<grid, block>>>((int)p->rows, (int)p->cols, (int)depth, from, to);
        CUDA(cudaGetLastError());
        from = to;
        left -= depth;
    }
#elif WRONG_always_four
    for (size_t launches = (p->sweeps + DEPTH - 1) / DEPTH; launches > 0; launches--) {
        float *to = launches % 2 == 1 ? d_out : d_other;

        smooth<<<grid, block>>>((int)p->rows, (int)p->cols, DEPTH, from, to);
        CUDA(cudaGetLastError());
        from = to;
    }
#elif WRONG_other_image
    for (size_t left = p->sweeps; left > 0;) {
        const size_t depth = left < DEPTH ? left : (size_t)DEPTH;
        float *to = left % 2 == 1 ? d_out : d_other;

        smooth<<<grid, block>>>((int)p->rows, (int)p->cols, (int)depth, from, to);
        CUDA(cudaGetLastError());
        from = to;
        left -= depth;
    }
#elif WRONG_writes_input
    for (size_t launches = (p->sweeps + DEPTH - 1) / DEPTH, left = p->sweeps; launches > 0; launches--) {
        const size_t depth = left < DEPTH ? left : (size_t)DEPTH;
        float *to = launches % 2 == 1 ? d_out : d_in;

        if (to == from)
            to = d_other;
        smooth<<<grid, block>>>((int)p->rows, (int)p->cols, (int)depth, from, to);
        CUDA(cudaGetLastError());
        if (to == d_other)
            CUDA(cudaMemcpyAsync(d_in, d_other, p->rows * p->cols * sizeof(float), cudaMemcpyDeviceToDevice));
        from = to == d_other ? d_in : to;
        left -= depth;
    }
#else
    for (size_t launches = (p->sweeps + DEPTH - 1) / DEPTH, left = p->sweeps; launches > 0; launches--) {
        const size_t depth = left < DEPTH ? left : (size_t)DEPTH;
        float *to = launches % 2 == 1 ? d_out : d_other; /* so that the last launch writes d_out */

        smooth<<<grid, block>>>((int)p->rows, (int)p->cols, (int)depth, from, to);
        CUDA(cudaGetLastError());
        from = to;
        left -= depth;
    }
#endif
}

static const char *refuse(const void *problem)
{
    return ((const struct stencil *)problem)->bytes ? "bytes: this variant is for float32" : NULL;
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const size_t bytes = p->rows * p->cols * sizeof(float);

    CUDA(cudaMalloc(&d_in, bytes));
    CUDA(cudaMalloc(&d_out, bytes));
    CUDA(cudaMalloc(&d_other, bytes));
}

static void upload(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    CUDA(cudaMemcpy(d_in, p->in, p->rows * p->cols * sizeof(float), cudaMemcpyHostToDevice));
}

static void download(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    CUDA(cudaMemcpy(p->out, d_out, p->rows * p->cols * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
    CUDA(cudaFree(d_other));
}

VARIANT(.idea = "steps of the mean, my own way",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
