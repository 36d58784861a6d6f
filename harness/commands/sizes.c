/* The sizes on the command line: by name, by number or by the user's files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/text.h"
#include "harness/commands/sizes.h"
#include "harness/model/registry.h"

static bool read_number(const char *text, double *x)
{
    char *end;

    *x = strtod(text, &end);
    return end != text && *end == '\0';
}

bool sizes_number(const char *text, size_t bytes, size_t *value)
{
    char copy[64];
    double x, power = 1.0;

    if (bytes == 0 || bytes >= sizeof copy || *text == '-')
        return false;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    char *caret = strchr(copy, '^');
    if (caret != NULL)
        *caret = '\0';
    if (!read_number(copy, &x) || (caret != NULL && !read_number(caret + 1, &power)))
        return false;
    x = pow(x, power);
    if (!(x >= 0.0 && x <= 0x1p53) || x != floor(x))
        return false;
    *value = (size_t)x;
    return true;
}

/* --- sizes by name and number ----------------------------------------------------------------- */

int sizes_axis(const struct problem *p, const char *name, size_t bytes)
{
    for (int a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
        if (strlen(p->axes[a]) == bytes && strncmp(p->axes[a], name, bytes) == 0)
            return a;
    return -1;
}

/* Reads a value of an axis: a number, or one of its words. */
static bool read_value(const struct problem *p, int a, const char *value, size_t length, size_t *dim,
                       struct error *error)
{
    char known[200] = "";

    for (size_t w = 0; p->words[a] != NULL && p->words[a][w] != NULL; w++) {
        if (strlen(p->words[a][w]) == length && strncmp(p->words[a][w], value, length) == 0) {
            *dim = w;
            return true;
        }
        text_add(known, sizeof known, "%s%s", w > 0 ? ", " : "", p->words[a][w]);
    }
    if (p->words[a] == NULL)
        return sizes_number(value, length, dim) ||
               error_set(error, "%s takes a whole number up to 2^53, not \"%.*s\"", p->axes[a],
                         (int)length, value);
    return (sizes_number(value, length, dim) && size_word(p, (size_t)a, *dim) != NULL) ||
           error_set(error, "%s is one of %s, not \"%.*s\"", p->axes[a], known, (int)length, value);
}

/* `set`: a bit for each axis that has a value already. */
static bool set_axis(const struct problem *p, const char *axis, size_t axis_length,
                     const char *value, size_t value_length, size_t dims[], unsigned *set,
                     struct error *error)
{
    const int a = sizes_axis(p, axis, axis_length);

    if (a < 0)
        return error_set(error, "%s has no axis %.*s", problem_name(p), (int)axis_length,
                         axis);
    if (*set & 1u << a)
        return error_set(error, "%s has two values in one size; give --size twice for two sizes",
                         p->axes[a]);
    *set |= 1u << a;
    return read_value(p, a, value, value_length, &dims[a], error);
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

/* Returns the value of an option, or NULL. */
static const char *setting(const struct options *o, const char *name)
{
    for (size_t i = o->setting_count; i-- > 0;) /* the last one counts */
        if (strcmp(o->settings[i].name, name) == 0)
            return o->settings[i].value;
    return NULL;
}

/* Applies the options of the axes that are lengths to a size. */
static bool apply_settings(const struct options *o, const struct problem *p, size_t dims[],
                           struct error *error)
{
    for (size_t i = 0; i < o->setting_count; i++) {
        const struct setting *s = &o->settings[i];
        const int a = sizes_axis(p, s->name, strlen(s->name));
        if (a >= 0 && p->words[a] == NULL &&
            !read_value(p, a, s->value, strlen(s->value), &dims[a], error)) /* the last one counts */
            return false;
    }
    return true;
}

/* Puts the axes' words behind the name of a size: "M-town".  Their value 0 is the ordinary one. */
static void label_words(const struct problem *p, struct planned *size)
{
    char label[sizeof size->label];

    for (int a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
        if (p->words[a] != NULL && size->dims[a] > 0 && strcmp(size->label, "given") != 0) {
            (void)snprintf(label, sizeof label, "%s-%s", size->label, size_word(p, (size_t)a, size->dims[a]));
            set_label(size, label);
        }
}

/* Reads the values of an axis: "uniform,town", or "all". */
static bool read_words(const struct problem *p, int a, const char *list, size_t values[MAX_WORDS], size_t *count,
                       struct error *error)
{
    const bool all = strcmp(list, "all") == 0;
    bool more = true;

    for (*count = 0; more; (*count)++) {
        const size_t length = strcspn(list, ",");
        if (*count == MAX_WORDS)
            return error_set(error, "too many words for %s: more than %d", p->axes[a], MAX_WORDS);
        values[*count] = *count;
        if (!all && !read_value(p, a, list, length, &values[*count], error))
            return false;
        more = all ? p->words[a][*count + 1] != NULL : list[length] == ',';
        list += more && !all ? length + 1 : 0;
    }
    return true;
}

/* Repeats each size for each of these words of an axis. */
static bool apply_words(const struct problem *p, int a, const char *list, struct planned *sizes, size_t room,
                        size_t *count, struct error *error)
{
    size_t values[MAX_WORDS], value_count;

    if (!read_words(p, a, list, values, &value_count, error))
        return false;
    if (*count * value_count > room)
        return error_set(error, "too many sizes: more than %zu", room);
    for (size_t i = *count * value_count; i-- > 0;) { /* the last first, as they move up */
        sizes[i] = sizes[i / value_count];
        sizes[i].dims[a] = values[i % value_count];
    }
    *count *= value_count;
    return true;
}

/* Parses one --size: names and axes, separated by commas: "S,M" or "m=70000,n=9000,k=5".  An axis with words
   holds for all of them: "M,L,data=town". */
static bool read_sizes(const struct problem *p, const char *text, struct planned *sizes,
                       size_t room, size_t *count, struct error *error)
{
    struct planned given = {.label = "given"};
    const size_t first = *count;
    unsigned axes = 0, lengths = 0;

    memcpy(given.dims, p->bench_sizes[0].dims, sizeof given.dims);
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        if (*count == room)
            return error_set(error, "too many sizes: more than %zu", room);
        if (equals != NULL) {
            size_t axis = (size_t)(equals - text);
            if (!set_axis(p, text, axis, equals + 1, length - axis - 1, given.dims, &axes,
                          error))
                return false;
            lengths |= p->words[sizes_axis(p, text, axis)] == NULL;
        } else {
            const struct size *s = named_size(p, text, length);
            if (s == NULL)
                return error_set(error, "%s has no size \"%.*s\"; there are S, M, L and XL, or"
                                 " %s=NUMBER", problem_name(p), (int)length, text, p->axes[0]);
            set_label(&sizes[*count], s->label);
            memcpy(sizes[(*count)++].dims, s->dims, sizeof s->dims);
        }
        text += length + (text[length] == ',');
    }
    for (int a = 0; a < MAX_AXES; a++)
        for (size_t i = first; i < *count && (axes & 1u << a) && p->words[a] != NULL; i++)
            sizes[i].dims[a] = given.dims[a];
    if ((lengths != 0 || (axes != 0 && *count == first)) && *count < room)
        sizes[(*count)++] = given;
    return axes != 0 || *count > 0 || error_set(error, "--size is empty");
}

bool sizes_asked(const struct options *o, const struct problem *p, const char *defaults,
                 struct planned *sizes, size_t room, size_t *count, struct error *error)
{
    size_t before[MAX_AXES];

    *count = 0;
    for (size_t i = 0; i < o->sizes.count; i++)
        if (!read_sizes(p, o->sizes.word[i], sizes, room, count, error))
            return false;
    if (o->sizes.count == 0 && defaults != NULL &&
        !read_sizes(p, defaults, sizes, room, count, error))
        return false;
    for (size_t i = 0; i < *count; i++) {
        memcpy(before, sizes[i].dims, sizeof before);
        if (!apply_settings(o, p, sizes[i].dims, error))
            return false;
        if (memcmp(before, sizes[i].dims, sizeof before) != 0)
            set_label(&sizes[i], "given");
        const char *why = p->impossible != NULL ? p->impossible(sizes[i].dims) : NULL;
        if (why != NULL)
            return error_set(error, "%s: %s", problem_name(p), why);
    }
    for (int a = 0; a < MAX_AXES && p->axes[a] != NULL; a++) {
        const char *words = p->words[a] != NULL ? setting(o, p->axes[a]) : NULL;
        if (words != NULL && !apply_words(p, a, words, sizes, room, count, error))
            return false;
    }
    for (size_t i = 0; i < *count; i++)
        label_words(p, &sizes[i]);
    return true;
}

/* Did the user choose sizes in any way? */
static bool chosen(const struct options *o, const struct problem *p)
{
    for (int a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
        if (setting(o, p->axes[a]) != NULL)
            return true;
    return o->sizes.count > 0;
}

/* Weak scaling: S, S*2, S*4 with 1, 2 and 4 ranks or threads. */
static bool add_larger(const struct options *o, struct planned *sizes, size_t room, size_t *count, struct error *error)
{
    const struct steps *steps = o->rank_steps.count > 0 ? &o->rank_steps : &o->thread_steps;
    const size_t as_they_are = *count;

    if (steps->count < 2)
        return error_set(error, "--weak needs several numbers of ranks or threads: --ranks 1,2,4");
    for (size_t i = 0; i < as_they_are; i++)
        for (size_t step = 0; step < steps->count; step++) {
            struct planned larger = sizes[i];
            if (steps->value[step] == 1)
                continue;
            if (*count == room)
                return error_set(error, "--weak: more than %zu sizes", room);
            snprintf(larger.label, sizeof larger.label, "%.8s*%u", sizes[i].label, (unsigned)steps->value[step] % 10000);
            larger.dims[0] *= (size_t)steps->value[step];
            sizes[(*count)++] = larger;
        }
    return true;
}

bool sizes_of_bench(const struct options *o, const struct problem *p, struct planned *sizes, size_t room,
                    size_t *count, struct error *error)
{
    if (!sizes_asked(o, p, o->preset.sizes, sizes, room, count, error))
        return false;
    if (p->also != NULL && o->preset.also && !chosen(o, p) && *count < room) {
        set_label(&sizes[*count], p->also->label);
        memcpy(sizes[(*count)++].dims, p->also->dims, sizeof p->also->dims);
    }
    return !o->weak || add_larger(o, sizes, room, count, error);
}

bool sizes_sets_length(const struct options *o, const struct problem *p)
{
    for (int a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
        if (p->words[a] == NULL && setting(o, p->axes[a]) != NULL)
            return true;
    return false;
}

bool sizes_has_words(const struct options *o, const struct problem *p, const size_t dims[])
{
    size_t values[MAX_WORDS], count;
    struct error ignored; /* sizes_asked has read the same words */

    for (int a = 0; a < MAX_AXES && p->axes[a] != NULL; a++) {
        const char *list = p->words[a] != NULL ? setting(o, p->axes[a]) : NULL;
        bool among = list == NULL;
        if (list != NULL && !read_words(p, a, list, values, &count, &ignored))
            return false;
        for (size_t i = 0; !among && i < count; i++)
            among = dims[a] == values[i];
        if (!among)
            return false;
    }
    return true;
}

/* --- the user's files ------------------------------------------------------------------------- */

bool sizes_has_files(const struct options *o, const struct problem *p)
{
    for (const struct input *in = problem_inputs(p); in->name != NULL; in++)
        if (setting(o, in->name) != NULL)
            return true;
    return false;
}

/* The same for files, which are one size: one word for each axis. */
static bool apply_one_word(const struct options *o, const struct problem *p, size_t dims[], struct error *error)
{
    for (int a = 0; a < MAX_AXES && p->axes[a] != NULL; a++) {
        const char *word = p->words[a] != NULL ? setting(o, p->axes[a]) : NULL;
        if (word != NULL && !read_value(p, a, word, strlen(word), &dims[a], error))
            return false;
    }
    return true;
}

void *sizes_open_files(const struct options *o, const struct problem *p, struct planned *size,
                       struct error *error)
{
    const char *given[MAX_INPUTS] = {NULL};
    size_t asked[MAX_AXES];

    for (size_t i = 0; i < MAX_INPUTS && p->data->inputs[i].name != NULL; i++)
        given[i] = setting(o, p->data->inputs[i].name);
    set_label(size, "file");
    memcpy(size->dims, p->bench_sizes[0].dims, sizeof size->dims);
    if (o->sizes.count > 0) {
        size_t count = 0;
        struct planned from_option;
        if (!read_sizes(p, o->sizes.word[0], &from_option, 1, &count, error))
            return NULL;
        if (strcmp(from_option.label, "given") != 0) {
            error_set(error, "--size %s is of generated data; files have their own, and options set the rest",
                      o->sizes.word[0]);
            return NULL;
        }
        memcpy(size->dims, from_option.dims, sizeof size->dims);
    }
    if (!apply_settings(o, p, size->dims, error) || !apply_one_word(o, p, size->dims, error))
        return NULL;
    for (size_t a = size_axes(p, true); a < size_axes(p, false); a++)
        if (size->dims[a] != 0 || setting(o, p->axes[a]) != NULL) {
            error_set(error, "%s is of generated data; files have their own", p->axes[a]);
            return NULL;
        }
    memcpy(asked, size->dims, sizeof asked);

    void *opened = p->data->open(given, size->dims, error);
    if (opened == NULL)
        return NULL;
    for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
        if (setting(o, p->axes[a]) != NULL && asked[a] != size->dims[a]) {
            error_set(error, "--%s is %zu, but the files have %zu", p->axes[a], asked[a], size->dims[a]);
            p->data->close(opened);
            return NULL;
        }
    const char *why = p->impossible != NULL ? p->impossible(size->dims) : NULL;
    if (why != NULL) {
        char dims[160] = "";
        for (size_t a = 0; a < size_axes(p, true); a++)
            text_add(dims, sizeof dims, " %s=%zu", p->axes[a], size->dims[a]);
        error_set(error, "%s: %s; the files and options make%s", problem_name(p), why, dims);
        p->data->close(opened);
        return NULL;
    }
    return opened;
}

/* --- the sizes of a sweep --------------------------------------------------------------------- */

/* An axis that the user has set does not grow. */
static bool take_settings(struct sweep *s, const struct options *o, size_t first[],
                          struct error *error)
{
    const struct problem *p = s->problem;

    for (size_t i = 0; i < o->setting_count; i++) {
        const char *name = o->settings[i].name, *value = o->settings[i].value;
        const int a = sizes_axis(p, name, strlen(name));
        if (a < 0)
            continue;
        if (!read_value(p, a, value, strlen(value), &first[a], error))
            return false;
        s->grows[a] = false;
    }
    return true;
}

/* Parses --from or --to: "4096", or as tables print it, "m=n=k=4096". */
static bool read_bound(const struct sweep *s, const char *option, const char *text, size_t *value,
                       struct error *error)
{
    const struct problem *p = s->problem;
    const char *number = text;

    for (size_t length; number[length = strcspn(number, "=")] == '='; number += length + 1) {
        const int axis = sizes_axis(p, number, length);
        if (axis < 0 || !s->grows[axis])
            return error_set(error, "--%s %s: %s has no axis %.*s that grows", option, text,
                             problem_name(p), (int)length, number);
    }
    return (sizes_number(number, strlen(number), value) && *value > 0) ||
           error_set(error, "--%s takes a whole number above 0, not \"%s\"", option, text);
}

/* Multiplies the growing axes of the first size by `factor`.  If the problem has no such size, it takes
   the next larger one.  False: there is none; *why says why. */
static bool grow(const struct sweep *s, const size_t first[], double factor, size_t dims[],
                 const char **why)
{
    enum { FAR = 4096 };
    const struct problem *p = s->problem;

    for (size_t a = 0; a < MAX_AXES; a++)
        dims[a] = s->grows[a] ? (size_t)llround((double)first[a] * factor) : first[a];
    for (int i = 0; i < FAR; i++) {
        *why = p->impossible != NULL ? p->impossible(dims) : NULL;
        if (*why == NULL)
            return true;
        for (size_t a = 0; a < MAX_AXES; a++)
            dims[a] += s->grows[a];
    }
    return false;
}

bool sizes_plan(struct sweep *s, const struct options *o, const struct problem *p,
                struct error *error)
{
    size_t first[MAX_AXES], lead = 0, from, to;
    const char *why = NULL;

    *s = (struct sweep){.problem = p};
    if (p->growth == NULL)
        return error_set(error, "%s cannot be swept: it does not say how its sizes grow", problem_name(p));
    memcpy(first, p->growth->from, sizeof first);
    memcpy(s->grows, p->growth->grows, sizeof s->grows);
    if (!take_settings(s, o, first, error))
        return false;
    while (lead < MAX_AXES && !s->grows[lead])
        lead++;
    if (lead == MAX_AXES)
        return error_set(error, "%s: all axes that grow in a sweep are set",
                         problem_name(p));
    from = first[lead];
    to = p->growth->to;
    if ((o->from != NULL && !read_bound(s, "from", o->from, &from, error)) ||
        (o->to != NULL && !read_bound(s, "to", o->to, &to, error)))
        return false;
    if (to < from)
        return error_set(error, "%s: there is no size from %zu to %zu", problem_name(p), from, to);

    const double start = (double)from / (double)first[lead];
    const double end = (double)to / (double)first[lead] * (1.0 + 1e-9);
    double factor;

    for (int i = 0; (factor = start * pow(o->step, i)) <= end; i++) {
        struct planned *size = &s->sizes[s->size_count];
        if (s->size_count == MAX_SIZES)
            return error_set(error, "more than %d sizes from %zu to %zu; choose a larger --step",
                             MAX_SIZES, from, to);
        snprintf(size->label, sizeof size->label, "sweep");
        if (!grow(s, first, factor, size->dims, &why))
            return error_set(error, "%s: %s", problem_name(p), why);
        if (!(p->cost(size->dims).items > 0.0))
            return error_set(error, "%s: there is no work at these sizes", problem_name(p));
        if (s->size_count == 0 || memcmp(size->dims, size[-1].dims, sizeof size->dims) != 0)
            s->size_count++;
    }
    return true;
}
