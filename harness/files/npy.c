#include "harness/files/npy.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "harness/files/allocate.h"
#include "harness/files/npy_header.h"

static const bool host_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static void swap_bytes(unsigned char *raw, size_t numbers, size_t bytes)
{
    for (unsigned char *number = raw; numbers-- > 0; number += bytes)
        for (size_t i = 0, j = bytes - 1; i < j; i++, j--) {
            unsigned char byte = number[i];

            number[i] = number[j];
            number[j] = byte;
        }
}

static double double_at(const unsigned char *raw)
{
    double value;

    memcpy(&value, raw, sizeof value);
    return value;
}

/* Returns a number of IEEE's 16 bits: a sign, 5 bits of exponent, 10 bits of fraction.  float32 holds all of them. */
static float half_at(const unsigned char *raw)
{
    uint16_t bits;

    memcpy(&bits, raw, sizeof bits);
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float size = NAN;

    if (exponent < 31)
        size = ldexpf((float)(exponent > 0 ? 1024 + fraction : fraction), (exponent > 0 ? exponent : 1) - 25);
    else if (fraction == 0)
        size = INFINITY;
    return bits >> 15 != 0 ? -size : size;
}

struct integer {
    uint64_t size;
    bool negative;
};

static struct integer integer_at(const unsigned char *raw, const struct npy_type *type)
{
    const unsigned unused = 8 * (unsigned)(sizeof(uint64_t) - type->bytes); /* bits */
    uint64_t value = 0;

    memcpy((unsigned char *)&value + (host_big_endian ? unused / 8 : 0), raw, type->bytes);
    value <<= unused; /* the sign is the highest bit now */
    const bool negative = type->number == NUMBER_SIGNED && value >> 63 != 0;
    return (struct integer){(negative ? -value : value) >> unused, negative};
}

static bool float32_holds(uint64_t size)
{
    return size == 0 || size >> __builtin_ctzll(size) < 1 << 24;
}

/* Rounds to float32, and counts what changes. */
static float narrowed(double value, struct array *a)
{
    const float narrow = (float)value;

    if (narrow != value && !isnan(value)) {
        a->rounded++;
        a->beyond += isinf(narrow) != 0;
    }
    return narrow;
}

/* Makes numbers of the file those of memory.  Returns how many it has made: it stops at an integer that float32 cannot
   hold. */
static size_t convert(void *to, const unsigned char *raw, size_t numbers, const struct npy_type *type, struct array *a)
{
    float *narrow = to;

    if (type->number == NUMBER_AS_IT_IS) {
        memcpy(to, raw, numbers * type->bytes);
        return numbers;
    }
    for (size_t i = 0; i < numbers; i++, raw += type->bytes) {
        if (type->number == NUMBER_DOUBLE) {
            narrow[i] = narrowed(double_at(raw), a);
            continue;
        }
        if (type->number == NUMBER_HALF) {
            narrow[i] = half_at(raw);
            continue;
        }
        const struct integer value = integer_at(raw, type);
        if (!float32_holds(value.size))
            return i;
        narrow[i] = value.negative ? -(float)value.size : (float)value.size;
    }
    return numbers;
}

/* The place of an element that comes in Fortran order: a walk through all indices, the first one
   fastest. */
struct walk {
    size_t index[ARRAY_RANK];
    size_t stride[ARRAY_RANK];
    size_t place;
};

static void walk_on(struct walk *w, const struct array *a)
{
    for (size_t d = 0; d < a->rank; d++) {
        w->place += w->stride[d];
        if (++w->index[d] < a->shape[d])
            return;
        w->place -= w->stride[d] * a->shape[d];
        w->index[d] = 0;
    }
}

/* Names the element, whose place in memory this is, and its value in the file. */
static bool refuse(const struct infile *in, const struct array *a, size_t element, const unsigned char *raw,
                   const struct npy_type *type, struct error *error)
{
    const struct integer value = integer_at(raw, type);
    char place[ARRAY_RANK * 24];

    array_place(a, element, place, sizeof place);
    return error_set(error, "%s: %s is %s%" PRIu64 ", which float32 cannot hold: it would be rounded by numpy's "
                     "astype('f4')", in->name, place, value.negative ? "-" : "", value.size);
}

static bool read_data(struct infile *in, const struct npy_header *header, const struct npy_type *type,
                      struct array *a, struct error *error)
{
    enum { CHUNK = 1024 };
    unsigned char raw[CHUNK * 16];
    double elements[CHUNK]; /* elements of any type up to 8 bytes, aligned for it */
    const size_t size = element_bytes(a->element);
    unsigned char *data = a->data;
    struct walk w = {.place = 0};

    for (size_t d = a->rank, stride = 1; d-- > 0; stride *= a->shape[d])
        w.stride[d] = stride;
    for (size_t done = 0, n = 0; done < a->count; done += n) {
        n = a->count - done < CHUNK ? a->count - done : CHUNK;
        const size_t numbers = n * type->numbers;

        if (!infile_read(in, raw, numbers * type->bytes, "array", error))
            return false;
        if (header->big_endian != host_big_endian)
            swap_bytes(raw, numbers, type->bytes);
        /* cppcheck-suppress legacyUninitvar ; it is written there */
        const size_t made = convert(header->fortran_order ? (void *)elements : data + done * size, raw, numbers, type, a);
        for (size_t i = 0; header->fortran_order && i < made / type->numbers; i++, walk_on(&w, a))
            memcpy(data + w.place * size, (unsigned char *)elements + i * size, size);
        if (made < numbers)
            return refuse(in, a, header->fortran_order ? w.place : done + made, raw + made * type->bytes, type, error);
    }
    return infile_at_end(in, "array", error);
}

/* Computes the product of the shape.  Returns false if such an array would exceed the address space.
   A 0 counts as 1 in that test, so that partial products do not overflow either. */
static bool count_elements(struct array *a)
{
    size_t product = 2 * sizeof(double);

    a->count = 1;
    for (size_t d = 0; d < a->rank; d++) {
        if (__builtin_mul_overflow(product, a->shape[d] > 0 ? a->shape[d] : 1, &product))
            return false;
        a->count *= a->shape[d];
    }
    return true;
}

enum keep { KEEP_SMALL, KEEP_DOUBLES, KEEP_NONE }; /* what is not made float32: bytes and int16, or float64 */

static struct npy_type in_memory(struct npy_type type, enum keep keep)
{
    if (keep == KEEP_DOUBLES && type.element == ELEMENT_F32 && type.number == NUMBER_DOUBLE) {
        type.element = ELEMENT_F64;
        type.number = NUMBER_AS_IT_IS;
    }
    if (keep == KEEP_NONE && (type.element == ELEMENT_U8 || type.element == ELEMENT_I16)) {
        type.number = type.element == ELEMENT_U8 ? NUMBER_UNSIGNED : NUMBER_SIGNED;
        type.element = ELEMENT_F32;
    }
    return type;
}

static bool read_array(struct infile *in, enum keep keep, struct array *array, struct error *error)
{
    struct npy_header header = {.rank = 0};
    struct array a = {.rank = 0};

    *array = a;
    if (!npy_header_read(in, &header, error))
        return false;
    const struct npy_type type = in_memory(*header.type, keep);
    a.element = type.element;
    a.rank = header.rank;
    memcpy(a.shape, header.shape, sizeof a.shape);
    if (!count_elements(&a))
        return error_set(error, "%s: the shape has more elements than can be addressed", in->name);
    if (!infile_holds(in, a.count * type.numbers * type.bytes, "array", error))
        return false;
    a.data = allocate(a.count, element_bytes(a.element), in->name, error);
    if (a.data == NULL)
        return false;
    if (!read_data(in, &header, &type, &a, error)) {
        array_free(&a);
        return false;
    }
    *array = a;
    return true;
}

bool npy_read_from(struct infile *in, struct array *array, struct error *error)
{
    return read_array(in, KEEP_SMALL, array, error);
}

bool npy_read_wide_from(struct infile *in, struct array *array, struct error *error)
{
    return read_array(in, KEEP_DOUBLES, array, error);
}

static bool read_file(const char *file, enum keep keep, struct array *array, struct error *error)
{
    struct infile in;

    *array = (struct array){.rank = 0};
    if (!infile_open(&in, file, error))
        return false;
    bool good = read_array(&in, keep, array, error);
    infile_close(&in);
    return good;
}

bool npy_read(const char *file, struct array *array, struct error *error)
{
    return read_file(file, KEEP_SMALL, array, error);
}

bool npy_read_numbers(const char *file, struct array *array, struct error *error)
{
    return read_file(file, KEEP_NONE, array, error);
}
