#include "harness/files/points_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/files/allocate.h"

bool points_add(struct points *points, double lat, double lon, size_t row, size_t sheet,
                const char *file, struct error *error)
{
    const struct point p = {.lat = (float)lat, .lon = (float)lon, .row = row, .sheet = sheet};

    if (points->count == points->room) {
        size_t room = points->room > 0 ? 2 * points->room : 1024;
        struct point *more =
            allocate_more(points->point, points->room, room, sizeof *more, file, error);
        if (more == NULL)
            return false;
        points->point = more;
        points->room = room;
    }
    points->point[points->count++] = p;
    points->rounding = fmax(points->rounding, hypot((double)p.lat - lat,
                                                    ((double)p.lon - lon) * cos(lat)));
    return true;
}

bool points_name(struct points *points, const char *name, const char *file, struct error *error)
{
    const size_t bytes = strlen(name) + 1;

    if (points->names_length + bytes > points->names_room) {
        size_t room = 2 * points->names_room + bytes + 4096;
        char *more = allocate_more(points->names, points->names_room, room, 1, file, error);
        if (more == NULL)
            return false;
        points->names = more;
        points->names_room = room;
    }
    memcpy(points->names + points->names_length, name, bytes);
    points->point[points->count - 1].name = points->names_length;
    points->names_length += bytes;
    return true;
}

static bool is_npy(const struct infile *in)
{
    const char *extension = strrchr(in->name, '.');
    int first = getc(in->stream);

    (void)ungetc(first, in->stream);
    return first == 0x93 || (extension != NULL && strcasecmp(extension, ".npy") == 0);
}

bool points_read(const char *file, const struct points_asked *asked, struct points *points,
                 struct error *error)
{
    struct infile in;

    *points = (struct points){.count = 0};
    if (!infile_open(&in, file, error))
        return false;
    points->file = in.name;
    bool good = (is_npy(&in) ? points_npy : points_csv)(&in, asked, points, error);
    if (good && points->count == 0)
        good = points->skipped == 0
             ? error_set(error, "%s: has no points", in.name)
             : error_set(error, "%s: none of the %zu rows has coordinates", in.name, points->skipped);
    if (!good)
        points_free(points);
    infile_close(&in);
    return good;
}

void points_free(struct points *points)
{
    free(points->point);
    free(points->names);
    *points = (struct points){.count = 0};
}
