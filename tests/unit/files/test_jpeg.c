/* needs: libjpeg */
#include "tests/unit/files/scratch.h"

#include <jpeglib.h>

#include "harness/files/image.h"

enum { SIDE = 16, COLOURS = 3 };

static const unsigned char colour[4][COLOURS] = {{200, 30, 60}, {20, 180, 90}, {40, 50, 220}, {250, 250, 10}};

/* Which of the four blocks of 8 x 8 has this pixel. */
static size_t block(size_t row, size_t col)
{
    return row / 8 * 2 + col / 8;
}

/* Writes four blocks of one colour each, which JPEG keeps nearly unchanged. */
static const char *make_jpeg(int channels, J_COLOR_SPACE space, bool progressive)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char raw[SIDE * 4];
    JSAMPROW row = raw;
    const char *path = scratch_path("a.jpg");
    FILE *stream = fopen(path, "wb");

    assert_non_null(stream);
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, stream);
    jpeg.image_width = jpeg.image_height = SIDE;
    jpeg.input_components = channels;
    jpeg.in_color_space = space;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 1;
    if (progressive)
        jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    for (size_t r = 0; r < SIDE; r++) {
        for (size_t i = 0; i < SIDE * (size_t)channels; i++)
            raw[i] = colour[block(r, i / (size_t)channels)][i % (size_t)channels % COLOURS];
        (void)jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    assert_int_equal(fclose(stream), 0);
    return path;
}

static void check_jpeg(int channels, J_COLOR_SPACE space, bool progressive)
{
    struct image image;
    struct error error = {""};

    if (!image_read(make_jpeg(channels, space, progressive), &image, &error))
        fail_msg("%s", error.text);
    assert_int_equal(image.rows, SIDE);
    assert_int_equal(image.cols, SIDE);
    assert_int_equal(image.channels, channels);
    assert_int_equal(image.white, 255);
    for (size_t i = 0; i < SIDE * SIDE * (size_t)channels; i++) {
        const size_t pixel = i % (SIDE * SIDE);
        const int want = colour[block(pixel / SIDE, pixel % SIDE)][i / (SIDE * SIDE)];

        assert_in_range(image.bytes[i] + 3, want, want + 6);
    }
    image_free(&image);
}

static void reads_gray_and_colours(void **state)
{
    (void)state;
    check_jpeg(1, JCS_GRAYSCALE, false);
    check_jpeg(3, JCS_RGB, false);
    check_jpeg(3, JCS_RGB, true);
}

static void refuses_four_inks(void **state)
{
    struct image image;
    struct error error = {""};
    const char *path = make_jpeg(4, JCS_CMYK, false);

    (void)state;
    assert_false(image_read(path, &image, &error));
    assert_error(&error, path, ": the JPEG has 4 channels (CMYK?); convert it to gray or to red, green and blue");
}

/* libjpeg itself would fill the rest with gray. */
static void refuses_what_is_cut(void **state)
{
    unsigned char jpeg[4096];
    struct image image;
    struct error error = {""};
    FILE *stream = fopen(make_jpeg(3, JCS_RGB, false), "rb");

    (void)state;
    assert_non_null(stream);
    const size_t size = fread(jpeg, 1, sizeof jpeg, stream);
    assert_int_equal(fclose(stream), 0);
    assert_true(size < sizeof jpeg);
    for (size_t cut = 1; cut < size; cut++) {
        const char *path = scratch_file("cut.jpg", jpeg, cut);

        error.text[0] = '\0';
        if (image_read(path, &image, &error))
            fail_msg("%zu of %zu bytes passed", cut, size);
        assert_non_null(strstr(error.text, "cut.jpg: JPEG: "));
        assert_null(image.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_gray_and_colours),
        cmocka_unit_test(refuses_four_inks),
        cmocka_unit_test(refuses_what_is_cut),
    };

    return cmocka_run_group_tests_name("jpeg", tests, scratch_begin, scratch_end);
}
