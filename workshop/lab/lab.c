/* rungs lab: the workshop's exercises, one at a time. */
#define _GNU_SOURCE
#include "workshop/lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/commands/command.h"
#include "harness/worker/parent.h"
#include "workshop/lab/colour.h"
#include "workshop/lab/explain.h"
#include "workshop/lab/folder.h"
#include "workshop/lab/learned.h"
#include "workshop/lab/show.h"
#include "workshop/lab/text.h"

/* --- where the learner is ----------------------------------------------------------------------- */

const struct exercise *lab_current(void)
{
    const struct exercise *list;
    size_t count = exercises(&list), at = 0;

    for (size_t i = 1; i < count; i++)
        if (learned_of(&list[i])->touched > learned_of(&list[at])->touched)
            at = i;
    for (size_t i = 0; i < count; i++) {
        const struct exercise *e = &list[(at + i) % count];
        if (learned_of(e)->passed == 0)
            return e;
    }
    return &list[at];
}

const struct exercise *lab_exercise(const struct lab_call *c, size_t i, struct error *error)
{
    return i < c->count ? exercise_find(c->words[i], error) : lab_current();
}

void lab_save(void)
{
    struct error error;

    if (!learned_write(&error))
        printf("  mind: your progress is not on the disk: %s\n", error.text);
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
    struct error error;

    learned_note(learned_of(e), v->stars, v->passed,
                 mistaken(&v->mistake) ? v->mistake.kind : "-", (long)time(NULL));
    if (v->passed && !folder_keep_passed(e, &error))
        printf("  mind: %s\n", error.text);
}

/* What the learner's program may have done to our files is undone: they are in memory here. */
static void look_after_progress(void)
{
    if (!learned_untouched())
        printf("  mind: learn/progress.tsv was changed by something else, and has been put back\n");
}

bool lab_judge(const struct exercise *e, enum place place, struct lab_verdict *v,
               struct error *error)
{
    struct error ignored;
    bool good = prepare(e, error);

    if (good && !folder_keep(e, &ignored))
        printf("  mind: this version is not kept: %s\n", ignored.text);
    good = good && verdict_reach(e, e->source, place, v, error);
    if (!good)
        return false;
    look_after_progress();
    note_verdict(e, v);
    show_verdict(e, v, place, learned_of(e)->stars);
    folder_keep_facts(e, &v->mistake);
    lab_save();
    return true;
}

static int run(const struct lab_call *c)
{
    struct error error;
    struct lab_verdict v;
    const struct exercise *e = lab_exercise(c, 0, &error);

    if (e == NULL || !lab_judge(e, c->place, &v, &error))
        return usage_error(&error);
    if (!v.passed)
        return STATUS_FAILED;
    printf("  rungs lab compare %02d shows ours beside it, rungs lab extra %02d one more task, "
           "rungs lab story the next\n", e->number, e->number);
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
        printf("the next hint is the solution's lines, and the exercise will be marked so: "
               "rungs lab hint %02d 4\n", e->number);
        return true;
    }
    folder_facts(e, &last);
    printf("%02d %s, ", e->number, e->title); /* "hint 3" is a level, of the exercise one is at */
    show_hint(e, level, &last);
    if (p->passed == 0 && level > p->hints)
        p->hints = level;
    p->touched = (long)time(NULL);
    lab_save();
    return true;
}

/* hint, hint 2, hint 03, hint 03 2: one digit alone is a level. */
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
    error_set(&error, "there is no page on %s; rungs lab explain lists them", kind);
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
    {"doctor", lab_doctor},   {"submit", lab_submit}, {"room", lab_room},
    {"board", lab_board},     {"dev", lab_dev},
};

static int no_such(const char *word)
{
    struct error error;
    char names[256] = "";

    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 subcommands[i].name);
    }
    error_set(&error, "there is no rungs lab %s; there are %s", word, names);
    return usage_error(&error);
}

static int lab(const struct options *o)
{
    struct error error;
    char notice[256];
    struct lab_call c = {.words = o->patterns.word, .count = o->patterns.count, .options = o,
                         .place = o->gpu ? ON_CARD : IN_SIMULATOR};

    if (!folder_enter(&error) || !exercises_read(&error) || !explain_read(&error) ||
        !trial_begin(&error))
        return usage_error(&error);
    worker_on_card = o->gpu;
    colour_begin();
    const char *name = c.count > 0 ? c.words[0] : "watch";
    if (strcmp(name, "dev") != 0 && strcmp(name, "doctor") != 0) {
        if (!learned_read(notice, sizeof notice, &error))
            printf("mind: %s\n", error.text);
        if (notice[0] != '\0')
            printf("mind: %s\n", notice);
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
    .usage = "lab [SUBCOMMAND] [NN] [--gpu]",
    .about = "the workshop: exercises, judged with or without a GPU",
    .help = "  watch [NN]     judge the file whenever it is saved (this is what lab alone does)\n"
            "  run [NN]       judge it once; exit status 0 if it passes, 1 if not\n"
            "  story [NN]     what it is about, what to do, and the three numbers\n"
            "  hint [NN] [1-4]  the next hint, or that level: a question, the place, the shape,\n"
            "                 the solution's lines\n"
            "  explain [KIND] one page on a kind of mistake; without a word: on the last one\n"
            "  list           all exercises, with stars and minutes\n"
            "  reset NN       the starter again; your version is kept beside it\n"
            "  compare NN     after a pass: yours beside ours\n"
            "  bench NN       yours in the big table, among the variants of its problem\n"
            "  profile NN     what the simulator counts of it, under ncu's names; --gpu: the commands\n"
            "                 for nsys and ncu\n"
            "  keep NN        a passed exercise becomes a variant of make bench\n"
            "  extra NN       one more task, for those who are done early\n"
            "  doctor         compiler, cores, GPU, profiler's rights, space\n"
            "  submit DIR [NN] puts your progress, and a passed version, into a folder (RUNGS_SEAT:\n"
            "                 under which name)\n"
            "  room DIR       for instructors: seats, stars, and what several are stuck at\n"
            "  board DIR NN   judges and measures all submitted versions anew, and ranks them\n"
            "  dev check [NN] for authors: does each master hold what it promises?  --gpu: is each\n"
            "                 solution right on a card, and fast enough?\n"
            "  dev show NN VERSION  the starter, the solution, or a wrong version\n"
            "  dev key [NN]   the instructor's key: solutions, mistakes to expect, what to say\n"
            "\nWithout NN: the exercise that you are at.  Exercises run in the simulator, on the\n"
            "processor; --gpu runs them on a card, where the star for speed is.  Your files are in\n"
            "learn/, and so is your progress.\n",
    .words = "watch run hint list story extra reset explain compare bench profile keep doctor "
             "submit room board dev",
    .run = lab,
};
