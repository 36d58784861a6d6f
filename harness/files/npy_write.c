#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/files/npy.h"

/* Writes "()", "(3,)" or "(3, 4)", as Python does. */
static void write_shape(char *text, size_t bytes, size_t rank, const size_t shape[])
{
    size_t length = 1;

    (void)snprintf(text, bytes, "(");
    for (size_t d = 0; d < rank; d++) {
        (void)snprintf(text + length, bytes - length, "%s%zu", d > 0 ? ", " : "", shape[d]);
        length += strlen(text + length);
    }
    (void)snprintf(text + length, bytes - length, rank == 1 ? ",)" : ")");
}

void npy_write_to(struct outfile *out, enum element element, size_t rank, const size_t shape[],
                  const void *data)
{
    static const char *const types[] = {[ELEMENT_F32] = "f4", [ELEMENT_U8] = "u1",
                                        [ELEMENT_COMPLEX] = "c8", [ELEMENT_U32] = "u4",
                                        [ELEMENT_F64] = "f8", [ELEMENT_I16] = "i2"};
    const char order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? '>' : '<';
    enum { PREFIX = 10 }; /* bytes before the text: magic, version 1.0, the text's length */
    size_t bytes = element_bytes(element);
    char tuple[ARRAY_RANK * 24], text[6 * 64];

    write_shape(tuple, sizeof tuple, rank, shape);
    int used = snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, "
                        "'shape': %s, }", element == ELEMENT_U8 ? '|' : order, types[element],
                        tuple);
    /* Padded with blanks and a newline, so that the data begin at a multiple of 64. */
    size_t length = (PREFIX + (size_t)used + 1 + 63) / 64 * 64 - PREFIX;
    memset(text + used, ' ', length - (size_t)used);
    text[length - 1] = '\n';
    const unsigned char low_high[] = {length & 0xFF, (unsigned char)(length >> 8)};

    outfile_write(out, "\x93NUMPY\x01\x00", 8);
    outfile_write(out, low_high, sizeof low_high);
    outfile_write(out, text, length);
    for (size_t d = 0; d < rank; d++)
        bytes *= shape[d];
    outfile_write(out, data, bytes);
}

bool npy_writes(const void *opened, const char *file, struct error *error)
{
    const size_t length = strlen(file);

    (void)opened;
    if (strcmp(file, "-") == 0 && isatty(STDOUT_FILENO))
        return error_set(error, "--out -: the answer is an NPY file, which a terminal does not show: name a file, or use a pipe");
    return outfile_is_stream(file) || (length > 4 && strcmp(file + length - 4, ".npy") == 0) ||
           error_set(error, "%s: the answer is written as .npy", file);
}

bool npy_write(const char *file, enum element element, size_t rank, const size_t shape[],
               const void *data, struct error *error)
{
    struct outfile out;

    if (!outfile_open(&out, file, error))
        return false;
    npy_write_to(&out, element, rank, shape, data);
    return outfile_close(&out, error);
}
