/* Tensor cores: products of halves, sums in float32. */
/* nvcc: sm_90a */
#include <cuda_fp16.h>

#define NUMBER __half
#define K 16
#define INSTRUCTION                                                                                \
    "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 " PLACES ", %128, %129, add, 1, 1, 0, 0;"
#include "gpu_wgmma.h"

CEILING(RESOURCE_ARITHMETIC, .idea = "tensor cores alone, halves, sums in float32",
        .device = &device_gpu, .math = MATH_F16, .refuse = refuse, .run = run)
