/* Tensor cores: products of halves, sums in float32. */
#define NUMBER __half
#define KIND CUDA_R_16F
#define COMPUTE CUBLAS_COMPUTE_32F
#define CAPABILITY 7
#include "gpu_cublas.h"

CEILING(RESOURCE_ARITHMETIC, .idea = "cuBLAS, 8192 x 8192 halves, sums in float32",
        .device = &device_gpu, .math = MATH_F16, .refuse = refuse, .prepare = prepare, .run = run,
        .release = release)
