/* rungs lab watch: reads single keys, and looks at the file's time again and again, which works on any
   file system. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/commands/command.h"
#include "workshop/lab/editor.h"
#include "workshop/lab/folder.h"
#include "workshop/lab/lab.h"
#include "workshop/lab/learned.h"
#include "workshop/lab/path.h"
#include "workshop/lab/show.h"
#include "workshop/lab/text.h"
#include "workshop/lab/typed.h"

enum { PERIOD = 300, BEFORE_NEXT = 15 }; /* milliseconds; seconds, to read the verdict */

static struct termios before, keys; /* the terminal as it was, and for single keys */

static void leave_terminal(void)
{
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
}

/* Keys arrive at once and are not shown; Ctrl-C stays a signal. */
static void enter_terminal(void)
{
    tcgetattr(STDIN_FILENO, &before);
    keys = before;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
    atexit(leave_terminal);
}

struct watched {
    struct path path;
    const struct exercise *e;
    enum place place;
    struct timespec changed; /* of the file that was judged last */
    off_t bytes;
    bool asked_for_solution;
    bool lost; /* the file is gone and cannot be written again; the learner was told */
    bool opens; /* the learner has let an editor open a file */
    double next_at; /* when to go on to the next exercise; 0: not by itself */
    struct lab_verdict verdict;
};

static bool look(const struct watched *w, struct timespec *changed, off_t *bytes)
{
    struct stat s;

    if (stat(w->e->source, &s) != 0)
        return false;
    *changed = s.st_mtim;
    *bytes = s.st_size;
    return true;
}

static bool same(const struct watched *w, struct timespec changed, off_t bytes)
{
    return changed.tv_sec == w->changed.tv_sec && changed.tv_nsec == w->changed.tv_nsec &&
           bytes == w->bytes;
}

static void prompt(const struct watched *w)
{
    const struct learned *p = learned_of(w->e);

    if (p->passed > 0)
        fputs("n next, c compare, x extra, ", stdout);
    else
        printf("h hint %d/%d, ", p->hints < HINTS ? p->hints + 1 : HINTS, HINTS);
    if (strcmp(p->kind, "-") != 0)
        fputs("e explain, ", stdout);
    if (w->e->cuda)
        fputs("v view, ", stdout);
    fputs("o open, s story, l list, r reset, q quit > ", stdout);
    fflush(stdout);
}

static void say(const struct error *error)
{
    printf("%s\n", error->text);
}

/* After the first pass the next exercise comes by itself, unless a key is pressed meanwhile.  Another track is only
   offered. */
static void announce_next(struct watched *w)
{
    const struct exercise *e = path_next(&w->path, w->e);

    if (learned_of(e)->passed > 0) {
        printf("  all %zu have passed; x shows one more task\n", w->path.count);
        return;
    }
    if (!w->path.named && strcmp(e->track, w->e->track) != 0) {
        printf("  all of these have passed. %02d %s goes on from here, if you like: n\n", e->number, e->title);
        return;
    }
    w->next_at = clock_now() + BEFORE_NEXT;
    printf("  %02d %s comes next, in %d s; any key stays here\n", e->number, e->title, BEFORE_NEXT);
}

/* Returns false if the file could not be judged. */
static bool judge(struct watched *w)
{
    const bool had_passed = learned_of(w->e)->passed > 0;
    struct error error;

    w->next_at = 0.0;
    printf("\n%s: please wait ...\n", w->e->source);
    fflush(stdout);
    memset(&w->verdict, 0, sizeof w->verdict);
    bool good = lab_judge(w->e, w->place, &w->verdict, &error);
    if (!good)
        say(&error);
    else if (w->verdict.passed && !had_passed)
        announce_next(w);
    look(w, &w->changed, &w->bytes);
    tcflush(STDIN_FILENO, TCIFLUSH); /* drops keys that were typed meanwhile */
    prompt(w);
    return good;
}

/* An editor in this terminal needs the terminal as it was. */
static void open_file(struct watched *w)
{
    leave_terminal();
    editor_open(w->e->source);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
    w->opens = editor_command() != NULL;
}

static void begin(struct watched *w, const struct exercise *e)
{
    struct error error;
    char notice[256];

    *w = (struct watched){.path = w->path, .e = e, .place = w->place, .opens = w->opens};
    putchar('\n');
    show_story(e);
    if (!folder_prepare(e, notice, sizeof notice, &error))
        say(&error);
    else if (notice[0] != '\0')
        printf("%s\n", notice);
    learned_of(e)->touched = (long)time(NULL);
    lab_save();
    look(w, &w->changed, &w->bytes);
    printf("\nedit %s; it is judged when you save it (o opens it)\n", e->source);
    if (w->opens)
        open_file(w);
    prompt(w);
}

static void next(struct watched *w)
{
    putchar('\n');
    begin(w, path_next(&w->path, w->e));
}

static void hint(struct watched *w)
{
    struct error error;
    const struct learned *p = learned_of(w->e);
    bool last = p->hints + 1 >= HINTS && p->passed == 0;

    if (last && !w->asked_for_solution) {
        printf("the last hint shows the lines of the solution, and marks the exercise \"with the solution\": "
               "press h again to see it\n");
        w->asked_for_solution = true;
    } else if (!lab_hint(w->e, 0, true, &error)) {
        say(&error);
    }
}

static void reset(struct watched *w)
{
    struct error error;
    char kept[160];

    if (!folder_reset(w->e, kept, sizeof kept, &error))
        say(&error);
    else
        printf("%s is the starter again%s%s\n", w->e->source, kept[0] != '\0' ? "; yours is now " : "",
               kept);
    look(w, &w->changed, &w->bytes);
}

static void compare(const struct watched *w)
{
    const char *words[] = {w->e->name};
    const struct lab_call c = {.words = words, .count = 1, .place = w->place};

    lab_compare(&c);
}

static void view(const struct watched *w)
{
    const char *words[] = {w->e->name};
    const struct lab_call c = {.words = words, .count = 1, .place = w->place};

    lab_view(&c);
}

/* Handles a key.  Returns false if the learner quits. */
static bool key(struct watched *w, char which)
{
    if (which == 'q' || which == 4) /* or Ctrl-D */
        return false;
    w->next_at = 0.0;
    if (strchr("herscvlxo", which) != NULL)
        printf("%c\n", which);
    switch (which) {
    case 'h': hint(w); break;
    case 'e':
        if (!show_explain(learned_of(w->e)->kind)) /* of the last verdict; "-" if there was no mistake */
            printf("there is nothing to explain yet\n");
        break;
    case 'o': open_file(w); break;
    case 'r': reset(w); break;
    case 's': show_story(w->e); break;
    case 'l': show_list(); break;
    case 'c': compare(w); break;
    case 'v': view(w); break;
    case 'x': text_print(stdout, w->e->extra, 0); break;
    case 'n': next(w); return true;
    case '\n':
    case '\r': judge(w); return true;
    default: return true;
    }
    prompt(w);
    return true;
}

/* Returns whether the file was saved: it has changed, is the same at two looks, and is not empty, as it is for a moment
   while many editors save it. */
static bool has_changed(const struct watched *w)
{
    struct timespec first, second;
    off_t bytes, later;

    if (!look(w, &first, &bytes) || same(w, first, bytes) || bytes == 0)
        return false;
    usleep(80 * 1000);
    return look(w, &second, &later) && first.tv_nsec == second.tv_nsec &&
           first.tv_sec == second.tv_sec && bytes == later;
}

/* Returns whether the file was deleted; many editors delete it for a moment when they save it. */
static bool is_gone(struct watched *w)
{
    if (access(w->e->source, F_OK) == 0) {
        w->lost = false;
        return false;
    }
    if (w->lost)
        return false;
    usleep(500 * 1000);
    return access(w->e->source, F_OK) != 0;
}

static void bring_back(struct watched *w)
{
    struct error error;
    char notice[256];

    if (folder_prepare(w->e, notice, sizeof notice, &error)) {
        printf("\n%s%s\n", notice[0] != '\0' ? notice : w->e->source,
               notice[0] != '\0' ? "" : " was gone; it is the starter again");
        lab_save(); /* the progress file is in the same folder */
    } else {
        putchar('\n');
        say(&error);
        w->lost = true;
    }
    look(w, &w->changed, &w->bytes);
    prompt(w);
}

int lab_watch(const struct lab_call *c)
{
    struct error error;
    static struct watched w;
    struct pollfd keyboard = {.fd = STDIN_FILENO, .events = POLLIN};
    const struct exercise *e;
    char which;

    /* A single number is where to begin; several are the whole way. */
    if (!path_read(&w.path, c->words, c->count > 1 ? c->count : 0, &error) ||
        (e = c->count == 1 ? exercise_find(c->words[0], &error) : path_current(&w.path)) == NULL)
        return usage_error(&error);
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) { /* no person at a terminal */
        error_set(&error, "watch needs a terminal; %s run %02d judges once", typed(), e->number);
        return usage_error(&error);
    }
    enter_terminal();
    w.place = c->place;
    begin(&w, e);
    while (!interrupted()) {
        int ready = poll(&keyboard, 1, PERIOD);
        if (ready > 0 && (read(STDIN_FILENO, &which, 1) != 1 || !key(&w, which)))
            break;
        if (ready == 0 && is_gone(&w))
            bring_back(&w);
        else if (ready == 0 && has_changed(&w))
            judge(&w);
        else if (w.next_at > 0.0 && clock_now() > w.next_at)
            next(&w);
    }
    if (w.path.count < path_all().count)
        printf("\n%s watch, with the same numbers, continues here\n", typed());
    else
        printf("\n%s continues here\n", typed());
    return STATUS_OK;
}
