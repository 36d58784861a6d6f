/* Stars are a set: what was won stays, and what is missing is said with the way to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/model/registry.h"
#include "workshop/lab/learned.h"
#include "workshop/lab/show.h"
#include "workshop/lab/stars.h"

enum { ALL = STAR_RIGHT | STAR_STRUCTURE | STAR_SPEED };

/* With gates and a goal for time; with gates alone; with neither. */
static struct exercise three = {.number = 6, .name = "06_three", .title = "Three", .cuda = true,
                                .gates = 1, .base = "starter", .ours = "solution", .share = 0.7,
                                .timed = {.label = "n=8"}, .slow = "Too slow."};
static struct exercise two = {.number = 3, .name = "03_two", .cuda = true, .gates = 1};
static struct exercise one = {.number = 1, .name = "01_one"};

static char folder[] = "/tmp/rungs-stars-XXXXXX";

static int enter(void **state)
{
    (void)state;
    three.problem = two.problem = one.problem = registry_problem("saxpy");
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave(void **state)
{
    static const char *const files[] = {"learn/.kept/progress.tsv", "learn/.kept/lock", "learn/progress.tsv",
                                        "old.tsv"};

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    rmdir("learn/.kept");
    rmdir("learn");
    return chdir("/") != 0 || rmdir(folder) != 0;
}

/* What the verdict says of a run that has won `now`, to one who has `won` by now. */
static const char *said(const struct exercise *e, enum place place, unsigned now, unsigned won,
                        const char *kind)
{
    static char text[4096];
    struct lab_verdict v = {.compiled = true, .tried = true, .stars = now, .fast = now & STAR_SPEED,
                            .trial = {.sizes = 8, .right = 8, .orders = 1}};
    FILE *file = tmpfile();
    const int before = dup(STDOUT_FILENO);

    if (place == ON_CARD && e->share > 0.0)
        v.timed = (struct timed){.base = 3e-3, .yours = 2e-3, .ours = 1e-3, .ratio = 1.5,
                                 .ours_ratio = 3.0};
    v.passed = kind[0] == '\0';
    snprintf(v.mistake.kind, sizeof v.mistake.kind, "%s", kind);
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    show_verdict(e, &v, place, won);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void assert_says(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("\"%s\" is not in:\n%s", words, text);
}

static void assert_silent(const char *text, const char *words)
{
    if (strstr(text, words) != NULL)
        fail_msg("\"%s\" is in:\n%s", words, text);
}

static void test_which_there_are(void **state)
{
    struct exercise on_cpu = three;

    (void)state;
    on_cpu.cuda = false;
    assert_int_equal(stars_of(&three), ALL);
    assert_int_equal(stars_of(&two), STAR_RIGHT | STAR_STRUCTURE);
    assert_int_equal(stars_of(&one), STAR_RIGHT);
    assert_int_equal(stars_at(&three, IN_SIMULATOR), STAR_RIGHT | STAR_STRUCTURE);
    assert_int_equal(stars_at(&three, ON_CARD), STAR_RIGHT | STAR_SPEED);
    assert_int_equal(stars_at(&two, ON_CARD), STAR_RIGHT);
    assert_int_equal(stars_at(&on_cpu, IN_SIMULATOR), ALL);
    assert_int_equal(stars_at(&on_cpu, ON_CARD), ALL);
    three.share = 0.0; /* the times are shown, and not judged */
    assert_int_equal(stars_of(&three), STAR_RIGHT | STAR_STRUCTURE);
    three.share = 0.7;
}

static void test_united(void **state)
{
    struct learned *l = learned_of(&three);

    (void)state;
    learned_note(l, STAR_RIGHT | STAR_STRUCTURE, true, "-", 100);
    assert_int_equal(l->stars, STAR_RIGHT | STAR_STRUCTURE);
    learned_note(l, STAR_RIGHT | STAR_SPEED, true, "-", 200);
    assert_int_equal(l->stars, ALL);
    learned_note(l, 0, false, "race", 300);
    assert_int_equal(l->stars, ALL);
    assert_string_equal(l->kind, "race");
    assert_int_equal(l->begun, 100);
    assert_int_equal(l->passed, 100);
    assert_int_equal(l->touched, 300);
    assert_int_equal(l->attempts, 1);
}

static void test_kept(void **state)
{
    struct error error;
    char notice[256];

    (void)state;
    learned_of(&three)->stars = STAR_RIGHT | STAR_SPEED;
    learned_of(&two)->stars = 0;
    assert_true(learned_write(&error));
    learned_of(&three)->stars = 0;
    assert_true(learned_read(notice, sizeof notice, &error));
    assert_string_equal(notice, "");
    assert_int_equal(learned_of(&three)->stars, STAR_RIGHT | STAR_SPEED);
    assert_int_equal(learned_of(&two)->stars, 0);
}

static bool read_line(const char *stars)
{
    struct error error;
    FILE *file = fopen("old.tsv", "w");

    fprintf(file, "exercise\tstars\tattempts\thints\tbegun\tpassed\ttouched\tlast\n"
            "06_three\t%s\t1\t0\t1\t1\t1\t-\n", stars);
    fclose(file);
    return learned_read_from("old.tsv", &error);
}

/* Files of before had a count, and most were won in the simulator. */
static void test_old_counts(void **state)
{
    (void)state;
    assert_true(read_line("0"));
    assert_int_equal(learned_of(&three)->stars, 0);
    assert_true(read_line("2"));
    assert_int_equal(learned_of(&three)->stars, STAR_RIGHT | STAR_STRUCTURE);
    assert_true(read_line("3"));
    assert_int_equal(learned_of(&three)->stars, ALL);
    assert_true(read_line("right+speed"));
    assert_int_equal(learned_of(&three)->stars, STAR_RIGHT | STAR_SPEED);
    assert_true(read_line("-"));
    assert_int_equal(learned_of(&three)->stars, 0);
    assert_false(read_line("4"));
    assert_false(read_line("speed+right"));
    assert_false(read_line("right+right"));
    assert_false(read_line("right+structure+speed+more"));
}

static void test_drawn(void **state)
{
    char text[STARS + 1];

    (void)state;
    stars_draw(STAR_RIGHT | STAR_SPEED, ALL, text);
    assert_string_equal(text, "*.*");
    stars_draw(ALL, STAR_RIGHT | STAR_STRUCTURE, text);
    assert_string_equal(text, "**");
    stars_draw(0, STAR_RIGHT, text);
    assert_string_equal(text, ".");
}

static void test_said_in_the_simulator(void **state)
{
    const char *text = said(&three, IN_SIMULATOR, 3, 3, "");

    (void)state;
    assert_says(text, "  **. passed: right+structure\n");
    assert_says(text, "the star for speed needs a GPU: rungs lab run 06 --gpu\n");
    text = said(&three, IN_SIMULATOR, 3, ALL, "");
    assert_says(text, "  *** passed; this run alone: right+structure\n");
    assert_silent(text, "star for");
    text = said(&two, IN_SIMULATOR, 3, 3, "");
    assert_says(text, "  ** passed: right+structure\n");
    assert_silent(text, "speed");
}

static void test_said_on_a_card(void **state)
{
    const char *text = said(&three, ON_CARD, STAR_RIGHT | STAR_SPEED, STAR_RIGHT | STAR_SPEED, "");

    (void)state;
    assert_says(text, "  + time with copies: yours 2 ms, our solution 1 ms, the starter 3 ms\n");
    assert_says(text, "  *.* passed: right+speed\n");
    assert_says(text, "the star for structure is won in the simulator: rungs lab run 06\n");
    assert_silent(text, "for speed");
    assert_silent(text, "Too slow.");
    text = said(&three, ON_CARD, STAR_RIGHT, 3, ""); /* too slow, and the rest is won */
    assert_says(text, "  x time with copies: yours 2 ms");
    assert_says(text, "1.50 times as fast as the starter   (goal: at least 2.10, 70 % of our solution)");
    assert_says(text, "Too slow.");
    assert_says(text, "  **. passed; this run alone: right\n");
    assert_says(text, "the last star is for speed");
    text = said(&three, ON_CARD, STAR_RIGHT, STAR_RIGHT, ""); /* too slow, and not the last */
    assert_silent(text, "last star");
    assert_says(text, "the star for speed is missing, too");
    text = said(&three, ON_CARD, STAR_RIGHT | STAR_SPEED, ALL, "");
    assert_says(text, "  *** passed; this run alone: right+speed\n");
    assert_silent(text, "star for");
    text = said(&two, ON_CARD, STAR_RIGHT, STAR_RIGHT, ""); /* has gates, and no time */
    assert_says(text, "  *. passed: right\n");
    assert_says(text, "won in the simulator: rungs lab run 03\n");
    assert_silent(text, "speed");
    assert_silent(said(&one, ON_CARD, STAR_RIGHT, STAR_RIGHT, ""), "star");
}

static void test_said_of_a_failure(void **state)
{
    (void)state;
    assert_says(said(&three, IN_SIMULATOR, 0, STAR_RIGHT | STAR_SPEED, "race"),
                "your stars so far: *.* (right+speed; stars are never lost)\n");
    assert_silent(said(&three, IN_SIMULATOR, 0, 0, "race"), "your stars");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_there_are),
        cmocka_unit_test(test_united),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_old_counts),
        cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_said_in_the_simulator),
        cmocka_unit_test(test_said_on_a_card),
        cmocka_unit_test(test_said_of_a_failure),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, enter, leave);
}
