/* EXERCISE
title: There and back
problem: saxpy
concept: memory on the GPU, copies, what they cost
minutes: 15
story:
  The kernel of exercise 03 works on the memory of the GPU, but the data are in the memory of the host. The host must reserve
  memory on the GPU, copy x and y there, and copy z back. This takes time.

  These rates were measured on an H200. To start a kernel and wait for it takes 8 microseconds. The running kernel moves
  4000 bytes in a nanosecond (4000 GB/s). The bus between host and GPU moves 10 bytes in a nanosecond (10 GB/s). One core of
  the processor beside it moves 12 bytes in a nanosecond (12 GB/s).
task:
  - Fill in prepare, upload, download and release. The calls are cudaMalloc(&d_x, bytes), cudaFree(d_x), and
  cudaMemcpy(to, from, bytes, kind), where the kind is cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost. Put each call in
  CUDA(...): if the call fails, this says where and why. Exercise 03 has examples of all of them.
  - The data are on the GPU already. From how many elements on is the GPU faster than the core? Work it out from the
  rates above; an element is 12 bytes. Write the number behind "answer n:" at the top of the file.
now: nothing is on the GPU, so the kernel has null pointers
goal: two copies to the GPU and one back, of 4 bytes for each element
why: x and y are read, and z is written; any other copy costs time and is not used
sizes: 0 1 2 31 33 256 257 1009 100003
count: 8192
gate: copies_in <= 2 | copies-too-much | The kernel does not read z, so z need not be copied to the GPU.
gate: copies_out <= 1 | copies-too-much | Only z has changed. The host still has x and y.
answer n: 8000 within 2 | The core needs n * 12 / 12 nanoseconds. The GPU needs 8000 nanoseconds even for the smallest n; the n * 12 / 4000 for its memory add little.
starter: null-pointer
hint 1:
  Ask for each of the three arrays: does the GPU need its values, and does the host need them afterwards? Which copies
  follow from that?
hint 2:
  cudaMalloc(&d_x, bytes) sets the pointer d_x; until then it is 0. cudaMemcpy takes the destination first. Both count
  bytes, not elements.
hint 3:
  prepare: room for three arrays of n floats
  upload: to d_x from p->x, to d_y from p->y; kind: from host to device
  download: to p->z from d_z; kind: from device to host
  release: free all three
  the question: n * 12 / 12 = 8000 nanoseconds
say null-pointer: is called after |
  prepare, upload, run and download are called in this order. prepare makes all arrays.
say null-pointer: that function only |
  cudaMalloc stores the address in the variable whose address it gets. Here that is a variable, or a parameter, of one function, and
  d_x, d_y or d_z still has no address. A function that is to set a pointer needs the pointer's address: float **.
say null-pointer:
  A pointer that the kernel or a copy was given is still 0: no cudaMalloc has set it. Which of d_x, d_y and d_z does prepare set?
say unwritten-read: is called after |
  prepare, upload, run and download are called in this order. What the kernel reads must have been copied before, in upload.
say unwritten-read: nothing in it | There is room for the array on the GPU, but nothing was copied into it.
say unwritten-read:
  There is room for the array on the GPU, but not all that the kernel reads was copied into it. cudaMemcpy counts bytes, and a float has
  4. And where does each copy begin?
say out-of-bounds: counts in floats |
  d_x + n is n floats behind d_x. The offset of a part is a number of floats, n, and not of bytes.
say out-of-bounds: a pointer has |
  sizeof of a pointer is the size of an address, whatever it points to. Each element has sizeof(float) bytes.
say out-of-bounds: less than n floats |
  cudaMalloc counts bytes: n floats are n * sizeof(float) bytes.
say out-of-bounds:
  A copy or a kernel goes past the end of an array. Compare the bytes that the array has with those that n floats need.
say nothing-written: no kernel was launched |
  The copy back stands in upload, which runs before the kernel. It belongs into download, which runs behind it.
say nothing-written:
  No result has come back. The copy from d_z to p->z belongs into download, which runs behind the kernel.
say reads-early:
  prepare only reserves memory. The data come later: copy them in upload, which is called for all data.
say use-after-free: has not made it again |
  prepare is called for each problem, and each time it must reserve. A pointer that was freed is not 0: it still holds the old address.
say use-after-free:
  upload, run and download are called again and again. Only release may free, because it is called once, at the end.
say part-missing:
  Only the first part of z was copied back. cudaMemcpy counts bytes, so a copy of n bytes brings a quarter of n floats.
say freed-twice: inside of one |
  cudaMalloc returns the start of what it reserves, and cudaFree takes that start and frees all of it. A pointer to a place inside, such
  as d_x + n, is not freed by itself.
say second-run:
  The kernel runs again without new copies. What it reads must still be there: does d_z point to memory that x and y do not use?
say freed-twice:
  d_x, d_y and d_z must point to what cudaMalloc has reserved, and each is freed by cudaFree, once.
say device-pointer:
  What cudaMalloc has reserved is freed by cudaFree and copied by cudaMemcpy. The host's own functions cannot touch it.
say leak: of them were freed |
  The quoted line reserves again each time that it is reached, and release frees only what the pointers hold in the end. upload is called
  for all new data: reserve in prepare, which is called once.
say leak: is in upload |
  upload is called for all new data, so it would reserve memory each time. Reserve it in prepare, which is called once.
say leak:
  release frees every array that prepare reserves.
say crash: prepare |
  cudaMalloc sets your pointer, so it needs the pointer's address: &d_x, and not d_x.
say not-computed:
  Which of the three arrays has the kernel written? That one is to be copied back.
say wrong-part:
  A copy takes a number of bytes, and n floats are more bytes than n.
say exchanged:
  Compare the sources of the two copies, p->x and p->y, and their destinations.
say wrong-direction: the pointer itself |
  A copy needs the address that is in the pointer: d_x. Only cudaMalloc needs &d_x, because it sets the pointer.
say wrong-direction:
  cudaMemcpy takes the destination first, like memcpy. The kind says from where to where.
say host-pointer:
  p->x is in the memory of the host. The kernel needs the copy, d_x.
wrong half_of_y: unwritten-read | How many bytes have n floats?
wrong no_copy_of_y: unwritten-read | Which of the arrays does the kernel read?
wrong late_x: unwritten-read | In which order are upload, run and download called?
wrong late_z: null-pointer | In which order are prepare, run and download called?
wrong frees_early: use-after-free | Which function is called when nothing uses the arrays any more?
wrong elements_for_bytes: unwritten-read | How many bytes are n floats?
wrong room_for_elements: out-of-bounds | What does cudaMalloc count?
wrong brings_y: not-computed | Which array has the kernel written?
wrong size_of_z: out-of-bounds | How large is a pointer, and how large is what it points to?
wrong address_of_pointer: wrong-direction | Where is d_x itself, and where is what it points to?
wrong parts_in_bytes: out-of-bounds | How many floats behind d_x does d_y point?
wrong own_pointers: null-pointer | Which d_x has got the address: that of the file, or that of the function?
wrong back_by_number: wrong-part | How many of the floats are n bytes?
wrong other_way: wrong-direction | Which comes first, source or destination?
wrong not_back: nothing-written | Where is the result now, and where does the judge look for it?
wrong too_early: reads-early | When is prepare called, and when do x and y get their values?
wrong upload_reserves: leak | How often is upload called, and how often release?
wrong once_for_all: use-after-free | What is in d_x after cudaFree(d_x)?
wrong helper_reserves: leak | How often is the helper called, and how often is something freed?
wrong leak: leak | What happens if this is called for a thousand sizes, one after another?
wrong unchecked: unchecked | What would you see if the GPU had no memory left?
wrong one_array: freed-twice | How many arrays has cudaMalloc reserved?
wrong same_place: second-run | What is in y when the kernel runs again?
wrong host_frees: device-pointer | Which function has reserved this memory?
wrong copies_z: copies-too-much | Does the kernel read z?
wrong host_pointer: host-pointer | Is p->x in the memory of the host or of the device?
wrong unanswered: not-answered | Set up the equation: time of the core = time of the GPU.
wrong much_later: wrong-answer | How many nanoseconds are 8 microseconds?
extra:
  Now with the copies: each element moves 12 bytes over the bus. From which n on is the GPU faster than the core? What would
  have to change?
discuss:
  The data are copied to the GPU once, and a hundred kernels work on them there. Does the GPU pay off then?
*/
/*
 * 04 There and back: the host's side of saxpy on a GPU.
 *
 * From how many elements on is the GPU faster than the core, if the data are there already?
 * Write a number in place of the question mark.
 */
#if STARTER || WRONG_unanswered
/* answer n: ? */
#elif WRONG_much_later
/* answer n: 8000000 */
#else
/* answer n: 8000 */
#endif
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256; /* in a block */

static float *d_x, *d_y, *d_z; /* on the device, like everything that begins with d_ */

/* Reserves room on the device for three arrays of p->n floats. */
static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

#if STARTER
    (void)p; /* to be replaced */
#elif WRONG_own_pointers
    float *d_x, *d_y, *d_z;

    CUDA(cudaMalloc(&d_x, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_y, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_z, p->n * sizeof(float)));
#elif WRONG_too_early
    CUDA(cudaMalloc(&d_x, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_y, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_z, p->n * sizeof(float)));
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->n * sizeof(float), cudaMemcpyHostToDevice));
#elif WRONG_upload_reserves
    CUDA(cudaMalloc(&d_z, p->n * sizeof(float)));
#elif WRONG_late_z
    CUDA(cudaMalloc(&d_x, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_y, p->n * sizeof(float)));
#elif WRONG_once_for_all
    if (d_x == NULL) {
        CUDA(cudaMalloc(&d_x, p->n * sizeof(float)));
        CUDA(cudaMalloc(&d_y, p->n * sizeof(float)));
        CUDA(cudaMalloc(&d_z, p->n * sizeof(float)));
    }
#elif WRONG_helper_reserves
    CUDA(cudaMalloc(&d_z, p->n * sizeof(float)));
#elif WRONG_parts_in_bytes
    CUDA(cudaMalloc(&d_x, 3 * p->n * sizeof(float)));
    d_y = d_x + p->n * sizeof(float);
    d_z = d_y + p->n * sizeof(float);
#elif WRONG_one_array
    CUDA(cudaMalloc(&d_x, 3 * p->n * sizeof(float)));
    d_y = d_x + p->n;
    d_z = d_y + p->n;
#elif WRONG_same_place
    CUDA(cudaMalloc(&d_x, 2 * p->n * sizeof(float)));
    d_y = d_x + p->n;
    d_z = d_x + p->n;
#elif WRONG_room_for_elements
    CUDA(cudaMalloc(&d_x, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_y, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_z, p->n));
#else
    CUDA(cudaMalloc(&d_x, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_y, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_z, p->n * sizeof(float)));
#endif
}

#if WRONG_helper_reserves
static float *on_device(const float *host, size_t n)
{
    float *copy;

    CUDA(cudaMalloc(&copy, n * sizeof(float)));
    CUDA(cudaMemcpy(copy, host, n * sizeof(float), cudaMemcpyHostToDevice));
    return copy;
}

#endif
/* Copies to the device what the kernel reads. */
static void upload(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

#if STARTER || WRONG_too_early
    (void)p; /* to be replaced */
#elif WRONG_upload_reserves
    CUDA(cudaMalloc(&d_x, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_y, p->n * sizeof(float)));
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->n * sizeof(float), cudaMemcpyHostToDevice));
#elif WRONG_helper_reserves
    d_x = on_device(p->x, p->n);
    d_y = on_device(p->y, p->n);
#elif WRONG_address_of_pointer
    CUDA(cudaMemcpy(&d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(&d_y, p->y, p->n * sizeof(float), cudaMemcpyHostToDevice));
#elif WRONG_no_copy_of_y
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
#elif WRONG_half_of_y
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->n / 2 * sizeof(float), cudaMemcpyHostToDevice));
#elif WRONG_elements_for_bytes
    CUDA(cudaMemcpy(d_x, p->x, p->n, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->n, cudaMemcpyHostToDevice));
#elif WRONG_late_x
    CUDA(cudaMemcpy(d_y, p->y, p->n * sizeof(float), cudaMemcpyHostToDevice));
#elif WRONG_frees_early
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaFree(d_y));
#elif WRONG_copies_z
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_z, p->z, p->n * sizeof(float), cudaMemcpyHostToDevice));
#elif WRONG_other_way
    CUDA(cudaMemcpy((void *)p->x, d_x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy((void *)p->y, d_y, p->n * sizeof(float), cudaMemcpyHostToDevice));
#else
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->n * sizeof(float), cudaMemcpyHostToDevice));
#endif
}

/* Copies the result back. */
static void download(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

#if STARTER || WRONG_not_back
    (void)p; /* to be replaced */
#elif WRONG_late_x
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(p->z, d_z, p->n * sizeof(float), cudaMemcpyDeviceToHost));
#elif WRONG_late_z
    CUDA(cudaMalloc(&d_z, p->n * sizeof(float)));
    CUDA(cudaMemcpy(p->z, d_z, p->n * sizeof(float), cudaMemcpyDeviceToHost));
#elif WRONG_brings_y
    CUDA(cudaMemcpy(p->z, d_y, p->n * sizeof(float), cudaMemcpyDeviceToHost));
#elif WRONG_size_of_z
    CUDA(cudaMemcpy(p->z, d_z, p->n * sizeof(p->z), cudaMemcpyDeviceToHost));
#elif WRONG_back_by_number
    CUDA(cudaMemcpy(p->z, d_z, p->n, cudaMemcpyDeviceToHost));
#else
    CUDA(cudaMemcpy(p->z, d_z, p->n * sizeof(float), cudaMemcpyDeviceToHost));
#endif
}

/* Frees the memory. */
static void release(void)
{
#if STARTER
    /* to be filled */
#elif WRONG_frees_early
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_z));
#elif WRONG_leak
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
#elif WRONG_parts_in_bytes || WRONG_same_place
    CUDA(cudaFree(d_x));
#elif WRONG_host_frees
    free(d_x);
    free(d_y);
    free(d_z);
#elif WRONG_unchecked
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
#else
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    CUDA(cudaFree(d_z));
#endif
}

/* --- the kernel and its launch: nothing to do here ----------------------------------------------- */

__global__ static void saxpy(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t blocks = (p->n + threads - 1) / threads;

    if (blocks == 0)
        return;
#if WRONG_host_pointer
    saxpy<<<(unsigned)blocks, threads>>>(p->n, p->a, p->x, p->y, d_z);
#else
    saxpy<<<(unsigned)blocks, threads>>>(p->n, p->a, d_x, d_y, d_z);
#endif
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "one thread an element, and the host's side, mine",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
