/* compact: the places at which tiles of 256 write if a typical mistake is in their look-back. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/compact.h"
#include "workshop/lab/pattern.h"

enum { TILE = 256, WARP = 32, MOST_TILES = 1024 };
enum { ENOUGH = 8 }; /* kept elements: fewer may lie at the places of any mistake */

static bool is_kept(float x)
{
    return !isnan(x);
}

static uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
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
    m->explains = ENOUGH + tiles; /* it is no chance if a count is that of something else */
    if (count == p->n)
        mistake_add(m, "the count is n: the NaN are counted, too");
    else if (count == p->n - right)
        mistake_add(m, "the count is that of the NaN");
    else if (count == tiles * TILE - right)
        mistake_add(m, "the count is that of those that are not kept: the NaN, and the threads behind the end");
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

/* How the tiles look back and publish.  In the simulator two of three tiles never say ALL, as if they were late
   (workshop/20_look_back.cu). */
enum { LATE = 3 };

struct way {
    const char *kind, *text;
    size_t skips, ends_at;        /* tiles nearest to this one; before this tile the look-back ends */
    bool same_word;               /* every time it reads the word of the tile before */
    bool from_itself;             /* it begins with the own word, and does not reach that of tile 0 */
    bool leaves_own, never_stops; /* numbers of OWN are not added; it goes on behind ALL */
    bool leaves_all;              /* the number of ALL is not added */
    bool stops_at_own;            /* and not at ALL */
    bool own_as_all, sum_as_all;  /* what is published as ALL: the own number alone, or the sum without it */
    bool all_as_own;              /* the second number is published as OWN, too */
    bool with_own;                /* the tile's own elements are counted as before it */
    bool unused;                  /* what the look-back finds is not added to the places */
    bool of_a_warp;               /* what is published counts the first warp alone */
    bool own_of_a_warp;     /* what is published as OWN does, and not what is published as ALL */
    size_t most;                  /* so many words are read at most; 0: all */
    size_t knows;                 /* so many threads of a tile, its first ones, add what lies before the tile; 0: all */
};

static const struct way ways[] = {
    {"wrong-place", "every tile writes at the beginning: what the tiles before it keep is not added", .unused = true},
    {"wrong-place", "a tile's own number was published as ALL: it does not count the tiles before", .own_as_all = true},
    {"wrong-place", "what was published as ALL lacks the tile's own number", .sum_as_all = true},
    {"wrong-place", "from tile 1 on, each place lacks what tile 0 keeps", .ends_at = 1},
    {"wrong-place", "each tile begins where it should end: its own elements are counted as before it", .with_own = true},
    {"wrong-place", "the look-back goes on behind the number of ALL, and counts tiles again", .never_stops = true},
    {"wrong-place", "the look-back stops at the first number of OWN, and not at ALL", .stops_at_own = true},
    {"wrong-place", "the look-back ends at ALL before its number is added", .leaves_all = true},
    {"wrong-place", "the numbers of OWN are not in the sum: where ALL is found, only its number is", .leaves_own = true},
    {"wrong-place", "the number for ALL was published as one of OWN, so tiles are counted again", .all_as_own = true},
    {"wrong-place", "the look-back begins with the tile itself, and not with the one before it", .from_itself = true},
    {"wrong-place", "the look-back reads the word of one tile again and again, and does not go back", .same_word = true},
    {"wrong-place", "the look-back leaves out the tile just before this one", .skips = 1},
    {"wrong-place", "a tile has published what its first warp keeps, and not what all of it keeps", .of_a_warp = true},
    {"wrong-place", "a tile has published as OWN what its first warp keeps, and not what all of it keeps", .own_of_a_warp = true},
    {"wrong-place", "the look-back reads the word of the tile before only, also if that says OWN", .most = 1},
    {"wrong-place", "thread 0 of each tile alone adds what the tiles before keep: the other threads write as if there were none", .knows = 1},
    {"wrong-place", "the first warp of each tile alone adds what the tiles before keep: the other warps write as if there were none", .knows = WARP},
};

/* A tile's word. */
struct word {
    size_t number;
    bool all;
};

static size_t look_back(const struct way *w, const struct word words[], size_t t)
{
    size_t sum = 0;

    for (size_t back = t; back > w->ends_at + w->skips && (w->most == 0 || t - back < w->most); back--) {
        const struct word *word = &words[(w->same_word ? t : back) - 1 - w->skips + w->from_itself];
        sum += (word->all ? w->leaves_all : w->leaves_own) ? 0 : word->number;
        if (!w->never_stops && word->all != w->stops_at_own)
            break;
    }
    return sum;
}

/* Finds the place of each tile; own[t] elements of tile t are kept, and first[t] is published first. */
static void find_places(const struct way *w, const size_t own[], const size_t first[], size_t tiles, size_t place[])
{
    struct word words[MOST_TILES];

    for (size_t t = 0; t < tiles; t++) {
        words[t] = (struct word){first[t], false};
        const size_t sum = look_back(w, words, t) + (w->with_own ? own[t] : 0);
        place[t] = w->unused ? 0 : sum;
        if (w->all_as_own)
            words[t].number = sum + own[t];
        else if (t % LATE == 0)
            words[t] = (struct word){w->own_as_all ? own[t] : w->sum_as_all || w->with_own ? sum : sum + own[t], true};
    }
}

/* Returns whether the elements lie where tiles write them that get these places, each over what is there already.  Threads of a tile from
   number `knows` on write as if its place was 0. */
static bool lie_there(const struct compact *p, const size_t place[], size_t knows)
{
    float *kept = malloc((p->n + 1) * sizeof *kept);
    size_t same = 0;

    if (kept == NULL)
        return false;
    memset(kept, 0xff, p->n * sizeof *kept);
    for (size_t t = 0; t * TILE < p->n; t++) {
        size_t rank = 0;
        for (size_t i = t * TILE; i < (t + 1) * TILE && i < p->n; i++) {
            const size_t at = (i - t * TILE < knows ? place[t] : 0) + rank;
            if (is_kept(p->x[i]) && at < p->n)
                kept[at] = p->x[i];
            rank += is_kept(p->x[i]);
        }
    }
    for (size_t i = 0; i < p->n; i++) /* also behind the count: a place may lie there */
        same += bits_of(kept[i]) == bits_of(p->kept[i]);
    free(kept);
    return same == p->n;
}

static bool guess_places(const struct compact *p, const size_t own[], const size_t of_warp[], size_t tiles, size_t right,
                         struct mistake *m)
{
    size_t place[MOST_TILES];

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        find_places(&ways[i], ways[i].of_a_warp ? of_warp : own, ways[i].of_a_warp || ways[i].own_of_a_warp ? of_warp : own, tiles, place);
        if (!lie_there(p, place, ways[i].knows > 0 ? ways[i].knows : TILE))
            continue;
        mistake_set(m, ways[i].kind);
        mistake_add(m, "%s", ways[i].text);
        m->explains = right;
        return true;
    }
    return false;
}

/* Returns where what tile t keeps begins in `kept`; n if it is not there, or if it may be there by chance. */
static size_t place_of(const struct compact *p, size_t t, size_t own)
{
    float kept[TILE];
    size_t count = 0, at = 0;

    for (size_t i = t * TILE; i < (t + 1) * TILE && i < p->n; i++)
        if (is_kept(p->x[i]))
            kept[count++] = p->x[i];
    while (own >= 3 && at + own <= p->n && memcmp((const void *)kept, (const void *)(p->kept + at), own * sizeof *kept) != 0)
        at++;
    return own >= 3 && at + own <= p->n ? at : p->n;
}

static void name_first_wrong(const struct compact *p, const struct view *v, const size_t own[], size_t tiles,
                             struct mistake *m)
{
    size_t first = 0, tile = 0, before = 0;

    while (first < v->count && !v->wrong[first])
        first++;
    while (tile + 1 < tiles && before + own[tile] <= first)
        before += own[tile++];
    const size_t place = place_of(p, tile, own[tile]);
    mistake_set(m, tile > 0 ? "wrong-place" : "wrong-values");
    if (tile > 0)
        mistake_add(m, "what tiles 0 to %zu keep is at its place; tile %zu is the first that is not", tile - 1, tile);
    if (place < p->n && place != before)
        mistake_add(m, "tile %zu has written from kept[%zu] on, and should from kept[%zu] on", tile, place, before);
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
    if (v->count < ENOUGH || tiles > MOST_TILES || !guess_places(p, own, own + tiles, tiles, v->count, m))
        name_first_wrong(p, v, own, tiles, m);
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

/* --- places outside of `kept` --------------------------------------------------------------------- */

static const char *const counted[] = {
    "the place counts the element itself: the mask of the lanes before it has its own lane, too",
    "the place counts the elements of the thread's own warp twice: they are among those of the warps before it, too",
    "the place counts all elements that the own warp keeps, and not those of the lanes before",
    "the place counts the elements that the lanes behind it keep, and not those of the lanes before",
    "the place counts all lanes before it, and not those that keep an element",
    "the place counts all elements that the own tile keeps, as if they were before it",
    "the place counts all elements of the tiles before it, also those that are NaN",
    "the place counts whole words: a word is four times the number, and two bits that say what the number counts",
};

/* Returns the sum of the words that tile t looks back on, in place of that of their numbers. */
static size_t whole_words(const struct compact *p, size_t t)
{
    enum { OWN = 1, ALL = 2 };
    size_t sum = 0;

    for (size_t back = t; back-- > 0;) {
        const bool all = back % LATE == 0;
        sum += 4 * kept_of(p, all ? 0 : back * TILE, (back + 1) * TILE) + (all ? ALL : OWN);
        if (all)
            break;
    }
    return sum;
}

/* Finds what a place counts too much.  Blocks take tickets in their order, so tile and block have the same number. */
static void outside(const void *c, const struct access *a, struct mistake *m)
{
    const struct compact *p = c;
    const size_t tile = a->block_x * (size_t)TILE, i = tile + a->x, warp = i / WARP * WARP;
    const size_t tiles = kept_of(p, 0, tile), warps = kept_of(p, tile, warp), lanes = kept_of(p, warp, i);
    const size_t own = kept_of(p, i, i + 1), of_warp = kept_of(p, warp, warp + WARP), right = tiles + warps + lanes;
    const size_t place[] = {right + own, right + of_warp, tiles + warps + of_warp,
                            tiles + warps + kept_of(p, i + 1, warp + WARP), tiles + warps + i % WARP,
                            right + kept_of(p, tile, tile + TILE), tile + warps + lanes,
                            whole_words(p, a->block_x) + warps + lanes};
    size_t fits = 0, which = 0;

    if (strstr(a->array, "kept") == NULL || a->y > 0 || i >= p->n)
        return;
    for (size_t w = 0; w < sizeof place / sizeof *place; w++)
        if (place[w] == a->element && a->element != right) {
            fits++;
            which = w;
        }
    if (a->element == right + 1 && own == 1 && of_warp > 1)
        which = 0; /* it is the last that its warp keeps, so that may be all of them as well; others would have failed first */
    else if (fits != 1)
        return;
    mistake_add(m, "%s", counted[which]);
    m->explains = ENOUGH;
}

static const struct guess guess[] = {{NULL, NULL, NULL}};

const struct guesses guesses_compact = {.problem = "compact", .view = view, .want = want, .guess = guess, .look = look,
                                        .outside = outside};
