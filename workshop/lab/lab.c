/* rungs lab: the subcommands of the workshop. */
#define _GNU_SOURCE
#include "workshop/lab/lab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/commands/command.h"
#include "harness/worker/confine.h"
#include "harness/worker/parent.h"
#include "workshop/lab/colour.h"
#include "workshop/lab/explain.h"
#include "workshop/lab/folder.h"
#include "workshop/lab/learned.h"
#include "workshop/lab/path.h"
#include "workshop/lab/repair.h"
#include "workshop/lab/shared.h"
#include "workshop/lab/show.h"
#include "workshop/lab/text.h"
#include "workshop/lab/typed.h"

/* --- where the learner is ----------------------------------------------------------------------- */

const struct exercise *lab_current(void)
{
    const struct path all = path_all();

    return path_current(&all);
}

const struct exercise *lab_exercise(const struct lab_call *c, size_t i, struct error *error)
{
    return i < c->count ? exercise_find(c->words[i], error) : lab_current();
}

static void complain(const char *what, const struct error *error)
{
    printf("  warning: %s: ", what);
    text_print_hanging(stdout, error->text, 11);
}

void lab_save(void)
{
    static bool warned; /* a folder of a network may be away for a while: one line is enough */
    struct error error;

    if (!learned_write(&error)) {
        complain("your progress is not on the disk", &error);
    } else if (!shared_update(&error) && !warned) {
        warned = true;
        complain("your progress is here, but not in the folder of the room", &error);
    }
}

static bool prepare(const struct exercise *e, struct error *error)
{
    char notice[256];

    if (!folder_prepare(e, notice, sizeof notice, error))
        return false;
    if (notice[0] != '\0')
        printf("%s\n", notice);
    return true;
}

/* --- a verdict ------------------------------------------------------------------------------------ */

static void note_verdict(const struct exercise *e, const struct lab_verdict *v)
{
    learned_note(learned_of(e), v->stars, v->passed,
                 mistaken(&v->mistake) ? v->mistake.kind : "-", (long)time(NULL));
}

/* Keeps the version that has passed, unless one with more stars is kept. */
static void keep_passed(const struct exercise *e, const struct lab_verdict *v)
{
    struct error error;
    bool kept;

    if (!v->passed)
        return;
    if (!folder_keep_passed(e, v->stars, &kept, &error))
        printf("  warning: %s\n", error.text);
    else if (!kept)
        text_print(stdout, "an earlier version of yours has more stars: compare, bench, keep and submit go on with that one", 2);
}

/* Where a program may write files, it may have written the progress file, to win stars. */
static void look_after_progress(void)
{
    if (confine_holds()) {
        learned_merge();
    } else if (!learned_untouched()) {
        text_print(stdout, "warning: learn/progress.tsv was changed while the program ran; it is restored as it was", 2);
    }
}

bool lab_judge(const struct exercise *e, enum place place, struct lab_verdict *v,
               struct error *error)
{
    struct error ignored;

    if (place == ON_CARD && !lab_has_card())
        return error_set(error, "there is no GPU here, so %02d was not judged; %s run %02d judges it in the "
                         "simulator", e->number, typed(), e->number);
    bool good = prepare(e, error);

    if (good && !folder_keep(e, &ignored))
        printf("  warning: no copy of this version was kept: %s\n", ignored.text);
    learned_merge();
    if (!good || !verdict_reach(e, e->source, place, v, error))
        return false;
    look_after_progress();
    note_verdict(e, v);
    show_verdict(e, v, place, learned_of(e)->stars);
    keep_passed(e, v);
    fflush(stdout); /* the search takes seconds */
    show_facts(&v->mistake, repair_look(e, e->source, place, v));
    look_after_progress();
    folder_keep_facts(e, &v->mistake);
    lab_save();
    return true;
}

static int run(const struct lab_call *c)
{
    struct error error;
    struct lab_verdict v = {.tried = false};
    const struct exercise *e = lab_exercise(c, 0, &error);

    if (e == NULL || !lab_judge(e, c->place, &v, &error))
        return usage_error(&error);
    if (!v.passed)
        return STATUS_FAILED;
    printf("  %s compare %02d shows the solution beside it\n  %s extra %02d shows another task\n"
           "  %s story shows the next exercise\n", typed(), e->number, typed(), e->number, typed());
    return STATUS_OK;
}

/* --- small ones ----------------------------------------------------------------------------------- */

bool lab_hint(const struct exercise *e, int level, bool sure, struct error *error)
{
    struct learned *p = learned_of(e);
    struct mistake last = {.kind = ""};

    if (level == 0)
        level = p->hints < HINTS ? p->hints + 1 : HINTS;
    if (level < 1 || level > HINTS)
        return error_set(error, "hints are numbered 1 to %d", HINTS);
    if (level == HINTS && !sure && p->passed == 0) {
        printf("the next hint shows the lines of the solution, and marks the exercise \"with the solution\": "
               "%s hint %02d 4\n", typed(), e->number);
        return true;
    }
    folder_facts(e, &last);
    printf("%02d %s, ", e->number, e->title); /* "hint 3" is a level: the line must say of which exercise */
    show_hint(e, level, &last);
    if (p->passed == 0 && level > p->hints)
        p->hints = level;
    p->touched = (long)time(NULL);
    lab_save();
    return true;
}

/* hint, hint 2, hint 03, hint 03 2: a single digit alone is a level. */
static int hint(const struct lab_call *c)
{
    struct error error;
    bool level_only = c->count == 1 && strlen(c->words[0]) == 1;
    const struct exercise *e = level_only ? lab_current() : lab_exercise(c, 0, &error);
    int level = level_only ? atoi(c->words[0]) : c->count > 1 ? atoi(c->words[1]) : 0;

    if (e == NULL || !lab_hint(e, level, level != 0, &error))
        return usage_error(&error);
    return STATUS_OK;
}

static int list(const struct lab_call *c)
{
    (void)c;
    show_list();
    return STATUS_OK;
}

static int story(const struct lab_call *c)
{
    struct error error;
    const struct exercise *e = lab_exercise(c, 0, &error);

    if (e == NULL || !prepare(e, &error))
        return usage_error(&error);
    learned_of(e)->touched = (long)time(NULL);
    lab_save();
    show_story(e);
    return STATUS_OK;
}

static int extra(const struct lab_call *c)
{
    struct error error;
    const struct exercise *e = lab_exercise(c, 0, &error);

    if (e == NULL)
        return usage_error(&error);
    text_print(stdout, e->extra, 0);
    return STATUS_OK;
}

static int reset(const struct lab_call *c)
{
    struct error error;
    char kept[160];
    const struct exercise *e = lab_exercise(c, 0, &error);

    if (e == NULL || !folder_reset(e, kept, sizeof kept, &error))
        return usage_error(&error);
    printf("%s is the starter again", e->source);
    if (kept[0] != '\0')
        printf("; yours is now %s", kept);
    putchar('\n');
    return STATUS_OK;
}

static int explain(const struct lab_call *c)
{
    struct error error;
    const char *kind = c->count > 0 ? c->words[0] : learned_of(lab_current())->kind;

    if (c->count == 0 && strcmp(kind, "-") == 0) {
        for (size_t i = 0; explain_kind(i) != NULL; i++)
            printf("%-22s %s\n", explain_kind(i), show_kind(explain_kind(i)));
        return STATUS_OK;
    }
    if (show_explain(kind))
        return STATUS_OK;
    error_set(&error, "there is no page on %s; workshop/explain.md has them all", kind);
    return usage_error(&error);
}

/* --- the command ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(const struct lab_call *c);
} subcommands[] = {
    {"watch", lab_watch},     {"run", run},           {"hint", hint},
    {"list", list},           {"story", story},       {"extra", extra},
    {"reset", reset},         {"explain", explain},   {"compare", lab_compare},
    {"bench", lab_bench},     {"profile", lab_profile}, {"keep", lab_keep},
    {"view", lab_view},
    {"doctor", lab_doctor},   {"submit", lab_submit}, {"room", lab_room},
    {"board", lab_board},     {"dev", lab_dev},         {"serve", lab_serve},
    {"data", lab_data},       {"save", lab_write},
};

static int no_such(const char *word)
{
    struct error error;
    char names[320] = "";

    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 subcommands[i].name);
    }
    error_set(&error, "there is no %s %s; --help explains those that there are: %s", typed(), word, names);
    return usage_error(&error);
}

static int lab(const struct options *o)
{
    struct error error;
    char notice[256];
    struct lab_call c = {.words = o->patterns.word, .count = o->patterns.count, .options = o,
                         .place = o->gpu ? ON_CARD : IN_SIMULATOR};

    typed_begin(program_invocation_name);
    if (!folder_enter(&error) || !exercises_read(&error) || !explain_read(&error) ||
        !trial_begin(&error))
        return usage_error(&error);
    worker_on_card = o->gpu;
    colour_begin();
    const char *name = c.count > 0 ? c.words[0] : "watch";
    if (strcmp(name, "dev") != 0 && strcmp(name, "doctor") != 0) {
        if (!learned_read(notice, sizeof notice, &error))
            printf("warning: %s\n", error.text);
        if (notice[0] != '\0')
            printf("warning: %s\n", notice);
    }
    c.words += c.count > 0;
    c.count -= c.count > 0;
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++)
        if (strcmp(subcommands[i].name, name) == 0)
            return subcommands[i].run(&c);
    return no_such(name);
}

const struct command command_lab = {
    .name = "lab",
    .usage = "lab [SUBCOMMAND] [NN] [--gpu] [--listen ADDRESS]",
    .about = "the workshop: exercises, judged with or without a GPU",
    .help = "  watch [NN...]  judge the file each time it is saved (lab without a subcommand does this); with\n"
            "                 several numbers, go through these exercises in this order\n"
            "  run [NN]       judge it once; exit status 0 if it passes, 1 if not\n"
            "  story [NN]     what it is about, what to do, and three lines: now, goal, why\n"
            "  hint [NN] [1-4]  the next hint, or that level: a question, the place, the shape,\n"
            "                 the lines of the solution\n"
            "  explain [KIND] one page on a kind of mistake; without KIND: on your last one\n"
            "  list           all exercises, with stars and minutes\n"
            "  reset NN       write the starter again; your version is kept beside it\n"
            "  compare NN     after a pass: your version beside the solution\n"
            "  bench NN       your version in the table of rungs bench, among the variants of its problem;\n"
            "                 without --gpu a CUDA version in that of rungs count, which has no times\n"
            "  profile NN     the simulator's counters, under ncu's names; --gpu: the commands for\n"
            "                 nsys and ncu\n"
            "  view [NN]      draw the accesses of your own run: the one that fails, or the one that costs\n"
            "                 most, here and step by step as a page\n"
            "  keep NN        make a passed version a variant, which make bench then times\n"
            "  extra NN       one more task, for learners who are done early\n"
            "  serve          the exercises as a page in a browser, for machines without a comfortable\n"
            "                 terminal; it prints a link, and --listen ADDRESS opens it to a network\n"
            "  data [NN]      what the page shows, as JSON; save NN VERSION writes standard input to the\n"
            "                 learner's file, if that is still the version that data shows\n"
            "  doctor         compiler, cores, GPU, right to profile, disk space: what is missing?\n"
            "  submit DIR [NN]  show your progress to the room from now on: DIR gets a copy, which is kept up\n"
            "                 to date; with NN also a passed version; RUNGS_SEAT is the seat's name\n"
            "  room DIR [NN...]  for instructors: seats, stars, and mistakes that several seats have\n"
            "  board DIR NN   judge and measure all submitted versions again, and rank them\n"
            "  dev check [NN ...]  for authors: test each exercise's starter, solution and wrong versions;\n"
            "                 --gpu: test that each solution is right on a GPU, and fast enough\n"
            "  dev show NN VERSION  the starter, the solution, or a wrong version\n"
            "  dev key [NN]   the instructor's key: solutions, mistakes to expect, what to say\n"
            "\nWithout NN: the current exercise.  Exercises run in the simulator, on the processor;\n"
            "--gpu runs them on a GPU, where the star for speed is won.  Your files and your progress\n"
            "are in learn/.\n",
    .words = "watch run hint list story extra reset explain compare bench profile view keep doctor "
             "submit room board dev serve data save",
    .run = lab,
};
