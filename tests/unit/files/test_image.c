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
        assert_null(image.floats);
        assert_memory_equal(image.bytes, pixels, sizeof pixels);
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
        {"P", ": is not a gray image in PGM: it should begin with P2 or P5"},
        {"P6 1 1 255 abc", ": is not a gray image in PGM: it should begin with P2 or P5"},
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
                               "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 1), } \nx";
    struct image image;
    struct error error = {""};
    const char *path = scratch_file("a.csv", "lat,lon\n", 8);

    (void)state;
    assert_false(image_read(path, &image, &error));
    assert_non_null(strstr(error.text, "a.csv: not an image in a format that this build reads "
                                       "(NPY, PGM"));
    path = scratch_file("a.npy", cube, sizeof cube - 1);
    assert_false(image_read(path, &image, &error));
    assert_error(&error, path, ": an image has two dimensions, and pixels of float32, float64 or "
                               "bytes");
}

static void writes_what_it_reads(void **state)
{
    static const char *const names[] = {"w.pgm", "w.NPY"};
    unsigned char pixels[35];
    float floats[35];
    struct image image = {5, 7, pixels, NULL}, unrounded = {5, 7, NULL, floats}, again;
    struct error error = {""};

    (void)state;
    for (size_t i = 0; i < 35; i++) {
        pixels[i] = (unsigned char)(i * 7 + 10); /* 10 is a newline, 248 the largest */
        floats[i] = (float)pixels[i] + 0.25F;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *path = scratch_path(names[i]);

        if (!image_write(path, &image, &error) || !image_read(path, &again, &error))
            fail_msg("%s", error.text);
        assert_int_equal(again.rows, 5);
        assert_int_equal(again.cols, 7);
        assert_memory_equal(again.bytes, pixels, sizeof pixels);
        image_free(&again);

        if (!image_write(path, &unrounded, &error) || !image_read(path, &again, &error))
            fail_msg("%s", error.text);
        if (again.floats != NULL)
            assert_memory_equal(again.floats, floats, sizeof floats);
        else
            assert_memory_equal(again.bytes, pixels, sizeof pixels);
        assert_int_equal(again.floats != NULL, i == 1);
        image_free(&again);
    }
}

static void refuses_to_write(void **state)
{
    float pixels[] = {0, 1, 2, 255, 255.5F, 3}, undefined[] = {NAN};
    uint8_t nothing[1];
    struct image image = {2, 3, NULL, pixels}, none = {0, 3, nothing, NULL};
    struct error error = {""};
    const char *path = scratch_path("r.pgm");

    (void)state;
    scratch_files(true);
    assert_false(image_write(path, &image, &error));
    assert_error(&error, path, ": the pixel in row 1, column 1 is 255.5, not between 0 and 255 "
                               "as this format requires; write .npy instead");
    image = (struct image){1, 1, NULL, undefined};
    assert_false(image_write(path, &image, &error));
    assert_false(image_write(path, &none, &error));
    assert_error(&error, path, ": PGM cannot hold an image without pixels");
    assert_false(image_write(scratch_path("r.jpeg"), &none, &error));
    assert_non_null(strstr(error.text, "r.jpeg: the name must have the extension of a format that this "
                                       "build writes (NPY, PGM"));
    assert_false(image_write("none", &none, &error));
    assert_int_equal(scratch_files(false), 0);

    path = scratch_path("n.npy");
    assert_true(image_write(path, &none, &error));
    assert_true(image_read(path, &image, &error));
    assert_int_equal(image.rows, 0);
    assert_int_equal(image.cols, 3);
    image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_pgm),
        cmocka_unit_test(reads_wide_pgm_as_floats),
        cmocka_unit_test(refuses_pgm),
        cmocka_unit_test(refuses_what_is_no_image),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(refuses_to_write),
    };

    return cmocka_run_group_tests_name("image", tests, scratch_begin, scratch_end);
}
