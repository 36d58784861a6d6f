/*
 * Gray images.  Pixels are bytes where the file has up to 8 bits each, else float32 with the file's
 * own numbers (0 to 65535 for 16 bits).
 */
#ifndef RUNGS_IMAGE_H
#define RUNGS_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "harness/base/error.h"

struct image {
    size_t rows, cols;
    uint8_t *bytes; /* [rows][cols]; one of the two is there, the other is NULL */
    float *floats;  /* [rows][cols] */
};

/* Reads PGM, NPY and, where libpng was there for the build, PNG, by what the file holds. */
bool image_read(const char *file, struct image *image, struct error *error);

/* Writes the format that the file's name ends in: .pgm, .npy, .png.  The first and the last hold
   bytes: floats are rounded for them, and refused if one is not between 0 and 255. */
bool image_write(const char *file, const struct image *image, struct error *error);

void image_free(struct image *image);

#endif
