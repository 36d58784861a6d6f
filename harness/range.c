/* Which sizes a sweep goes through. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/registry.h"
#include "harness/sweep.h"

static bool is_axis(const struct problem *p, size_t axis, const char *name, size_t length)
{
    return strlen(p->axes[axis]) == length && strncmp(p->axes[axis], name, length) == 0;
}

/* An axis that the user has set stays where it is. */
static bool take_settings(struct sweep *s, const struct options *o, size_t first[],
                          struct error *error)
{
    const struct problem *p = s->problem;

    for (size_t i = 0; i < o->setting_count; i++)
        for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++) {
            const char *value = o->settings[i].value;
            if (!is_axis(p, a, o->settings[i].name, strlen(o->settings[i].name)))
                continue;
            if (!options_count(value, strlen(value), &first[a]))
                return error_set(error, "%s takes a whole number from 0 on, not \"%s\"", p->axes[a],
                                 value);
            s->grows[a] = false;
        }
    return true;
}

/* --from and --to: "4096", or as tables have it, "m=n=k=4096". */
static bool read_bound(const struct sweep *s, const char *option, const char *text, size_t *value,
                       struct error *error)
{
    const struct problem *p = s->problem;
    const char *number = text;

    for (size_t length; number[length = strcspn(number, "=")] == '='; number += length + 1) {
        bool grows = false;
        for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
            grows |= s->grows[a] && is_axis(p, a, number, length);
        if (!grows)
            return error_set(error, "--%s %s: %s has no axis %.*s that grows", option, text,
                             problem_name(p), (int)length, number);
    }
    return (options_count(number, strlen(number), value) && *value > 0) ||
           error_set(error, "--%s takes a whole number above 0, not \"%s\"", option, text);
}

/* The case whose first growing axis is `lengths` times that of the first; or, where there is none,
   the next larger one that there is. */
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

bool sweep_plan(struct sweep *s, const struct options *o, const struct problem *p,
                struct error *error)
{
    size_t first[MAX_AXES], lead = 0, from, to;
    const char *why = NULL;

    *s = (struct sweep){.problem = p};
    if (p->growth == NULL)
        return error_set(error, "%s does not say how its cases grow", problem_name(p));
    memcpy(first, p->growth->from, sizeof first);
    memcpy(s->grows, p->growth->grows, sizeof s->grows);
    if (!take_settings(s, o, first, error))
        return false;
    while (lead < MAX_AXES && !s->grows[lead])
        lead++;
    if (lead == MAX_AXES)
        return error_set(error, "%s: every axis that a sweep lets grow is set",
                         problem_name(p));
    from = first[lead];
    to = p->growth->to;
    if ((o->from != NULL && !read_bound(s, "from", o->from, &from, error)) ||
        (o->to != NULL && !read_bound(s, "to", o->to, &to, error)))
        return false;
    if (to < from)
        return error_set(error, "%s: nothing is from %zu to %zu", problem_name(p), from, to);

    const double start = (double)from / (double)first[lead];
    const double end = (double)to / (double)first[lead] * (1.0 + 1e-9);
    double factor;

    for (int i = 0; (factor = start * pow(o->step, i)) <= end; i++) {
        struct planned *size = &s->sizes[s->size_count];
        if (s->size_count == MAX_SIZES)
            return error_set(error, "more than %d sizes from %zu to %zu; a larger --step has fewer",
                             MAX_SIZES, from, to);
        snprintf(size->label, sizeof size->label, "sweep");
        if (!grow(s, first, factor, size->dims, &why))
            return error_set(error, "%s: %s", problem_name(p), why);
        if (!(p->cost(size->dims).items > 0.0))
            return error_set(error, "%s: nothing to do at these sizes", problem_name(p));
        if (s->size_count == 0 || memcmp(size->dims, size[-1].dims, sizeof size->dims) != 0)
            s->size_count++;
    }
    return true;
}
