#include "tests/unit/files/scratch.h"

#include <math.h>
#include <sys/stat.h>

#include "harness/files/npy.h"

/* A file of version 1.0 with this header and these bytes after it. */
static const char *npy_file(const char *header, const void *data, size_t bytes)
{
    unsigned char file[512] = "\x93NUMPY\x01";
    size_t length = strlen(header);

    assert_true(length < 256 && 10 + length + bytes <= sizeof file);
    file[8] = (unsigned char)length;
    (void)snprintf((char *)file + 10, sizeof file - 10, "%s", header);
    memcpy(file + 10 + length, data, bytes);
    return scratch_file("a.npy", file, 10 + length + bytes);
}

static void refuses(void **state)
{
#define HEADER(type, order, shape)                                                                 \
    "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }\n"
#define TYPES "not f2, f4, f8, c8, c16, b1, u1, u2, u4, u8, i1, i2, i4 or i8: convert it with numpy's astype"
    static const struct {
        const char *header, *error;
        size_t bytes;
    } bads[] = {
        {HEADER("<f4", "False", "(3,)"), ": the array has 8 bytes instead of 12", 8},
        {HEADER("<f4", "False", "(2,)"), ": more bytes follow the array", 9},
        {HEADER("<c16", "False", "(2,)"), ": the array has 31 bytes instead of 32", 31},
        {HEADER("<u3", "False", "(1,)"), ": has elements of type unsigned integers (u3), " TYPES, 8},
        {HEADER("|O", "False", "(1,)"), ": has elements of type Python objects (O), " TYPES, 8},
        {HEADER("<f16", "False", "(1,)"), ": has elements of type floats (f16), " TYPES, 16},
        {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }",
         ": has elements of type structures ([), " TYPES, 4},
        {HEADER("<f4", "False", "(4294967296, 4294967296)"),
         ": the shape has more elements than can be addressed", 4},
        {HEADER("<f4", "False", "(0, 4294967296, 4294967296)"),
         ": the shape has more elements than can be addressed", 0},
    };
    static const char *const damaged[] = {
        "", "{", "{}", "[1]", HEADER("<f4", "false", "(1,)"), HEADER("<f4", "False", "1"),
        HEADER("<f4", "False", "(-1,)"), HEADER("<f4", "False", "(1 2)"),
        HEADER("<f4", "False", "(1,,)"), HEADER("<f4", "False", "(18446744073709551616,)"),
        HEADER("<f4", "False", "(1,1,1,1,1,1,1,1,1)"), HEADER("<f4", "False", "(1,)") "x",
        HEADER("<f4 is not a type at all", "False", "(1,)"),
        "{'descr': '<f4', 'shape': (1,), }", "{'descr': '<f4', 'fortran_order': False, }",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
    };
#undef HEADER
#undef TYPES
    static const unsigned char zeros[64];
    struct array a;
    struct error error = {""};

    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        const char *path = npy_file(bads[i].header, zeros, bads[i].bytes);

        assert_false(npy_read(path, &a, &error));
        assert_error(&error, path, bads[i].error);
        assert_null(a.data);
    }
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        assert_false(npy_read(npy_file(damaged[i], zeros, 4), &a, &error));
        if (strstr(error.text, ".npy: the header is damaged") == NULL)
            fail_msg("%s gave %s", damaged[i], error.text);
    }
}

static void refuses_what_is_no_npy(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *error;
    } bads[] = {
        {"", 0, ": is empty"},
        {"\x93NUM", 4, ": ends within the header"},
        {"\x93NUMPY\x01\x00\x10\x00{'descr'", 18, ": ends within the header"},
        {"\x93NUMPY\x04\x00\x10\x00", 10, ": format version 4.0 is not 1.0, 2.0 or 3.0"},
        {"\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 12,
         ": the header has 4294967295 bytes, more than 10000"},
        {"\x93NUMPY\x01\x00\x02\x00{\0", 12, ": a NUL byte in the header"},
        {"\x80\x04\x95 pickle", 10, ": is not an NPY file but a Python pickle"},
        {"PK\x03\x04 many arrays", 16, ": is an archive (.npz?); save one array of it with "
                                       "numpy.save"},
        {"lat,lon\n1,2\n", 12, ": is not an NPY file"},
    };
    struct array a;
    struct error error = {""};

    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        const char *path = scratch_file("b.npy", bads[i].bytes, bads[i].size);

        assert_false(npy_read(path, &a, &error));
        assert_error(&error, path, bads[i].error);
    }
}

/* [[1, 2, 3], [4, 5, 6]] in every form that is read. */
static void reads_every_type(void **state)
{
    static const float narrow[] = {1, 2, 3, 4, 5, 6};
    static const double wide[] = {1, 2, 3, 4, 5, 6};
    static const unsigned char big[] = {0x3F, 0x80, 0, 0, 0x40, 0,    0, 0, 0x40, 0x40, 0, 0,
                                        0x40, 0x80, 0, 0, 0x40, 0xA0, 0, 0, 0x40, 0xC0, 0, 0};
    static const float by_columns[] = {1, 4, 2, 5, 3, 6};
    static const struct {
        const char *header;
        const void *data;
        size_t bytes;
    } goods[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n", narrow, 24},
        {"{'descr':'<f8','fortran_order':False,'shape':(2,3)}", wide, 48},
        {"{'shape': (2, 3,), 'fortran_order': False, 'descr': '>f4', }", big, 24},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", by_columns, 24},
    };
    struct array a;
    struct error error = {""};

    (void)state;
    for (size_t i = 0; i < sizeof goods / sizeof goods[0]; i++) {
        if (!npy_read(npy_file(goods[i].header, goods[i].data, goods[i].bytes), &a, &error))
            fail_msg("%s", error.text);
        assert_int_equal(a.element, ELEMENT_F32);
        assert_int_equal(a.rank, 2);
        assert_int_equal(a.shape[0], 2);
        assert_int_equal(a.shape[1], 3);
        assert_int_equal(a.count, 6);
        assert_memory_equal(a.data, narrow, sizeof narrow);
        array_free(&a);
    }

    assert_true(npy_read(npy_file("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "x",
                                  1), &a, &error));
    assert_int_equal(a.element, ELEMENT_U8);
    assert_int_equal(a.rank, 0);
    assert_int_equal(a.count, 1);
    assert_int_equal(*(uint8_t *)a.data, 'x');
    array_free(&a);

    assert_true(npy_read(npy_file("{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }",
                                  wide, 48), &a, &error));
    assert_int_equal(a.element, ELEMENT_COMPLEX);
    assert_int_equal(a.count, 3);
    assert_memory_equal(a.data, narrow, sizeof narrow);
    array_free(&a);
}

/* Three numbers of each type, in either byte order. */
static void reads_integers(void **state)
{
    static const struct {
        const char *type;
        unsigned char bytes[24];
        size_t size;
        float want[3];
    } types[] = {
        {"|b1", {1, 0, 1}, 3, {1, 0, 1}},
        {"|i1", {255, 128, 127}, 3, {-1, -128, 127}},
        {"<u2", {255, 255, 1, 2, 0, 0}, 6, {65535, 513, 0}},
        {">u2", {255, 255, 1, 2, 0, 0}, 6, {65535, 258, 0}},
        {"<i4", {255, 255, 255, 255, 0, 0, 0, 1, 0, 0, 0, 128}, 12, {-1, 16777216, -0x1p31F}},
        {">i4", {255, 255, 255, 254, 0, 255, 255, 255, 128, 0, 0, 0}, 12, {-2, 16777215, -0x1p31F}},
        {"<i8", {255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 255, 255, 127}, 24,
         {-1, -0x1p63F, 0x1.fffffcp62F}},
        {">i8", {255, 255, 255, 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 255, 255, 127}, 24,
         {-255, 128, 16777087}},
        {"<u4", {255, 255, 255, 0, 0, 0, 0, 255, 0, 0, 0, 128}, 12, {16777215, 0x1.FEp31F, 0x1p31F}},
        {"<u8", {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 255, 255, 255}, 24,
         {1, 0x1p63F, 0x1.FFFFFEp63F}},
        {"<f2", {0, 0x3e, 1, 0, 255, 0xfb}, 6, {1.5F, 0x1p-24F, -65504}},
        {">f2", {0x7c, 0, 0xfc, 0, 0x04, 0}, 6, {INFINITY, -INFINITY, 0x1p-14F}},
    };
    char header[100];
    struct array a;
    struct error error = {""};

    (void)state;
    for (size_t i = 0; i < 2 * sizeof types / sizeof types[0]; i++) {
        (void)snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (3, 1), }", types[i / 2].type,
                       i % 2 == 1 ? "True" : "False");
        if (!npy_read(npy_file(header, types[i / 2].bytes, types[i / 2].size), &a, &error))
            fail_msg("%s", error.text);
        assert_int_equal(a.element, ELEMENT_F32);
        assert_int_equal(a.count, 3);
        for (size_t k = 0; k < 3; k++)
            if (((float *)a.data)[k] != types[i / 2].want[k])
                fail_msg("%s: [%zu] is %g", types[i / 2].type, k, (double)((float *)a.data)[k]);
        array_free(&a);
    }
}

static void keeps_int16(void **state)
{
    static const unsigned char big[] = {128, 0, 0, 1, 127, 255, 255, 255};
    static const int16_t want[] = {-32768, 32767, 1, -1}; /* the second axis first */
    struct array a;
    struct error error = {""};

    (void)state;
    assert_true(npy_read(npy_file("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }", big, 8), &a, &error));
    assert_int_equal(a.element, ELEMENT_I16);
    assert_memory_equal(a.data, want, sizeof want);
    assert_true(npy_write(scratch_path("i2.npy"), a.element, a.rank, a.shape, a.data, &error));
    array_free(&a);
    assert_true(npy_read(scratch_path("i2.npy"), &a, &error));
    assert_int_equal(a.element, ELEMENT_I16);
    assert_memory_equal(a.data, want, sizeof want);
    array_free(&a);
}

/* Rounding would give another number than the user's. */
static void refuses_integers_that_float32_rounds(void **state)
{
    static const int32_t narrow[] = {1, 2, 16777217, 4};
    static const int64_t wide[] = {INT64_MAX}, low[] = {-16777217};
    static const uint64_t widest[] = {UINT64_MAX};
    struct array a;
    struct error error = {""};
    const char *path = npy_file("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }", narrow, 16);

    (void)state;
#define REASON ", which float32 cannot hold: it would be rounded by numpy's astype('f4')"
    assert_false(npy_read(path, &a, &error));
    assert_error(&error, path, ": [1][0] is 16777217" REASON);
    path = npy_file("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 2), }", narrow, 16);
    assert_false(npy_read(path, &a, &error));
    assert_error(&error, path, ": [0][1] is 16777217" REASON);
    path = npy_file("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", wide, 8);
    assert_false(npy_read(path, &a, &error));
    assert_error(&error, path, ": the number is 9223372036854775807" REASON);
    path = npy_file("{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }", low, 8);
    assert_false(npy_read(path, &a, &error));
    assert_error(&error, path, ": [0] is -16777217" REASON);
    path = npy_file("{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }", widest, 8);
    assert_false(npy_read(path, &a, &error));
    assert_error(&error, path, ": [0] is 18446744073709551615" REASON);
#undef REASON
}

static void reads_versions_2_and_3(void **state)
{
    static const char header[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }";
    unsigned char file[128] = "\x93NUMPY";
    struct array a;
    struct error error = {""};

    (void)state;
    file[8] = sizeof header - 1;
    memcpy(file + 12, header, sizeof header - 1);
    for (unsigned char version = 2; version <= 3; version++) {
        file[6] = version;
        assert_true(npy_read(scratch_file("v.npy", file, 12 + sizeof header), &a, &error));
        assert_int_equal(a.count, 1);
        array_free(&a);
    }
}

/* More than one chunk, three axes, one of them first in the file. */
static void turns_fortran_order(void **state)
{
    enum { A = 7, B = 11, C = 50 };
    static const char header[] = "{'descr': '<f4', 'fortran_order': True, 'shape': (7, 11, 50), }";
    FILE *stream = fopen(scratch_path("f.npy"), "wb");
    struct array a;
    struct error error = {""};

    (void)state;
    assert_non_null(stream);
    fprintf(stream, "\x93NUMPY\x01%c%c%c%s", 0, (int)sizeof header - 1, 0, header);
    for (int c = 0; c < C; c++)
        for (int b = 0; b < B; b++)
            for (int i = 0; i < A; i++) {
                float value = (float)(10000 * i + 100 * b + c);
                fwrite(&value, sizeof value, 1, stream);
            }
    assert_int_equal(fclose(stream), 0);

    assert_true(npy_read(scratch_path("f.npy"), &a, &error));
    const float *value = a.data;
    for (int i = 0; i < A; i++)
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                assert_true(*value++ == (float)(10000 * i + 100 * b + c));
    array_free(&a);
}

static void writes_what_it_reads(void **state)
{
    static const size_t shape[ARRAY_RANK] = {3, 1, 5, 2, 1, 7, 1, 1};
    const char *path = scratch_path("w.npy");
    struct error error = {""};
    float data[210];

    (void)state;
    for (size_t i = 0; i < 210; i++)
        data[i] = (float)i;
    for (size_t rank = 0, count = 1; rank <= ARRAY_RANK; rank++) {
        struct array a;
        struct stat status;

        count *= rank > 0 ? shape[rank - 1] : 1;

        assert_true(npy_write(path, ELEMENT_F32, rank, shape, data, &error));
        assert_true(npy_read(path, &a, &error));
        assert_int_equal(a.rank, rank);
        assert_int_equal(a.count, count);
        assert_memory_equal(a.shape, shape, rank * sizeof shape[0]);
        assert_memory_equal(a.data, data, count * sizeof data[0]);
        array_free(&a);
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal((size_t)status.st_size % 64, count * sizeof data[0] % 64);
    }
}

static void names_what_is_not_finite(void **state)
{
    float data[] = {0, 1, 2, 3, NAN, 5, INFINITY, 7};
    struct array a = {.element = ELEMENT_F32, .rank = 2, .shape = {2, 4}, .count = 8, .data = data};
    struct error error = {""};

    (void)state;
    assert_false(array_finite(&a, "x.npy", &error));
    assert_string_equal(error.text, "x.npy: [1][0] is NaN");
    data[4] = 4;
    assert_false(array_finite(&a, "x.npy", &error));
    assert_string_equal(error.text, "x.npy: [1][2] is infinite");
    a = (struct array){.element = ELEMENT_COMPLEX, .rank = 1, .shape = {4}, .count = 4, .data = data};
    assert_false(array_finite(&a, "x.npy", &error));
    assert_string_equal(error.text, "x.npy: [3] is infinite");
    data[6] = 6;
    assert_true(array_finite(&a, "x.npy", &error));
    data[0] = -INFINITY;
    a = (struct array){.element = ELEMENT_F32, .count = 1, .data = data};
    assert_false(array_finite(&a, "x.npy", &error));
    assert_string_equal(error.text, "x.npy: the number is infinite");
    data[0] = INFINITY;
    a.beyond = 1;
    assert_false(array_finite(&a, "x.npy", &error));
    assert_string_equal(error.text, "x.npy: the number is too large for float32, whose largest number is 3.4e38");
}

/* A pipe does not reveal how much it holds, so memory is requested before that is known. */
static void knows_the_machine(void **state)
{
    static const char header[] =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (13000000000,), }";
    char pipe_name[32];
    struct array a;
    struct error error = {""};
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_true(dprintf(ends[1], "\x93NUMPY\x01%c%c%c%s", 0, (int)sizeof header - 1, 0,
                        header) > 0);
    close(ends[1]);
    (void)snprintf(pipe_name, sizeof pipe_name, "/dev/fd/%d", ends[0]);

    scratch_memory = 3328599654;
    assert_false(npy_read(pipe_name, &a, &error));
    scratch_memory = (size_t)1 << 30;
    assert_error(&error, pipe_name,
                 ": needs 48.4 GiB of memory, and this machine has 3.1 GiB free");
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses),
        cmocka_unit_test(refuses_what_is_no_npy),
        cmocka_unit_test(reads_every_type),
        cmocka_unit_test(reads_integers),
        cmocka_unit_test(keeps_int16),
        cmocka_unit_test(refuses_integers_that_float32_rounds),
        cmocka_unit_test(reads_versions_2_and_3),
        cmocka_unit_test(turns_fortran_order),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(names_what_is_not_finite),
        cmocka_unit_test(knows_the_machine),
    };

    return cmocka_run_group_tests_name("npy", tests, scratch_begin, scratch_end);
}
