#include "harness/report/raw.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/allocate.h"

/* A level that has outgrown any page is not kept up. */
enum { LARGEST = 3 << 20 };

static const char *const contents[RAW_LEVELS] = {
    "All lines of the files, as they are.",
    "The lines of the files without the samples behind each round's median and without telemetry, "
    "for which a page has no room.",
    "The lines of the files without samples, rounds, telemetry and comparisons, for which a page "
    "has no room.",
    "Of the lines of the files: medians with their intervals, verdicts, limits and flags; for more "
    "of them a page has no room.",
    "Of the lines of the files: what the tables show; for more of them a page has no room.",
};

/* --- what each level leaves out --------------------------------------------------------------- */

static void drop(json_t *object, const char *const keys[])
{
    for (size_t i = 0; keys[i] != NULL; i++)
        json_object_del(object, keys[i]);
}

static void drop_in_each(json_t *phases, const char *const keys[])
{
    const char *name;
    json_t *phase;

    json_object_foreach(phases, name, phase) {
        drop(phase, keys);
    }
}

static void drop_statistics(json_t *phases)
{
    static const char *const keys[] = {"conf", "min", "p25", "p75", "p95", "max", "mad", NULL};
    const char *name;
    json_t *phase;

    json_object_foreach(phases, name, phase) {
        drop(json_object_get(phase, "stat"), keys);
    }
}

/* What nearly all have, and a reader takes for granted. */
static void drop_usual(json_t *object)
{
    static const char *const usual[][2] = {{"device", "cpu"}, {"math", "f32"}};

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        const char *text = json_string_value(json_object_get(object, usual[i][0]));
        if (text != NULL && strcmp(text, usual[i][1]) == 0)
            json_object_del(object, usual[i][0]);
    }
    if (json_integer_value(json_object_get(object, "threads")) == 1)
        json_object_del(object, "threads");
}

/* What is not there is as good as null to every reader. */
static void drop_nothings(json_t *object)
{
    const char *name;
    json_t *value;
    void *next;

    json_object_foreach_safe(object, next, name, value) {
        drop_nothings(value);
        if (json_is_null(value) || (json_is_array(value) && json_array_size(value) == 0))
            json_object_del(object, name);
    }
}

/* Takes from the object what the level before still had. */
static void thin(json_t *object, size_t level)
{
    static const char *const samples[] = {"samples", "samples_dropped", NULL};
    static const char *const telemetry[] = {"telemetry", NULL};
    static const char *const rounds[] = {"rounds", NULL};
    static const char *const side[] = {"reps", "first_round", "round_n", "timer", NULL};
    static const char *const facts[] = {"idea", "work", "once", "predicted", "stop", "order",
                                        "drift_restarts", NULL};
    static const char *const judged[] = {"limit", "worst_array", "worst_index", "worst_got",
                                         "check_sizes_ok", "check_sizes_refused", NULL};
    static const char *const ways[] = {"upload", "cold", "download", NULL};
    static const char *const share[] = {"share", NULL};
    static const char *const whole[] = {"run", NULL}; /* which is all of e2e again on a CPU */
    const char *device = json_string_value(json_object_get(object, "device"));
    json_t *phases = json_object_get(object, "phases");

    switch (level) {
    case 1:
        drop_in_each(phases, samples);
        drop(object, telemetry);
        break;
    case 2:
        drop_in_each(phases, rounds);
        break;
    case 3:
        drop_statistics(phases);
        drop(device != NULL && strcmp(device, "cpu") == 0 ? phases : NULL, whole);
        drop_in_each(phases, side);
        drop(object, facts);
        drop(json_object_get(object, "validation"), judged);
        drop_nothings(object);
        break;
    case 4:
        drop(phases, ways);
        drop_in_each(json_object_get(object, "limit"), share);
        drop_usual(object);
        break;
    default:
        break;
    }
}

/* Each block of samples has a line of its own, and what two rungs are to each other. */
static bool is_kept(const char *kind, size_t level)
{
    static const char *const kinds[] = {"run", "measurement", "crossover", "break_even", "scaling",
                                        "ceiling", "selftest", "end"};

    if (level == 0 || kind == NULL)
        return level == 0;
    if (level == 1)
        return strcmp(kind, "block") != 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return true;
    return false;
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool append(struct raw_level *l, const char *text, size_t bytes, const char *name,
                   struct error *error)
{
    if (l->bytes + bytes > l->room) {
        size_t room = 2 * (l->bytes + bytes) + 4096;
        char *more = allocate_more(l->text, l->room, room, 1, name, error);
        if (more == NULL)
            return false;
        l->text = more;
        l->room = room;
    }
    memcpy(l->text + l->bytes, text, bytes);
    l->bytes += bytes;
    return true;
}

/* Within JSON these three stand in strings only, where they may be written by number: so no line
   can end the script element that holds it, nor begin a comment. */
static const char *by_number(char c)
{
    return c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : c == '&' ? "\\u0026" : NULL;
}

static bool append_line(struct raw_level *l, const char *text, size_t bytes, const char *name,
                        struct error *error)
{
    size_t from = 0;

    for (size_t i = 0; i < bytes; i++) {
        const char *number = by_number(text[i]);
        if (number == NULL)
            continue;
        if (!append(l, text + from, i - from, name, error) || !append(l, number, 6, name, error))
            return false;
        from = i + 1;
    }
    return append(l, text + from, bytes - from, name, error) && append(l, ",\n", 2, name, error);
}

static bool outgrown(const struct raw *r, size_t level)
{
    return level + 1 < RAW_LEVELS && r->level[level].bytes > LARGEST;
}

static bool append_object(struct raw *r, size_t level, const json_t *object, const char *name,
                          struct error *error)
{
    char *text = json_dumps(object, JSON_COMPACT | (level < 3 ? JSON_REAL_PRECISION(9)
                                                              : JSON_REAL_PRECISION(6)));
    bool added = text != NULL && append_line(&r->level[level], text, strlen(text), name, error);

    if (text == NULL)
        error_set(error, "%s: no memory for a line of it", name);
    free(text);
    return added;
}

bool raw_add(struct raw *r, const json_t *object, const char *text, size_t bytes, const char *name,
             struct error *error)
{
    const char *kind = json_string_value(json_object_get(object, "record"));
    bool added = true;
    json_t *copy = json_deep_copy(object);

    r->lines++;
    r->bytes += bytes + 1;
    while (bytes > 0 && strchr(" \t\r", text[bytes - 1]) != NULL)
        bytes--;
    if (copy == NULL)
        return error_set(error, "%s: no memory for a line of it", name);
    if (!outgrown(r, 0))
        added = append_line(&r->level[0], text, bytes, name, error);
    for (size_t level = 1; level < RAW_LEVELS && added && is_kept(kind, level); level++) {
        thin(copy, level);
        if (!outgrown(r, level))
            added = append_object(r, level, copy, name, error);
    }
    json_decref(copy);
    return added;
}

void raw_free(struct raw *r)
{
    for (size_t i = 0; i < RAW_LEVELS; i++)
        free(r->level[i].text);
    *r = (struct raw){.lines = 0};
}

size_t raw_level(const struct raw *const all[], size_t count, size_t room)
{
    size_t level = 0;

    for (; level + 1 < RAW_LEVELS; level++) {
        size_t bytes = 0;
        for (size_t i = 0; i < count; i++)
            bytes += all[i]->level[level].bytes;
        if (bytes <= room)
            break;
    }
    return level;
}

const char *raw_contents(size_t level)
{
    return contents[level];
}

void raw_print(FILE *out, const struct raw *r, size_t level)
{
    const struct raw_level *l = &r->level[level];

    fputs("[\n", out);
    if (l->bytes >= 2)
        fwrite(l->text, 1, l->bytes - 2, out); /* no comma behind the last */
    fputs("\n]", out);
}
