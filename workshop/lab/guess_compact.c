/* compact: the places at which tiles of 256 write if a typical mistake is in their look-back. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/compact.h"
#include "workshop/lab/pattern.h"

enum { TILE = 256, WARP = 32, MOST_TILES = 1024 };

static bool is_kept(float x)
{
    return !isnan(x);
}

static size_t kept_of(const struct compact *p, size_t first, size_t end)
{
    size_t count = 0;

    for (size_t i = first; i < end && i < p->n; i++)
        count += is_kept(p->x[i]);
    return count;
}

static bool view(const void *c, struct view *v)
{
    const struct compact *p = c;

    v->array = "kept";
    v->rows = 1;
    v->cols = kept_of(p, 0, p->n);
    v->got = p->kept;
    return true;
}

static void want(const void *c, double *values)
{
    const struct compact *p = c;

    for (size_t i = 0; i < p->n; i++)
        if (is_kept(p->x[i]))
            *values++ = p->x[i];
}

/* --- the count ------------------------------------------------------------------------------------ */

/* Finds what a wrong count has counted. */
static void look_at_count(const struct compact *p, size_t right, struct mistake *m)
{
    const size_t tiles = (p->n + TILE - 1) / TILE, count = *p->count, last = tiles > 0 ? (tiles - 1) * TILE : 0;

    if (count == UINT64_MAX) { /* as before the call */
        mistake_set(m, "nothing-written");
        mistake_add(m, "the count was not written");
        return;
    }
    mistake_set(m, "wrong-count");
    m->explains = tiles;
    if (count == p->n)
        mistake_add(m, "the count is n: the NaN are counted, too");
    else if (count == p->n - right)
        mistake_add(m, "the count is that of the NaN");
    else if (count == kept_of(p, last, p->n))
        mistake_add(m, "the count is that of the last tile alone");
    else if (count == kept_of(p, 0, last))
        mistake_add(m, "the count is that of the tiles before the last one");
    else
        m->explains = 0;
    for (size_t t = 1; m->facts == 0 && t < tiles; t++)
        if (count == kept_of(p, 0, t * TILE))
            mistake_add(m, "the count is that of tiles 0 to %zu, of %zu tiles: another tile than the last has written it",
                        t - 1, tiles);
    mistake_add(m, "the count is %zu, and should be %zu", count, right);
}

/* --- the places of tiles -------------------------------------------------------------------------- */

/* A mistake, and the place that tile t gets by it: own[i] elements of tile i are kept, or of its first warp. */
struct places {
    const char *kind, *text;
    size_t (*of)(const size_t own[], size_t t);
    bool of_a_warp;
};

static size_t all_before(const size_t own[], size_t t)
{
    size_t sum = 0;

    for (size_t i = 0; i < t; i++)
        sum += own[i];
    return sum;
}

static size_t none_before(const size_t own[], size_t t)
{
    (void)own;
    (void)t;
    return 0;
}

static size_t one_before(const size_t own[], size_t t)
{
    return t > 0 ? own[t - 1] : 0;
}

static size_t without_first(const size_t own[], size_t t)
{
    return t > 0 ? all_before(own, t) - own[0] : 0;
}

static size_t with_own(const size_t own[], size_t t)
{
    return all_before(own, t + 1);
}

static size_t all_that_all_say(const size_t own[], size_t t)
{
    size_t sum = 0, all = 0; /* of what tiles before have published */

    for (size_t i = 0; i < t; i++) {
        all = sum + own[i]; /* what tile i publishes */
        sum += all;
    }
    return sum;
}

static size_t of_full_tiles(const size_t own[], size_t t)
{
    (void)own;
    return t * TILE;
}

static const struct places all_places[] = {
    {"wrong-place", "every tile writes at the beginning: what the tiles before it keep is not added", none_before, false},
    {"wrong-place", "each tile's place is what the one tile before it keeps: the number that counts as that of all tiles "
                    "is that of one", one_before, false},
    {"wrong-place", "from tile 1 on, each place lacks what tile 0 keeps", without_first, false},
    {"wrong-place", "each tile begins where it should end: its own elements are counted as before it", with_own, false},
    {"wrong-place", "each place is the sum of all that the tiles before have published: it goes on behind the number of "
                    "all", all_that_all_say, false},
    {"wrong-place", "tile t writes at 256 * t, as if nothing were left out", of_full_tiles, false},
    {"wrong-place", "a tile has published what its first warp keeps, and not what all of it keeps", all_before, true},
};

/* Returns whether the elements lie where tiles write them that get these places, each over what is there already. */
static bool lie_there(const struct compact *p, const struct places *places, const size_t own[], size_t right)
{
    float *kept = malloc((p->n + 1) * sizeof *kept);
    size_t same = 0;

    if (kept == NULL)
        return false;
    memset(kept, 0xff, p->n * sizeof *kept);
    for (size_t t = 0; t * TILE < p->n; t++) {
        size_t at = places->of(own, t);
        for (size_t i = t * TILE; i < (t + 1) * TILE && i < p->n; i++)
            if (is_kept(p->x[i]) && at < p->n)
                kept[at++] = p->x[i];
    }
    for (size_t i = 0; i < right; i++)
        same += memcmp(&kept[i], &p->kept[i], sizeof *kept) == 0;
    free(kept);
    return same == right;
}

static bool guess_places(const struct compact *p, const size_t own[], const size_t of_warp[], size_t right,
                         struct mistake *m)
{
    for (size_t i = 0; i < sizeof all_places / sizeof *all_places; i++) {
        const struct places *guess = &all_places[i];
        if (!lie_there(p, guess, guess->of_a_warp ? of_warp : own, right))
            continue;
        mistake_set(m, guess->kind);
        mistake_add(m, "%s", guess->text);
        m->explains = right;
        return true;
    }
    return false;
}

static void name_first_wrong(const struct view *v, const size_t own[], size_t tiles, struct mistake *m)
{
    size_t first = 0, tile = 0;

    while (first < v->count && !v->wrong[first])
        first++;
    for (size_t end = own[0]; tile + 1 < tiles && end <= first; end += own[tile])
        tile++;
    mistake_set(m, "wrong-values");
    if (tile > 0)
        mistake_add(m, "what tiles 0 to %zu keep is at its place; tile %zu is the first that is not", tile - 1, tile);
}

/* Finds the mistake by which all kept elements lie where they do; else names the first tile that is wrong. */
static void look_at_places(const struct compact *p, const struct view *v, struct mistake *m)
{
    const size_t tiles = (p->n + TILE - 1) / TILE;
    size_t *own = calloc(2 * tiles, sizeof *own);

    if (own == NULL)
        return;
    for (size_t t = 0; t < tiles; t++) {
        own[t] = kept_of(p, t * TILE, (t + 1) * TILE);
        own[tiles + t] = kept_of(p, t * TILE, t * TILE + WARP);
    }
    if (tiles > MOST_TILES || !guess_places(p, own, own + tiles, v->count, m))
        name_first_wrong(v, own, tiles, m);
    free(own);
}

/* The elements first: a wrong count often follows from the same mistake. */
static bool look(const void *c, const struct view *v, struct mistake *m)
{
    const struct compact *p = c;
    const size_t right = v->count;

    if (v->wrong_count > 0) {
        look_at_places(p, v, m);
    } else if (*p->count != right) {
        look_at_count(p, right, m);
    } else {
        mistake_set(m, "wrong-values");
        mistake_add(m, "the numbers are right, and not all of their bits: -0 is not 0 here");
    }
    return mistaken(m);
}

static const struct guess guess[] = {{NULL, NULL, NULL}};

const struct guesses guesses_compact = {"compact", view, want, guess, look};
