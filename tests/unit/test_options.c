/* The command line: numbers, options wherever they stand, sizes, and which variants are meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <getopt.h>

#include "harness/commands/command.h"
#include "harness/commands/option_table.h"
#include "harness/commands/select.h"
#include "harness/commands/sizes.h"
#include "harness/model/registry.h"
#include "harness/plots/plot.h"

static struct card variants[] = {
    {.name = {"saxpy", "cpu_naive", "saxpy/cpu_naive"}, .device = "cpu"},
    {.name = {"saxpy", "cpu_openmp", "saxpy/cpu_openmp"}, .base = "cpu_naive", .device = "cpu"},
    {.name = {"knn", "cpu_naive", "knn/cpu_naive"}, .device = "cpu"},
};

static int register_all(void **state)
{
    struct error error;

    (void)state;
    for (size_t i = 0; i < 3; i++)
        registry_add(&variants[i]);
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
        assert_true(sizes_number(good[i].text, strlen(good[i].text), &value));
        assert_int_equal(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (sizes_number(bad[i], strlen(bad[i]), &value))
            fail_msg("\"%s\" is %zu", bad[i], value);
    assert_true(sizes_number("12345", 2, &value)); /* so many bytes and no more */
    assert_int_equal(value, 12);
}

/* --- options ---------------------------------------------------------------------------------- */

static void defaults(void **state)
{
    (void)state;
    assert_true(parse("rungs bench"));
    assert_ptr_equal(options.command, &command_bench);
    assert_int_equal(options.patterns.count, 0);
    assert_int_equal(options.seed, 1);
    assert_true(options.threads >= 1);
    assert_string_equal(options.preset.name, "default");
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
        assert_ptr_equal(options.command, &command_bench);
        assert_int_equal(options.patterns.count, 2);
        assert_string_equal(options.patterns.word[0], "saxpy");
        assert_string_equal(options.patterns.word[1], "knn/cpu_naive");
        assert_int_equal(options.excluded.count, 1);
        assert_string_equal(options.excluded.word[0], "cpu_openmp");
        assert_int_equal(options.seed, 9);
        assert_int_equal(options.threads, 3);
        assert_int_equal(options.format, FORMAT_CSV);
        assert_string_equal(options.out, "f");
    }
}

static void sweeps_have_options_of_their_own(void **state)
{
    (void)state;
    assert_true(parse("rungs sweep saxpy --from 2^10 --to n=2^20 --step 1.5 --contenders a --contenders b --baseline c"));
    assert_string_equal(options.from, "2^10");
    assert_string_equal(options.to, "n=2^20");
    assert_true(options.step == 1.5 && options.contenders.count == 2 && options.baseline.count == 1);
    assert_string_equal(options.contenders.word[1], "b");
    assert_true(parse("rungs sweep saxpy --of a --against b"));
    assert_true(options.contenders.count == 1 && options.baseline.count == 1);
    assert_string_equal(options.contenders.option, "of");
    assert_string_equal(options.baseline.option, "against");
    assert_true(parse("rungs sweep saxpy --resume file"));
    assert_string_equal(options.resume, "file");
    assert_true(options.step == 2.0);
    assert_refused("rungs check saxpy --resume file",
                   "--resume is an option of bench and sweep, not of check");
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
    assert_true(options.preset.max_time == 7.0);
    assert_string_equal(options.preset.name, "quick");
    assert_true(parse("rungs bench --thorough --max-time 7s"));
    assert_string_equal(options.preset.name, "thorough");
    assert_true(options.preset.max_time == 7.0 && options.preset.passes >= ENOUGH_PASSES);
    assert_true(parse("rungs bench --quick --max-time 7s"));
    assert_true(options.preset.max_time == 7.0);
}

static void passes_win_over_quick_and_thorough(void **state)
{
    (void)state;
    assert_true(parse("rungs bench saxpy"));
    assert_int_equal(options.preset.passes, 3);
    assert_true(parse("rungs bench --quick"));
    assert_int_equal(options.preset.passes, 1);
    assert_true(parse("rungs bench --thorough"));
    assert_int_equal(options.preset.passes, 10);
    assert_true(parse("rungs bench --publish")); /* the older name */
    assert_int_equal(options.preset.passes, 10);
    assert_true(parse("rungs bench --passes 6"));
    assert_int_equal(options.preset.passes, 6);
    assert_true(parse("rungs bench --passes 2 --quick"));
    assert_string_equal(options.preset.name, "quick");
    assert_int_equal(options.preset.passes, 2);
    assert_true(parse("rungs selftest aa --thorough --passes 1"));
    assert_int_equal(options.preset.passes, 1);
    assert_refused("rungs bench --passes 0", "--passes takes a number from 1 to 10, not \"0\"");
    assert_refused("rungs bench --passes 11", "--passes takes a number from 1 to 10");
    assert_refused("rungs bench --passes 1.5", "--passes takes a number from 1 to 10");
    assert_refused("rungs sweep --passes 2", "--passes is an option of bench and selftest");
}

static void a_shard_is_a_part_of_all(void **state)
{
    (void)state;
    assert_true(parse("rungs check saxpy"));
    assert_int_equal(options.shard.parts, 0);
    assert_true(parse("rungs check --shard 2/3"));
    assert_true(options.shard.part == 2 && options.shard.parts == 3);
    assert_refused("rungs check --shard 0/3", "--shard takes a part of all, as 2/3, not \"0/3\"");
    assert_refused("rungs check --shard 4/3", "--shard takes a part of all");
    assert_refused("rungs check --shard 2", "--shard takes a part of all");
    assert_refused("rungs check --shard 2/", "--shard takes a part of all");
    assert_true(parse("rungs bench --shard 1/2"));
    assert_true(options.shard.part == 1 && options.shard.parts == 2);
    assert_refused("rungs sweep --shard 1/2", "--shard is an option of check and bench");
}

static void a_beginning_is_the_option(void **state)
{
    (void)state;
    if (parse("rungs bench --qui"))
        assert_string_equal(options.preset.name, "quick");
    assert_true(parse("rungs bench --out --quick")); /* here it is a file's name */
    assert_string_equal(options.out, "--quick");
    assert_string_equal(options.preset.name, "default");
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
    assert_int_equal(options.thread_steps.count, 0); /* for all variants alike */
    assert_refused("rungs check saxpy --threads 1,2",
                   "--threads takes one number, not \"1,2\"; bench takes several");
    assert_refused("rungs sweep saxpy --devices 2", "--devices is an option of bench, not of sweep");
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
    assert_refused("rungs bench -z", "no option -z");
    assert_refused("rungs list -q", "--quiet is an option of check, ");
    assert_refused("rungs bench --seed=-1", "--seed takes a whole number, not \"-1\"");
    assert_refused("rungs bench --threads 0", "--threads takes numbers from 1 to 4096");
    assert_refused("rungs bench --max-time 0", "--max-time takes a number of seconds above 0, not \"0\"");
    assert_refused("rungs bench --max-time nan", "--max-time takes a number of seconds");
    assert_refused("rungs bench --max-time 3m", "--max-time takes a number of seconds");
    assert_refused("rungs bench --timeout inf", "--timeout takes a number of seconds");
    assert_refused("rungs bench --format xml", "table, md, csv or json, not \"xml\"");
    assert_refused("rungs bench --order random", "--order is latin or serial");
}

/* --- the table -------------------------------------------------------------------------------- */

/* Each command describes an option once, and each command that the table names is there. */
static void rows_are_sound(void **state)
{
    const struct option_row *rows;
    size_t count = option_table(&rows);
    char words[200];

    (void)state;
    assert_true(option_table_own() > 20 && count > option_table_own());
    for (size_t i = 0; i < count; i++) {
        assert_true(rows[i].help[0] != '\0' && rows[i].take != NULL);
        for (size_t c = 0; commands[c] != NULL; c++)
            if (option_table_is_of(&rows[i], commands[c]->name) &&
                option_table_find(rows[i].name, commands[c]->name) != &rows[i])
                fail_msg("%s has two --%s", commands[c]->name, rows[i].name);
        snprintf(words, sizeof words, "%s", rows[i].commands != NULL ? rows[i].commands : "bench");
        for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
            if (command_find(word, &error) == NULL)
                fail_msg("--%s: %s", rows[i].name, error.text);
    }
}

/* For every command: its own options are accepted, and any other is refused in the same words. */
static void each_command_takes_its_own_options(void **state)
{
    const struct option_row *rows;
    size_t count = option_table(&rows);
    char line[128], why[64];

    (void)state;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; commands[c] != NULL; c++) {
            const char *command = commands[c]->name, *argument = rows[i].argument;
            if (commands[c] == &command_help)
                continue;
            snprintf(line, sizeof line, "rungs %s --%s%s", command, rows[i].name,
                     argument == NULL || argument[0] == '[' ? "" : "=never");
            snprintf(why, sizeof why, "--%s is an option of ", rows[i].name);
            bool taken = parse(line) || strstr(error.text, why) == NULL;
            if (taken != (option_table_find(rows[i].name, command) != NULL))
                fail_msg("%s: %s", line, taken ? "taken" : error.text);
            snprintf(why, sizeof why, ", not of %s", command);
            if (!taken && strstr(error.text, why) == NULL)
                fail_msg("%s: %s", line, error.text);
        }
}

static void one_name_is_stored_as_the_command_needs_it(void **state)
{
    char text[64];

    (void)state;
    assert_true(parse("rungs lab --gpu"));
    assert_true(options.gpu);
    assert_true(parse("rungs lab --gpu --sim")); /* the last one counts */
    assert_false(options.gpu);
    assert_true(parse("rungs run --capture"));
    assert_true(options.capture == 0.0);
    assert_true(parse("rungs run --capture=2s"));
    assert_true(options.capture == 2.0);
    assert_true(parse("rungs plot --image pdf,svg"));
    assert_int_equal(options.pictures, PICTURE_SVG | PICTURE_PDF);
    assert_true(parse("rungs plot --as pdf,svg")); /* the older name */
    assert_int_equal(options.pictures, PICTURE_SVG | PICTURE_PDF);
    assert_true(parse("rungs bench --order serial"));
    assert_true(options.serial);
    assert_true(parse("rungs list --format json"));
    assert_int_equal(options.format, FORMAT_JSON);
    assert_refused("rungs profile --format csv", "--format is table or json, not \"csv\"");
    assert_refused("rungs profile --tool gdb", "--tool is ncu, nsys, perf or sim, not \"gdb\"");
    assert_refused("rungs plot --image gif", "--image is a list of svg, png and pdf, not \"gif\"");
    assert_refused("rungs plot --as gif", "--as is a list of svg, png and pdf, not \"gif\"");
    assert_refused("rungs list --once", "--once is an option of ceilings, not of list");
    assert_refused("rungs list --publsh", "did you mean --thorough?");
    assert_true(parse("rungs ceilings --once") && options.if_missing);
    assert_true(parse("rungs ceilings --if-missing") && options.if_missing);
    assert_true(parse("rungs run stencil/x --image f")); /* the same name of another command's */
    assert_string_equal(options.settings[0].name, "image");
    assert_refused("rungs sweep --obs f",
                   "--obs is an option of check, bench, count, run, selftest, profile and view, not of sweep");
    option_table_spell(option_table_find("capture", NULL), text, sizeof text);
    assert_string_equal(text, "--capture[=SECONDS]");
    option_table_spell(option_table_find("exclude", NULL), text, sizeof text);
    assert_string_equal(text, "-x, --exclude PATTERN");
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
    size_t count;

    assert_true(parse(line));
    return sizes_asked(&options, registry_problem(problem), "S,M", sizes, MAX_WORDS, &count, &error)
               ? count
               : 0;
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
    assert_no_sizes("rungs bench --n 1e30", "saxpy", "n takes a whole number up to 2^53");
    assert_no_sizes("rungs bench --size rows=1", "saxpy", "saxpy has no axis rows");
    assert_no_sizes("rungs bench --size XXL", "saxpy", "saxpy has no size \"XXL\"");
    assert_no_sizes("rungs bench --size ,", "saxpy", "saxpy has no size \"\"");
    assert_no_sizes("rungs bench --size n=1,k=2", "knn", "k is more than n");
    assert_no_sizes("rungs bench --size n=8,n=64", "saxpy", "n");
}

static void assert_size(size_t i, const char *label, size_t m, size_t data)
{
    assert_string_equal(sizes[i].label, label);
    assert_int_equal(sizes[i].dims[0], m);
    assert_int_equal(sizes[i].dims[3], data);
}

static void words_go_over_every_size(void **state)
{
    (void)state;
    assert_int_equal(sizes_of("rungs bench --data town", "knn"), 2);
    assert_size(0, "S-town", 1 << 12, 3);
    assert_size(1, "M-town", 1 << 16, 3);
    assert_int_equal(sizes_of("rungs bench --data town,uniform,9", "knn"), 6);
    assert_size(0, "S-town", 1 << 12, 3);
    assert_size(1, "S", 1 << 12, 0);
    assert_size(2, "S-dateline", 1 << 12, 9);
    assert_size(5, "M-dateline", 1 << 16, 9);
    assert_int_equal(sizes_of("rungs bench --size L,S,data=coast --size XL", "knn"), 3);
    assert_size(0, "L-coast", 1 << 18, 7);
    assert_size(1, "S-coast", 1 << 12, 7);
    assert_size(2, "XL", 1 << 24, 0);
    assert_int_equal(sizes_of("rungs bench --size m=8,data=town --data copies", "knn"), 1);
    assert_size(0, "given", 8, 6);
    assert_int_equal(sizes_of("rungs bench --size M --data all", "knn"), 10);
    for (size_t i = 0; i < 10; i++)
        assert_int_equal(sizes[i].dims[3], i);
    assert_int_equal(sizes_of("rungs bench --m 8 --data town", "knn"), 2);
    assert_size(1, "given", 8, 3);
}

static size_t sizes_of_a_bench(const char *line, const char *problem)
{
    size_t count = 0;

    assert_true(parse(line) && sizes_of_bench(&options, registry_problem(problem), sizes, MAX_WORDS, &count, &error));
    return count;
}

static void a_bench_takes_a_further_size(void **state)
{
    (void)state;
    assert_int_equal(sizes_of_a_bench("rungs bench", "knn"), 3);
    assert_size(1, "M", 1 << 16, 0);
    assert_size(2, "S-town", 1 << 12, 3);
    assert_int_equal(sizes_of_a_bench("rungs bench --thorough", "knn"), 3);
    assert_int_equal(sizes_of_a_bench("rungs bench --quick", "knn"), 1);
    assert_int_equal(sizes_of_a_bench("rungs bench --k 3", "knn"), 2); /* where sizes are chosen, there is no further one */
    assert_int_equal(sizes_of_a_bench("rungs bench --data uniform", "knn"), 2);
    assert_int_equal(sizes_of_a_bench("rungs bench --size S,M", "knn"), 2);
    assert_int_equal(sizes_of_a_bench("rungs bench", "saxpy"), 2);
}

static void words_that_are_none(void **state)
{
    (void)state;
    assert_no_sizes("rungs bench --data tow", "knn", "data is one of uniform, places");
    assert_no_sizes("rungs bench --data town,", "knn", "data is one of uniform");
    assert_no_sizes("rungs bench --data uniform,all", "knn", "not \"all\"");
    assert_no_sizes("rungs bench --data 10", "knn", "not \"10\"");
    assert_no_sizes("rungs bench --size S,data=all", "knn", "not \"all\"");
    assert_no_sizes("rungs bench --size S,data=town,data=coast", "knn", "data has two values in one size");
}

static void check_sizes_of_these_words(void **state)
{
    const struct problem *knn = registry_problem("knn");
    const size_t town[MAX_AXES] = {8, 9, 1, 3}, coast[MAX_AXES] = {8, 9, 1, 7};

    (void)state;
    assert_true(parse("rungs check --data copies,town"));
    assert_true(sizes_has_words(&options, knn, town) && !sizes_has_words(&options, knn, coast));
    assert_false(sizes_sets_length(&options, knn));
    assert_true(parse("rungs check --data all --n 9"));
    assert_true(sizes_has_words(&options, knn, town) && sizes_has_words(&options, knn, coast));
    assert_true(sizes_sets_length(&options, knn));
    assert_true(parse("rungs check"));
    assert_true(sizes_has_words(&options, knn, town) && !sizes_sets_length(&options, knn));
}

static void more_sizes_than_there_is_room_for(void **state)
{
    const struct problem *saxpy = registry_problem("saxpy");
    size_t count;

    (void)state;
    assert_true(parse("rungs bench --size S,M,L"));
    assert_false(sizes_asked(&options, saxpy, NULL, sizes, 2, &count, &error));
    assert_true(parse("rungs bench --size S,M,n=3"));
    assert_false(sizes_asked(&options, saxpy, NULL, sizes, 2, &count, &error));
    assert_true(parse("rungs bench --size S --data town,coast,copies"));
    assert_false(sizes_asked(&options, registry_problem("knn"), NULL, sizes, 2, &count, &error));
    assert_true(parse("rungs bench"));
    assert_true(sizes_asked(&options, saxpy, NULL, sizes, 2, &count, &error));
    assert_int_equal(count, 0); /* none asked for is no mistake */
}

/* --- variants --------------------------------------------------------------------------------- */

static void assert_selects(const char *line, const char *names)
{
    const struct card *list[8];
    char found[256] = "";

    assert_true(parse(line));
    size_t count = select_variants(&options, list, 8, &error);
    for (size_t i = 0; i < count; i++) {
        strcat(found, i > 0 ? " " : "");
        strcat(found, list[i]->name.full);
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
    assert_non_null(strstr(error.text, "--exclude removes all of them"));
    assert_selects("rungs list saxpy knn/cpu_naiv", "");
    assert_string_equal(error.text,
                        "no variant is called knn/cpu_naiv; did you mean knn/cpu_naive?");
    assert_selects("rungs check --obs f", "");
    assert_non_null(strstr(error.text, "saxpy has no option --obs"));
}

/* --- the user's defaults ---------------------------------------------------------------------- */

static void defaults_of_the_environment(void **state)
{
    (void)state;
    setenv("RUNGS_MAX_TIME", "3", 1);
    setenv("RUNGS_EXCLUDE", "cuda_*", 1);
    setenv("RUNGS_OUT", "x", 1);
    assert_true(parse("rungs bench") && options.preset.max_time == 3.0 && options.out == NULL);
    assert_string_equal(options.excluded.word[0], "cuda_*");
    assert_int_equal(options.defaults.count, 2);
    assert_string_equal(options.defaults.word[0], "--exclude=cuda_*");
    assert_string_equal(options.defaults.word[1], "--max-time=3");
    for (size_t i = 0; i < options.defaults.count; i++)
        free((char *)options.defaults.word[i]);
    assert_true(parse("rungs bench --max-time 2 -x fft") && options.preset.max_time == 2.0);
    assert_true(options.excluded.count == 1 && strcmp(options.excluded.word[0], "fft") == 0);
    assert_int_equal(options.defaults.count, 0);
    assert_true(parse("rungs bench --quick -x fft"));
    assert_true(options.preset.max_time == preset_quick.max_time); /* what is typed counts, not the default */
    free((char *)options.defaults.word[0]);
    assert_true(parse("rungs report") && options.defaults.count == 0);
    setenv("RUNGS_MAX_TIME", "x", 1);
    assert_refused("rungs bench -x fft", "RUNGS_MAX_TIME: --max-time takes a number of seconds above 0, not \"x\"");
    unsetenv("RUNGS_MAX_TIME");
    unsetenv("RUNGS_EXCLUDE");
    unsetenv("RUNGS_OUT");
}

static void flags_of_the_environment(void **state)
{
    const struct {
        const char *value;
        bool is_set;
    } cases[] = {{"1", true}, {"yes", true}, {"0", false}, {"", false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("RUNGS_QUIET", cases[i].value, 1);
        assert_true(parse("rungs bench"));
        assert_int_equal(options.quiet, cases[i].is_set);
        assert_int_equal(options.defaults.count, cases[i].is_set);
        if (cases[i].is_set)
            free((char *)options.defaults.word[0]);
    }
    unsetenv("RUNGS_QUIET");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(defaults),
        cmocka_unit_test(defaults_of_the_environment),
        cmocka_unit_test(flags_of_the_environment),
        cmocka_unit_test(options_stand_anywhere),
        cmocka_unit_test(sweeps_have_options_of_their_own),
        cmocka_unit_test(max_time_wins_over_quick),
        cmocka_unit_test(passes_win_over_quick_and_thorough),
        cmocka_unit_test(a_shard_is_a_part_of_all),
        cmocka_unit_test(a_beginning_is_the_option),
        cmocka_unit_test(axes_are_lists),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(rows_are_sound),
        cmocka_unit_test(each_command_takes_its_own_options),
        cmocka_unit_test(one_name_is_stored_as_the_command_needs_it),
        cmocka_unit_test(too_many_words_are_refused),
        cmocka_unit_test(sizes_by_name_and_number),
        cmocka_unit_test(axes_of_their_own_go_over_every_size),
        cmocka_unit_test(sizes_that_are_none),
        cmocka_unit_test(words_go_over_every_size),
        cmocka_unit_test(words_that_are_none),
        cmocka_unit_test(a_bench_takes_a_further_size),
        cmocka_unit_test(check_sizes_of_these_words),
        cmocka_unit_test(more_sizes_than_there_is_room_for),
        cmocka_unit_test(patterns),
    };

    setenv("XDG_CONFIG_HOME", "/nowhere", 1); /* not the defaults of the user who runs the test */
    return cmocka_run_group_tests_name("options", tests, register_all, NULL);
}
