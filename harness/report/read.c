/* Reads the files of a report and sorts their results into tables. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
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
    size_t cells; /* in the files before this one */
};

static void keep_run(struct report_file *f, const json_t *run)
{
    f->runs = realloc(f->runs, (f->run_count + 1) * sizeof *f->runs);
    if (f->runs == NULL)
        abort();
    f->runs[f->run_count++] = json_incref((json_t *)run);
}

static bool visit_line(void *context, const struct records *p, const json_t *object, const char *text,
                       size_t bytes, struct error *error)
{
    struct visit *v = context;

    if (v->cells + p->result_count > REPORT_CELLS)
        return error_set(error, "%s:%zu: measurement %d; a report shows %d of all files, so name "
                         "fewer", p->file, p->results[p->result_count - 1].line, REPORT_CELLS + 1,
                         REPORT_CELLS);
    if (p->run_count > v->file->run_count)
        keep_run(v->file, object);
    raw_add(&v->file->raw, object, text, bytes);
    return true;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* In a file, the results of a table need not be together. */
static void sort_results(struct report_file *f)
{
    const size_t count = f->past.result_count;
    struct result *all = f->past.results;
    bool *placed = zeroed(count, sizeof *placed);
    size_t used = 0;

    f->results = zeroed(count, sizeof *f->results);
    f->tables = zeroed(count, sizeof *f->tables);
    for (size_t i = 0; i < count; i++) {
        struct report_table *t = &f->tables[f->table_count];
        if (placed[i])
            continue;
        *t = (struct report_table){.results = &f->results[used]};
        for (size_t j = i; j < count; j++)
            if (!placed[j] && all[j].run == all[i].run && result_same_table(&all[i], &all[j])) {
                placed[j] = true;
                t->results[t->count++] = &all[j];
            }
        used += t->count;
        t->ladder = ladder_make(t->results, t->count);
        f->table_count++;
    }
    free(placed);
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

/* --- variants --------------------------------------------------------------------------------- */

static void add_variant(struct report *r, json_t *known, const struct result *c)
{
    char name[136];

    snprintf(name, sizeof name, "%s/%s", c->problem, c->variant);
    const json_t *at = json_object_get(known, name);
    if (at != NULL) {
        r->variants[json_integer_value(at)] = c;
        return;
    }
    r->variants[r->variant_count] = c;
    json_object_set_new(known, name, json_integer((json_int_t)r->variant_count++));
}

/* Lists the results and variants of all files. */
static void list_results(struct report *r)
{
    json_t *known = json_object();
    size_t count = 0;

    r->results = zeroed(r->result_count, sizeof *r->results);
    r->variants = zeroed(r->result_count, sizeof *r->variants);
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.result_count; i++) {
            r->results[count++] = (struct report_result){r->files[f].results[i], f};
            add_variant(r, known, r->files[f].results[i]);
        }
    json_decref(known);
}

/* --- all -------------------------------------------------------------------------------------- */

bool report_read(struct report *r, const char *const names[], size_t count, struct error *error)
{
    *r = (struct report){.files = zeroed(count, sizeof *r->files)};
    for (size_t i = 0; i < count; i++) {
        struct report_file *f = &r->files[i];
        struct visit visit = {.file = f, .cells = r->result_count};
        const struct records_visitor visitor = {visit_line, &visit};
        r->file_count++; /* report_free() frees what is counted */
        bool whole = records_visit(names[i], &f->past, &visitor, error);
        if (whole && f->past.cut > 0)
            whole = error_set(error, "%s:%zu: the last record is incomplete; was the file cut?",
                              names[i], f->past.cut);
        if (!whole) {
            report_free(r);
            return false;
        }
        name_file(f, names[i]);
        sort_results(f);
        r->result_count += f->past.result_count;
    }
    list_results(r);
    return true;
}

void report_free(struct report *r)
{
    for (size_t i = 0; i < r->file_count; i++) {
        struct report_file *f = &r->files[i];
        for (size_t t = 0; t < f->table_count; t++)
            ladder_free(&f->tables[t].ladder);
        for (size_t run = 0; run < f->run_count; run++)
            json_decref(f->runs[run]);
        free(f->tables);
        free(f->results);
        free(f->runs);
        raw_free(&f->raw);
        records_free(&f->past);
    }
    free(r->variants);
    free(r->results);
    free(r->files);
    *r = (struct report){.file_count = 0};
}
