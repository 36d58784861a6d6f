/* cuTensorMapEncodeTiled, for arrays of one or two dimensions, and how a program finds it. */
#include <string.h>

#include "harness/sim/include/cuda.h"
#include "harness/sim/sim.h"
#include "harness/sim/ptx/tensor_map.h"

_Static_assert(sizeof(struct tensor_map) <= sizeof(CUtensorMap), "fits");

static uint32_t size_of(CUtensorMapDataType type)
{
    switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8: return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64: return 8;
    default: return 4;
    }
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                void *start, const cuuint64_t *sides, const cuuint64_t *strides,
                                const cuuint32_t *box, const cuuint32_t *every,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    static const uint32_t bits[] = {0, 1, 2, 3};
    struct tensor_map m = {.magic = MAP_MAGIC, .size = size_of(type), .start = start,
                           .tf32 = type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
                           .box = {1, 1}, .side = {1, 1}};

    (void)promotion;
    if (rank < 1 || rank > MAP_SIDES || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
        fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE || swizzle > CU_TENSOR_MAP_SWIZZLE_128B ||
        type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ ||
        type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
        sim_fail(CALLER, "cuTensorMapEncodeTiled cannot be simulated with more than two sides, "
                         "with interleaving, with another filling than zeros, or for types that "
                         "make zeros of subnormals");
    m.swizzle = bits[swizzle];
    for (cuuint32_t i = 0; i < rank; i++) {
        m.side[i] = sides[i];
        m.box[i] = box[i];
        if (sides[i] < 1 || sides[i] > (cuuint64_t)1 << 32 || box[i] < 1 || box[i] > 256 ||
            every[i] != 1)
            return CUDA_ERROR_INVALID_VALUE;
    }
    m.row_bytes = rank > 1 ? strides[0] : 0;
    if ((uintptr_t)start % 16 != 0 || m.row_bytes % 16 != 0 || m.row_bytes >> 40 != 0 ||
        m.box[0] * m.size % 16 != 0 || (m.swizzle > 0 && m.box[0] * m.size > 16u << m.swizzle))
        return CUDA_ERROR_INVALID_VALUE;
    memset(map, 0, sizeof *map);
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *found)
{
    void (*const encode)(void) = (void (*)(void))cuTensorMapEncodeTiled;
    const bool is_it = strcmp(name, "cuTensorMapEncodeTiled") == 0;

    (void)flags;
    (void)version;
    *function = NULL;
    if (is_it)
        memcpy(function, &encode, sizeof encode);
    if (found != NULL)
        *found = is_it ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}
