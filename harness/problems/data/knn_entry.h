/* What an answer of knn says of a neighbour. */
#ifndef RUNGS_DATA_KNN_ENTRY_H
#define RUNGS_DATA_KNN_ENTRY_H

#include "harness/files/outfile.h"
#include "harness/problems/data/knn_answer.h"

/* The columns of CSV and the properties of GeoJSON, in this order. */
enum entry_field {
    OBSERVATION, RANK, INDEX, KM, RADIANS, /* always */
    OBS_SHEET, REF_SHEET, OBS_NAME, REF_NAME,
    ENTRY_FIELDS
};

extern const char *const entry_fields[ENTRY_FIELDS];

/* Returns whether answers from these points have the field. */
bool entry_has(const struct knn_points *points, enum entry_field field);

/* A neighbour: number i of the answer. */
struct entry {
    const struct knn *p;
    const struct knn_points *points;
    size_t i, obs, ref;
};

struct entry entry_at(const struct knn *p, const struct knn_points *points, size_t i);

/* Returns the name of a field that is one, else NULL. */
const char *entry_name(const struct entry *n, enum entry_field field);
double entry_number(const struct entry *n, enum entry_field field);

void entry_put_number(struct outfile *out, const struct entry *n, enum entry_field field);
void entry_put(struct outfile *out, const char *text);

/* Writes a text in quotation marks.  `escape` comes before each character of `special`. */
void entry_put_quoted(struct outfile *out, const char *text, const char *special, char escape);

/* The formats. */
bool knn_geojson_save(const struct knn *p, const struct knn_points *points, const char *file, struct error *error);

#endif
