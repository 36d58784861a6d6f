/* Which sizes the command line asks for, by name, by number or by the user's files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/options.h"
#include "harness/registry.h"

/* A whole number: 1000, 2^20, 1e6 */
bool options_count(const char *text, size_t bytes, size_t *value)
{
    char copy[64], *end;
    double x;

    if (bytes == 0 || bytes >= sizeof copy || *text == '-')
        return false;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    char *caret = strchr(copy, '^');
    if (caret != NULL) {
        *caret = '\0';
        double base = strtod(copy, &end);
        if (end == copy || *end != '\0')
            return false;
        double power = strtod(caret + 1, &end);
        if (end == caret + 1 || *end != '\0')
            return false;
        x = pow(base, power);
    } else {
        x = strtod(copy, &end);
        if (end == copy || *end != '\0')
            return false;
    }
    if (!(x >= 0.0 && x <= 0x1p53) || x != floor(x))
        return false;
    *value = (size_t)x;
    return true;
}

/* --- which sizes ------------------------------------------------------------------------------ */

/* `set` notes which axes have been, a bit each. */
static bool set_axis(const struct problem *p, const char *axis, size_t axis_length,
                     const char *value, size_t value_length, size_t dims[], unsigned *set,
                     struct error *error)
{
    for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++) {
        if (strlen(p->axes[a]) != axis_length || strncmp(p->axes[a], axis, axis_length) != 0)
            continue;
        if (*set & 1u << a)
            return error_set(error, "%s has two values in one size; --size may be given twice",
                             p->axes[a]);
        *set |= 1u << a;
        return options_count(value, value_length, &dims[a]) ||
               error_set(error, "%s takes a whole number from 0 on, not \"%.*s\"", p->axes[a],
                         (int)value_length, value);
    }
    return error_set(error, "%s has no size called %.*s", problem_name(p), (int)axis_length, axis);
}

static const struct size *named_size(const struct problem *p, const char *name, size_t length)
{
    for (const struct size *s = p->bench_sizes; s->label != NULL; s++)
        if (strlen(s->label) == length && strncasecmp(s->label, name, length) == 0)
            return s;
    return NULL;
}

static void set_label(struct planned *size, const char *label)
{
    snprintf(size->label, sizeof size->label, "%s", label);
}

/* The axes' own options, over whatever size it is. */
static bool apply_settings(const struct options *o, const struct problem *p, size_t dims[],
                           struct error *error)
{
    for (size_t i = 0; i < o->setting_count; i++) {
        const struct setting *s = &o->settings[i];
        for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
            if (strcmp(p->axes[a], s->name) == 0 &&
                !set_axis(p, s->name, strlen(s->name), s->value, strlen(s->value), dims,
                          &(unsigned){0}, error)) /* the last one counts */
                return false;
    }
    return true;
}

/* One --size: names and explicit parts, separated by commas: "S,M" or "m=70000,n=9000,k=5". */
static bool read_sizes(const struct problem *p, const char *text, struct planned *sizes,
                       size_t room, size_t *count, struct error *error)
{
    struct planned given = {.label = "given"};
    unsigned axes = 0;

    memcpy(given.dims, p->bench_sizes[0].dims, sizeof given.dims);
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        if (*count == room)
            return error_set(error, "too many sizes");
        if (equals != NULL) {
            size_t axis = (size_t)(equals - text);
            if (!set_axis(p, text, axis, equals + 1, length - axis - 1, given.dims, &axes,
                          error))
                return false;
        } else {
            const struct size *s = named_size(p, text, length);
            if (s == NULL)
                return error_set(error, "%s has no size called \"%.*s\"; S, M, L and XL are, or"
                                 " %s=NUMBER", problem_name(p), (int)length, text, p->axes[0]);
            set_label(&sizes[*count], s->label);
            memcpy(sizes[(*count)++].dims, s->dims, sizeof s->dims);
        }
        text += length + (text[length] == ',');
    }
    if (axes != 0 && *count < room)
        sizes[(*count)++] = given;
    return axes != 0 || *count > 0 || error_set(error, "--size is empty");
}

size_t options_sizes(const struct options *o, const struct problem *p, const char *defaults,
                     struct planned *sizes, size_t room, struct error *error)
{
    size_t count = 0;
    size_t before[MAX_AXES];

    error->text[0] = '\0';
    for (size_t i = 0; i < o->size_count; i++)
        if (!read_sizes(p, o->sizes[i], sizes, room, &count, error))
            return 0;
    if (o->size_count == 0 && defaults != NULL &&
        !read_sizes(p, defaults, sizes, room, &count, error))
        return 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(before, sizes[i].dims, sizeof before);
        if (!apply_settings(o, p, sizes[i].dims, error))
            return 0;
        if (memcmp(before, sizes[i].dims, sizeof before) != 0)
            set_label(&sizes[i], "given");
        const char *why = p->impossible != NULL ? p->impossible(sizes[i].dims) : NULL;
        if (why != NULL) {
            error_set(error, "%s: %s", problem_name(p), why);
            return 0;
        }
    }
    return count;
}

/* --- users' data ------------------------------------------------------------------------------ */

static const char *setting(const struct options *o, const char *name)
{
    for (size_t i = o->setting_count; i-- > 0;) /* the last one counts */
        if (strcmp(o->settings[i].name, name) == 0)
            return o->settings[i].value;
    return NULL;
}

bool options_brings_data(const struct options *o, const struct problem *p)
{
    for (const struct input *in = problem_inputs(p); in->name != NULL; in++)
        if (setting(o, in->name) != NULL)
            return true;
    return false;
}

/* The first file that was given, to name it in an error. */
static const char *first_file(const struct problem *p, const char *const given[])
{
    for (size_t i = 0; i < MAX_INPUTS && p->data->inputs[i].name != NULL; i++)
        if (given[i] != NULL && p->data->inputs[i].argument != NULL &&
            strcmp(p->data->inputs[i].argument, "FILE") == 0)
            return given[i];
    return "no file";
}

void *options_open(const struct options *o, const struct problem *p, struct planned *size,
                   struct error *error)
{
    const char *given[MAX_INPUTS] = {NULL};
    size_t asked[MAX_AXES];

    for (size_t i = 0; i < MAX_INPUTS && p->data->inputs[i].name != NULL; i++)
        given[i] = setting(o, p->data->inputs[i].name);
    set_label(size, "file");
    memcpy(size->dims, p->bench_sizes[0].dims, sizeof size->dims);
    if (o->size_count > 0) {
        size_t count = 0;
        struct planned from_option;
        if (!read_sizes(p, o->sizes[0], &from_option, 1, &count, error))
            return NULL;
        memcpy(size->dims, from_option.dims, sizeof size->dims);
    }
    if (!apply_settings(o, p, size->dims, error))
        return NULL;
    memcpy(asked, size->dims, sizeof asked);

    void *opened = p->data->open(given, size->dims, error);
    if (opened == NULL)
        return NULL;
    for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
        if (setting(o, p->axes[a]) != NULL && asked[a] != size->dims[a]) {
            error_set(error, "--%s %zu: the files have %zu", p->axes[a], asked[a], size->dims[a]);
            p->data->close(opened);
            return NULL;
        }
    const char *why = p->impossible != NULL ? p->impossible(size->dims) : NULL;
    if (why != NULL) {
        error_set(error, "%s: %s: %s", problem_name(p), first_file(p, given), why);
        p->data->close(opened);
        return NULL;
    }
    return opened;
}
