/* The files of a report: read, sorted into tables, and every rung in them looked up. */
#include <stdlib.h>
#include <string.h>

#include "harness/ladder_past.h"
#include "harness/report/html.h"
#include "harness/report/report.h"

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);

    if (memory == NULL)
        abort();
    return memory;
}

/* --- line by line ----------------------------------------------------------------------------- */

struct visit {
    struct report_file *file;
    size_t cells; /* of the files before */
};

static void keep_about(struct report_file *f, const json_t *run)
{
    char **more = realloc(f->about, (f->about_count + 1) * sizeof *more);

    if (more == NULL)
        abort();
    f->about = more;
    f->about[f->about_count++] = report_about(run);
}

static bool visit_line(void *context, const struct past *p, const json_t *object, const char *text,
                       size_t bytes, struct error *error)
{
    struct visit *v = context;

    if (v->cells + p->cell_count > REPORT_CELLS)
        return error_set(error, "%s:%zu: measurement %d; a report shows %d in all, so give it "
                         "fewer", p->file, p->cells[p->cell_count - 1].line, REPORT_CELLS + 1,
                         REPORT_CELLS);
    if (p->run_count > v->file->about_count)
        keep_about(v->file, object);
    return raw_add(&v->file->raw, object, text, bytes, p->file, error);
}

/* --- tables ----------------------------------------------------------------------------------- */

struct placed {
    size_t table, at;
};

static int by_table(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->table != y->table)
        return x->table < y->table ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

/* The number of the cell's table, a new one for the first of its kind. */
static size_t table_of(json_t *tables, const struct past_cell *c)
{
    char key[512], size[200];

    past_size(c, size, sizeof size);
    snprintf(key, sizeof key, "%zu %s %s %s", c->run, c->problem, size, c->label);
    const json_t *known = json_object_get(tables, key);
    if (known == NULL)
        json_object_set_new(tables, key, json_integer((json_int_t)json_object_size(tables)));
    return (size_t)json_integer_value(json_object_get(tables, key));
}

/* Cells of a table need not stand together in a file. */
static void sort_cells(struct report_file *f)
{
    const size_t count = f->past.cell_count;
    struct placed *places = zeroed(count, sizeof *places);
    json_t *tables = json_object();

    f->cells = zeroed(count, sizeof *f->cells);
    for (size_t i = 0; i < count; i++)
        places[i] = (struct placed){table_of(tables, &f->past.cells[i]), i};
    f->table_count = json_object_size(tables);
    qsort(places, count, sizeof *places, by_table);
    f->tables = zeroed(f->table_count, sizeof *f->tables);
    for (size_t i = 0; i < count; i++) {
        struct report_table *t = &f->tables[places[i].table];
        f->cells[i] = f->past.cells[places[i].at];
        if (t->count++ == 0)
            t->cells = &f->cells[i];
    }
    for (size_t i = 0; i < f->table_count; i++)
        f->tables[i].ladder = ladder_of_cells(f->tables[i].cells, f->tables[i].count);
    free(places);
    json_decref(tables);
}

static void name_file(struct report_file *f, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    size_t length = strlen(name);

    if (length > 6 && strcmp(name + length - 6, ".jsonl") == 0)
        length -= 6;
    snprintf(f->name, sizeof f->name, "%.*s", (int)length, name);
    text_clean(f->name);
}

/* --- rungs ------------------------------------------------------------------------------------ */

static void add_rung(struct report *r, json_t *known, const struct past_cell *c)
{
    char name[136];

    snprintf(name, sizeof name, "%s/%s", c->problem, c->variant);
    const json_t *at = json_object_get(known, name);
    if (at != NULL) {
        r->rungs[json_integer_value(at)].cell = c;
        return;
    }
    struct report_rung *rung = &r->rungs[r->rung_count];
    *rung = (struct report_rung){.cell = c, .source = source_find(c->problem, c->variant, c->base)};
    json_object_set_new(known, name, json_integer((json_int_t)r->rung_count++));
}

static void find_rungs(struct report *r)
{
    json_t *known = json_object();

    r->rungs = zeroed(r->cell_count, sizeof *r->rungs);
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.cell_count; i++)
            add_rung(r, known, &r->files[f].cells[i]);
    json_decref(known);
}

/* --- all -------------------------------------------------------------------------------------- */

bool report_read(struct report *r, const char *const names[], size_t count, struct error *error)
{
    *r = (struct report){.files = zeroed(count, sizeof *r->files)};
    for (size_t i = 0; i < count; i++) {
        struct report_file *f = &r->files[i];
        struct visit visit = {.file = f, .cells = r->cell_count};
        const struct past_visitor visitor = {visit_line, &visit};
        r->file_count++; /* counted, so that it will be freed */
        bool whole = past_visit(names[i], &f->past, &visitor, error);
        if (whole && f->past.cut > 0)
            whole = error_set(error, "%s:%zu: ends in the middle of a record; was the file cut?",
                              names[i], f->past.cut);
        if (!whole) {
            report_free(r);
            return false;
        }
        name_file(f, names[i]);
        sort_cells(f);
        r->cell_count += f->past.cell_count;
    }
    find_rungs(r);
    return true;
}

void report_free(struct report *r)
{
    for (size_t i = 0; i < r->file_count; i++) {
        struct report_file *f = &r->files[i];
        for (size_t t = 0; t < f->table_count; t++)
            ladder_free(&f->tables[t].ladder);
        for (size_t a = 0; a < f->about_count; a++)
            free(f->about[a]);
        free(f->tables);
        free(f->cells);
        free(f->about);
        raw_free(&f->raw);
        past_free(&f->past);
    }
    for (size_t i = 0; i < r->rung_count; i++)
        source_free(&r->rungs[i].source);
    free(r->rungs);
    free(r->files);
    *r = (struct report){.file_count = 0};
}
