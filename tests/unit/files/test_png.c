/* needs: libpng */
#include "tests/unit/files/scratch.h"

#include "harness/files/image.h"

/* The checksum of a PNG's chunks, a bit at a time. */
static uint32_t crc(const unsigned char *bytes, size_t count)
{
    uint32_t sum = 0xFFFFFFFF;

    for (size_t i = 0; i < count * 8; i++) {
        uint32_t bit = (sum ^ (uint32_t)bytes[i / 8] >> i % 8) & 1;

        sum = sum >> 1 ^ (bit ? 0xEDB88320 : 0);
    }
    return ~sum;
}

static void put(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static size_t chunk(unsigned char *to, const char *name, const void *data, size_t bytes)
{
    put(to, (uint32_t)bytes);
    memcpy(to + 4, name, 4);
    if (bytes > 0)
        memcpy(to + 8, data, bytes);
    put(to + 8 + bytes, crc(to + 4, 4 + bytes));
    return 12 + bytes;
}

/* A PNG of two pixels side by side.  The row begins with its filter, and goes uncompressed. */
struct pair {
    unsigned char depth, colour;
    unsigned char left, right; /* as read */
    size_t row_bytes, palette_bytes;
    const char *row, *palette;
};

static size_t make_png(unsigned char *png, const struct pair *p)
{
    static const unsigned char magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    unsigned char header[] = {0, 0, 0, 2, 0, 0, 0, 1, p->depth, p->colour, 0, 0, 0};
    unsigned char n = (unsigned char)p->row_bytes;
    unsigned char stream[64] = {0x78, 1, 1, n, 0, (unsigned char)~n, 0xFF};
    uint32_t a = 1, b = 0; /* zlib's checksum, for less than 65521 */
    size_t size = 8;

    memcpy(stream + 7, p->row, p->row_bytes);
    for (size_t i = 0; i < p->row_bytes; i++) {
        a += stream[7 + i];
        b += a;
    }
    put(stream + 7 + p->row_bytes, b << 16 | a);
    memcpy(png, magic, sizeof magic);
    size += chunk(png + size, "IHDR", header, sizeof header);
    if (p->palette_bytes > 0)
        size += chunk(png + size, "PLTE", p->palette, p->palette_bytes);
    size += chunk(png + size, "IDAT", stream, 11 + p->row_bytes);
    return size + chunk(png + size, "IEND", NULL, 0);
}

static const struct pair gray = {8, 0, 7, 200, 3, 0, "\0\7\310", NULL};

static void reads_every_kind_as_gray(void **state)
{
    const struct pair pairs[] = {
        gray,
        {1, 0, 255, 0, 2, 0, "\0\x80", NULL},
        {8, 2, 7, 200, 7, 0, "\0\7\7\7\310\310\310", NULL},                /* colours */
        {8, 2, 54, 182, 7, 0, "\0\377\0\0\0\377\0", NULL},                 /* sRGB's weights */
        {8, 3, 7, 200, 3, 6, "\0\1\0", "\310\310\310\7\7\7"},              /* palette */
        {8, 4, 7, 200, 5, 0, "\0\7\0\310\1", NULL},                        /* transparent */
        {8, 6, 7, 200, 9, 0, "\0\7\7\7\0\310\310\310\1", NULL},
    };
    unsigned char png[256];
    struct image image;
    struct error error = {""};

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        size_t size = make_png(png, &pairs[i]);

        if (!image_read(scratch_file("a.png", png, size), &image, &error))
            fail_msg("%zu: %s", i, error.text);
        assert_int_equal(image.rows, 1);
        assert_int_equal(image.cols, 2);
        assert_int_equal(image.bytes[0], pairs[i].left);
        assert_int_equal(image.bytes[1], pairs[i].right);
        image_free(&image);
    }
}

static void reads_16_bits_as_floats(void **state)
{
    const struct pair wide = {16, 0, 0, 0, 5, 0, "\0\0\1\377\376", NULL};
    unsigned char png[256];
    struct image image;
    struct error error = {""};
    size_t size = make_png(png, &wide);

    (void)state;
    assert_true(image_read(scratch_file("a.png", png, size), &image, &error));
    assert_null(image.bytes);
    assert_true(image.floats[0] == 1 && image.floats[1] == 65534);
    image_free(&image);
}

/* Cut anywhere, or with any byte changed. */
static void refuses_damage(void **state)
{
    static const char text[] = "\x89" "and text";
    unsigned char png[256];
    struct image image;
    struct error error = {""};
    size_t size = make_png(png, &gray);

    (void)state;
    for (size_t cut = 1; cut < size; cut++) {
        const char *path = scratch_file("cut.png", png, cut);

        assert_false(image_read(path, &image, &error));
        assert_error(&error, path, ": ends within the image");
    }
    for (size_t i = 0; i < size; i++) {
        png[i] ^= 0x10;
        error.text[0] = '\0';
        if (image_read(scratch_file("bad.png", png, size), &image, &error))
            fail_msg("a change of byte %zu passed", i);
        assert_non_null(strstr(error.text, "bad.png: "));
        png[i] ^= 0x10;
    }
    png[size - 13] ^= 1; /* the last byte before IEND: of the checksum */
    const char *path = scratch_file("crc.png", png, size);
    assert_false(image_read(path, &image, &error));
    assert_error(&error, path, ": PNG: IDAT: CRC error");

    path = scratch_file("text.png", text, sizeof text);
    assert_false(image_read(path, &image, &error));
    assert_error(&error, path, ": PNG: Not a PNG file");
}

static void writes_what_it_reads(void **state)
{
    unsigned char pixels[35];
    struct image image = {5, 7, pixels, NULL}, none = {0, 7, pixels, NULL}, again;
    struct error error = {""};
    const char *path = scratch_path("w.PNG");

    (void)state;
    for (size_t i = 0; i < 35; i++)
        pixels[i] = (unsigned char)(i * 7 + 10);
    if (!image_write(path, &image, &error) || !image_read(path, &again, &error))
        fail_msg("%s", error.text);
    assert_int_equal(again.rows, 5);
    assert_int_equal(again.cols, 7);
    assert_memory_equal(again.bytes, pixels, sizeof pixels);
    image_free(&again);

    scratch_files(true);
    assert_false(image_write(path, &none, &error));
    assert_non_null(strstr(error.text, "w.PNG: cannot be written: "));
    assert_int_equal(scratch_files(false), 0);
}

static void reads_camera(void **state)
{
    const char *path = real_data("camera.png");
    struct image image;
    struct error error = {""};
    size_t sum = 0;

    (void)state;
    if (path == NULL)
        return;
    if (!image_read(path, &image, &error))
        fail_msg("%s", error.text);
    assert_int_equal(image.rows, 512);
    assert_int_equal(image.cols, 512);
    for (size_t i = 0; i < image.rows * image.cols; i++)
        sum += image.bytes[i];
    assert_int_equal(sum, 33832495); /* by another decoder */
    image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind_as_gray),
        cmocka_unit_test(reads_16_bits_as_floats),
        cmocka_unit_test(refuses_damage),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(reads_camera),
    };

    return cmocka_run_group_tests_name("png", tests, scratch_begin, scratch_end);
}
