/*
 * NumPy's array files (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html),
 * format versions 1.0 to 3.0.
 *
 *     in the file                         in memory
 *     floats                f2  f4  f8    float32; what float64 has beyond its range is infinite
 *     integers, booleans    b1 i1 u2 i4 u4 i8 u8  float32; a number that float32 cannot hold is refused by its place
 *     bytes                 u1            bytes
 *     int16                 i2            int16
 *     complex64, complex128 c8  c16       complex of two float32, the real part first
 *
 * npy_read_numbers makes bytes and int16 float32, too.
 *
 * Either byte order, and either order of the axes: in memory the last index is the fastest.  Other
 * types are refused by name.  Numbers that are not finite are kept: ask array_finite.
 */
#ifndef RUNGS_NPY_H
#define RUNGS_NPY_H

#include <stddef.h>

#include "harness/base/error.h"
#include "harness/files/infile.h"
#include "harness/files/outfile.h"

enum { ARRAY_RANK = 8 };

enum element {
    ELEMENT_F32,
    ELEMENT_U8,
    ELEMENT_COMPLEX,
    ELEMENT_F64, /* read by npy_read_wide_from only */
    ELEMENT_U32, /* for answers: written, never read */
    ELEMENT_I16
};

size_t element_bytes(enum element element); /* in memory */

struct array {
    enum element element;
    size_t rank; /* 0: a single number */
    size_t shape[ARRAY_RANK];
    size_t count; /* elements: the product of the shape */
    void *data;   /* float, uint8_t or int16_t [count], or float [count][2] */
    size_t rounded, beyond; /* numbers of float64 that float32 does not hold; those among them that are infinite in memory */
};

/* Read `file`, or the rest of `in`. */
bool npy_read(const char *file, struct array *array, struct error *error);
bool npy_read_numbers(const char *file, struct array *array, struct error *error); /* float32, or complex of it */
bool npy_read_from(struct infile *in, struct array *array, struct error *error);
bool npy_read_wide_from(struct infile *in, struct array *array, struct error *error); /* keeps float64 */

/* For `writes` of a struct user_data: is this a name for an answer in NPY, or standard output that is no terminal? */
bool npy_writes(const void *opened, const char *file, struct error *error);

/* Write `file`, or into `out`. */
bool npy_write(const char *file, enum element element, size_t rank, const size_t shape[],
               const void *data, struct error *error);
void npy_write_to(struct outfile *out, enum element element, size_t rank, const size_t shape[],
                  const void *data);

/* Returns whether every number is finite.  Else the error names the first that is not: "x.npy: [3][17]
   is NaN". */
bool array_finite(const struct array *array, const char *name, struct error *error);

/* Adds to the text how many numbers of the file were rounded to float32, if any. */
void array_remark(const struct array *array, char *text, size_t bytes);

/* Writes the place of element i: "[3][17]"; of a single number: "the number". */
void array_place(const struct array *array, size_t i, char *text, size_t bytes);

void array_free(struct array *array);

#endif
