#include "workshop/lab/witness.h"

#include <string.h>

#include "workshop/lab/pattern.h"

/* Fewer wrong results than ENOUGH agree with an explanation by chance. */
enum { ENOUGH = 3, PLENTY = 8 };

/* So many are explained by nothing else, even if the kind is a vague one. */
enum { MANY = 200 };

/* Returns whether the result has so few elements that which of them are wrong says nothing: of two, only the first one is right. */
static bool is_tiny(const struct size *size)
{
    const size_t more = strchr(size->label, ',') != NULL ? size->dims[1] : 1;

    return size->dims[0] * more < PLENTY;
}

/* Returns how specific a mistake is.  An explanation that may be chance is not. */
static int rank(const struct witness *w)
{
    const struct mistake *m = &w->mistake;

    if (pattern_rank(m) == PATTERN_PLACES && is_tiny(w->size))
        return 1;
    return m->explains > 0 && m->explains < ENOUGH ? 0 : m->explains >= MANY && pattern_rank(m) > 1 ? PATTERN_CLEAR : pattern_rank(m);
}

/* Returns whether the texts are the same but for numbers. */
static bool same_words(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, "0123456789");
        b += strspn(b, "0123456789");
        if (*a != *b || *a == '\0')
            return *a == *b;
    }
}

static bool same_explanation(const struct witness *a, const struct witness *b)
{
    return strcmp(a->mistake.kind, b->mistake.kind) == 0 &&
           (a->mistake.explains == 0 || same_words(a->mistake.fact[0], b->mistake.fact[0]));
}

static bool has_elements(const struct witness *w)
{
    return w->size->dims[0] > 0;
}

/* Returns whether no length is 0: where there are no products or steps, most mistakes do not show. */
static bool has_work(const struct witness *w)
{
    return has_elements(w) && (strchr(w->size->label, ',') == NULL || (w->size->dims[1] > 0 && w->size->dims[2] > 0));
}

/* Returns whether `a`, which has the larger size, explains more than `b`.  At a larger size fewer explanations fit by
   chance.  An access that the simulator has stopped is a fact at any size, and plainest at the smallest. */
static bool explains_more(const struct witness *a, const struct witness *b)
{
    const int of_a = rank(a), of_b = rank(b);

    if (of_a != of_b)
        return of_a > of_b;
    if (of_a < PATTERN_CLEAR)
        return has_work(a) || !has_work(b);
    return a->mistake.explains > 0 || (has_elements(a) && !has_elements(b));
}

/* Returns the smallest size that shows enough of what `best` says. */
static const struct witness *clearest(const struct witness list[], size_t count,
                                      const struct witness *best)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].mistake.explains >= PLENTY && same_explanation(&list[i], best))
            return &list[i];
    return best;
}

/* Returns whether a length is 1 in `a`, and more in `b`: rows and columns look alike then. */
static bool is_flatter(const struct size *a, const struct size *b)
{
    for (size_t i = 0; i < sizeof a->dims / sizeof *a->dims; i++)
        if (a->dims[i] == 1 && b->dims[i] > 1)
            return true;
    return false;
}

/* Returns the last size at which something else is wrong, if `best` says that one of equals was kept: where a distance is wrong, that is
   not the cause. */
static const struct witness *more_than_ties(const struct witness list[], size_t count, const struct witness *best)
{
    for (size_t i = count; strcmp(best->mistake.kind, "tie-rule") == 0 && i-- > 0;)
        if (strcmp(list[i].mistake.kind, "tie-rule") != 0)
            return &list[i];
    return NULL;
}

/* Returns the last size at which elements between others are missing, if `best` says that the first one is, at a smaller size: a gap may
   begin with the first one there. */
static const struct witness *other_gap(const struct witness list[], size_t count, const struct witness *best)
{
    for (size_t i = count; strcmp(best->mistake.kind, "first-missed") == 0 && i-- > 0 && &list[i] > best;)
        if (strcmp(list[i].mistake.kind, "gaps") == 0)
            return &list[i];
    return NULL;
}

/* Returns whether the mistake says how the whole kernel computes, so that it should explain all sizes. */
static bool is_whole_kernel(const struct mistake *m)
{
    return m->facts > 0 &&
           (strstr(m->fact[0], "all sums are those of a kernel that") != NULL || strncmp(m->fact[0], "each index is that of the ", 26) == 0);
}

/* Returns whether `best` says something only at sizes that are flatter than the last one. */
static bool only_flat(const struct witness list[], size_t count, const struct witness *best)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].mistake.kind, best->mistake.kind) == 0 && !is_flatter(list[i].size, list[count - 1].size))
            return false;
    return true;
}

/* Returns the last size at which something else is clear; NULL: there is none. */
static const struct witness *clear_one(const struct witness list[], size_t count, const struct witness *best)
{
    for (size_t i = count; i-- > 0;)
        if (rank(&list[i]) == PATTERN_CLEAR && strcmp(list[i].mistake.kind, best->mistake.kind) != 0)
            return &list[i];
    return strcmp(list[count - 1].mistake.kind, "wrong-values") == 0 ? &list[count - 1] : NULL;
}

/* Returns the last size at which nothing explains the values, if `best` was concluded from a few values, or says how the whole kernel
   computes; or what is clear at another size, if `best` says that rows and columns were exchanged, and was concluded from values at a flatter
   size, and from no other.  What it says is not the cause. */
static const struct witness *contradicts(const struct witness list[], size_t count, const struct witness *best)
{
    const struct witness *last = &list[count - 1];

    if (best->mistake.explains > 0 && strstr(best->mistake.kind, "transposed") != NULL && only_flat(list, count, best))
        return clear_one(list, count, best);
    if (best->mistake.explains == 0 || strcmp(last->mistake.kind, "wrong-values") != 0)
        return NULL;
    if (best->mistake.explains < PLENTY || is_whole_kernel(&best->mistake))
        return last;
    return NULL;
}

const struct witness *witness_choose(const struct witness list[], size_t count)
{
    const struct witness *best = NULL;

    for (size_t i = 0; i < count; i++)
        if (best == NULL || explains_more(&list[i], best))
            best = &list[i];
    if (best == NULL || rank(best) != PATTERN_CLEAR)
        return best;
    const struct witness *other = more_than_ties(list, count, best);
    if (other == NULL)
        other = other_gap(list, count, best);
    if (other == NULL)
        other = contradicts(list, count, best);
    return other != NULL ? other : clearest(list, count, best);
}
