/* The content of a CUtensorMap: how the copy engine sees an array. */
#ifndef CUDASIM_TENSOR_MAP_H
#define CUDASIM_TENSOR_MAP_H

#include <stdint.h>

enum { MAP_SIDES = 2, MAP_MAGIC = 0x7e4507 };

struct tensor_map {
    uint32_t magic, size;  /* of an element, in bytes */
    uint32_t swizzle;      /* bits: 3 for 128 bytes, 2 for 64, 1 for 32, 0 for none */
    uint32_t tf32;         /* 1: float32, rounded to TF32 on the way */
    uint32_t box[MAP_SIDES]; /* elements, in each direction: along a row first */
    uint64_t side[MAP_SIDES], row_bytes;
    const char *start;
};

#endif
