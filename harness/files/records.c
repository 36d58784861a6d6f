#define _GNU_SOURCE
#include "harness/files/records.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/allocate.h"
#include "harness/files/infile.h"
#include "harness/files/records_fields.h"

/* The longest that the program writes is some 100 KiB; parsed, a line takes 20 times as much. */
enum { LINE_BYTES = 4 << 20 };

struct reader {
    struct infile in;
    struct place place;
    char *line;
    size_t length, room;
    bool whole; /* the line has an end */
    size_t run_room, cell_room, block_room, ceiling_room, crossover_room;
    bool all; /* blocks as well */
    struct past *past;
    const struct past_visitor *visitor; /* NULL: none */
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

/* The next line; false at the end of the file, or with an error. */
static bool next_line(struct reader *r)
{
    int c = 0;

    r->length = 0;
    r->place.line = r->in.line;
    while ((c = infile_next(&r->in)) != EOF && c != '\n') {
        if (r->length == LINE_BYTES)
            return place_error(&r->place, "a line of more than %d MiB; is this a file of records?",
                               LINE_BYTES >> 20);
        if (r->length == r->room && !line_grow(r))
            return false;
        r->line[r->length++] = (char)c;
    }
    r->whole = c == '\n';
    return infile_healthy(&r->in, r->place.error) && (r->whole || r->length > 0);
}

static bool is_blank(const struct reader *r)
{
    for (size_t i = 0; i < r->length; i++)
        if (strchr(" \t\r", r->line[i]) == NULL || r->line[i] == '\0')
            return false;
    return true;
}

/* --- kinds of record -------------------------------------------------------------------------- */

static struct past_run *find_run(const struct past *p, const char *id)
{
    for (size_t i = p->run_count; i-- > 0;)
        if (strcmp(p->runs[i].id, id) == 0)
            return &p->runs[i];
    return NULL;
}

static bool read_schema(const struct place *p, const json_t *object)
{
    char schema[32];

    if (!field_name(p, object, "schema", schema, sizeof schema))
        return false;
    return strncmp(schema, "rungs/1.", 8) == 0 ||
           place_error(p, "the schema is %s, and this program reads rungs/1", schema);
}

static char *words_of(const json_t *argv)
{
    const size_t count = json_array_size(argv);
    const char **words = calloc(count + 1, sizeof *words);

    if (words == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        words[i] = json_string_value(json_array_get(argv, i));
        if (words[i] == NULL)
            words[i] = "";
    }
    char *text = past_words(words, count);
    free(words);
    return text;
}

static void read_warnings(const json_t *object, struct past_run *run)
{
    const json_t *list = json_object_get(object, "warnings"), *text;
    size_t at;

    json_array_foreach((json_t *)list, at, text) {
        if (!json_is_string(text) || run->warning_count == PAST_WARNINGS)
            continue;
        char *to = run->warnings[run->warning_count++];
        snprintf(to, sizeof run->warnings[0], "%s", json_string_value(text));
        text_clean(to);
    }
}

static bool read_run(const struct place *p, const json_t *object, struct past_run *run)
{
    const json_t *build, *host, *resumes = json_object_get(object, "resumes");
    char order[16];

    run->wall = NAN;
    if (!read_schema(p, object) || !field_text(p, object, "order", order, sizeof order) ||
        !field_text(p, object, "started", run->started, sizeof run->started) ||
        !field_text(p, object, "profile", run->profile, sizeof run->profile) ||
        !field_integer(p, object, "seed", &run->seed) ||
        !field_int(p, object, "threads", &run->threads) ||
        !field_seconds(p, object, "max_time_ns", &run->max_time) ||
        !field_object(p, object, "build", &build) || !field_object(p, object, "host", &host) ||
        !field_text(p, build, "version", run->version, sizeof run->version) ||
        !field_text(p, build, "commit", run->commit, sizeof run->commit) ||
        !field_text(p, host, "cpu", run->cpu, sizeof run->cpu) ||
        !field_int(p, host, "cores", &run->cores) ||
        !field_text(p, object, "gpus", run->gpus, sizeof run->gpus))
        return false;
    run->devices = json_array_size(json_object_get(object, "devices"));
    read_warnings(object, run);
    run->words = words_of(json_object_get(object, "argv"));
    run->resumes = json_is_string(resumes);
    run->serial = strcmp(order, "serial") == 0;
    run->machine = fingerprint_of(object);
    return true;
}

static bool add_run(struct reader *r, const json_t *object, const char *id)
{
    struct past *p = r->past;

    if (find_run(p, id) != NULL)
        return place_error(&r->place, "run %s is in this file already", id);
    if (p->run_count == r->run_room) {
        size_t room = 2 * r->run_room + 1;
        struct past_run *more = allocate_more(p->runs, r->run_room, room, sizeof *more, p->file,
                                              r->place.error);
        if (more == NULL)
            return false;
        p->runs = more;
        r->run_room = room;
    }
    struct past_run *run = &p->runs[p->run_count];
    *run = (struct past_run){.ended = false};
    snprintf(run->id, sizeof run->id, "%s", id);
    if (!read_run(&r->place, object, run))
        return false;
    p->run_count++;
    return true;
}

static bool add_cell(struct reader *r, const json_t *object, size_t run)
{
    struct past *p = r->past;

    if (p->cell_count == r->cell_room) {
        size_t room = r->cell_room > 0 ? 2 * r->cell_room : 64;
        struct past_cell *more = allocate_more(p->cells, r->cell_room, room, sizeof *more, p->file,
                                               r->place.error);
        if (more == NULL)
            return false;
        p->cells = more;
        r->cell_room = room;
    }
    struct past_cell *cell = &p->cells[p->cell_count++]; /* counted, so that it will be freed */
    *cell = (struct past_cell){.run = run, .line = r->place.line, .alone = p->runs[run].serial};
    return read_cell(&r->place, object, cell);
}

/* Room for one more of `size` bytes; NULL with an error. */
static void *more_room(struct reader *r, void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    void *more = allocate_more(list, *room, 2 * *room + 16, size, r->past->file, r->place.error);
    if (more != NULL)
        *room = 2 * *room + 16;
    return more;
}

static bool add_block(struct reader *r, const json_t *object)
{
    struct past *p = r->past;
    struct past_block *more = more_room(r, p->blocks, p->block_count, &r->block_room, sizeof *more);

    if (more == NULL)
        return false;
    p->blocks = more;
    more[p->block_count] = (struct past_block){.count = 0};
    return read_block(&r->place, object, &more[p->block_count++]);
}

static bool add_ceiling(struct reader *r, const json_t *object, size_t run)
{
    struct past *p = r->past;
    struct past_ceiling *more = more_room(r, p->ceilings, p->ceiling_count, &r->ceiling_room,
                                          sizeof *more);

    if (more == NULL)
        return false;
    p->ceilings = more;
    more[p->ceiling_count] = (struct past_ceiling){.run = run, .line = r->place.line};
    return read_ceiling(&r->place, object, &more[p->ceiling_count++]);
}

static bool add_crossover(struct reader *r, const json_t *object, size_t run)
{
    struct past *p = r->past;
    struct past_crossover *more = more_room(r, p->crossovers, p->crossover_count,
                                            &r->crossover_room, sizeof *more);

    if (more == NULL)
        return false;
    p->crossovers = more;
    more[p->crossover_count] = (struct past_crossover){.run = run, .line = r->place.line};
    return read_crossover(&r->place, object, &more[p->crossover_count++]);
}

static bool take_record(struct reader *r, const json_t *object)
{
    const struct place *at = &r->place;
    char kind[32], id[sizeof(((struct past_run *)NULL)->id)];

    if (!json_is_object(object))
        return place_error(at, "not a record, which is a JSON object");
    if (!field_name(at, object, "record", kind, sizeof kind) ||
        !field_name(at, object, "run_id", id, sizeof id))
        return false;
    if (strcmp(kind, "run") == 0)
        return add_run(r, object, id);

    struct past_run *run = find_run(r->past, id);
    if (run == NULL)
        return place_error(at, "belongs to run %s, whose first line is missing", id);
    if (strcmp(kind, "measurement") == 0)
        return add_cell(r, object, (size_t)(run - r->past->runs));
    if (strcmp(kind, "block") == 0)
        return !r->all || add_block(r, object);
    if (strcmp(kind, "ceiling") == 0)
        return add_ceiling(r, object, (size_t)(run - r->past->runs));
    if (strcmp(kind, "crossover") == 0)
        return add_crossover(r, object, (size_t)(run - r->past->runs));
    if (strcmp(kind, "end") != 0)
        return true;
    run->ended = true;
    return field_int(at, object, "exit_status", &run->exit_status) &&
           field_seconds(at, object, "wall_ns", &run->wall) &&
           field_seconds(at, object, "timed_ns", &run->timed) &&
           field_seconds(at, object, "warmed_ns", &run->warmed) &&
           field_seconds(at, object, "tried_ns", &run->tried) &&
           field_seconds(at, object, "called_ns", &run->called) &&
           field_seconds(at, object, "judged_ns", &run->judged) &&
           field_number(at, object, "held_bytes", &run->held) &&
           field_number(at, object, "peak_bytes", &run->peak);
}

/* The last line may end anywhere, where a kill came in the middle of it. */
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

    if (object == NULL && !r->whole && r->past->run_count > 0 && begins_like_record(r)) {
        r->past->cut = r->place.line;
        return true;
    }
    if (object == NULL && !r->whole)
        return place_error(&r->place, "ends in the middle of a record; was the file cut?");
    if (object == NULL)
        return place_error(&r->place, "no JSON: %s", why.text);
    bool taken = take_record(r, object);
    if (taken && r->visitor != NULL)
        taken = r->visitor->line(r->visitor->context, r->past, object, r->line, r->length,
                                 r->place.error);
    json_decref(object);
    return taken;
}

/* --- the file --------------------------------------------------------------------------------- */

static bool read_file(const char *file, struct past *p, bool all,
                      const struct past_visitor *visitor, struct error *error)
{
    struct reader r = {.past = p, .all = all, .visitor = visitor,
                       .place = {.file = file, .error = error}};
    bool fine = true;

    *p = (struct past){.file = file};
    error->text[0] = '\0';
    if (!infile_open(&r.in, file, error))
        return false;
    while (fine && next_line(&r))
        fine = is_blank(&r) || take_line(&r);
    infile_close(&r.in);
    free(r.line);
    fine = fine && error->text[0] == '\0';
    if (fine && p->run_count == 0)
        fine = error_set(error, "%s: holds no run", file);
    if (!fine)
        past_free(p);
    return fine;
}

bool past_read(const char *file, struct past *p, struct error *error)
{
    return read_file(file, p, false, NULL, error);
}

bool past_visit(const char *file, struct past *p, const struct past_visitor *visitor,
                struct error *error)
{
    return read_file(file, p, false, visitor, error);
}

bool past_read_all(const char *file, struct past *p, struct error *error)
{
    return read_file(file, p, true, NULL, error);
}

void past_free(struct past *p)
{
    for (size_t i = 0; i < p->cell_count; i++) {
        free(p->cells[i].e2e.round);
        free(p->cells[i].resident.round);
        free(p->cells[i].upload.round);
        free(p->cells[i].cold.round);
        free(p->cells[i].download.round);
    }
    for (size_t i = 0; i < p->run_count; i++)
        free(p->runs[i].words);
    free(p->cells);
    free(p->blocks);
    free(p->runs);
    free(p->ceilings);
    free(p->crossovers);
    *p = (struct past){.file = p->file};
}
