#define _GNU_SOURCE
#include "harness/report/raw.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A level larger than this fits no page, and gets no more lines. */
enum { LARGEST = 3 << 20 };

const char *const raw_contents[RAW_LEVELS] = {
    "All lines of the files, unchanged.",
    "The lines of the files. To save room, samples and telemetry are left out.",
    "The lines of the files. To save room, samples, rounds, telemetry and comparisons are left out.",
    "Medians with intervals, verdicts, peaks and flags. To save room, the rest of the files is left out.",
    "What the tables show. To save room, the rest of the files is left out.",
};

/* --- levels ----------------------------------------------------------------------------------- */

/* Where the keys to leave out are: in the record, in one of its objects, or in each object of that one. */
enum place { ITSELF, IN, IN_EACH, IN_EACH_STAT };

static const struct {
    size_t level;
    enum place place;
    const char *of;
    const char *keys[8]; /* ends with NULL */
} spared[] = {
    {1, IN_EACH, "phases", {"samples", "samples_dropped"}},
    {1, ITSELF, NULL, {"telemetry"}},
    {2, IN_EACH, "phases", {"rounds"}},
    {3, IN_EACH_STAT, "phases", {"conf", "min", "p25", "p75", "p95", "max", "mad"}},
    {3, IN_EACH, "phases", {"reps", "first_round", "round_n", "timer"}},
    {3, ITSELF, NULL, {"idea", "work", "once", "predicted", "stop", "order", "drift_restarts"}},
    {3, IN, "validation", {"limit", "worst_array", "worst_index", "worst_got", "check_sizes_ok",
                           "check_sizes_refused"}},
    {4, IN, "phases", {"upload", "cold", "download"}},
    {4, IN_EACH, "limit", {"share"}},
};

static void drop(json_t *object, const char *const keys[])
{
    for (size_t i = 0; keys[i] != NULL; i++)
        json_object_del(object, keys[i]);
}

static void drop_spared(json_t *object, size_t at)
{
    json_t *of = json_object_get(object, spared[at].of), *each;
    const enum place place = spared[at].place;
    const char *name;

    if (place == ITSELF || place == IN) {
        drop(place == ITSELF ? object : of, spared[at].keys);
        return;
    }
    json_object_foreach(of, name, each) {
        drop(place == IN_EACH_STAT ? json_object_get(each, "stat") : each, spared[at].keys);
    }
}

/* Drops values that are the default. */
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

/* Drops nulls: readers treat a missing field as null. */
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

/* Drops from the object what this level leaves out. */
static void thin(json_t *object, size_t level)
{
    const char *device = json_string_value(json_object_get(object, "device"));

    for (size_t i = 0; i < sizeof spared / sizeof *spared; i++)
        if (spared[i].level == level)
            drop_spared(object, i);
    if (level == 3) {
        if (device != NULL && strcmp(device, "cpu") == 0) /* on the CPU it repeats e2e */
            json_object_del(json_object_get(object, "phases"), "run");
        drop_nothings(object);
    }
    if (level == 4)
        drop_usual(object);
}

/* Does a level keep this kind of record?  Blocks and comparisons are dropped first. */
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

/* In JSON <, > and & occur only in strings, where they may be written as numbers.  So no line can end the
   script element that contains it, or begin a comment. */
static void add_line(struct raw *r, size_t level, const char *text, size_t bytes)
{
    struct raw_level *l = &r->level[level];

    if (level + 1 < RAW_LEVELS && l->bytes > LARGEST)
        return;
    if (l->out == NULL)
        l->out = open_memstream(&l->text, &l->bytes);
    if (l->out == NULL)
        abort();
    for (size_t i = 0; i < bytes; i++)
        switch (text[i]) {
        case '<': fputs("\\u003c", l->out); break;
        case '>': fputs("\\u003e", l->out); break;
        case '&': fputs("\\u0026", l->out); break;
        default: fputc(text[i], l->out);
        }
    fputs(",\n", l->out);
    if (fflush(l->out) != 0) /* flushing sets text and bytes */
        abort();
}

static void add_object(struct raw *r, size_t level, const json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(level < 3 ? 9U : 6U));

    if (text == NULL)
        abort();
    add_line(r, level, text, strlen(text));
    free(text);
}

void raw_add(struct raw *r, const json_t *object, const char *text, size_t bytes)
{
    const char *kind = json_string_value(json_object_get(object, "record"));
    json_t *copy = json_deep_copy(object);

    r->lines++;
    r->bytes += bytes + 1;
    while (bytes > 0 && strchr(" \t\r", text[bytes - 1]) != NULL)
        bytes--;
    add_line(r, 0, text, bytes);
    for (size_t level = 1; level < RAW_LEVELS && is_kept(kind, level); level++) {
        thin(copy, level);
        add_object(r, level, copy);
    }
    json_decref(copy);
}

void raw_free(struct raw *r)
{
    for (size_t i = 0; i < RAW_LEVELS; i++) {
        if (r->level[i].out != NULL)
            (void)fclose(r->level[i].out);
        free(r->level[i].text);
    }
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

void raw_print(FILE *out, const struct raw *r, size_t level)
{
    const struct raw_level *l = &r->level[level];

    fputs("[\n", out);
    if (l->bytes >= 2)
        fwrite(l->text, 1, l->bytes - 2, out); /* without the last comma */
    fputs("\n]", out);
}
