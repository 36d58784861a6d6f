/* needs: gdal */
#include "tests/unit/files/gdal_files.h"

#include "harness/files/image.h"

enum { ROWS = 5, COLS = 7 };

static struct image image;
static struct error error;

/* The value of a pixel: another for each, and within every type's range. */
static double value(int band, int row, int col, double scale)
{
    return scale * (band * ROWS * COLS + row * COLS + col + 1);
}

/* Makes a TIFF of these bands.  `options` are those of GDAL's driver. */
static GDALDatasetH tiff(int bands, GDALDataType type, double scale, const char *const options[])
{
    if (options == NULL || strncmp(options[0], "APPEND", 6) != 0)
        (void)remove(scratch_path("a.tif")); /* GDAL would look into it */
    GDALAllRegister();
    GDALDatasetH set = GDALCreate(GDALGetDriverByName("GTiff"), scratch_path("a.tif"), COLS, ROWS, bands, type,
                                  (char **)options);
    double pixels[ROWS * COLS];

    assert_non_null(set);
    for (int b = 0; b < bands; b++) {
        for (int i = 0; i < ROWS * COLS; i++)
            pixels[i] = value(b, i / COLS, i % COLS, scale);
        assert_int_equal(GDALRasterIO(GDALGetRasterBand(set, b + 1), GF_Write, 0, 0, COLS, ROWS, pixels, COLS, ROWS,
                                      GDT_Float64, 0, 0), CE_None);
    }
    return set;
}

static void tiffs_are_read(void **state)
{
    static const char *const big[] = {"ENDIANNESS=BIG", "BIGTIFF=YES", NULL},
                      *const tiled[] = {"TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16", "COMPRESS=DEFLATE",
                                        "INTERLEAVE=BAND", NULL},
                      *const twelve[] = {"NBITS=12", NULL};
    static const struct {
        int bands;
        GDALDataType type;
        double scale;
        const char *const *options;
        unsigned white;
    } kinds[] = {
        {1, GDT_Byte, 1, NULL, 255},         {2, GDT_Byte, 1, NULL, 255},   {3, GDT_Byte, 1, tiled, 255},
        {4, GDT_Byte, 1, big, 255},           {1, GDT_UInt16, 400, NULL, 65535}, {3, GDT_UInt16, 400, big, 65535},
        {3, GDT_UInt16, 30, twelve, 4095},    {1, GDT_Int16, -200, NULL, 0}, {2, GDT_Float32, -0.375, tiled, 0},
        {1, GDT_Float64, 1.5e30, NULL, 0},
    };

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        GDALClose(tiff(kinds[k].bands, kinds[k].type, kinds[k].scale, kinds[k].options));
        error.text[0] = '\0';
        if (!image_read(scratch_path("a.tif"), &image, &error))
            fail_msg("%zu: %s", k, error.text);
        assert_true(image.rows == ROWS && image.cols == COLS && image.channels == (size_t)kinds[k].bands);
        assert_int_equal(image.white, kinds[k].white);
        assert_true((image.bytes != NULL) == (kinds[k].white == 255));
        for (int b = 0; b < kinds[k].bands; b++)
            for (int i = 0; i < ROWS * COLS; i++) {
                const int at = b * ROWS * COLS + i;
                const float got = image.bytes != NULL ? (float)image.bytes[at] : image.floats[at];
                assert_true(got == (float)value(b, i / COLS, i % COLS, kinds[k].scale));
            }
        image_free(&image);
    }
}

static void must_refuse(const char *why)
{
    if (image_read(scratch_path("a.tif"), &image, &error))
        fail_msg("has been read, instead of: %s", why);
    assert_error(&error, scratch_path("a.tif"), why);
}

static void what_has_no_mean_is_refused(void **state)
{
    static const char *const cmyk[] = {"PHOTOMETRIC=CMYK", NULL};

    (void)state;
    GDALClose(tiff(5, GDT_Byte, 1, NULL));
    must_refuse(": has 5 bands, and an image has 1 to 4; gdal_translate -b 1 takes the first");
    GDALClose(tiff(1, GDT_Int32, 1, NULL));
    must_refuse(": the pixels are Int32; gdal_translate -ot Float32 makes numbers that can be smoothed");
    GDALClose(tiff(1, GDT_CFloat32, 1, NULL));
    must_refuse(": the pixels are CFloat32; gdal_translate -ot Float32 makes numbers that can be smoothed");
    GDALClose(tiff(4, GDT_UInt16, 1, cmyk));
    must_refuse(": the colours are CMYK; convert it to red, green and blue");

    (void)remove(scratch_path("a.tif"));
    GDALDatasetH set = GDALCreate(GDALGetDriverByName("GTiff"), scratch_path("a.tif"), COLS, ROWS, 1, GDT_Byte, NULL);
    GDALColorTableH colours = GDALCreateColorTable(GPI_RGB);
    const GDALColorEntry red = {255, 0, 0, 255};
    GDALSetColorEntry(colours, 1, &red);
    GDALSetRasterColorTable(GDALGetRasterBand(set, 1), colours);
    GDALDestroyColorTable(colours);
    GDALClose(set);
    must_refuse(": the pixels are numbers of a palette; gdal_translate -expand rgb makes colours");
}

static void gaps_are_refused(void **state)
{
    (void)state;
    for (int type = GDT_Byte; type <= GDT_Float32; type += GDT_Float32 - GDT_Byte) {
        GDALDatasetH set = tiff(2, (GDALDataType)type, 1, NULL);
        GDALSetRasterNoDataValue(GDALGetRasterBand(set, 1), value(1, 2, 3, 1));
        GDALSetRasterNoDataValue(GDALGetRasterBand(set, 2), value(1, 2, 3, 1));
        GDALClose(set);
        must_refuse(": pixel [2][3] has no value (53); gdal_fillnodata.py fills such gaps, "
                    "gdal_translate -a_nodata none ignores them");
    }
}

static void several_images_are_refused(void **state)
{
    static const char *const append[] = {"APPEND_SUBDATASET=YES", NULL};

    (void)state;
    GDALClose(tiff(1, GDT_Byte, 1, NULL));
    GDALClose(tiff(1, GDT_Byte, 2, append));
    must_refuse(": holds several images; gdal_translate takes one out");
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    for (long bytes = 1; bytes <= 32; bytes *= 2) {
        GDALClose(tiff(3, GDT_Byte, 1, NULL));
        FILE *stream = fopen(scratch_path("a.tif"), "r+b");
        assert_int_equal(fseek(stream, 0, SEEK_END), 0);
        assert_int_equal(ftruncate(fileno(stream), ftell(stream) - bytes), 0);
        assert_int_equal(fclose(stream), 0);
        if (image_read(scratch_path("a.tif"), &image, &error))
            fail_msg("has been read without its last %ld bytes", bytes);
    }
    (void)scratch_file("a.tif", "II*\0\10\0\0\0", 8);
    assert_false(image_read(scratch_path("a.tif"), &image, &error));
    (void)scratch_file("a.tif", "no image at all", 15);
    assert_false(image_read(scratch_path("a.tif"), &image, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiffs_are_read),
        cmocka_unit_test(what_has_no_mean_is_refused),
        cmocka_unit_test(gaps_are_refused),
        cmocka_unit_test(several_images_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
    };

    return cmocka_run_group_tests_name("image_gdal", tests, scratch_begin, scratch_end);
}
