#include "tests/unit/files/scratch.h"

#include <math.h>

#include "harness/files/image.h"

static void reads_pgm(void **state)
{
    static const unsigned char pixels[] = {0, 1, 2, 3, 14, 15};
    static const struct {
        const char *text;
        size_t bytes;
    } goods[] = {
        {"P2\n3 2\n15\n0 1 2\n3 14 15\n", 24},
        {"P2 3 2 15 0 1 2 3 14 15", 23},
        {"P2#x\n# width:\n3 #\n2\n15 0 1 2 3 14 #15\n15", 40},
        {"P5\n# comment 9 9\n3 2 #\n\n15\n\0\1\2\3\16\17", 33},
        {"P5 3\t2\r15\r\0\1\2\3\16\17\n \n", 19},
    };
    struct image image;
    struct error error = {""};

    (void)state;
    for (size_t i = 0; i < sizeof goods / sizeof goods[0]; i++) {
        if (!image_read(scratch_file("a.pgm", goods[i].text, goods[i].bytes), &image, &error))
            fail_msg("%zu: %s", i, error.text);
        assert_int_equal(image.rows, 2);
        assert_int_equal(image.cols, 3);
        assert_int_equal(image.channels, 1);
        assert_int_equal(image.white, 15);
        assert_null(image.floats);
        assert_memory_equal(image.bytes, pixels, sizeof pixels);
        image_free(&image);
    }
}

static void reads_each_colour_into_its_plane(void **state)
{
    static const unsigned char planes[] = {1, 4, 2, 5, 3, 9}; /* red, green, blue of two pixels */
    static const struct {
        const char *text;
        size_t bytes;
        unsigned white;
    } goods[] = {
        {"P3 2 1 9 1 2 3 4 5 9", 20, 9},
        {"P6 2 1 255\n\1\2\3\4\5\11", 17, 255},
        {"P6 1 2 65535\n\0\1\0\2\0\3\0\4\0\5\0\11", 25, 65535},
    };
    struct image image;
    struct error error = {""};

    (void)state;
    for (size_t i = 0; i < sizeof goods / sizeof goods[0]; i++) {
        if (!image_read(scratch_file("a.ppm", goods[i].text, goods[i].bytes), &image, &error))
            fail_msg("%zu: %s", i, error.text);
        assert_int_equal(image.rows * image.cols, 2);
        assert_int_equal(image.channels, 3);
        assert_int_equal(image.white, goods[i].white);
        assert_int_equal(image.bytes == NULL, goods[i].white > 255);
        for (size_t k = 0; k < sizeof planes; k++)
            assert_int_equal(image.bytes != NULL ? image.bytes[k] : (int)image.floats[k], planes[k]);
        image_free(&image);
    }
}

static void reads_wide_pgm_as_floats(void **state)
{
    struct image image;
    struct error error = {""};

    (void)state;
    assert_true(image_read(scratch_file("a.pgm", "P5 1 2 65535\n\0\1\377\376", 17), &image,
                           &error));
    assert_null(image.bytes);
    assert_true(image.floats[0] == 1 && image.floats[1] == 65534);
    image_free(&image);
    assert_true(image_read(scratch_file("a.pgm", "P2 1 2 256\n255 256", 18), &image, &error));
    assert_true(image.floats[0] == 255 && image.floats[1] == 256);
    image_free(&image);
}

static void refuses_pgm(void **state)
{
    static const struct {
        const char *text, *error;
    } bads[] = {
        {"", ": is empty"},
        {"P", ": is neither PGM nor PPM: it should begin with P2, P3, P5 or P6"},
        {"P4 1 1 a", ": is neither PGM nor PPM: it should begin with P2, P3, P5 or P6"},
        {"P5 3", ": ends before the height"},
        {"P5 # 3", ": ends before the width"},
        {"P5 0 1 255\n", ":1:4: the width is not between 1 and 1000000000"},
        {"P5\n1 -1 255\n", ":2:3: the height is not a number"},
        {"P5\n1 2x 255\n", ":2:3: the height is not a number"},
        {"P5\n1 1\n65536\n", ":3:1: the value of white is not between 1 and 65535"},
        {"P5 99999999999999999999 1 9\n", ":1:4: the width is not between 1 and 1000000000"},
        {"P5 1000000000 1000000000 65535\n",
         ": the image has 0 bytes instead of 2000000000000000000"},
        {"P5 3 2 255\nabcde", ": the image has 5 bytes instead of 6"},
        {"P5 3 2 255\nabcdefg", ": more bytes follow the image"},
        {"P6 1 2 255\nabcde", ": the image has 5 bytes instead of 6"},
        {"P6 1 1 99\nabd", ": a pixel is 100, above the value of white, 99"},
        {"P5 3 2 99\nabcdef", ": a pixel is 100, above the value of white, 99"},
        {"P2 3 1 9\n1 2        ", ": ends before the pixel"},
        {"P2 3 1 9\n1 2 x", ":2:5: the pixel is not a number"},
        {"P2 3 1 9\n1 2 10", ":2:5: the pixel is not between 0 and 9"},
        {"P2 3 1 9\n1 2", ": the image has 3 bytes instead of 5"},
        {"P2 3 1 9\n1 2 3 4", ": more bytes follow the image"},
    };
    struct image image;
    struct error error = {""};

    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        const char *path = scratch_file("a.pgm", bads[i].text, strlen(bads[i].text));

        assert_false(image_read(path, &image, &error));
        assert_error(&error, path, bads[i].error);
        assert_null(image.bytes);
        assert_null(image.floats);
    }
}

static void refuses_what_is_no_image(void **state)
{
    static const char cube[] = "\x93NUMPY\x01\0\x40\0"
                               "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 5), } \nabcde";
    struct image image;
    struct error error = {""};
    const char *path = scratch_file("a.csv", "lat,lon\n", 8);

    (void)state;
    assert_false(image_read(path, &image, &error));
    assert_non_null(strstr(error.text, "a.csv: not an image in a format that this build reads ("));
    assert_non_null(strstr(error.text, "NPY, PGM, "));
    path = scratch_file("a.npy", cube, sizeof cube - 1);
    assert_false(image_read(path, &image, &error));
    assert_error(&error, path, ": an image is rows x columns, or rows x columns x 1 to 4 channels, of "
                               "float32, float64 or bytes");
}

/* Every format holds its channels and its depth. */
static void writes_what_it_reads(void **state)
{
    static const struct {
        const char *name;
        size_t channels;
        unsigned white;
    } kinds[] = {
        {"w.pgm", 1, 255}, {"w.pgm", 1, 15}, {"w.pgm", 1, 65535}, {"w.ppm", 3, 255}, {"w.PPM", 3, 1023},
        {"w.NPY", 1, 255}, {"w.npy", 2, 255}, {"w.npy", 3, 0},    {"w.npy", 4, 255},
    };
    unsigned char bytes[4 * 35];
    float floats[4 * 35];
    struct image again;
    struct error error = {""};

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const unsigned white = kinds[k].white;
        const bool narrow = white > 0 && white <= 255;
        const struct image image = {.rows = 5, .cols = 7, .channels = kinds[k].channels, .white = white,
                                    .bytes = narrow ? bytes : NULL, .floats = narrow ? NULL : floats};
        const char *path = scratch_path(kinds[k].name);
        const size_t numbers = image.channels * 35;

        for (size_t i = 0; i < numbers; i++) { /* 10, a newline, is among them */
            bytes[i] = (unsigned char)((i * 7 + 10) % (narrow ? white + 1 : 256));
            floats[i] = white == 0 ? (float)i + 0.25F : (float)((i * 1013 + 10) % (white + 1));
        }
        if (!image_write(path, &image, &error) || !image_read(path, &again, &error))
            fail_msg("%s", error.text);
        assert_int_equal(again.rows, 5);
        assert_int_equal(again.cols, 7);
        assert_int_equal(again.channels, image.channels);
        assert_int_equal(again.white, white);
        assert_int_equal(again.bytes != NULL, narrow);
        if (narrow)
            assert_memory_equal(again.bytes, bytes, numbers);
        else
            assert_memory_equal(again.floats, floats, numbers * sizeof *floats);
        image_free(&again);
    }
}

static void rounds_into_the_range_that_it_knows(void **state)
{
    float pixels[] = {0, 1, 2.25F, 254.6F, 255.25F, 3};
    struct image image = {.rows = 2, .cols = 3, .channels = 1, .white = 255, .floats = pixels},
                 again = {.rows = 0};
    struct error error = {""};
    static const unsigned char want[] = {0, 1, 2, 255, 255, 3};

    (void)state;
    if (!image_write(scratch_path("r.pgm"), &image, &error) ||
        !image_read(scratch_path("r.pgm"), &again, &error))
        fail_msg("%s", error.text);
    assert_memory_equal(again.bytes, want, sizeof want);
    image_free(&again);
}

static void refuses_to_write(void **state)
{
    float pixels[] = {0, 1, 2, 255, 255.5F, 3}, undefined[] = {NAN};
    uint8_t nothing[1];
    struct image image = {.rows = 2, .cols = 3, .channels = 1, .floats = pixels},
                 none = {.rows = 0, .cols = 3, .channels = 1, .white = 255, .bytes = nothing};
    struct error error = {""};
    const char *path = scratch_path("r.pgm");

    (void)state;
    scratch_files(true);
    assert_false(image_write(path, &image, &error));
    assert_error(&error, path, ": the pixel in row 1, column 1 is 255.5, not between 0 and 255 "
                               "as this format requires; write .npy instead");
    image = (struct image){.rows = 1, .cols = 1, .channels = 1, .floats = undefined};
    assert_false(image_write(path, &image, &error));
    assert_false(image_write(path, &none, &error));
    assert_error(&error, path, ": PGM and PPM cannot hold an image without pixels");
    assert_false(image_write(scratch_path("r.jpg"), &none, &error));
    assert_non_null(strstr(error.text, "r.jpg: the name must have the extension of a format that this "
                                       "build writes (.npy, .pgm"));
    assert_false(image_write("none", &none, &error));
    assert_int_equal(scratch_files(false), 0);

    path = scratch_path("n.npy");
    assert_true(image_write(path, &none, &error));
    assert_true(image_read(path, &image, &error));
    assert_int_equal(image.rows, 0);
    assert_int_equal(image.cols, 3);
    image_free(&image);
}

/* It names the formats that would keep them. */
static void drops_no_channel(void **state)
{
    struct error error = {""};

    (void)state;
    assert_true(image_writable("x.pgm", 1, &error) && image_writable("x.ppm", 3, &error));
    for (size_t channels = 1; channels <= 4; channels++) {
        assert_true(image_writable("x.npy", channels, &error));
        if (channels != 1)
            assert_false(image_writable("x.pgm", channels, &error));
        if (channels != 3)
            assert_false(image_writable("x.ppm", channels, &error));
    }
    assert_non_null(strstr(error.text, "x.ppm: PPM does not hold red, green, blue and alpha; formats that "
                                       "do: .npy"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_pgm),
        cmocka_unit_test(reads_each_colour_into_its_plane),
        cmocka_unit_test(reads_wide_pgm_as_floats),
        cmocka_unit_test(refuses_pgm),
        cmocka_unit_test(refuses_what_is_no_image),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(rounds_into_the_range_that_it_knows),
        cmocka_unit_test(refuses_to_write),
        cmocka_unit_test(drops_no_channel),
    };

    return cmocka_run_group_tests_name("image", tests, scratch_begin, scratch_end);
}
