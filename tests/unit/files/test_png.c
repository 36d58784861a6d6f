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
    size_t channels;           /* and the planes, as read */
    unsigned char left_right[4][2];
    size_t row_bytes, palette_bytes;
    const char *row, *palette;
    size_t transparent_bytes;
    const char *transparent;
    bool interlaced;
};

static size_t make_png(unsigned char *png, const struct pair *p)
{
    static const unsigned char magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    unsigned char header[] = {0, 0, 0, 2, 0, 0, 0, 1, p->depth, p->colour, 0, 0, p->interlaced};
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
    if (p->transparent_bytes > 0)
        size += chunk(png + size, "tRNS", p->transparent, p->transparent_bytes);
    size += chunk(png + size, "IDAT", stream, 11 + p->row_bytes);
    return size + chunk(png + size, "IEND", NULL, 0);
}

static const struct pair gray = {8, 0, 1, {{7, 200}}, 3, 0, "\0\7\310", NULL, 0, NULL, false};

static void check_pair(const struct pair *p, size_t number)
{
    unsigned char png[256];
    struct image image;
    struct error error = {""};
    const size_t size = make_png(png, p);

    if (!image_read(scratch_file("a.png", png, size), &image, &error))
        fail_msg("%zu: %s", number, error.text);
    assert_int_equal(image.rows, 1);
    assert_int_equal(image.cols, 2);
    if (image.channels != p->channels || image.white != (p->depth == 16 ? 65535 : 255))
        fail_msg("%zu: %zu channels, white is %u", number, image.channels, image.white);
    for (size_t i = 0; i < 2 * p->channels; i++) {
        const int value = image.bytes != NULL ? image.bytes[i] : (int)image.floats[i] - 65280;

        if (value != p->left_right[i / 2][i % 2])
            fail_msg("%zu: channel %zu of pixel %zu is %d", number, i / 2, i % 2, value);
    }
    image_free(&image);
}

static void reads_every_kind(void **state)
{
    const struct pair pairs[] = {
        gray,
        {1, 0, 1, {{255, 0}}, 2, 0, "\0\x80", NULL, 0, NULL, false},
        {8, 2, 3, {{1, 4}, {2, 5}, {3, 6}}, 7, 0, "\0\1\2\3\4\5\6", NULL, 0, NULL, false},
        {8, 3, 3, {{7, 1}, {8, 2}, {9, 3}}, 3, 6, "\0\1\0", "\1\2\3\7\10\11", 0, NULL, false},
        {8, 4, 2, {{7, 200}, {0, 1}}, 5, 0, "\0\7\0\310\1", NULL, 0, NULL, false},
        {8, 6, 4, {{1, 4}, {2, 5}, {3, 6}, {9, 8}}, 9, 0, "\0\1\2\3\11\4\5\6\10", NULL, 0, NULL, false},
        /* a transparent gray, one transparent entry of a palette */
        {8, 0, 2, {{7, 200}, {0, 255}}, 3, 0, "\0\7\310", NULL, 2, "\0\7", false},
        {8, 3, 4, {{7, 1}, {8, 2}, {9, 3}, {255, 5}}, 3, 6, "\0\1\0", "\1\2\3\7\10\11", 1, "\5", false},
        /* 16 bits: 65280 and more */
        {16, 0, 1, {{1, 254}}, 5, 0, "\0\377\1\377\376", NULL, 0, NULL, false},
        {16, 2, 3, {{1, 4}, {2, 5}, {3, 6}}, 13, 0, "\0\377\1\377\2\377\3\377\4\377\5\377\6", NULL, 0,
         NULL, false},
        /* interlaced: the right pixel comes in another pass, which begins with a filter, too */
        {8, 2, 3, {{1, 4}, {2, 5}, {3, 6}}, 8, 0, "\0\1\2\3\0\4\5\6", NULL, 0, NULL, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        check_pair(&pairs[i], i);
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
    unsigned char bytes[4 * 35];
    float floats[4 * 35];
    struct image again;
    struct error error = {""};
    const char *path = scratch_path("w.PNG");

    (void)state;
    for (size_t i = 0; i < 4 * 35; i++) {
        bytes[i] = (unsigned char)(i * 7 + 10);
        floats[i] = (float)((i * 1013 + 10) % 65536);
    }
    for (size_t kind = 2; kind < 10; kind++) {
        const bool wide = kind % 2 == 1;
        const struct image image = {.rows = 5, .cols = 7, .channels = kind / 2, .white = wide ? 65535 : 255,
                                    .bytes = wide ? NULL : bytes, .floats = wide ? floats : NULL};

        if (!image_write(path, &image, &error) || !image_read(path, &again, &error))
            fail_msg("%s", error.text);
        assert_int_equal(again.rows, 5);
        assert_int_equal(again.cols, 7);
        assert_int_equal(again.channels, kind / 2);
        assert_int_equal(again.white, image.white);
        if (wide)
            assert_memory_equal(again.floats, floats, again.channels * 35 * sizeof *floats);
        else
            assert_memory_equal(again.bytes, bytes, again.channels * 35);
        image_free(&again);
    }
}

static void scales_to_its_white(void **state)
{
    unsigned char bytes[] = {0, 1, 15};
    float floats[] = {0, 1, 1023};
    const struct image narrow = {.rows = 1, .cols = 3, .channels = 1, .white = 15, .bytes = bytes},
                       wide = {.rows = 1, .cols = 3, .channels = 1, .white = 1023, .floats = floats};
    struct image again = {.rows = 0};
    struct error error = {""};
    const char *path = scratch_path("s.png");

    (void)state;
    assert_true(image_write(path, &narrow, &error) && image_read(path, &again, &error));
    assert_memory_equal(again.bytes, ((unsigned char[]){0, 17, 255}), 3);
    image_free(&again);
    assert_true(image_write(path, &wide, &error) && image_read(path, &again, &error));
    assert_true(again.floats[0] == 0 && again.floats[1] == 64 && again.floats[2] == 65535);
    image_free(&again);
}

static void refuses_to_write_nothing(void **state)
{
    unsigned char pixels[1];
    const struct image none = {.rows = 0, .cols = 7, .channels = 1, .white = 255, .bytes = pixels};
    struct error error = {""};

    (void)state;
    scratch_files(true);
    assert_false(image_write(scratch_path("w.png"), &none, &error));
    assert_non_null(strstr(error.text, "w.png: cannot be written: "));
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
        cmocka_unit_test(reads_every_kind),
        cmocka_unit_test(refuses_damage),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(scales_to_its_white),
        cmocka_unit_test(refuses_to_write_nothing),
        cmocka_unit_test(reads_camera),
    };

    return cmocka_run_group_tests_name("png", tests, scratch_begin, scratch_end);
}
