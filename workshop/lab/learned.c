#include "workshop/lab/learned.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workshop/lab/stars.h"
#include "workshop/lab/text.h"

static const char file[] = "learn/progress.tsv", copy[] = "learn/.kept/progress.tsv";
static const char bad[] = "learn/progress.bad"; /* a damaged file */
static const char heading[] = "exercise\tstars\tattempts\thints\tbegun\tpassed\ttouched\tlast\n";

static struct learned all[MAX_EXERCISES];
static size_t count;
static char written[MAX_EXERCISES * 160]; /* the file as this process has last read or written it */

static struct learned *find(const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    if (count == MAX_EXERCISES)
        return &all[count - 1]; /* more masters than that are refused */
    all[count] = (struct learned){.kind = "-"};
    snprintf(all[count].name, sizeof all->name, "%s", name);
    return &all[count++];
}

static bool read_line(const char *line, struct learned *p)
{
    char stars[STARS_WORDS];

    *p = (struct learned){.kind = "-"};
    return sscanf(line, "%47s %23s %d %d %ld %ld %ld %31s", p->name, stars, &p->attempts, &p->hints, &p->begun,
                  &p->passed, &p->touched, p->kind) == 8 &&
           stars_read(stars, &p->stars) && p->attempts >= 0 && p->hints >= 0 && p->hints <= HINTS;
}

static long earlier(long a, long b)
{
    return a == 0 || (b != 0 && b < a) ? b : a; /* 0: not yet */
}

/* Adds what another process knows of the exercise. */
static void merge(struct learned *l, const struct learned *other)
{
    if (other->touched > l->touched)
        memcpy(l->kind, other->kind, sizeof l->kind);
    l->stars |= other->stars;
    l->attempts = l->attempts > other->attempts ? l->attempts : other->attempts;
    l->hints = l->hints > other->hints ? l->hints : other->hints;
    l->begun = earlier(l->begun, other->begun);
    l->passed = earlier(l->passed, other->passed);
    l->touched = l->touched > other->touched ? l->touched : other->touched;
}

/* Adds the text of a file to what is known.  Returns whether every line could be read. */
static bool parse(char *text)
{
    bool good = strncmp(text, heading, sizeof heading - 1) == 0;
    struct learned read;

    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strncmp(line, "exercise\t", 9) == 0)
            continue;
        else if (read_line(line, &read))
            merge(find(read.name), &read);
        else
            good = false;
    return good;
}

/* Adds the progress in a file. */
static bool add_file(const char *name, struct error *error)
{
    char *text = text_read(name, error);

    if (text == NULL)
        return false;
    snprintf(written, sizeof written, "%s", text);
    bool good = parse(text) || error_set(error, "%s: some lines cannot be read", name);
    free(text);
    return good;
}

bool learned_read_from(const char *name, struct error *error)
{
    count = 0;
    return add_file(name, error);
}

bool learned_read(char *notice, size_t room, struct error *error)
{
    struct error ignored;
    const bool there = access(file, F_OK) == 0, kept = access(copy, F_OK) == 0;

    notice[0] = '\0';
    if (!there && !kept)
        return true; /* first use */
    if (there && learned_read_from(file, error))
        return true;
    if (there)
        rename(file, bad);
    if (kept && learned_read_from(copy, &ignored)) {
        snprintf(notice, room, "%s was %s; your progress was brought back from %s", file,
                 there ? "damaged" : "gone", copy);
        return learned_write(error);
    }
    snprintf(notice, room, "%s was damaged and is now %s; what could be read of it was kept", file, bad);
    return true;
}

struct learned *learned_of(const struct exercise *e)
{
    return find(e->name);
}

void learned_note(struct learned *l, unsigned stars, bool passed, const char *kind, long now)
{
    l->touched = now;
    l->begun = l->begun > 0 ? l->begun : now;
    l->attempts += l->passed == 0;
    l->stars |= stars;
    if (passed && l->passed == 0)
        l->passed = now;
    snprintf(l->kind, sizeof l->kind, "%s", kind);
}

static void as_text(char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "%s", heading);
    char stars[STARS_WORDS];

    for (size_t i = 0; i < count && used < room; i++) {
        stars_write(all[i].stars, stars);
        used += (size_t)snprintf(text + used, room - used, "%s\t%s\t%d\t%d\t%ld\t%ld\t%ld\t%s\n",
                                 all[i].name, stars, all[i].attempts, all[i].hints,
                                 all[i].begun, all[i].passed, all[i].touched, all[i].kind);
    }
}

void learned_merge(void)
{
    struct error ignored;

    if (!learned_untouched())
        add_file(file, &ignored); /* if it is gone or damaged, what is known is written again */
}

/* Keeps other processes from writing between a merge and the write that follows.  Returns a file to close. */
static int lock(void)
{
    mkdir("learn", 0777);
    mkdir("learn/.kept", 0777);
    const int opened = open("learn/.kept/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);

    if (opened >= 0)
        flock(opened, LOCK_EX); /* without it (some network drives), two writes at once may lose one */
    return opened;
}

static bool write_merged(struct error *error)
{
    static char text[sizeof written];
    struct error ignored;

    learned_merge();
    as_text(text, sizeof text);
    if (!text_write(file, text, error))
        return false;
    memcpy(written, text, sizeof text);
    text_write(copy, text, &ignored); /* if only this one fails, the first still exists */
    return true;
}

bool learned_write(struct error *error)
{
    const int locked = lock();
    const bool good = write_merged(error);

    if (locked >= 0)
        close(locked);
    return good;
}

bool learned_untouched(void)
{
    struct error ignored;
    char *text = text_read(file, &ignored);
    bool same = strcmp(text != NULL ? text : "", written) == 0;

    free(text);
    return same;
}
