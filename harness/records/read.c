#define _GNU_SOURCE
#include "harness/records/records.h"

#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/allocate.h"
#include "harness/files/infile.h"
#include "harness/records/measurement.h"

/* The longest line that the program writes has some 100 KiB; parsed, a line takes 20 times as much memory. */
enum { LINE_BYTES = 4 << 20 };

struct reader {
    struct infile in;
    struct record_place place;
    char *line;
    size_t length, room;
    size_t read, most; /* bytes so far, and bytes to read */
    bool whole; /* the line is complete */
    bool all;   /* also blocks */
    struct records *records;
    const struct records_visitor *visitor; /* NULL: none */
};

/* --- lines ------------------------------------------------------------------------------------ */

static bool line_grow(struct reader *r)
{
    size_t room = r->room > 0 ? 2 * r->room : 4096;
    char *more = allocate_more(r->line, r->room, room, 1, r->in.name, r->place.error);

    if (more == NULL)
        return false;
    r->line = more;
    r->room = room;
    return true;
}

enum next { NEXT_LINE, NEXT_END, NEXT_ERROR };

static enum next next_line(struct reader *r)
{
    int c = 0;

    r->length = 0;
    r->place.line = r->in.line;
    if (r->read >= r->most)
        return NEXT_END;
    while ((c = infile_next(&r->in)) != EOF && c != '\n') {
        if (r->length == LINE_BYTES) {
            place_error(&r->place, "a line has more than %d MiB; is this a file of records?",
                        LINE_BYTES >> 20);
            return NEXT_ERROR;
        }
        if (r->length == r->room && !line_grow(r))
            return NEXT_ERROR;
        r->line[r->length++] = (char)c;
    }
    r->whole = c == '\n';
    r->read += r->length + r->whole;
    if (!infile_healthy(&r->in, r->place.error))
        return NEXT_ERROR;
    return r->whole || r->length > 0 ? NEXT_LINE : NEXT_END;
}

static bool is_blank(const struct reader *r)
{
    for (size_t i = 0; i < r->length; i++)
        if (strchr(" \t\r", r->line[i]) == NULL || r->line[i] == '\0')
            return false;
    return true;
}

/* --- kinds of record -------------------------------------------------------------------------- */

/* Appends a zeroed element to a list and returns it; NULL with an error. */
static void *add(struct reader *r, void *list_place, size_t *count, size_t size)
{
    char **list = list_place;

    if ((*count & (*count + 1)) == 0) { /* 0, 1, 3, 7 ...: the list is full */
        void *more = allocate_more(*list, *count, 2 * *count + 1, size, r->place.file,
                                   r->place.error);
        if (more == NULL)
            return NULL;
        *list = more;
    }
    return memset(*list + (*count)++ * size, 0, size);
}

static struct run *find_run(const struct records *p, const char *id)
{
    for (size_t i = p->run_count; i-- > 0;)
        if (strcmp(p->runs[i].id, id) == 0)
            return &p->runs[i];
    return NULL;
}

static bool add_run(struct reader *r, const json_t *object, const char *id)
{
    struct records *p = r->records;

    if (find_run(p, id) != NULL)
        return place_error(&r->place, "run %s occurs twice in this file", id);
    struct run *run = add(r, &p->runs, &p->run_count, sizeof *run);
    if (run == NULL)
        return false;
    snprintf(run->id, sizeof run->id, "%s", id);
    return run_read(&r->place, object, run);
}

static bool add_result(struct reader *r, const json_t *object, size_t run)
{
    struct records *p = r->records;
    struct result *result = add(r, &p->results, &p->result_count, sizeof *result);

    if (result == NULL)
        return false;
    result->run = run;
    result->line = r->place.line;
    result->alone = p->runs[run].serial;
    return measurement_read(&r->place, object, result);
}

static bool add_block(struct reader *r, const json_t *object)
{
    struct block_record *b = add(r, &r->records->blocks, &r->records->block_count, sizeof *b);

    return b != NULL && block_read(&r->place, object, b);
}

static bool add_ceiling(struct reader *r, const json_t *object, size_t run)
{
    struct ceiling_value *v = add(r, &r->records->ceilings, &r->records->ceiling_count, sizeof *v);

    if (v == NULL)
        return false;
    v->run = run;
    v->line = r->place.line;
    if (!ceiling_read(&r->place, object, v))
        return false;
    if (v->resource == RESOURCES) /* of a later version: skipped */
        r->records->ceiling_count--;
    return true;
}

#define OF(key, kind, member) RECORD_FIELD(struct crossover_record, key, kind, member)

static bool add_crossover(struct reader *r, const json_t *object, size_t run)
{
    static const struct field fields[] = {
        OF("problem", KIND_NAME, problem),      OF("variant", KIND_NAME, variant),
        OF("against", KIND_TEXT, against),      OF("phase", KIND_TEXT, phase),
        OF("pays", KIND_TEXT, pays),            OF("unit", KIND_TEXT, unit),
        OF("axis", KIND_TEXT, axis),            OF("sentence", KIND_TEXT, sentence),
        OF("from", KIND_NUMBER, from),          OF("to", KIND_NUMBER, to),
        OF("axis_from", KIND_NUMBER, axis_from), OF("axis_to", KIND_NUMBER, axis_to),
    };
    struct records *p = r->records;
    struct crossover_record *c = add(r, &p->crossovers, &p->crossover_count, sizeof *c);

    if (c == NULL)
        return false;
    c->run = run;
    c->line = r->place.line;
    return fields_read(&r->place, object, fields, sizeof fields / sizeof *fields, c);
}

static bool take_record(struct reader *r, const json_t *object)
{
    const struct record_place *at = &r->place;
    char kind[32], id[sizeof(((struct run *)NULL)->id)];

    if (!json_is_object(object))
        return place_error(at, "not a record: it must be a JSON object");
    if (!field_name(at, object, "record", kind, sizeof kind) ||
        !field_name(at, object, "run_id", id, sizeof id))
        return false;
    if (strcmp(kind, "run") == 0)
        return add_run(r, object, id);

    struct run *run = find_run(r->records, id);
    if (run == NULL)
        return place_error(at, "the first line of run %s is missing", id);
    const size_t index = (size_t)(run - r->records->runs);
    if (strcmp(kind, "measurement") == 0)
        return add_result(r, object, index);
    if (strcmp(kind, "block") == 0)
        return !r->all || add_block(r, object);
    if (strcmp(kind, "ceiling") == 0)
        return add_ceiling(r, object, index);
    if (strcmp(kind, "crossover") == 0)
        return add_crossover(r, object, index);
    return strcmp(kind, "end") != 0 || run_read_end(at, object, run);
}

/* The last line may be incomplete, if the run was killed. */
static bool begins_like_record(const struct reader *r)
{
    static const char start[] = "{\"record\"";
    const size_t length = sizeof start - 1;

    return memcmp(r->line, start, r->length < length ? r->length : length) == 0;
}

static bool take_line(struct reader *r)
{
    json_error_t why;
    json_t *object = json_loadb(r->line, r->length, JSON_REJECT_DUPLICATES, &why);

    if (object == NULL && !r->whole && r->records->run_count > 0 && begins_like_record(r)) {
        r->records->cut = r->place.line;
        return true;
    }
    if (object == NULL && !r->whole)
        return place_error(&r->place, "the record is incomplete; was the file cut?");
    if (object == NULL)
        return place_error(&r->place, "not JSON: %s", why.text);
    bool taken = take_record(r, object);
    if (taken && r->visitor != NULL)
        taken = r->visitor->line(r->visitor->context, r->records, object, r->line, r->length,
                                 r->place.error);
    json_decref(object);
    return taken;
}

/* --- the file --------------------------------------------------------------------------------- */

static bool read_lines(struct reader *r)
{
    enum next next;

    while ((next = next_line(r)) == NEXT_LINE)
        if (!is_blank(r) && !take_line(r))
            return false;
    return next == NEXT_END && (r->records->run_count > 0 ||
                                error_set(r->place.error, "%s: contains no run", r->place.file));
}

static bool read_file(const char *file, size_t most, struct records *p, bool all,
                      const struct records_visitor *visitor, struct error *error)
{
    struct reader r = {.records = p, .most = most, .all = all, .visitor = visitor,
                       .place = {.file = file, .error = error}};

    *p = (struct records){.file = file};
    if (!infile_open(&r.in, file, error))
        return false;
    const bool read = read_lines(&r);
    infile_close(&r.in);
    free(r.line);
    if (!read)
        records_free(p);
    return read;
}

bool records_read(const char *file, struct records *p, struct error *error)
{
    return read_file(file, SIZE_MAX, p, false, NULL, error);
}

bool records_visit(const char *file, struct records *p, const struct records_visitor *visitor,
                struct error *error)
{
    return read_file(file, SIZE_MAX, p, false, visitor, error);
}

bool records_read_all(const char *file, struct records *p, struct error *error)
{
    return read_file(file, SIZE_MAX, p, true, NULL, error);
}

bool records_read_part(const char *file, size_t bytes, struct records *p, struct error *error)
{
    return read_file(file, bytes, p, true, NULL, error);
}

void records_free(struct records *p)
{
    for (size_t i = 0; i < p->result_count; i++)
        result_clear(&p->results[i]);
    for (size_t i = 0; i < p->run_count; i++)
        free(p->runs[i].words);
    free(p->results);
    free(p->blocks);
    free(p->runs);
    free(p->ceilings);
    free(p->crossovers);
    *p = (struct records){.file = p->file};
}

/* --- tables ----------------------------------------------------------------------------------- */

size_t records_table_length(const struct records *p, size_t at)
{
    size_t end = at + 1;

    while (end < p->result_count && p->results[end].run == p->results[at].run &&
           result_same_table(&p->results[at], &p->results[end]))
        end++;
    return end - at;
}

struct result **records_table(const struct records *p, size_t at, size_t count)
{
    struct result **table = calloc(count + 1, sizeof *table);

    if (table == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        table[i] = &p->results[at + i];
    return table;
}
