#include "workshop/lab/view_host.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/view/view.h"
#include "workshop/lab/case.h"
#include "workshop/lab/touched.h"

enum { ELEMENTS = 1024, LINE = 16 /* floats in 64 bytes */, LINES = 2, CELLS = 64, MOST_THREADS = 36, NONE = -1 };

/* In which turn of its thread an element was used first. */
struct element {
    int turn, thread; /* NONE: never */
    bool written;
};

/* Finds how each element of an array was used; returns whether any was. */
static bool find(const struct touched *t, const struct slot *s, struct element list[])
{
    int turns[MOST_THREADS] = {0};
    bool used = false;

    for (size_t i = 0; i < ELEMENTS; i++)
        list[i] = (struct element){NONE, NONE, false};
    for (size_t k = 0; k < t->count; k++) {
        const uint64_t offset = t->list[k].address - (uint64_t)(uintptr_t)s->start;
        const size_t i = offset / s->element;
        const uint32_t thread = t->list[k].thread;
        if (offset >= s->bytes || i >= ELEMENTS || thread >= MOST_THREADS)
            continue;
        if (list[i].turn == NONE)
            list[i] = (struct element){turns[thread]++, (int)thread, false};
        list[i].written = list[i].written || t->list[k].writes != 0;
        used = true;
    }
    return used;
}

/* Returns a digit: 0 to 9, a to z, or + above that; a point for none. */
static char digit(int number)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz+";

    if (number == NONE)
        return '.';
    return digits[number < MOST_THREADS ? number : MOST_THREADS];
}

static void draw_turns(const struct slot *s, const struct element list[])
{
    bool written = false, read = false;

    for (size_t i = 0; i < ELEMENTS; i++) {
        written = written || list[i].written;
        read = read || (list[i].turn != NONE && !list[i].written);
    }
    printf("  %6s %-16s |", s->name, written && read ? "read and written" : written ? "written" : "read");
    for (size_t i = 0; i < LINES * LINE; i++)
        printf("%c%s", digit(list[i].turn), i % LINE == LINE - 1 ? "|" : "");
    printf("\n");
}

/* Draws which thread has used the elements of each cell; a cell of several threads has a star. */
static void draw_threads(const struct slot *s, const struct element list[])
{
    printf("  %6s |", s->name);
    for (size_t cell = 0; cell < CELLS; cell++) {
        const struct element *e = &list[cell * (ELEMENTS / CELLS)];
        bool same = true;
        for (size_t i = 1; i < ELEMENTS / CELLS; i++)
            same = same && e[i].thread == e[0].thread;
        putchar(same ? digit(e[0].thread) : '*');
    }
    printf("|\n");
}

/* Tells how many elements each thread has, and from where to where. */
static int count_threads(const struct slot *s, const struct element list[], bool tell)
{
    int threads = 0;

    for (int thread = 0; thread < MOST_THREADS; thread++) {
        size_t count = 0, first = 0, last = 0;
        for (size_t i = 0; i < ELEMENTS; i++) {
            if (list[i].thread != thread)
                continue;
            first = count++ == 0 ? i : first;
            last = i;
        }
        threads += count > 0;
        if (tell && count > 0)
            printf("  thread %d: %zu elements of %s, from %zu to %zu\n", thread, count, s->name, first, last);
    }
    return threads;
}

/* Draws all arrays that the program has used; returns whether there is one. */
static bool draw(const struct exercise *e, const struct touched *t)
{
    static struct element list[ELEMENTS];
    const struct layout *l = arena_layout(case_arena());
    bool drawn = false;

    for (size_t i = 0; i < l->count; i++) {
        if (l->slots[i].element == 0 || !find(t, &l->slots[i], list))
            continue;
        if (!drawn)
            printf("%02d %s: the first %d of %d elements of each array\n"
                   "  a digit is the turn of its thread that uses an element first, 0 to 9, a to z, +; . is not used; | ends a cache line of 64 bytes\n\n",
                   e->number, e->title, LINES * LINE, ELEMENTS);
        drawn = true;
        draw_turns(&l->slots[i], list);
    }
    for (size_t i = 0; i < l->count; i++) {
        if (!l->slots[i].output || !find(t, &l->slots[i], list) || count_threads(&l->slots[i], list, false) < 2)
            continue;
        printf("\n  all %d elements, %d in a cell; a digit is the thread that has them, * are several\n\n", ELEMENTS, ELEMENTS / CELLS);
        draw_threads(&l->slots[i], list);
        printf("\n");
        count_threads(&l->slots[i], list, true);
    }
    return drawn;
}

/* --- the page -------------------------------------------------------------------------------------- */

static json_t *describe(const struct slot *s, const struct element list[])
{
    json_t *turns = json_array(), *threads = json_array();
    bool written = false;

    for (size_t i = 0; i < ELEMENTS; i++) {
        json_array_append_new(turns, json_integer(list[i].turn));
        json_array_append_new(threads, json_integer(list[i].thread));
        written = written || list[i].written;
    }
    return json_pack("{ss si sb so so}", "name", s->name, "bytes", (int)s->element, "written", written, "turns", turns, "threads", threads);
}

static bool write_page(const struct exercise *e, const struct touched *t, struct error *error)
{
    static struct element list[ELEMENTS];
    const struct layout *l = arena_layout(case_arena());
    json_t *arrays = json_array();
    char title[200], page[200];

    for (size_t i = 0; i < l->count; i++)
        if (l->slots[i].element > 0 && find(t, &l->slots[i], list))
            json_array_append_new(arrays, describe(&l->slots[i], list));
    snprintf(title, sizeof title, "%02d %s  n=%d", e->number, e->title, ELEMENTS);
    snprintf(page, sizeof page, "learn/view-%s.html", e->name);
    json_t *document = json_pack("{ss s[] s[] s{} so}", "title", title, "kernels", "works", "sources", "host", arrays);
    const bool good = view_page(page, document, error);
    if (good)
        terminal_printf(stdout, "\nturn by turn, forward and back: %s\n", page);
    json_decref(document);
    return good;
}

bool view_host(const struct exercise *e, struct error *error)
{
    static struct touched touched;

    if (!touched_look(e, ELEMENTS, &touched, error))
        return false;
    if (!draw(e, &touched))
        return error_set(error, "%02d uses no element of an array in a loop of its own, so there is nothing to draw", e->number);
    return write_page(e, &touched, error);
}
