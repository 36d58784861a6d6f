#include "harness/problems/data/knn_answer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/files/npy.h"
#include "harness/problems/data/knn_entry.h"

/* --- CSV: one line for each neighbour --------------------------------------------------------- */

static void put_csv(struct outfile *out, const char *text)
{
    if (strpbrk(text, ",\"\n") != NULL)
        entry_put_quoted(out, text, "\"", '"');
    else
        entry_put(out, text);
}

static bool save_csv(const struct knn *p, const struct knn_points *points, const char *file,
                     struct error *error)
{
    struct outfile out;

    if (!outfile_open(&out, file, error))
        return false;
    for (enum entry_field f = 0; f < ENTRY_FIELDS; f++)
        if (entry_has(points, f)) {
            entry_put(&out, f > 0 ? "," : "");
            entry_put(&out, entry_fields[f]);
        }
    entry_put(&out, "\n");
    for (size_t i = 0; i < p->m * p->k; i++) {
        const struct entry n = entry_at(p, points, i);
        for (enum entry_field f = 0; f < ENTRY_FIELDS; f++) {
            if (!entry_has(points, f))
                continue;
            entry_put(&out, f > 0 ? "," : "");
            if (entry_name(&n, f) != NULL)
                put_csv(&out, entry_name(&n, f));
            else
                entry_put_number(&out, &n, f);
        }
        entry_put(&out, "\n");
    }
    return outfile_close(&out, error);
}

/* --- NPY: [m][k][3] in float64: index, km, radians; [4], where rows were left out: observation --- */

static bool save_npy(const struct knn *p, const struct knn_points *points, const char *file,
                     struct error *error)
{
    static const enum entry_field order[] = {INDEX, KM, RADIANS, OBSERVATION};
    const size_t shape[] = {p->m, p->k, points->sheets ? 4 : 3};
    double *table = malloc((p->m * p->k + 1) * shape[2] * sizeof *table), *to = table;

    if (table == NULL)
        return error_set(error, "%s: no memory to write it", file);
    for (size_t i = 0; i < p->m * p->k; i++) {
        const struct entry n = entry_at(p, points, i);
        for (size_t f = 0; f < shape[2]; f++)
            *to++ = entry_number(&n, order[f]);
    }
    bool written = npy_write(file, ELEMENT_F64, 3, shape, table, error);
    free(table);
    return written;
}

/* --- by the file's name ----------------------------------------------------------------------- */

static const struct format {
    const char *extension;
    bool names; /* it can hold names */
    bool (*save)(const struct knn *p, const struct knn_points *points, const char *file,
                 struct error *error);
} formats[] = {{".csv", true, save_csv}, {".npy", false, save_npy}, {".geojson", true, knn_geojson_save},
             {".json", true, knn_geojson_save}};

/* Returns the format, or NULL. */
static const struct format *format_of(const char *file)
{
    const char *extension = strrchr(file, '.');

    if (outfile_is_stream(file))
        return &formats[0];
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (extension != NULL && strcasecmp(extension, formats[i].extension) == 0)
            return &formats[i];
    return NULL;
}

bool knn_answer_fits(const struct knn_points *points, const char *file, struct error *error)
{
    const struct format *f = format_of(file);

    if (f == NULL)
        return error_set(error, "%s: the name must end in .csv, .npy or .geojson", file);
    return f->names || points == NULL || (points->obs.names == NULL && points->ref.names == NULL) ||
           error_set(error, "%s: NPY holds no names; write .csv or .geojson", file);
}

bool knn_answer_save(const struct knn *p, const struct knn_points *points, const char *file,
                     struct error *error)
{
    static const struct knn_points none;
    const struct format *f = format_of(file);

    return knn_answer_fits(points, file, error) && f->save(p, points != NULL ? points : &none, file, error);
}
