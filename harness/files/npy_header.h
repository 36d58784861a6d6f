/*
 * The header of an NPY file: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 */
#ifndef RUNGS_NPY_HEADER_H
#define RUNGS_NPY_HEADER_H

#include "harness/files/npy.h"

/* A type that can be read: `bytes` for a number in the file, `numbers` for an element. */
struct npy_type {
    const char *name; /* "f4" */
    enum element element;
    size_t bytes, numbers;
    enum npy_number { NUMBER_AS_IT_IS, NUMBER_HALF, NUMBER_DOUBLE, NUMBER_SIGNED, NUMBER_UNSIGNED } number; /* how it becomes that */
};

struct npy_header {
    const struct npy_type *type;
    bool big_endian;
    bool fortran_order; /* the first index runs fastest */
    size_t rank;
    size_t shape[ARRAY_RANK];
};

/* Reads everything before the data. */
bool npy_header_read(struct infile *in, struct npy_header *header, struct error *error);

#endif
