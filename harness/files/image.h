/*
 * Images of one to four channels, each a plane of its own.  The numbers are the file's own.
 */
#ifndef RUNGS_IMAGE_H
#define RUNGS_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "harness/base/error.h"

struct image {
    size_t rows, cols;
    size_t channels; /* 1: gray; 2: gray, alpha; 3: red, green, blue; 4: these and alpha */
    unsigned white;  /* the largest value that a pixel may have: 255, 65535, ...; 0: not known */
    uint8_t *bytes;  /* [channels][rows][cols], if white is at most 255; else NULL */
    float *floats;   /* [channels][rows][cols], else */
};

/* Reads NPY, PGM, PPM or, if the build has their libraries, JPEG, PNG and what GDAL reads (TIFF ...).  The file's
   content decides which. */
bool image_read(const char *file, struct image *image, struct error *error);

/* Writes the format that the file's extension names: .npy, .pgm, .png, .ppm; PNG to "-".  All but NPY hold whole
   numbers: floats are rounded.  Where white is not known, it is 255, and a pixel that is not between
   0 and 255 is an error. */
bool image_write(const char *file, const struct image *image, struct error *error);

/* Returns whether image_write knows the extension, and its format holds so many channels. */
bool image_writable(const char *file, size_t channels, struct error *error);

void image_free(struct image *image);

#endif
