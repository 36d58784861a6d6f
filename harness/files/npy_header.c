#include "harness/files/npy_header.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_TEXT = 15 };

/* Skips `word`, and blanks before it, if it comes next. */
static bool take(const char **at, const char *word)
{
    const char *start = *at + strspn(*at, " \t\r\n");
    size_t length = strlen(word);

    if (strncmp(start, word, length) != 0)
        return false;
    *at = start + length;
    return true;
}

static bool take_size(const char **at, size_t *size)
{
    const char *start = *at + strspn(*at, " ");
    char *end = NULL;

    if (*start < '0' || *start > '9') /* strtoull would accept a minus sign */
        return false;
    errno = 0;
    unsigned long long value = strtoull(start, &end, 10);
    *at = end;
    *size = (size_t)value;
    return errno == 0 && value <= SIZE_MAX;
}

/* Reads (), (3,) or (3, 4), with or without a comma at the end. */
static bool take_shape(const char **at, struct npy_header *header)
{
    bool more = take(at, "(");

    for (header->rank = 0; more && !take(at, ")"); header->rank++) {
        if (header->rank == ARRAY_RANK || !take_size(at, &header->shape[header->rank]))
            return false;
        if (!take(at, ",")) { /* that was the last */
            header->rank++;
            return take(at, ")");
        }
    }
    return more;
}

/* Reads '<f4', without the byte order.  For a list, which describes a structure, notes only that. */
static bool take_type(const char **at, struct npy_header *header, char type[TYPE_TEXT + 1])
{
    if (take(at, "[")) {
        const char *end = strstr(*at, "]");

        memcpy(type, "[", 2);
        *at = end != NULL ? end + 1 : *at;
        return end != NULL;
    }
    if (!take(at, "'"))
        return false;
    size_t length = strcspn(*at, "'");
    if (length < 2 || length > TYPE_TEXT + 1 || (*at)[length] != '\'')
        return false;
    header->big_endian = **at == '>';
    memcpy(type, *at + 1, length - 1);
    type[length - 1] = '\0';
    *at += length + 1;
    return true;
}

static bool take_order(const char **at, struct npy_header *header)
{
    header->fortran_order = take(at, "True");
    return header->fortran_order || take(at, "False");
}

static bool parse(struct npy_header *header, char type[TYPE_TEXT + 1], const char *text,
                  const char *name, struct error *error)
{
    const char *at = text;
    int types = 0, orders = 0, shapes = 0;
    bool good = take(&at, "{");

    while (good && !take(&at, "}")) {
        if (take(&at, "'descr':"))
            good = types++ == 0 && take_type(&at, header, type);
        else if (take(&at, "'fortran_order':"))
            good = orders++ == 0 && take_order(&at, header);
        else if (take(&at, "'shape':"))
            good = shapes++ == 0 && take_shape(&at, header);
        else
            good = false;
        (void)take(&at, ",");
    }
    if (good && types == 1 && orders == 1 && shapes == 1 && at[strspn(at, " \t\r\n")] == '\0')
        return true;
    return error_set(error, "%s: the header is damaged, or has more than %d dimensions: %.200s",
                     name, ARRAY_RANK, text);
}

static const struct npy_type readable[] = {
    {"f4", ELEMENT_F32, 4, 1, NUMBER_AS_IT_IS},     {"f8", ELEMENT_F32, 8, 1, NUMBER_DOUBLE},
    {"c8", ELEMENT_COMPLEX, 4, 2, NUMBER_AS_IT_IS}, {"c16", ELEMENT_COMPLEX, 8, 2, NUMBER_DOUBLE},
    {"u1", ELEMENT_U8, 1, 1, NUMBER_AS_IT_IS},      {"i2", ELEMENT_I16, 2, 1, NUMBER_AS_IT_IS},
    {"b1", ELEMENT_F32, 1, 1, NUMBER_UNSIGNED},     {"u2", ELEMENT_F32, 2, 1, NUMBER_UNSIGNED},
    {"i1", ELEMENT_F32, 1, 1, NUMBER_SIGNED},       {"i4", ELEMENT_F32, 4, 1, NUMBER_SIGNED},
    {"i8", ELEMENT_F32, 8, 1, NUMBER_SIGNED},       {"u4", ELEMENT_F32, 4, 1, NUMBER_UNSIGNED},
    {"u8", ELEMENT_F32, 8, 1, NUMBER_UNSIGNED},     {"f2", ELEMENT_F32, 2, 1, NUMBER_HALF},
};

static const struct npy_type *find_type(const char *type, const char *name, struct error *error)
{
    static const struct {
        char letter;
        const char *what;
    } kinds[] = {
        {'b', "booleans"},      {'i', "integers"},        {'u', "unsigned integers"},
        {'f', "floats"},        {'c', "complex numbers"}, {'O', "Python objects"},
        {'S', "byte strings"},  {'U', "strings"},         {'M', "dates"},
        {'m', "time spans"},    {'V', "raw bytes"},       {'[', "structures"},
    };
    const char *kind = "something";

    for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++)
        if (strcmp(readable[i].name, type) == 0)
            return &readable[i];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].letter == type[0])
            kind = kinds[i].what;
    error_set(error, "%s: has elements of type %s (%s), not f2, f4, f8, c8, c16, b1, u1, u2, u4, "
              "u8, i1, i2, i4 or i8: convert it with numpy's astype", name, kind, type);
    return NULL;
}

bool npy_header_read(struct infile *in, struct npy_header *header, struct error *error)
{
    enum { LONGEST = 10000 }; /* the same limit as numpy.load */
    unsigned char start[12];
    char text[LONGEST + 1], type[TYPE_TEXT + 1];

    if (!infile_read(in, start, 8, "header", error))
        return false;
    if (memcmp(start, "PK", 2) == 0)
        return error_set(error, "%s: is an archive (.npz?); save one array of it with numpy.save",
                         in->name);
    if (memcmp(start, "\x93NUMPY", 6) != 0)
        return error_set(error, "%s: is not an NPY file%s", in->name,
                         start[0] == 0x80 ? " but a Python pickle" : "");
    if (start[6] < 1 || start[6] > 3 || start[7] != 0)
        return error_set(error, "%s: format version %d.%d is not 1.0, 2.0 or 3.0", in->name,
                         start[6], start[7]);

    size_t width = start[6] == 1 ? 2 : 4, length = 0;
    if (!infile_read(in, start + 8, width, "header", error))
        return false;
    while (width-- > 0)
        length = length << 8 | start[8 + width];
    if (length > LONGEST)
        return error_set(error, "%s: the header has %zu bytes, more than %d", in->name, length,
                         LONGEST);
    if (!infile_read(in, text, length, "header", error))
        return false;
    text[length] = '\0';
    if (strlen(text) != length)
        return error_set(error, "%s: a NUL byte in the header", in->name);
    if (!parse(header, type, text, in->name, error))
        return false;
    header->type = find_type(type, in->name, error);
    return header->type != NULL;
}
