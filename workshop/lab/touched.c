#include "workshop/lab/touched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/build.h"
#include "workshop/lab/case.h"
#include "workshop/lab/rerun.h"
#include "workshop/lab/text.h"

static void read_touches(const char *path, void *data)
{
    struct touched *t = data;
    FILE *f = fopen(path, "rb");

    t->count = f != NULL ? fread(t->list, sizeof *t->list, MOST_TOUCHES, f) : 0;
    while (t->count > 0 && t->list[t->count - 1].address == 0)
        t->count--;
    if (f != NULL)
        fclose(f);
}

bool touched_look(const struct exercise *e, size_t elements, struct touched *t, struct error *error)
{
    static char said[1 << 14];
    char label[24], source[200], program[220];
    const struct size size = {.label = label, .dims = {elements}};
    const char *const sources[] = {source};

    snprintf(label, sizeof label, "n=%zu", elements);
    snprintf(source, sizeof source, "build-sim/dev/seen/%.150s", e->source);
    build_program(source, IN_SIMULATOR, program, sizeof program);
    char *text = build_ready(IN_SIMULATOR, error) ? text_read(e->source, error) : NULL;
    const bool written = text != NULL && text_write(source, text, error);
    free(text);
    if (!written)
        return false;
    if (!build_sources(sources, 1, IN_SIMULATOR, said, sizeof said))
        return error_set(error, "%s does not compile: build-sim/rungs lab run %02d says why", e->source, e->number);
    t->count = 0;
    return rerun_with(e, program, &size, "RUNGS_SIM_TOUCHES", read_touches, t, error);
}

/* Returns how many elements of the array more than one thread has written in the same call, in the call with most of them. */
static size_t written_twice(const struct touched *t, const struct slot *s, size_t elements)
{
    enum { NEVER, SEVERAL = -1 };
    int *by = calloc(elements, sizeof *by); /* the number of the only thread from 1 on */
    size_t count = 0, most = 0;

    for (size_t k = 0; by != NULL && k < t->count; k++) {
        const uint64_t offset = t->list[k].address - (uint64_t)(uintptr_t)s->start;
        const size_t i = offset / s->element;
        const int thread = (int)t->list[k].thread + 1;
        if (t->list[k].thread == A_CALL) {
            memset(by, NEVER, elements * sizeof *by);
            count = 0;
        }
        if (t->list[k].writes == 0 || offset >= s->bytes || i >= elements || by[i] == SEVERAL || by[i] == thread)
            continue;
        count += by[i] != NEVER;
        by[i] = by[i] == NEVER ? thread : SEVERAL;
        most = count > most ? count : most;
    }
    free(by);
    return most;
}

void touched_repeated(const struct exercise *e, struct mistake *m)
{
    enum { ELEMENTS = 1024 };
    static struct touched touched;
    const struct layout *l = arena_layout(case_arena());
    struct error ignored;

    if (!touched_look(e, ELEMENTS, &touched, &ignored))
        return; /* what cannot be looked at is no mistake of the learner's */
    for (size_t i = 0; i < l->count; i++) {
        const struct slot *s = &l->slots[i];
        const size_t twice = s->output && s->element > 0 ? written_twice(&touched, s, ELEMENTS) : 0;
        if (twice == 0 || mistaken(m))
            continue;
        mistake_set(m, "repeated-work");
        if (twice == ELEMENTS)
            mistake_add(m, "There is a team, but the loop is not divided: each thread does all iterations, so the work is done once for every thread.");
        else
            mistake_add(m, "with n = %d, %zu elements of %s are written by more than one thread of the team", ELEMENTS, twice, s->name);
    }
}
