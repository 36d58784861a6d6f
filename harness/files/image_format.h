/*
 * A format of images.  Each is one file that registers itself before main.  A build without libpng simply
 * lacks png.c.
 */
#ifndef RUNGS_IMAGE_FORMAT_H
#define RUNGS_IMAGE_FORMAT_H

#include "harness/files/image.h"
#include "harness/files/infile.h"
#include "harness/files/outfile.h"

struct image_format {
    const char *name;      /* "PGM" */
    const char *extension; /* ".pgm" */
    int first_byte;        /* of every file of this format, and of no other */
    bool only_bytes;       /* `write` gets bytes, never floats */
    bool (*read)(struct infile *in, struct image *image, struct error *error);
    bool (*write)(struct outfile *out, const struct image *image, struct error *error);
    struct image_format *next;
};

void image_format_register(struct image_format *format);

#define IMAGE_FORMAT(...)                                                                          \
    static struct image_format this_format = {__VA_ARGS__};                                        \
    __attribute__((constructor)) static void register_this_format(void)                            \
    {                                                                                              \
        image_format_register(&this_format);                                                       \
    }

/* Allocate the pixels of an image. */
bool image_take_bytes(struct image *image, size_t rows, size_t cols, const char *name,
                      struct error *error);
bool image_take_floats(struct image *image, size_t rows, size_t cols, const char *name,
                       struct error *error);

#endif
