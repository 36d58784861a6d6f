/* Tensor cores: products of TF32, sums in float32. */
#define NUMBER float
#define KIND CUDA_R_32F
#define COMPUTE CUBLAS_COMPUTE_32F_FAST_TF32
#define CAPABILITY 8
#include "gpu_cublas.h"

CEILING(RESOURCE_ARITHMETIC, .idea = "cuBLAS, 8192 x 8192 numbers, products in TF32",
        .device = &device_gpu, .math = MATH_TF32, .refuse = refuse, .prepare = prepare, .run = run,
        .release = release)
