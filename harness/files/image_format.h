/*
 * A format of images, which registers itself before main.  A build without libpng simply lacks png.c.
 */
#ifndef RUNGS_IMAGE_FORMAT_H
#define RUNGS_IMAGE_FORMAT_H

#include "harness/files/image.h"
#include "harness/files/infile.h"
#include "harness/files/outfile.h"

struct image_format {
    const char *name;      /* "PGM" */
    const char *extension; /* ".pgm" */
    int first_byte;        /* of every file that `read` reads, and of no other format */
    bool holds[5];         /* images of so many channels */
    bool (*read)(struct infile *in, struct image *image, struct error *error);
    bool (*write)(struct outfile *out, const struct image *image, struct error *error); /* or NULL */
    struct image_format *next;
};

void image_format_register(struct image_format *format);

#define IMAGE_FORMAT(id, ...)                                                                      \
    static struct image_format format_##id = {__VA_ARGS__};                                        \
    __attribute__((constructor)) static void register_##id(void)                                   \
    {                                                                                              \
        image_format_register(&format_##id);                                                       \
    }

/* Allocates the pixels of an image whose other members are set. */
bool image_take(struct image *image, const char *name, struct error *error);

/*
 * Rows as they are in PNG, PGM and PPM: the channels of a pixel follow each other, and a number takes a
 * byte, or two if white is more than 255, the higher first.
 */
size_t image_row_bytes(const struct image *image, unsigned white);
void image_put_row(struct image *image, size_t row, const unsigned char *raw);

/* The values are scaled from the image's white to this one, and rounded.  Fails if the image's white is
   not known and a value exceeds this one. */
bool image_get_row(const struct image *image, size_t row, unsigned white, unsigned char *raw,
                   const char *name, struct error *error);

#endif
