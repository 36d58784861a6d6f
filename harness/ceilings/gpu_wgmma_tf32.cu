/* Tensor cores: products of TF32, sums in float32. */
/* nvcc: sm_90a */
#define NUMBER float
#define K 8
#define INSTRUCTION                                                                                \
    "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 " PLACES ", %128, %129, add, 1, 1;"
#include "gpu_wgmma.h"

CEILING(RESOURCE_ARITHMETIC, .idea = "tensor cores alone, TF32, sums in float32",
        .device = &device_gpu, .math = MATH_TF32, .refuse = refuse, .run = run)
