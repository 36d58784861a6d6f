/* logreg on users' tables: --x and --y of NPY, or --x of CSV with its column of labels; the weights as NPY or CSV. */
#define _GNU_SOURCE
#include "common/logreg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"
#include "harness/files/outfile.h"
#include "harness/problems/data/labelled.h"
#include "harness/problems/logreg.h"

enum { X, Y, LABEL, ONE, C, TOL };

static const struct input inputs[] = {
    {"x", "FILE", "samples: NPY [m][n], or CSV with a header and a column of labels"},
    {"y", "FILE", "labels 0 or 1: NPY [m]; with CSV they are a column of --x"},
    {"label", "NAME", "the CSV column of labels, by name or number from 1; unless given, the last one"},
    {"one", "WORD", "what stands for 1 in that column, anything else being 0; unless given, labels are 0 and 1"},
    {"c", "NUMBER", "C of scikit-learn, the inverse of the penalty: lambda = 1/(C m); 1 unless given"},
    {"tol", "NUMBER", "how large a component of the gradient may be; 1e-4 unless given"},
    {NULL, NULL, NULL},
};

struct files {
    struct labelled table;
    double c, tol;
};

static void close(void *opened)
{
    struct files *o = opened;

    labelled_free(&o->table);
    free(o);
}

static bool read_positive(const char *const given[], size_t which, double otherwise, double *value, struct error *error)
{
    char *end = NULL;

    *value = otherwise;
    if (given[which] == NULL)
        return true;
    *value = strtod(given[which], &end);
    return (end != given[which] && *end == '\0' && isfinite((float)*value) && (float)*value > 0.0f) ||
           error_set(error, "--%s takes a number above 0, not \"%s\"", inputs[which].name, given[which]);
}

static bool ends_in(const char *file, const char *ending)
{
    const size_t length = strlen(file), its = strlen(ending);

    return length > its && strcmp(file + length - its, ending) == 0;
}

static bool read_table(struct files *o, const char *const given[], struct error *error)
{
    const char *x = required_file(given, inputs, X, error);

    if (x == NULL)
        return false;
    if (!ends_in(x, ".npy")) {
        const struct labels_asked asked = {given[LABEL], given[ONE]};
        return given[Y] != NULL ? error_set(error, "--y is for NPY; the labels of a CSV file are one of its columns (--label)")
                                : labelled_csv(x, &asked, &o->table, error);
    }
    if (given[LABEL] != NULL || given[ONE] != NULL)
        return error_set(error, "--label and --one are for CSV; the labels of %s are in --y", x);
    const char *y = required_file(given, inputs, Y, error);

    return y != NULL && labelled_npy(x, y, &o->table, error);
}

static float lambda(const struct files *o)
{
    return (float)(1.0 / (o->c * (double)o->table.m));
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    struct files *o = calloc(1, sizeof *o);

    if (o == NULL) {
        error_set(error, "no memory");
        return NULL;
    }
    if (read_positive(given, C, 1.0, &o->c, error) && read_positive(given, TOL, 1e-4, &o->tol, error) &&
        read_table(o, given, error)) {
        dims[0] = o->table.m;
        dims[1] = o->table.n;
        if (isfinite(lambda(o)))
            return o;
        error_set(error, "--c %s is so small that the penalty 1/(C m) is beyond float32", given[C]);
    }
    close(o);
    return NULL;
}

static void load(void *c, const void *opened)
{
    struct logreg *p = c;
    const struct files *o = opened;

    p->lambda = lambda(o);
    p->tau = (float)o->tol;
    memcpy((float *)p->x, o->table.x, p->m * p->n * sizeof *p->x);
    memcpy((uint8_t *)p->y, o->table.y, p->m);
}

static bool is_csv(const char *file)
{
    return outfile_is_stream(file) || ends_in(file, ".csv");
}

static bool writes(const void *opened, const char *file, struct error *error)
{
    (void)opened;
    return is_csv(file) || ends_in(file, ".npy") || error_set(error, "%s: the answer is written as .csv or .npy", file);
}

/* Writes a text as a field of CSV: in quotation marks if it needs them. */
static void write_field(struct outfile *out, const char *text)
{
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;

    outfile_write(out, "\"", quoted);
    for (const char *c = text; *c != '\0'; c++)
        outfile_write(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    outfile_write(out, "\"", quoted);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct logreg *p = c;
    const struct files *o = opened;
    const size_t count = p->n + 1;
    struct outfile out;
    char text[40];

    if (!is_csv(file))
        return npy_write(file, ELEMENT_F32, 1, &count, p->w, error);
    if (!outfile_open(&out, file, error))
        return false;
    outfile_write(&out, "feature,weight\n", strlen("feature,weight\n"));
    for (size_t j = 0; j < count; j++) {
        snprintf(text, sizeof text, "%zu", j + 1);
        write_field(&out, j == p->n ? "intercept" : o != NULL && o->table.names != NULL ? o->table.names[j] : text);
        outfile_write(&out, text, (size_t)snprintf(text, sizeof text, ",%.9g\n", (double)p->w[j]));
    }
    return outfile_close(&out, error);
}

static void remark(const void *opened, char *text, size_t bytes)
{
    const struct files *o = opened;

    labelled_remark(&o->table, text, bytes);
}

const struct user_data logreg_data = {.inputs = inputs, .open = open, .load = load, .close = close, .save = save,
                                      .writes = writes, .remark = remark};
