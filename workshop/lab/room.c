/*
 * rungs lab submit, room, board: learners share progress and versions through a folder, in files
 * named after their seats.  Nothing is shared before the first submit.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/terminal.h"
#include "harness/commands/command.h"
#include "workshop/lab/build.h"
#include "workshop/lab/folder.h"
#include "workshop/lab/lab.h"
#include "workshop/lab/learned.h"
#include "workshop/lab/path.h"
#include "workshop/lab/seat.h"
#include "workshop/lab/shared.h"
#include "workshop/lab/show.h"
#include "workshop/lab/stars.h"
#include "workshop/lab/text.h"
#include "workshop/lab/typed.h"

enum { MAX_SEATS = 200 };

/* --- submit ------------------------------------------------------------------------------------- */

static bool put(const char *from, const char *folder, const char *name, struct error *error)
{
    char to[512];

    snprintf(to, sizeof to, "%.400s/%.100s", folder, name);
    char *text = text_read(from, error);
    bool good = text != NULL && text_write(to, text, error);
    free(text);
    return good;
}

/* Makes no folder: a name that is mistyped would get one. */
static bool is_folder(const char *name, struct error *error)
{
    struct stat s;

    if (stat(name, &s) != 0)
        return error_set(error, "%s: %s; ask for the folder that all seats share, or make it", name, strerror(errno));
    return S_ISDIR(s.st_mode) || error_set(error, "%s: is not a folder", name);
}

/* Shares the progress from now on, and with NN the version that has passed. */
int lab_submit(const struct lab_call *c)
{
    struct error error;
    char name[128], file[160], seat[SEAT_ROOM];
    const struct exercise *e = NULL;

    if (c->count < 1) {
        error_set(&error, "submit needs a folder: %s submit DIR [NN]", typed());
        return usage_error(&error);
    }
    if (c->count > 1 && (e = exercise_find(c->words[1], &error)) == NULL)
        return usage_error(&error);
    if (!is_folder(c->words[0], &error))
        return usage_error(&error);
    lab_save(); /* a seat may join the room before its first exercise */
    seat_name(c->words[0], seat);
    snprintf(name, sizeof name, "%s.tsv", seat);
    if (!shared_begin(c->words[0], name, &error))
        return usage_error(&error);
    printf("%s/%s: your progress, as seat %s (RUNGS_SEAT sets another name); it is kept up to date there\n",
           c->words[0], name, seat);
    if (e == NULL)
        return STATUS_OK;
    folder_passed(e, file, sizeof file);
    if (access(file, F_OK) != 0) {
        error_set(&error, "%02d has not passed yet, so only your progress was copied", e->number);
        return usage_error(&error);
    }
    snprintf(name, sizeof name, "%s.%02d%s", seat, e->number, e->cuda ? ".cu" : ".c");
    if (!put(file, c->words[0], name, &error))
        return usage_error(&error);
    printf("%s/%s: your version of %02d, for the board\n", c->words[0], name, e->number);
    return STATUS_OK;
}

/* --- room --------------------------------------------------------------------------------------- */

static int is_progress(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot != NULL && strcmp(dot, ".tsv") == 0;
}

struct tally_of_kind {
    char kind[32];
    int seats;
};

static void count_kind(struct tally_of_kind kinds[], size_t *count, const char *kind)
{
    size_t i = 0;

    while (i < *count && strcmp(kinds[i].kind, kind) != 0)
        i++;
    if (i == MAX_SEATS)
        return;
    if (i == *count)
        snprintf(kinds[(*count)++].kind, sizeof kinds->kind, "%s", kind);
    kinds[i].seats++;
}

/* Prints a seat's name, with blanks up to the table. */
static void show_name(const char *file, size_t length)
{
    enum { COLUMNS = 16 };
    char name[128];

    snprintf(name, sizeof name, "%.*s", (int)length, file);
    const size_t taken = terminal_length(name);
    printf("%s%*s", name, taken < COLUMNS ? (int)(COLUMNS - taken) : 1, "");
}

/* Prints a seat's line: for each exercise of the path its stars, or h and the number of hints shown; how many of the
   further tracks have passed; then the current exercise, the minutes since its first verdict, and the last kind of
   mistake. */
static void show_seat(const char *folder, const char *file, const struct path *path, struct tally_of_kind kinds[],
                      size_t *kind_count)
{
    const struct path all = path_all();
    size_t beyond = 0;
    char name[512], stars[STARS + 1];
    const struct exercise *at = NULL;
    struct error error;

    snprintf(name, sizeof name, "%.400s/%.100s", folder, file);
    show_name(file, strlen(file) - strlen(".tsv"));
    if (!learned_read_from(name, &error)) {
        printf(" %s\n", error.text);
        return;
    }
    for (size_t i = 0; i < path->count; i++) {
        const struct learned *p = learned_of(path->at[i]);
        stars_draw(p->stars, stars_of(path->at[i]), stars);
        if (p->passed > 0)
            printf("  %-3s", stars);
        else if (p->attempts > 0)
            printf("  h%d ", p->hints);
        else
            printf("  .  ");
    }
    for (size_t i = 0; i < all.count; i++) {
        const struct learned *p = learned_of(all.at[i]);
        if (p->touched > 0 && (at == NULL || p->touched > learned_of(at)->touched))
            at = all.at[i];
        beyond += !path->named && i >= path->count && p->passed > 0;
    }
    if (beyond > 0)
        printf("  and %zu", beyond);
    if (at != NULL && learned_of(at)->passed == 0) {
        const struct learned *p = learned_of(at);
        long since = p->begun > 0 ? ((long)time(NULL) - p->begun) / 60 : 0;
        printf("  at %02d, %ld min, %s", at->number, since, p->kind);
        if (strcmp(p->kind, "-") != 0)
            count_kind(kinds, kind_count, p->kind);
    }
    putchar('\n');
}

/* Names the seats of the list that have not submitted anything. */
static void show_absent(const char *folder)
{
    char name[SEAT_ROOM], file[512];
    bool any = false;

    for (int line = 0; seat_listed(folder, &line, name);) {
        snprintf(file, sizeof file, "%.400s/%s.tsv", folder, name);
        if (access(file, F_OK) == 0)
            continue;
        printf("%s %s", any ? "," : "nothing submitted yet:", name);
        any = true;
    }
    if (any)
        putchar('\n');
}

static void show_legend(void)
{
    printf("stars in this order: right result, structure, speed; * won, . not won yet\n"
           "h0: tried, no hint shown; h2: tried, 2 hints shown; a single .: not tried yet\n"
           "and 3: so many have passed beyond these\n"
           "at 04, 12 min, race: the current exercise, the time since its first verdict, and the last mistake\n");
}

int lab_room(const struct lab_call *c)
{
    static struct tally_of_kind kinds[MAX_SEATS];
    size_t kind_count = 0;
    struct dirent **files;
    struct error error;
    struct path path;

    if (!path_read(&path, c->words + 1, c->count > 1 ? c->count - 1 : 0, &error))
        return usage_error(&error);
    if (!path.named)
        path.count = exercises_of_track(0);
    int found = c->count > 0 ? scandir(c->words[0], &files, is_progress, alphasort) : -1;
    if (found < 0) {
        if (c->count > 0)
            error_set(&error, "%s: %s", c->words[0], strerror(errno));
        else
            error_set(&error, "room needs the folder that seats submit to: %s room DIR [NN...]", typed());
        return usage_error(&error);
    }
    printf("%-16s", "seat");
    for (size_t i = 0; i < path.count; i++)
        printf("  %02d ", path.at[i]->number);
    printf("\n");
    for (int i = 0; i < found; i++) {
        show_seat(c->words[0], files[i]->d_name, &path, kinds, &kind_count);
        free(files[i]);
    }
    free(files);
    show_absent(c->words[0]);
    show_legend();
    for (size_t i = 0; i < kind_count; i++)
        if (kinds[i].seats > 1)
            printf("%d seats: %s\n", kinds[i].seats, show_kind(kinds[i].kind));
    return STATUS_OK;
}

/* --- board -------------------------------------------------------------------------------------- */

struct entry {
    char seat[64];
    struct lab_verdict verdict;
    double bytes; /* that a call moves, as the simulator counts; NaN: not counted */
};

/* Copies a submitted file to where it is built like a learner's file, and judges it. */
static bool judge_entry(const struct exercise *e, const char *folder, const char *file,
                        enum place place, struct entry *entry, struct error *error)
{
    struct exercise here = *e;
    char from[512], program[160];

    snprintf(entry->seat, sizeof entry->seat, "%.*s", (int)strcspn(file, "."), file);
    snprintf(from, sizeof from, "%.400s/%.100s", folder, file);
    snprintf(here.source, sizeof here.source, "build-sim/dev/board/%.70s%s", e->full,
             e->cuda ? ".cu" : ".c");
    char *text = text_read(from, error);
    bool good = text != NULL && text_write(here.source, text, error);
    free(text);
    entry->bytes = NAN;
    if (!good || !verdict_reach(&here, here.source, place, &entry->verdict, error))
        return false;
    if (!entry->verdict.passed || !e->cuda || place != IN_SIMULATOR)
        return true;
    build_program(here.source, place, program, sizeof program);
    return gates_bytes(&here, program, &entry->bytes, error);
}

/* Sorts by speed, faster first; without a clock by bytes, fewer first. */
static int by_rank(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->verdict.timed.ratio != y->verdict.timed.ratio)
        return x->verdict.timed.ratio < y->verdict.timed.ratio ? 1 : -1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static bool of_exercise(const struct exercise *e, const char *file)
{
    char ending[16];
    const char *dot = strchr(file, '.');

    snprintf(ending, sizeof ending, ".%02d%s", e->number, e->cuda ? ".cu" : ".c");
    return dot != NULL && strcmp(dot, ending) == 0;
}

/* Judges and measures every submitted version on this machine; numbers of other machines are not used. */
int lab_board(const struct lab_call *c)
{
    static struct entry entries[MAX_SEATS];
    struct error error;
    size_t count = 0, submitted = 0;
    struct dirent **files;
    const struct exercise *e = lab_exercise(c, 1, &error);

    int found = c->count > 0 && e != NULL ? scandir(c->words[0], &files, NULL, alphasort) : -1;
    if (found < 0) {
        if (e != NULL && c->count > 0)
            error_set(&error, "%s: %s", c->words[0], strerror(errno));
        else if (e != NULL)
            error_set(&error, "board needs the folder that seats submit to: %s board DIR NN", typed());
        return usage_error(&error);
    }
    for (int i = 0; i < found; i++) {
        if (of_exercise(e, files[i]->d_name) && count < MAX_SEATS) {
            submitted++;
            if (!judge_entry(e, c->words[0], files[i]->d_name, c->place, &entries[count], &error))
                printf("%s: %s\n", files[i]->d_name, error.text);
            else if (!entries[count].verdict.passed)
                printf("%s: %s\n", entries[count].seat, show_kind(entries[count].verdict.mistake.kind));
            else
                count++;
        }
        free(files[i]);
    }
    free(files);
    if (submitted == 0)
        printf("there is no version of %02d in %s yet; %s submit %s %02d puts one there\n", e->number, c->words[0],
               typed(), c->words[0], e->number);
    qsort(entries, count, sizeof *entries, by_rank);
    for (size_t i = 0; i < count; i++) {
        printf("%2zu  ", i + 1);
        show_name(entries[i].seat, strlen(entries[i].seat));
        if (entries[i].verdict.timed.yours > 0.0)
            printf("  %.3g ms, %.2f times %s\n", 1e3 * entries[i].verdict.timed.yours,
                   entries[i].verdict.timed.ratio, e->base);
        else if (isfinite(entries[i].bytes))
            printf("  %.0f bytes moved\n", entries[i].bytes);
        else
            printf("  right\n");
    }
    return STATUS_OK;
}
