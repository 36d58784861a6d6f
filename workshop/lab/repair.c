#define _GNU_SOURCE
#include "workshop/lab/repair.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "workshop/lab/case.h"
#include "workshop/lab/found.h"
#include "workshop/lab/mutant_build.h"
#include "workshop/lab/retype.h"
#include "workshop/lab/text.h"

/* How many mutants are compiled at a time. */
enum { BATCH = 250, SMALL_BATCH = 50 };
/* The search takes so many processor seconds at most, or RUNGS_LAB_SEARCH; and this share of them until two changes are tried. */
static const double SECONDS = 8, FOR_ONE = 0.75;
/* That share is for others, when one change was found. */
static const double FOR_OTHERS = 0.2;

/* --- running ---------------------------------------------------------------------------------------- */

/* Returns the processor seconds of all processes that this one has started, and that have ended. */
static double spent(void)
{
    struct rusage used;

    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

enum { MOST_WRITTEN_PLACES = 8192 };

/* A search: what is tried, and where. */
struct search {
    const struct exercise *e;
    struct mutants *all;
    struct mutant *list;
    size_t count;
    double *share;            /* of each mutant's results that are right, at size `first`; below -1: it did not run */
    char source[240], program[240];
    char *commands;           /* that build it */
    const struct size *size[MAX_LAB_SIZES + 1], *first; /* from the one with the least work on; the first at which it is wrong */
    size_t sizes;
    double base;              /* the share of the program without a change, there */
    double patience;          /* how long a call may take */
    bool races;               /* it is wrong only by a race */
    bool counts;              /* it is right, and its counters miss goals of the exercise */
    const char *text, *starter;
    struct worker worker;
    int *numbers;             /* tells the simulator what runs at each place: harness/sim/mutant.c */
    double begun, spent;      /* the time then, and the processor seconds */
    double seconds;           /* how many more it may take */
    struct found found;
    struct stat saved;        /* the learner's file, which may be saved again meanwhile */
};

static void set_places(struct search *s, size_t i, int number)
{
    for (int p = 0; p < MUTANT_PLACES && s->list[i].place[p] != 0; p++)
        if (s->list[i].place[p] < MOST_WRITTEN_PLACES)
            s->numbers[s->list[i].place[p]] = number;
}

/* Makes these mutants run, and no others. */
static void choose(struct search *s, const size_t which[], int count)
{
    memset(s->numbers, 0, MOST_WRITTEN_PLACES * sizeof *s->numbers);
    s->numbers[0] = count;
    for (int k = 0; k < count; k++)
        set_places(s, which[k], (int)which[k] + 1);
}

static double share_at(struct search *s, const struct size *size)
{
    return case_share(&s->worker, s->program, s->e, s->races, size, s->patience * case_slowness());
}

/* Returns the first size at which what runs now is wrong; NULL: there is none. */
static const struct size *wrong_at(struct search *s)
{
    for (size_t i = 0; i < s->sizes; i++)
        if (share_at(s, s->size[i]) < 1.0)
            return s->size[i];
    return NULL;
}

/* Returns whether the counters of what runs now keep all goals. */
static bool keeps_goals(struct search *s)
{
    struct gated gated[sizeof s->e->gate / sizeof *s->e->gate];
    struct mistake m = {.kind = ""};
    struct error error;
    bool kept = gates_look(s->e, s->program, gated, &m, &error) && !mistaken(&m);

    for (size_t i = 0; kept && i < s->e->gates; i++)
        kept = gated[i].kept;
    return kept;
}

/* Returns whether the lab finds no mistake at all in what runs now, and is right at one size. */
static bool is_mended(struct search *s)
{
    struct trial t;
    struct error error;

    if (s->counts) {
        case_stop(&s->worker);
        if (!keeps_goals(s))
            return false;
    }
    if (wrong_at(s) != NULL)
        return false;
    case_stop(&s->worker);
    return trial_run(s->e, s->program, IN_SIMULATOR, &t, &error) && !mistaken(&t.mistake);
}

/* Returns whether what runs now, which is right, misses goals of the exercise: then another change is the one that is needed. */
static bool misses_goals(struct search *s)
{
    return !s->counts && s->e->cuda && s->e->gates > 0 && !keeps_goals(s);
}

static bool is_saved_again(const struct search *s)
{
    struct stat now;

    return stat(s->e->source, &now) != 0 || now.st_ino != s->saved.st_ino || now.st_mtim.tv_sec != s->saved.st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != s->saved.st_mtim.tv_nsec;
}

static bool is_late(const struct search *s, double share)
{
    const double seconds = share * s->seconds;

    return interrupted() || is_saved_again(s) || spent() > s->spent + seconds || clock_now() > s->begun + seconds * case_slowness();
}

/* --- sizes ------------------------------------------------------------------------------------------ */

static double work(const struct size *size)
{
    double product = 1.0;

    for (size_t i = 0; i < sizeof size->dims / sizeof *size->dims; i++)
        product *= size->dims[i] > 0 ? (double)size->dims[i] : 1.0;
    return product;
}

static int compare_work(const void *a, const void *b)
{
    const double x = work(*(const struct size *const *)a), y = work(*(const struct size *const *)b);

    return x < y ? -1 : x > y;
}

/* Finds the size with the least work at which the program is wrong; of those with next to no work, at which much is right by chance,
   the largest, if there are no others.  Returns false if it is right at all of them. */
static bool find_first(struct search *s, const char *failed_at)
{
    enum { AS_LONG = 4, ENOUGH = 64 };
    double seconds = 0.0;

    s->patience = 0.6;
    choose(s, NULL, 0);
    for (size_t i = 0; i < s->sizes && (s->first == NULL || work(s->first) < ENOUGH); i++) {
        if (s->races && (failed_at == NULL || strcmp(s->size[i]->label, failed_at) != 0))
            continue;
        const double begin = clock_now(), share = share_at(s, s->size[i]);
        if ((share == 1.0) != s->counts)
            continue;
        s->first = s->size[i];
        s->base = share;
        seconds = (clock_now() - begin) / case_slowness();
    }
    s->patience = fmin(0.6, 0.08 + AS_LONG * seconds);
    return s->first != NULL;
}

static void sort_sizes(struct search *s)
{
    for (size_t i = 0; i < s->e->size_count; i++)
        s->size[s->sizes++] = &s->e->sizes[i];
    if (s->races && s->e->counted.label != NULL)
        s->size[s->sizes++] = &s->e->counted;
    qsort(s->size, s->sizes, sizeof *s->size, compare_work);
}

/* --- one change, and two ---------------------------------------------------------------------------- */

/* Builds the mutants from `first` to `end` - 1, and mutant `also`. */
static bool build_batch(struct search *s, size_t first, size_t end, size_t also)
{
    for (size_t i = 0; i < s->count; i++)
        s->list[i].out = (i < first || i >= end) && i != also;
    return mutants_build(s->all, s->source, s->commands);
}

/* Returns whether the line is one of those whose change was found. */
static bool is_found(const struct found *found, int line)
{
    for (int k = 0; k < found->count; k++)
        if (found->change[k].line == line)
            return true;
    return false;
}

/* Tries the mutants of a batch, in the order of their priorities.  Of those that are right it keeps the first, and others that are about as
   likely, in other lines: then the search does not know which of them is the mistake.  Returns whether there is one. */
static bool try_batch(struct search *s, size_t first, size_t end)
{
    enum { AS_LIKELY = 0 };
    struct found *found = &s->found;

    for (size_t i = first; i < end && !is_late(s, 1) && found->count < MOST_FOUND; i++) {
        const struct mutant *m = &s->list[i];
        if (found->count > 0 && (m->priority > found->change[0].priority + AS_LIKELY || is_late(s, found->until)))
            break;
        if (m->dead || is_found(found, m->line))
            continue;
        choose(s, &i, 1);
        s->share[i] = share_at(s, s->first);
        if (s->share[i] < 1.0 || !is_mended(s))
            continue;
        if (found->count == 0)
            found->misses = misses_goals(s);
        if (found->count == 0)
            found->until = (spent() - s->spent) / s->seconds + FOR_OTHERS;
        found->change[found->count++] = *m;
        found->any = true;
    }
    return found->count > 0;
}

/* Returns whether a mutant makes clearly more right. */
static bool is_better(const struct search *s, size_t i)
{
    return s->base < 0.0 ? s->share[i] >= 0.0 : 1.0 - s->share[i] < 0.7 * (1.0 - s->base);
}

/* Finds the best mutants that make more right, each in another line. */
static size_t find_better(const struct search *s, size_t better[], size_t most)
{
    size_t found = 0;

    while (found < most) {
        size_t best = s->count;
        for (size_t i = 0; i < s->count; i++) {
            bool known = !is_better(s, i);
            for (size_t k = 0; k < found; k++)
                known = known || s->list[better[k]].line == s->list[i].line;
            if (!known && (best == s->count || s->share[i] > s->share[best]))
                best = i;
        }
        if (best == s->count)
            break;
        better[found++] = best;
    }
    return found;
}

/* Looks for a mutant that makes right what the first one has made better. */
static bool find_second(struct search *s, size_t pair[2])
{
    const size_t first = pair[0];
    const struct size *wrong = NULL;

    for (size_t begin = 0; begin < s->count && !is_late(s, 1); begin += BATCH) {
        const size_t end = begin + BATCH < s->count ? begin + BATCH : s->count;
        if (!build_batch(s, begin, end, first))
            continue;
        choose(s, pair, 1);
        wrong = wrong != NULL ? wrong : wrong_at(s);
        for (size_t i = begin; wrong != NULL && i < end && !is_late(s, 1); i++) {
            pair[1] = i;
            if (i == first || s->list[i].dead || s->list[i].place[0] == s->list[first].place[0])
                continue;
            choose(s, pair, 2);
            if (share_at(s, wrong) == 1.0 && is_mended(s))
                return true;
        }
        case_stop(&s->worker);
    }
    return false;
}

/* --- another type ----------------------------------------------------------------------------------- */

/* Builds and runs programs with another declaration each, and frees them.  Returns whether one of them is right. */
static bool try_declarations(struct search *s, struct retype list[], size_t count)
{
    static char said[1 << 16];
    struct mutant *const change = &s->found.change[0];
    struct error error;

    s->patience = 0.6;
    memset(s->numbers, 0, MOST_WRITTEN_PLACES * sizeof *s->numbers);
    for (size_t i = 0; i < count; i++) {
        if (s->found.count == 0 && !is_late(s, 1) && text_write(s->source, list[i].text, &error) &&
            build_again(s->source, s->commands, said, sizeof said) && is_mended(s)) {
            *change = (struct mutant){.line = list[i].line};
            snprintf(change->words, sizeof change->words, "%s", list[i].words);
            s->found.misses = misses_goals(s);
            s->found.count = 1;
        }
        case_stop(&s->worker);
        free(list[i].text);
    }
    return s->found.count > 0;
}

/* A float in the place of a whole number that need not be one, a type with numbers below 0, and what is to be in shared memory. */
static bool search_types(struct search *s)
{
    enum { MOST_TYPES = 3 };
    struct retype list[3 * MOST_TYPES];

    if (s->counts)
        return false;
    size_t count = share_find(s->text, list, MOST_TYPES);
    count += sign_find(s->text, s->starter, list + count, MOST_TYPES);
    return try_declarations(s, list, count + retype_find(s->text, s->starter, list + count, MOST_TYPES));
}

/* Other constants and lengths of arrays. */
static bool search_constants(struct search *s)
{
    enum { MOST_CONSTANTS = 8 };
    struct retype list[MOST_CONSTANTS];
    const double patience = s->patience;
    const bool found = try_declarations(s, list, constants_find(s->text, s->starter, list, MOST_CONSTANTS));

    s->patience = patience;
    return found;
}

/* Looks for one change, and then for two. */
static void search(struct search *s, const char *failed_at)
{
    enum { MOST_FIRST = 4 };
    size_t better[MOST_FIRST], pair[2], count = 0;
    bool begun = false;

    for (size_t first = 0, size = BATCH, end; first < s->count && !is_late(s, 1); first = end) {
        end = first + size < s->count ? first + size : s->count;
        if (count > 0 && is_late(s, FOR_ONE))
            break;
        const bool built = build_batch(s, first, end, s->count);
        if (!built && size == BATCH) /* one of them spoils all, and its line is not known */
            end = first;
        size = built || size == SMALL_BATCH ? BATCH : SMALL_BATCH;
        if (!built)
            continue;
        if (!begun && !find_first(s, failed_at))
            return;
        begun = true;
        const bool right = try_batch(s, first, end);
        case_stop(&s->worker);
        if (right || (first == 0 && search_constants(s)))
            return;
        count = find_better(s, better, MOST_FIRST);
    }
    for (size_t k = 0; k < count && !s->counts && !is_late(s, 1); k++) {
        pair[0] = better[k];
        if (find_second(s, pair)) {
            s->found = (struct found){.change = {s->list[pair[0]], s->list[pair[1]]}, .count = 2};
            return;
        }
    }
}

/* The simulator learns from a file which mutants run. */
static void begin(struct search *s, const char *failed_at)
{
    const size_t bytes = MOST_WRITTEN_PLACES * sizeof *s->numbers;
    char path[260];

    build_program(s->source, IN_SIMULATOR, s->program, sizeof s->program);
    snprintf(path, sizeof path, "%s.mutant", s->source);
    struct error error;
    char *text = text_write(s->source, "", &error) ? build_commands(s->source) : NULL;
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    s->commands = text;
    s->numbers = file >= 0 && ftruncate(file, (off_t)bytes) == 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    s->share = calloc(s->count + 1, sizeof *s->share);
    for (size_t i = 0; s->share != NULL && i < s->count; i++)
        s->share[i] = -2.0;
    setenv("RUNGS_SIM_MUTANT", path, 1);
    if (s->commands != NULL && s->numbers != MAP_FAILED && s->share != NULL && !search_types(s))
        search(s, failed_at);
    case_stop(&s->worker);
    unsetenv("RUNGS_SIM_MUTANT");
    if (s->numbers != MAP_FAILED)
        munmap(s->numbers, bytes);
    if (file >= 0)
        close(file);
    free(s->share);
    free(s->commands);
}

/* --- what is known of the mistake -------------------------------------------------------------------- */

/* Returns whether the order of threads, or of launches and copies, may be the mistake. */
static bool is_order(const struct mistake *m)
{
    return strcmp(m->kind, "race") == 0 || strcmp(m->kind, "not-repeatable") == 0 || strcmp(m->kind, "no-order") == 0 ||
           strcmp(m->kind, "shared-unwritten") == 0;
}

/* Returns whether a place is wrong that is read or written, or whether one is. */
static bool is_place(const struct mistake *m)
{
    static const char *const kinds[] = {"race", "unwritten", "out-of-bounds", "missing", "gaps", "nothing-written", "first-only", "same-work",
                                        "missed", "misplaced", "divergent-barrier", "null-pointer"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(m->kind, kinds[i]) != NULL)
            return strcmp(m->kind, "step-missing") != 0 && strcmp(m->kind, "term-missing") != 0 && strcmp(m->kind, "stage-missing") != 0;
    return false;
}

/* Returns whether the program does what no exercise asks for, so that its results are of no interest. */
static bool is_foreign(const struct mistake *m)
{
    static const char *const kinds[] = {"exits", "closes-files", "prints", "memory", "not-run"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(m->kind, kinds[i]) == 0)
            return true;
    return strncmp(m->kind, "breach", 6) == 0;
}

/* Notes the lines that the mistake quotes, and those that it names. */
static void find_lines(const struct mistake *m, struct hint *hint)
{
    size_t count = 0;
    int line, end;

    for (int i = 0; i < m->facts; i++) {
        const char *named = strstr(m->fact[i], "line ");
        const bool made = strstr(m->fact[i], "made in line") != NULL; /* an array */
        const bool quoted = m->fact[i][0] == ' ' && sscanf(m->fact[i], " %d |%n", &line, &end) == 1;
        if (count < HINT_LINES && (quoted || (named != NULL && !made && sscanf(named, "line %d", &line) == 1)))
            hint->line[count++] = line;
    }
}

int repair_look(const struct exercise *e, const char *source, enum place place, struct lab_verdict *v)
{
    struct error error;
    const char *seconds = getenv("RUNGS_LAB_SEARCH");
    struct search s = {.e = e, .begun = clock_now(), .spent = spent(), .seconds = seconds != NULL ? atof(seconds) : SECONDS};
    const bool counts = v->tried && !mistaken(&v->trial.mistake) && v->gates > 0 && !v->gates_kept && e->cuda;
    const struct mistake *m = counts ? &v->mistake : &v->trial.mistake;
    int told = 0;

    if (place != IN_SIMULATOR || !v->tried || !mistaken(m) || is_foreign(m) || !found_wanted(m, counts) || !(s.seconds > 0) || interrupted() || stat(source, &s.saved) != 0)
        return 0;
    char *text = text_read(source, &error), *starter = exercise_text(e, "STARTER"), *header, path[80];
    struct hint hint = {.counts = counts, .order = is_order(m), .place = is_place(m), .unset = m->facts > 1 && strstr(m->fact[1], "nothing at all") != NULL};
    find_lines(m, &hint);
    snprintf(path, sizeof path, "common/%.*s.h", (int)strcspn(e->full, "/"), e->full);
    hint.header = header = text_read(path, &error);
    s.all = text != NULL && starter != NULL ? mutants_find(text, starter, &hint) : NULL;
    snprintf(s.source, sizeof s.source, "build-sim/dev/mutants/%.150s", source);
    if (s.all != NULL && text != NULL && starter != NULL) {
        s.text = text;
        s.starter = starter;
        s.counts = counts;
        s.races = !counts && v->trial.right == v->trial.sizes;
        s.count = mutants_list(s.all, &s.list);
        sort_sizes(&s);
        begin(&s, v->trial.failed_at);
        if (s.found.count > 0)
            told = found_tell(&s.found, text, counts ? "all goals are reached" : "all sizes are right", counts, &v->mistake);
    }
    mutants_free(s.all);
    free(header);
    free(starter);
    free(text);
    return told;
}
