#include "harness/files/gdal/dataset.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/text.h"
#include "harness/files/allocate.h"

/* GDAL would print all it has to say. */
static void CPL_STDCALL on_message(CPLErr class, CPLErrorNum number, const char *message)
{
    struct dataset *set = CPLGetErrorHandlerUserData();

    (void)number;
    if (class >= CE_Failure && set->trouble[0] == '\0')
        text_add(set->trouble, sizeof set->trouble, "%s", message);
}

/* Reads a pipe or standard input to its end: GDAL must go back and forth, or has no name for it. */
static unsigned char *read_stream(const struct infile *in, size_t *bytes, struct error *error)
{
    unsigned char *data = NULL;
    size_t room = 0;

    *bytes = 0;
    do {
        const size_t more = room > 0 ? 2 * room : (size_t)1 << 16;
        unsigned char *larger = allocate_more(data, room, more, 1, in->name, error);
        if (larger == NULL)
            break;
        data = larger;
        room = more;
        *bytes += fread(data + *bytes, 1, room - *bytes, in->stream);
    } while (*bytes == room);
    if (*bytes < room && infile_healthy(in, error))
        return data;
    free(data);
    return NULL;
}

/* Returns a name in GDAL's memory for what came through a pipe.  GDAL opens some GeoPackages only under
   their usual ending. */
static const char *name_of_content(const char *data, size_t bytes)
{
    static const char geopackage[] = "SQLite format 3";

    return bytes >= sizeof geopackage && memcmp(data, geopackage, sizeof geopackage) == 0 ? "/vsimem/rungs.gpkg"
                                                                                         : "/vsimem/rungs";
}

/* Returns GDAL's name for the file.  NULL with the error set. */
static const char *path_of(struct dataset *set, const struct infile *in, struct error *error)
{
    const char *ending = strrchr(in->name, '.');
    size_t bytes;

    if (in->size != SIZE_MAX && in->stream != stdin) {
        const bool zip = ending != NULL && strcasecmp(ending, ".zip") == 0;
        return CPLSPrintf(zip ? "/vsizip/{%s}" : "%s", in->name);
    }
    set->memory = (char *)read_stream(in, &bytes, error);
    if (set->memory == NULL)
        return NULL;
    set->named = name_of_content(set->memory, bytes);
    VSILFILE *file = VSIFileFromMemBuffer(set->named, (GByte *)set->memory, bytes, FALSE);
    if (file != NULL)
        (void)VSIFCloseL(file);
    return set->named;
}

bool dataset_open(struct dataset *set, struct infile *in, unsigned flags, struct error *error)
{
    *set = (struct dataset){.name = in->name};
    CPLPushErrorHandlerEx(on_message, set);
    const char *path = path_of(set, in, error);
    if (path == NULL)
        return false;
    GDALAllRegister();
    set->handle = GDALOpenEx(path, flags | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
    if (set->handle != NULL)
        return dataset_healthy(set, error);
    return error_set(error, "%s: GDAL cannot read it: %s", set->name, set->trouble);
}

bool dataset_healthy(const struct dataset *set, struct error *error)
{
    return set->trouble[0] == '\0' || error_set(error, "%s: GDAL: %s", set->name, set->trouble);
}

void dataset_close(struct dataset *set)
{
    if (set->handle != NULL)
        GDALClose(set->handle);
    if (set->memory != NULL)
        (void)VSIUnlink(set->named);
    free(set->memory);
    CPLPopErrorHandler();
}
