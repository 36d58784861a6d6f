/* knn's answer as GeoJSON (RFC 7946): a line from each observation to each of its neighbours. */
#include "harness/problems/data/knn_entry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"

/* As in the file, or as generated. */
static struct knn_place place(const struct points *points, size_t i, const float *lat, const float *lon)
{
    if (points->count > 0)
        return (struct knn_place){points->point[i].lat, points->point[i].lon};
    return (struct knn_place){lat[i], lon[i]};
}

static void put_place(struct outfile *out, double lon, double lat)
{
    char text[64];

    (void)snprintf(text, sizeof text, "[%.11g,%.11g]", lon, lat); /* to 0.1 mm */
    entry_put(out, text);
}

/* Writes the two ends in degrees.  The first has a longitude from -180 to 180.  The second is at most 180
   degrees away, so a line across the date line stays short, and ends beyond 180 or -180. */
static void put_line(struct outfile *out, const struct entry *n)
{
    const double degree = 180.0 / M_PI;
    const struct knn_place obs = place(&n->points->obs, n->obs, n->p->obs_lat, n->p->obs_lon),
                           ref = place(&n->points->ref, n->ref, n->p->ref_lat, n->p->ref_lon);
    const double from = remainder(obs.lon * degree, 360.0);

    put_place(out, from, obs.lat * degree);
    entry_put(out, ",");
    put_place(out, from + remainder(ref.lon * degree - from, 360.0), ref.lat * degree);
}

/* JSON has no control characters and only UTF-8.  Returns whether that is so of this text; otherwise there are question
   marks in it. */
static bool put_json(struct outfile *out, const char *text)
{
    char *clean = strdup(text);

    if (clean == NULL)
        abort();
    text_clean(clean);
    const bool same = strcmp(clean, text) == 0;
    entry_put_quoted(out, clean, "\"\\", '\\');
    free(clean);
    return same;
}

/* Returns whether the names have all their characters. */
static bool put_feature(struct outfile *out, const struct entry *n)
{
    bool whole = true;

    entry_put(out, "{\"type\":\"Feature\",\"properties\":{");
    for (enum entry_field f = 0; f < ENTRY_FIELDS; f++) {
        if (!entry_has(n->points, f))
            continue;
        entry_put(out, f > 0 ? ",\"" : "\"");
        entry_put(out, entry_fields[f]);
        entry_put(out, "\":");
        if (entry_name(n, f) != NULL)
            whole = put_json(out, entry_name(n, f)) && whole;
        else
            entry_put_number(out, n, f);
    }
    entry_put(out, "},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[");
    put_line(out, n);
    entry_put(out, "]}}");
    return whole;
}

bool knn_geojson_save(const struct knn *p, const struct knn_points *points, const char *file,
                      struct error *error)
{
    struct outfile out;
    bool whole = true;

    if (!outfile_open(&out, file, error))
        return false;
    entry_put(&out, "{\"type\":\"FeatureCollection\",\"features\":[");
    for (size_t i = 0; i < p->m * p->k; i++) {
        const struct entry n = entry_at(p, points, i);
        entry_put(&out, i > 0 ? ",\n" : "\n");
        whole = put_feature(&out, &n) && whole;
    }
    entry_put(&out, "\n]}\n");
    if (!whole)
        fprintf(stderr, "warning: %s: names that are not UTF-8 have ? in them; iconv -f windows-1252 -t utf-8 may convert "
                "their file\n", file);
    return outfile_close(&out, error);
}
