/* Images from the raster formats that GDAL reads: TIFF, BMP, WebP, terrain models ... */
#include <gdal.h>
#include <math.h>
#include <stdlib.h>

#include "harness/files/file_progress.h"
#include "harness/files/gdal/dataset.h"
#include "harness/files/gdal/readers.h"
#include "harness/files/image_format.h"

enum { MOST_BANDS = 4 };

static GDALRasterBandH band(const struct dataset *set, size_t channel)
{
    return GDALGetRasterBand(set->handle, (int)channel + 1);
}

/* Returns the largest value of the numbers; 0: they have none that means white. */
static unsigned white_of(GDALRasterBandH b)
{
    const GDALDataType type = GDALGetRasterDataType(b);
    const char *bits = GDALGetMetadataItem(b, "NBITS", "IMAGE_STRUCTURE");
    const unsigned most = type == GDT_Byte ? 8 : type == GDT_UInt16 ? 16 : 0;
    const unsigned used = bits != NULL ? (unsigned)strtoul(bits, NULL, 10) : most;

    return used > 0 && used <= most ? (1U << used) - 1 : 0;
}

/* Refuses what a mean of neighbouring numbers has no meaning for, or float32 does not hold. */
static bool can_smooth(const struct dataset *set, GDALRasterBandH b, struct error *error)
{
    const GDALDataType type = GDALGetRasterDataType(b);
    const GDALColorInterp colour = GDALGetRasterColorInterpretation(b);

    if (colour == GCI_PaletteIndex)
        return error_set(error, "%s: the pixels are numbers of a palette; gdal_translate -expand rgb makes colours",
                         set->name);
    if (colour >= GCI_CyanBand && colour <= GCI_BlackBand)
        return error_set(error, "%s: the colours are CMYK; convert it to red, green and blue", set->name);
    if (type != GDT_Byte && type != GDT_UInt16 && type != GDT_Int16 && type != GDT_Float32 && type != GDT_Float64)
        return error_set(error, "%s: the pixels are %s; gdal_translate -ot Float32 makes numbers that can be smoothed",
                         set->name, GDALGetDataTypeName(type));
    if (type != GDALGetRasterDataType(band(set, 0)) || white_of(b) != white_of(band(set, 0)))
        return error_set(error, "%s: the bands are of different types", set->name);
    return true;
}

static bool take_image(const struct dataset *set, struct image *image, struct error *error)
{
    const int bands = GDALGetRasterCount(set->handle);

    if (bands < 1 || bands > MOST_BANDS)
        return error_set(error, "%s: has %d bands, and an image has 1 to %d; gdal_translate -b 1 takes the first",
                         set->name, bands, MOST_BANDS);
    if (GDALGetMetadata(set->handle, "SUBDATASETS") != NULL)
        return error_set(error, "%s: holds several images; gdal_translate takes one out", set->name);
    for (int i = 0; i < bands; i++)
        if (!can_smooth(set, band(set, (size_t)i), error))
            return false;
    *image = (struct image){.rows = (size_t)GDALGetRasterYSize(set->handle),
                            .cols = (size_t)GDALGetRasterXSize(set->handle), .channels = (size_t)bands,
                            .white = white_of(band(set, 0))};
    return image_take(image, set->name, error);
}

static int CPL_STDCALL on_progress(double done, const char *message, void *progress)
{
    (void)message;
    file_progress_show(progress, (size_t)(done * 1000.0), 1000);
    return TRUE;
}

/* The pixel that has no value, e.g. sea in a terrain model, would spread. */
static bool all_there(const struct dataset *set, const struct image *image, size_t channel, struct error *error)
{
    const size_t count = image->rows * image->cols, first = channel * count;
    int has = FALSE;
    const float none = (float)GDALGetRasterNoDataValue(band(set, channel), &has);

    for (size_t i = 0; has && i < count; i++)
        if ((image->bytes != NULL ? (float)image->bytes[first + i] : image->floats[first + i]) == none)
            return error_set(error, "%s: pixel [%zu][%zu] has no value (%g); gdal_fillnodata.py fills such gaps, "
                             "gdal_translate -a_nodata none ignores them", set->name, i / image->cols,
                             i % image->cols, (double)none);
    return true;
}

static bool read_band(struct dataset *set, struct image *image, size_t channel, struct error *error)
{
    const size_t count = image->rows * image->cols;
    const int cols = (int)image->cols, rows = (int)image->rows;
    struct file_progress progress = file_progress_begin("reading", set->name);
    void *pixels = image->bytes != NULL ? (void *)(image->bytes + channel * count)
                                        : (void *)(image->floats + channel * count);
    GDALRasterIOExtraArg more;

    INIT_RASTERIO_EXTRA_ARG(more);
    more.pfnProgress = on_progress;
    more.pProgressData = &progress;
    const CPLErr failed = GDALRasterIOEx(band(set, channel), GF_Read, 0, 0, cols, rows, pixels, cols, rows,
                                         image->bytes != NULL ? GDT_Byte : GDT_Float32, 0, 0, &more);
    file_progress_end(&progress);
    if (!dataset_healthy(set, error))
        return false;
    if (failed != CE_None)
        return error_set(error, "%s: GDAL cannot read its pixels", set->name);
    return all_there(set, image, channel, error);
}

bool image_gdal(struct infile *in, struct image *image, struct error *error)
{
    struct dataset set;
    bool good = dataset_open(&set, in, GDAL_OF_RASTER, error) && take_image(&set, image, error);

    for (size_t channel = 0; good && channel < image->channels; channel++)
        good = read_band(&set, image, channel, error);
    dataset_close(&set);
    return good;
}
