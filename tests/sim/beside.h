/* Included by oddities.cu: a launch in a header, and a kernel with dynamic shared memory. */
__global__ static void in_a_header(int *x)
{
    extern __shared__ int s[];

    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

static void launch_in_a_header(int *x)
{
    in_a_header<<<1, 4, 4 * sizeof(int)>>>(x);
}
