/* The command line: numbers, options wherever they stand, sizes, and which rungs are meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <getopt.h>

#include "harness/options.h"
#include "harness/registry.h"

static void run(const void *problem)
{
    (void)problem;
}

static struct variant rungs[] = {
    {.path = "variants/saxpy/cpu_naive.c", .idea = "i", .run = run},
    {.path = "variants/saxpy/cpu_openmp.c", .idea = "i", .base = "cpu_naive", .run = run},
    {.path = "variants/knn/cpu_naive.c", .idea = "i", .run = run},
};

static int register_all(void **state)
{
    struct error error;

    (void)state;
    for (size_t i = 0; i < 3; i++)
        variant_register(&rungs[i]);
    return registry_order(&error) ? 0 : -1;
}

static struct options options;
static struct error error;

enum { MAX_ARGUMENTS = 16 };

/* Parses what a shell would have made of `line`: words between blanks. */
static bool parse(const char *line)
{
    static char copy[256];
    static char *words[MAX_ARGUMENTS + 1];
    int count = 0;

    assert_true(strlen(line) < sizeof copy);
    strcpy(copy, line);
    memset(words, 0, sizeof words);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        assert_true(count < MAX_ARGUMENTS);
        words[count++] = word;
    }
    optind = 0; /* anew */
    error.text[0] = '\0';
    return options_parse(count, words, &options, &error);
}

static void assert_refused(const char *line, const char *why)
{
    assert_false(parse(line));
    if (strstr(error.text, why) == NULL)
        fail_msg("%s: \"%s\", expected \"%s\"", line, error.text, why);
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void whole_numbers(void **state)
{
    static const struct {
        const char *text;
        size_t value;
    } good[] = {{"0", 0},           {"1", 1},       {"007", 7},
                {"2^20", 1 << 20},  {"10^3", 1000}, {"2^0", 1},
                {"1e6", 1000000},   {"1.5e3", 1500}, {"9007199254740992", (size_t)1 << 53},
                {"2^53", (size_t)1 << 53}};
    static const char *const bad[] = {"",     "-1",  "-0",   "1.5",  "abc", "1x",  "2^",
                                      "^2",   "nan", "inf",  "1e30", "2^54", "2^-1", "1e400",
                                      "-2^2", "2^2^2", "1,000", "0x"};
    size_t value;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(options_count(good[i].text, strlen(good[i].text), &value));
        assert_int_equal(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (options_count(bad[i], strlen(bad[i]), &value))
            fail_msg("\"%s\" is %zu", bad[i], value);
    assert_true(options_count("12345", 2, &value)); /* so many bytes and no more */
    assert_int_equal(value, 12);
}

/* --- options ---------------------------------------------------------------------------------- */

static void defaults(void **state)
{
    (void)state;
    assert_true(parse("rungs bench"));
    assert_string_equal(options.command, "bench");
    assert_int_equal(options.pattern_count, 0);
    assert_int_equal(options.seed, 1);
    assert_true(options.threads >= 1);
    assert_string_equal(options.profile.name, "default");
    assert_int_equal(options.format, FORMAT_TABLE);
    assert_null(options.out);
    assert_false(options.help);
    assert_true(parse("rungs"));
    assert_null(options.command);
}

static void options_stand_anywhere(void **state)
{
    static const char *const lines[] = {
        "rungs bench saxpy knn/cpu_naive --seed 9 -x cpu_openmp --format csv --out f --threads 3",
        "rungs --seed=9 -xcpu_openmp bench --format=csv saxpy --out=f --threads=3 knn/cpu_naive",
        "rungs --threads 3 --out f --format csv --exclude cpu_openmp --seed 9 bench saxpy "
        "knn/cpu_naive",
    };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_true(parse(lines[i]));
        assert_string_equal(options.command, "bench");
        assert_int_equal(options.pattern_count, 2);
        assert_string_equal(options.patterns[0], "saxpy");
        assert_string_equal(options.patterns[1], "knn/cpu_naive");
        assert_int_equal(options.excluded_count, 1);
        assert_string_equal(options.excluded[0], "cpu_openmp");
        assert_int_equal(options.seed, 9);
        assert_int_equal(options.threads, 3);
        assert_int_equal(options.format, FORMAT_CSV);
        assert_string_equal(options.out, "f");
    }
}

static void sweeps_have_options_of_their_own(void **state)
{
    (void)state;
    assert_true(parse("rungs sweep saxpy --from 2^10 --to n=2^20 --step 1.5 --of a --of b --against c"));
    assert_string_equal(options.from, "2^10");
    assert_string_equal(options.to, "n=2^20");
    assert_true(options.step == 1.5 && options.of_count == 2 && options.against_count == 1);
    assert_string_equal(options.of[1], "b");
    assert_true(parse("rungs sweep saxpy --resume file"));
    assert_string_equal(options.resume, "file");
    assert_true(options.step == 2.0);
    assert_refused("rungs check saxpy --resume file", "--resume is for bench and sweep, not for check");
    assert_true(parse("rungs help sweep --step 3"));
    static const char *const bad[] = {"1", "1.04", "-2", "0", "nan", "inf", "two", "2x", "1e9"};
    char line[64];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(line, sizeof line, "rungs sweep --step %s", bad[i]);
        assert_refused(line, "--step takes a factor from 1.05 to 1024");
    }
}

static void max_time_wins_over_quick(void **state)
{
    (void)state;
    assert_true(parse("rungs bench --max-time 7 --quick"));
    assert_true(options.profile.max_time == 7.0);
    assert_string_equal(options.profile.name, "quick");
    assert_true(parse("rungs bench --publish --max-time 7s"));
    assert_string_equal(options.profile.name, "publish");
    assert_true(options.profile.max_time == 7.0 && options.profile.launches > 1);
    assert_true(parse("rungs bench --quick --max-time 7s"));
    assert_true(options.profile.max_time == 7.0);
}

static void a_beginning_is_the_option(void **state)
{
    (void)state;
    if (parse("rungs bench --qui"))
        assert_string_equal(options.profile.name, "quick");
    assert_true(parse("rungs bench --out --quick")); /* here it is a file's name */
    assert_string_equal(options.out, "--quick");
    assert_string_equal(options.profile.name, "default");
}

static void axes_are_lists(void **state)
{
    (void)state;
    assert_true(parse("rungs bench saxpy --threads 4,1,2,4 --devices 2"));
    assert_int_equal(options.threads, 4);
    assert_int_equal(options.thread_steps.count, 3);
    assert_true(options.thread_steps.value[0] == 1 && options.thread_steps.value[1] == 2 &&
                options.thread_steps.value[2] == 4);
    assert_true(options.device_steps.count == 1 && options.device_steps.value[0] == 2);
    assert_true(parse("rungs check saxpy --threads 3"));
    assert_int_equal(options.thread_steps.count, 0); /* for all rungs alike */
    assert_refused("rungs check saxpy --threads 1,2", "--threads with several values is for bench, not");
    assert_refused("rungs sweep saxpy --devices 2", "--devices is for bench, not for sweep");
    assert_refused("rungs bench --threads 1,", "--threads takes numbers from 1 to 4096, not \"1,\"");
    assert_refused("rungs bench --threads ,1", "--threads takes numbers");
    assert_refused("rungs bench --devices 1,x", "--devices takes numbers");
    assert_refused("rungs bench --devices 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
                   "--devices takes 16 values at most");
}

static void mistakes_are_named(void **state)
{
    (void)state;
    assert_refused("rungs bench --sized 3", "no option --sized; did you mean --size?");
    assert_refused("rungs bench saxpy --seed", "--seed needs a value");
    assert_refused("rungs bench -x", "needs a value");
    assert_refused("rungs bench --quick=1", "--quick takes no value");
    assert_refused("rungs bench -q", "no option -q");
    assert_refused("rungs bench --seed=-1", "--seed takes a whole number, not \"-1\"");
    assert_refused("rungs bench --threads 0", "--threads takes numbers from 1 to 4096");
    assert_refused("rungs bench --max-time 0", "--max-time takes seconds above 0, not \"0\"");
    assert_refused("rungs bench --max-time nan", "--max-time takes seconds");
    assert_refused("rungs bench --max-time 3m", "--max-time takes seconds");
    assert_refused("rungs bench --timeout inf", "--timeout takes seconds");
    assert_refused("rungs bench --format xml", "table, md, csv or json, not \"xml\"");
    assert_refused("rungs bench --order random", "--order is latin or serial");
}

static void too_many_words_are_refused(void **state)
{
    static char *words[MAX_WORDS + 4];

    (void)state;
    for (size_t i = 0; i < MAX_WORDS + 3; i++)
        words[i] = "saxpy";
    optind = 0;
    assert_false(options_parse(MAX_WORDS + 3, words, &options, &error));
}

/* --- sizes ------------------------------------------------------------------------------------ */

static struct planned sizes[MAX_WORDS];

static size_t sizes_of(const char *line, const char *problem)
{
    assert_true(parse(line));
    return options_sizes(&options, registry_problem(problem), "S,M", sizes, MAX_WORDS, &error);
}

static void assert_no_sizes(const char *line, const char *problem, const char *why)
{
    assert_int_equal(sizes_of(line, problem), 0);
    if (strstr(error.text, why) == NULL)
        fail_msg("%s: \"%s\", expected \"%s\"", line, error.text, why);
}

static void sizes_by_name_and_number(void **state)
{
    const struct size *named = registry_problem("saxpy")->bench_sizes;

    (void)state;
    assert_int_equal(sizes_of("rungs bench", "saxpy"), 2);
    assert_string_equal(sizes[1].label, "M");
    assert_int_equal(sizes[1].dims[0], named[1].dims[0]);
    assert_int_equal(sizes_of("rungs bench --size m,s", "saxpy"), 2);
    assert_string_equal(sizes[0].label, "M");
    assert_string_equal(sizes[1].label, "S");
    assert_int_equal(sizes_of("rungs bench --size n=2^10 --size S", "saxpy"), 2);
    assert_string_equal(sizes[0].label, "given");
    assert_int_equal(sizes[0].dims[0], 1024);
    assert_int_equal(sizes_of("rungs bench --size m=70,n=90,k=5", "knn"), 1);
    assert_int_equal(sizes[0].dims[0], 70);
    assert_int_equal(sizes[0].dims[1], 90);
    assert_int_equal(sizes[0].dims[2], 5);
}

static void axes_of_their_own_go_over_every_size(void **state)
{
    (void)state;
    assert_int_equal(sizes_of("rungs bench --k 2", "knn"), 2);
    assert_int_equal(sizes[0].dims[2], 2);
    assert_int_equal(sizes[1].dims[2], 2);
    assert_string_equal(sizes[0].label, "given");
}

static void sizes_that_are_none(void **state)
{
    (void)state;
    assert_no_sizes("rungs bench --size n=", "saxpy", "n takes a whole number");
    assert_no_sizes("rungs bench --size n=-1", "saxpy", "n takes a whole number");
    assert_no_sizes("rungs bench --n 1e30", "saxpy", "n takes a whole number");
    assert_no_sizes("rungs bench --size rows=1", "saxpy", "no size called rows");
    assert_no_sizes("rungs bench --size XXL", "saxpy", "no size called \"XXL\"");
    assert_no_sizes("rungs bench --size ,", "saxpy", "no size called");
    assert_no_sizes("rungs bench --size n=1,k=2", "knn", "k is more than n");
    assert_no_sizes("rungs bench --size n=8,n=64", "saxpy", "n");
}

static void more_sizes_than_there_is_room_for(void **state)
{
    (void)state;
    assert_true(parse("rungs bench --size S,M,L"));
    assert_int_equal(options_sizes(&options, registry_problem("saxpy"), NULL, sizes, 2, &error), 0);
    assert_true(parse("rungs bench --size S,M,n=3"));
    assert_int_equal(options_sizes(&options, registry_problem("saxpy"), NULL, sizes, 2, &error), 0);
}

/* --- rungs ------------------------------------------------------------------------------------ */

static void assert_selects(const char *line, const char *names)
{
    const struct variant *list[8];
    char found[256] = "";

    assert_true(parse(line));
    size_t count = options_select(&options, list, 8, &error);
    for (size_t i = 0; i < count; i++) {
        strcat(found, i > 0 ? " " : "");
        strcat(found, variant_name(list[i]).full);
    }
    assert_string_equal(found, names);
}

static void patterns(void **state)
{
    (void)state;
    assert_selects("rungs list", "knn/cpu_naive saxpy/cpu_naive saxpy/cpu_openmp");
    assert_selects("rungs list saxpy", "saxpy/cpu_naive saxpy/cpu_openmp");
    assert_selects("rungs list cpu_naive", "knn/cpu_naive saxpy/cpu_naive");
    assert_selects("rungs list */cpu_o*", "saxpy/cpu_openmp");
    assert_selects("rungs list -x knn -x saxpy/*mp", "saxpy/cpu_naive");
    assert_selects("rungs list saxpy -x saxpy", "");
    assert_non_null(strstr(error.text, "everything is excluded"));
    assert_selects("rungs list saxpy knn/cpu_naiv", "");
    assert_string_equal(error.text,
                        "no rung is called knn/cpu_naiv; did you mean knn/cpu_naive?");
    assert_selects("rungs check --obs f", "");
    assert_non_null(strstr(error.text, "saxpy has no option --obs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(defaults),
        cmocka_unit_test(options_stand_anywhere),
        cmocka_unit_test(sweeps_have_options_of_their_own),
        cmocka_unit_test(max_time_wins_over_quick),
        cmocka_unit_test(a_beginning_is_the_option),
        cmocka_unit_test(axes_are_lists),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(too_many_words_are_refused),
        cmocka_unit_test(sizes_by_name_and_number),
        cmocka_unit_test(axes_of_their_own_go_over_every_size),
        cmocka_unit_test(sizes_that_are_none),
        cmocka_unit_test(more_sizes_than_there_is_room_for),
        cmocka_unit_test(patterns),
    };

    return cmocka_run_group_tests_name("options", tests, register_all, NULL);
}
