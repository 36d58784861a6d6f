/*
 * stencil / cuda_shared
 *
 * Idea     A block copies its tile, and a halo of one pixel around it, to shared memory once.  The
 *          nine reads of each pixel then come from there.
 * Against  cuda_naive, whose nine reads all go through the first-level cache.
 * Expect   Little gain or none: that cache is the same memory on the chip, and with neighbours one
 *          pixel away it serves as many reads.  The tile saves look-ups and costs a barrier:
 *          fetching and computing overlap only between blocks.  Memory carries 8 bytes per pixel
 *          either way.
 * Try      TILE = 16, 64: how many pixels are halo?  Then sums of three, kept from row to row.
 * Level    2
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_in, d_out, d_scratch; NINTH */

enum {
    TILE = 32,      /* pixels of a tile, each way; a warp computes a row of it at a time */
    DOWN = 8,       /* warps of a block */
    SIDE = TILE + 2 /* tile and halo */
};

__device__ static float mean(float sum) { return sum * NINTH; }
__device__ static uint8_t mean(int sum) { return (uint8_t)(sum / 9); }

template <class pixel>
__global__ static void stencil_shared(size_t rows, size_t cols, const pixel *in, pixel *out)
{
    __shared__ pixel tile[SIDE][SIDE]; /* tile[1][1] is the pixel at top, left */
    unsigned across = (unsigned)((cols + TILE - 1) / TILE);
    size_t top = (size_t)(blockIdx.x / across) * TILE, left = (size_t)(blockIdx.x % across) * TILE;

    /* Halo and tile together, row after row.  Pixels outside the image are never used, so the nearest pixel inside is
       loaded for them. */
    for (unsigned i = threadIdx.y * TILE + threadIdx.x; i < SIDE * SIDE; i += DOWN * TILE) {
        size_t r = top + i / SIDE, c = left + i % SIDE; /* one further than in the image */

        r = r == 0 ? 0 : r > rows ? rows - 1 : r - 1;
        c = c == 0 ? 0 : c > cols ? cols - 1 : c - 1;
        tile[i / SIDE][i % SIDE] = in[r * cols + c];
    }
    __syncthreads(); /* the tile is complete */

    size_t c = left + threadIdx.x;
    for (unsigned y = threadIdx.y; y < TILE; y += DOWN) {
        size_t r = top + y;
        const pixel *up = &tile[y][threadIdx.x + 1], *mid = up + SIDE, *down = mid + SIDE;

        if (r >= rows || c >= cols)
            return;
        if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1)
            out[r * cols + c] = mid[0];
        else
            out[r * cols + c] = mean(up[-1] + up[0] + up[1] +
                                     mid[-1] + mid[0] + mid[1] +
                                     down[-1] + down[0] + down[1]);
    }
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    dim3 block(TILE, DOWN);
    size_t blocks = ((p->cols + TILE - 1) / TILE) * ((p->rows + TILE - 1) / TILE);
    const void *from = d_in;

    if (blocks == 0)
        return;
    if (p->sweeps == 0)
        CUDA(cudaMemcpyAsync(d_out, d_in, image_bytes(p), cudaMemcpyDeviceToDevice));
    for (size_t left = p->sweeps; left > 0; left--) {
        void *to = left % 2 == 1 ? d_out : d_scratch;

        if (p->bytes)
            stencil_shared<<<(unsigned)blocks, block>>>(p->rows, p->cols, (const uint8_t *)from,
                                                        (uint8_t *)to);
        else
            stencil_shared<<<(unsigned)blocks, block>>>(p->rows, p->cols, (const float *)from,
                                                        (float *)to);
        CUDA(cudaGetLastError());
        from = to;
    }
}

VARIANT(.idea = "a tile and its halo in shared memory",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
