#include "workshop/lab/shares.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/case.h"
#include "workshop/lab/rerun.h"

enum { MOST = 256 };

/* Elements first to end - 1 of an array of the host, copied to a device or back. */
struct share {
    const struct slot *array;
    size_t first, end;
    int device;
    bool back;
};

struct shares {
    struct share list[MOST];
    size_t count;
    bool full; /* there were more, so nothing can be said of what is missing */
};

static bool is_same(const struct share *a, const struct share *b)
{
    return a->array == b->array && a->first == b->first && a->end == b->end && a->device == b->device && a->back == b->back;
}

/* Adds a share, in the order of what they begin with, unless it is there: each phase may run several times. */
static void add(struct shares *s, struct share one)
{
    size_t at = s->count;

    for (size_t i = 0; i < s->count; i++)
        if (is_same(&s->list[i], &one))
            return;
    s->full = s->full || s->count == MOST;
    if (s->full)
        return;
    for (; at > 0 && s->list[at - 1].first > one.first; at--)
        s->list[at] = s->list[at - 1];
    s->list[at] = one;
    s->count++;
}

static void read_copies(const char *path, void *shares)
{
    const struct layout *layout = arena_layout(case_arena());
    FILE *f = fopen(path, "r");
    char word[8];
    int device;
    size_t address, bytes;

    while (f != NULL && fscanf(f, "%7s %d %zx %zu", word, &device, &address, &bytes) == 4)
        for (size_t i = 0; i < layout->count; i++) {
            const struct slot *a = &layout->slots[i];
            const size_t offset = address - (size_t)(uintptr_t)a->start; /* huge if it lies before */
            if (offset <= a->bytes && bytes <= a->bytes) /* perhaps beyond the end */
                add(shares, (struct share){a, offset / a->element, (offset + bytes) / a->element, device, strcmp(word, "back") == 0});
        }
    if (f != NULL)
        fclose(f);
}

/* Returns how many shares of the array are brought back, and how many elements all of them have. */
static size_t shares_of(const struct shares *s, const struct slot *array, size_t *elements)
{
    size_t count = 0;

    *elements = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].array == array && s->list[i].back) {
            count++;
            *elements += s->list[i].end - s->list[i].first;
        }
    return count;
}

/* Finds the first elements that so many shares bring back: none, or two and more. */
static bool find_run(const struct shares *s, const struct slot *array, bool twice, size_t *first, size_t *last)
{
    const size_t count = array->bytes / array->element;
    bool found = false;

    for (size_t i = 0; i < count; i++) {
        int times = 0;
        for (size_t k = 0; k < s->count; k++)
            times += s->list[k].array == array && s->list[k].back && s->list[k].first <= i && i < s->list[k].end;
        const bool is = twice ? times > 1 : times == 0;
        if (found && !is)
            break;
        if (is && !found)
            *first = i;
        if (is)
            *last = i;
        found = found || is;
    }
    return found;
}

static void add_list(const struct exercise *e, const struct shares *s, const struct slot *array, struct mistake *m)
{
    enum { SHOWN = 4 };
    char text[280] = "";
    size_t used = 0, shown = 0;

    for (size_t i = 0; i < s->count && used < sizeof text; i++) {
        const struct share *one = &s->list[i];
        if (one->array != array || !one->back || shown++ >= SHOWN)
            continue;
        if (e->devices > 1)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu to %zu from GPU %d", shown > 1 ? ", " : "", one->first, one->end - 1, one->device);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu to %zu", shown > 1 ? ", " : "", one->first, one->end - 1);
    }
    mistake_add(m, "copied back to %s: elements %s%s", array->name, text, shown > SHOWN ? " ..." : "");
}

static void add_run(const struct slot *array, size_t first, size_t last, bool twice, struct mistake *m)
{
    char elements[80];

    if (first == last)
        snprintf(elements, sizeof elements, "%s[%zu]", array->name, first);
    else
        snprintf(elements, sizeof elements, "%s[%zu] and all up to [%zu]", array->name, first, last);
    mistake_add(m, "%s: %s", elements, twice ? "is copied back by two parts" : "no part brings it back");
}

/* Returns whether the device is given something, or brings back something of this array. */
static bool takes_part(const struct shares *s, int device, const struct slot *back)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].device == device && s->list[i].end > s->list[i].first && (back != NULL ? s->list[i].back && s->list[i].array == back : !s->list[i].back))
            return true;
    return false;
}

/* Adds which devices are given something, and bring back nothing of this array. */
static void add_idle(const struct exercise *e, const struct shares *s, const struct slot *array, struct mistake *m)
{
    for (int device = 0; device < e->devices; device++)
        if (takes_part(s, device, NULL) && !takes_part(s, device, array))
            mistake_add(m, "nothing is copied back from GPU %d", device);
}

/* Adds where the first part of an input begins, and where the first part that is copied back goes, if these differ.  Returns whether they do. */
static bool tell_moved_on(const struct shares *s, const struct slot *array, struct mistake *m)
{
    const struct share *in = NULL, *back = NULL;

    for (size_t i = 0; i < s->count; i++) {
        const struct share *one = &s->list[i];
        if (!one->back && one->array->bytes == array->bytes && in == NULL)
            in = one; /* the list is in order */
        if (one->back && one->array == array && back == NULL)
            back = one;
    }
    if (in == NULL || back == NULL || in->first == back->first)
        return false;
    mistake_add(m, "the first part that is copied to the GPU begins at %s[%zu], and the first part that is copied back goes to %s[%zu]", in->array->name, in->first,
                array->name, back->first);
    return true;
}

/* Adds the first part that begins behind the last element. */
static void add_behind(const struct exercise *e, const struct shares *s, const struct slot *array, size_t count, struct mistake *m)
{
    for (size_t i = 0; i < s->count && e->devices > 1; i++) {
        const struct share *one = &s->list[i];
        if (one->array != array || !one->back || one->first < count || one->end == one->first)
            continue;
        mistake_add(m, "the part of GPU %d begins at element %zu, behind the last of %zu: those before it have taken all", one->device, one->first, count);
        return;
    }
}

/* Adds what follows if the parts are as far apart as their elements have bytes. */
static void add_bytes(const struct shares *s, const struct slot *array, struct mistake *m)
{
    const struct share *before = NULL;
    size_t size = 0;

    for (size_t i = 0; i < s->count; i++) {
        const struct share *one = &s->list[i];
        if (one->array != array || !one->back)
            continue;
        if (before != NULL && (one->first - before->first != array->element * (before->end - before->first) || before->first == before->end))
            return;
        size = before != NULL ? before->end - before->first : 0;
        before = one;
    }
    if (size > 0)
        mistake_add(m, "the parts begin %zu elements apart, and each has %zu of them: %zu is also the number of its bytes, so a size may be one in elements, where "
                       "bytes belong", size * array->element, size, size * array->element);
}

/* Adds what follows if elements are brought back twice, or never. */
static bool tell_back(const struct exercise *e, const struct shares *s, const struct slot *array, struct mistake *m)
{
    size_t elements, gap, gap_end, both, both_end;
    const size_t count = array->bytes / array->element, shares = shares_of(s, array, &elements);

    if (shares == 0)
        return false;
    const bool never = find_run(s, array, false, &gap, &gap_end), twice = find_run(s, array, true, &both, &both_end);
    const bool beyond = s->list[s->count - 1].end > count; /* the list is in order */
    if ((shares < 2 && !beyond) || (!never && !twice && !beyond))
        return false;
    add_list(e, s, array, m);
    if (strcmp(m->kind, "nothing-written") != 0 && strcmp(m->kind, "out-of-bounds") != 0) /* else it has ended before later copies */
        add_idle(e, s, array, m);
    if (never)
        add_run(array, gap, gap_end, false, m);
    if (twice)
        add_run(array, both, both_end, true, m);
    if (beyond)
        add_behind(e, s, array, count, m);
    if (never && elements == count)
        mistake_add(m, "the sizes of these parts add up to %zu, as many elements as there are: so the sizes are right, and they begin at wrong places", elements);
    else if (never && !twice)
        mistake_add(m, "the sizes of these parts add up to %zu, and there are %zu elements: so a part is too short, or one is missing", elements, count);
    if (never && !twice)
        add_bytes(s, array, m);
    if (twice && !never)
        mistake_add(m, "the sizes of these parts add up to %zu, and there are %zu elements: so a part is too long, or begins too early", elements, count);
    return true;
}

/* Adds the first device that brings back other elements than those that it was given. */
static bool tell_other(const struct shares *s, const struct slot *array, struct mistake *m)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->count; k++) {
            const struct share *in = &s->list[i], *back = &s->list[k];
            if (in->back || !back->back || strncmp(in->array->name, "ref", 3) == 0 || back->array != array || in->device != back->device ||
                in->array->bytes / in->array->element != array->bytes / array->element || (in->first == back->first && in->end == back->end))
                continue;
            mistake_add(m, "GPU %d is given elements %zu to %zu of %s, and elements %zu to %zu of %s are copied back from it", in->device, in->first,
                        in->end - 1, in->array->name, back->first, back->end - 1, array->name);
            return true;
        }
    return false;
}

static bool may_come_from_copies(const struct mistake *m)
{
    static const char *const kinds[] = {"gaps", "part-missing", "tail-missing", "first-only", "last-missed", "wrong-index", "misplaced", "wrong-part",
                                        "nothing-written", "wrong-values", "out-of-bounds"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(m->kind, kinds[i]) == 0)
            return true;
    return false;
}

/* Returns whether a right program copies in parts, although there is one device. */
static bool queues_parts(const struct exercise *e)
{
    for (size_t i = 0; i < e->gates; i++)
        if (strcmp(e->gate[i].metric, "overlap_share") == 0)
            return true;
    return false;
}

bool shares_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error)
{
    const char *problem = problem_name(e->problem);
    struct shares s = {.count = 0};

    const bool single = strcmp(m->kind, "out-of-bounds") == 0 && e->devices <= 1;

    if (m->facts == 0 || (single && !queues_parts(e)) || !may_come_from_copies(m) || (strcmp(problem, "knn") != 0 && strcmp(problem, "saxpy") != 0))
        return true;
    if (!rerun_with(e, program, size, "RUNGS_SIM_COPIES", read_copies, &s, error))
        return false;
    const struct layout *layout = arena_layout(case_arena());
    bool told = s.full;
    for (int named = 1; named >= 0 && !told; named--) /* the output that the first fact names comes first */
        for (size_t i = 0; i < layout->count && !told; i++) {
            const struct slot *a = &layout->slots[i];
            if (a->output && a->element > 0 && (strstr(m->fact[0], a->name) != NULL) == (named == 1))
                told = single ? tell_moved_on(&s, a, m) : tell_back(e, &s, a, m) | (e->devices > 1 && tell_other(&s, a, m));
        }
    return true;
}

/* Adds which elements of the array each device is given, if that is more than there are in all.  Returns whether it is. */
static bool tell_given(const struct exercise *e, const struct shares *s, const struct slot *array, struct mistake *m)
{
    const size_t count = array->bytes / array->element;
    char text[200] = "";
    size_t used = 0, given = 0;

    for (int device = 0; device < e->devices; device++)
        for (size_t i = 0; i < s->count && used < sizeof text; i++) {
            const struct share *one = &s->list[i];
            if (one->array != array || one->back || one->device != device || one->first == one->end)
                continue;
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu to %zu to GPU %d", used > 0 ? ", " : "", one->first, one->end - 1, device);
            given += one->end - one->first;
        }
    if (given <= count)
        return false;
    mistake_add(m, "of %s, elements are copied: %s; these are %zu, and there are %zu", array->name, text, given, count);
    return true;
}

/* Adds which device is given all elements of the array, if one is, and the others none. */
static bool tell_all_given(const struct shares *s, const struct slot *array, struct mistake *m)
{
    const struct share *given = NULL;
    size_t elements = 0;

    for (size_t i = 0; i < s->count; i++) {
        const struct share *one = &s->list[i];
        if (one->array != array || one->back || one->first == one->end)
            continue;
        if (given != NULL && one->device != given->device)
            return false;
        given = one;
        elements += one->end - one->first;
    }
    if (given == NULL || elements != array->bytes / array->element)
        return false;
    mistake_add(m, "all of %s goes to GPU %d, and nothing to the others", array->name, given->device);
    return true;
}

bool shares_given(const struct exercise *e, const char *program, struct mistake *m, struct error *error)
{
    struct shares s = {.count = 0};
    bool told = false;

    if (e->devices <= 1 || strcmp(problem_name(e->problem), "knn") != 0 || (strcmp(m->kind, "everyone-does-all") != 0 && strcmp(m->kind, "copies-too-much") != 0 && strcmp(m->kind, "one-card") != 0))
        return true;
    if (!rerun_with(e, program, &e->counted, "RUNGS_SIM_COPIES", read_copies, &s, error))
        return false;
    const struct layout *layout = arena_layout(case_arena());
    for (size_t i = 0; i < layout->count && !told; i++)
        told = strncmp(layout->slots[i].name, "obs", 3) == 0 &&
               (strcmp(m->kind, "one-card") == 0 ? tell_all_given(&s, &layout->slots[i], m) : tell_given(e, &s, &layout->slots[i], m)); /* each device needs all references */
    return true;
}
