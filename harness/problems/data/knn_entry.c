#include "harness/problems/data/knn_entry.h"

#include <stdio.h>
#include <string.h>

const char *const entry_fields[ENTRY_FIELDS] = {
    "observation", "rank", "index", "distance_km", "distance_rad",
    "observation_sheet_row", "reference_sheet_row", "observation_name", "reference_name",
};

/* Generated data have neither rows nor names. */
static size_t row(const struct points *points, size_t i)
{
    return points->count > 0 ? points->point[i].row : i;
}

bool entry_has(const struct knn_points *points, enum entry_field field)
{
    switch (field) {
    case OBS_SHEET:
    case REF_SHEET: return points->sheets;
    case OBS_NAME: return points->obs.names != NULL;
    case REF_NAME: return points->ref.names != NULL;
    default: return true;
    }
}

struct entry entry_at(const struct knn *p, const struct knn_points *points, size_t i)
{
    const size_t ref = points->nearest != NULL ? points->nearest[i].index : p->index[i];

    return (struct entry){p, points, i, i / p->k, ref};
}

const char *entry_name(const struct entry *n, enum entry_field field)
{
    const struct points *points = field == OBS_NAME ? &n->points->obs : &n->points->ref;

    if (field != OBS_NAME && field != REF_NAME)
        return NULL;
    return points->names + points->point[field == OBS_NAME ? n->obs : n->ref].name;
}

double entry_number(const struct entry *n, enum entry_field field)
{
    const double radians = n->points->nearest != NULL ? n->points->nearest[n->i].distance
                                                      : (double)n->p->distance[n->i];

    switch (field) {
    case OBSERVATION: return (double)row(&n->points->obs, n->obs);
    case RANK: return (double)(n->i % n->p->k);
    case INDEX: return (double)row(&n->points->ref, n->ref);
    case OBS_SHEET: return (double)n->points->obs.point[n->obs].sheet;
    case REF_SHEET: return (double)n->points->ref.point[n->ref].sheet;
    case KM: return EARTH_RADIUS * radians;
    default: return radians;
    }
}

void entry_put(struct outfile *out, const char *text)
{
    outfile_write(out, text, strlen(text));
}

void entry_put_number(struct outfile *out, const struct entry *n, enum entry_field field)
{
    char text[40];
    const bool whole = field != KM && field != RADIANS;
    const char *real = n->points->nearest != NULL ? "%.17g" : "%.9g"; /* digits that tell all values apart */

    (void)snprintf(text, sizeof text, whole ? "%.0f" : real, entry_number(n, field));
    entry_put(out, text);
}

void entry_put_quoted(struct outfile *out, const char *text, const char *special, char escape)
{
    entry_put(out, "\"");
    for (; *text != '\0'; text++) {
        if (strchr(special, *text) != NULL)
            outfile_write(out, &escape, 1);
        outfile_write(out, text, 1);
    }
    entry_put(out, "\"");
}
