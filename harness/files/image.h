/*
 * Gray images.  Pixels are bytes if the file has up to 8 bits a pixel, else float32 with the file's own
 * numbers (0 to 65535 for 16 bits).
 */
#ifndef RUNGS_IMAGE_H
#define RUNGS_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "harness/base/error.h"

struct image {
    size_t rows, cols;
    uint8_t *bytes; /* [rows][cols]; one of the two is NULL */
    float *floats;  /* [rows][cols] */
};

/* Reads PGM, NPY or, if the build has libpng, PNG.  The file's content decides which. */
bool image_read(const char *file, struct image *image, struct error *error);

/* Writes the format that the file's extension names: .pgm, .npy, .png.  PGM and PNG hold bytes: floats
   are rounded, and the image is refused if one is not between 0 and 255. */
bool image_write(const char *file, const struct image *image, struct error *error);

void image_free(struct image *image);

#endif
