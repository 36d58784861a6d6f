/* Tables: what goes when there is no room for all of it, and what is never lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/grid.h"
#include "harness/terminal.h"

enum { RUNG, CHECK, TIME, LIMIT, FLAGS };

/* Of two rungs, one with a time. */
static void fill(struct grid *g)
{
    static const char *const headings[] = {"rung", "check", "time", "of limit", "flags"};

    grid_start(g);
    for (int i = RUNG; i <= FLAGS; i++)
        grid_column(g, headings[i], i != TIME);
    g->rest_from = TIME;
    grid_spare(g, FLAGS, LIMIT);
    grid_row(g);
    grid_set(g, RUNG, "cuda_naive_longest");
    grid_set(g, CHECK, "ok");
    grid_set(g, TIME, "12.5 us");
    grid_set(g, LIMIT, "93%% arithmetic");
    grid_set(g, FLAGS, "ON");
    grid_row(g);
    grid_set(g, RUNG, "cuda_b");
    grid_set(g, CHECK, "wrong");
    g->rest[g->rows - 1] = "z[17] is 3 and should be 4, which is a long way off";
}

/* The grid as it is printed where there are so many columns; to be freed. */
static char *printed(struct grid *g, size_t room, bool markdown)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    assert_non_null(out);
    g->room = room;
    grid_print(g, out, markdown);
    fclose(out);
    return text;
}

static size_t widest(const char *text)
{
    size_t most = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        most = length > most ? length : most;
        text += length + (text[length] == '\n');
    }
    return most;
}

static void all_of_it_where_nobody_counts(void **state)
{
    struct grid g;

    (void)state;
    fill(&g);
    char *text = printed(&g, 0, false);
    assert_string_equal(text, "rung                check     time  of limit        flags\n"
                              "cuda_naive_longest  ok     12.5 us  93% arithmetic  ON\n"
                              "cuda_b              wrong  z[17] is 3 and should be 4, which is a long "
                              "way off\n");
    free(text);
    grid_free(&g);
}

static void what_is_least_needed_goes_first(void **state)
{
    struct grid g;

    (void)state;
    fill(&g);
    char *text = printed(&g, 56, false);
    assert_string_equal(text, "rung                check     time  of limit\n"
                              "cuda_naive_longest  ok     12.5 us  93% arithmetic\n"
                              "cuda_b              wrong  z[17] is 3 and should be 4,\n"
                              "                           which is a long way off\n"
                              "left out: flags (all fit in 57 columns)\n");
    free(text);
    text = printed(&g, 49, false);
    assert_string_equal(text, "rung                check     time\n"
                              "cuda_naive_longest  ok     12.5 us\n"
                              "cuda_b              wrong  z[17] is 3 and should\n"
                              "                           be 4, which is a long\n"
                              "                           way off\n"
                              "left out: of limit, flags (all fit in 57 columns)\n");
    free(text);
    grid_free(&g);
}

static void nothing_goes_that_fits(void **state)
{
    struct grid g;

    (void)state;
    fill(&g);
    char *text = printed(&g, 57, false);
    assert_non_null(strstr(text, "flags"));
    assert_null(strstr(text, "left out"));
    assert_true(widest(text) <= 57);
    free(text);
    grid_free(&g);
}

/* A row's reason stands in the place of columns that are all gone. */
static void a_reason_outlives_its_columns(void **state)
{
    struct grid g;

    (void)state;
    fill(&g);
    g.rest_from = LIMIT;
    char *text = printed(&g, 40, false);
    assert_non_null(strstr(text, "wrong"));
    assert_non_null(strstr(text, "z[17]"));
    assert_non_null(strstr(text, "left out: of limit, flags"));
    free(text);
    grid_free(&g);
}

static void markdown_is_for_pages(void **state)
{
    struct grid g;

    (void)state;
    fill(&g);
    char *text = printed(&g, 40, true);
    assert_non_null(strstr(text, "| flags | \n"));
    assert_null(strstr(text, "left out"));
    free(text);
    grid_free(&g);
}

/* --- bars ------------------------------------------------------------------------------------- */

static void a_bar_is_as_long_as_its_share(void **state)
{
    char bar[GRID_TEXT];

    (void)state;
    setenv("LC_ALL", "C", 1);
    grid_bar(1.0, bar);
    assert_string_equal(bar, "########");
    grid_bar(0.5, bar);
    assert_string_equal(bar, "####");
    grid_bar(7.0, bar);
    assert_string_equal(bar, "########");
    grid_bar(-1.0, bar);
    assert_string_equal(bar, "#"); /* a rung is there, however slow */
    setenv("LC_ALL", "C.UTF-8", 1);
    grid_bar(1.0, bar);
    assert_string_equal(bar, "████████");
    grid_bar(0.5 + 1.0 / 64.0, bar);
    assert_string_equal(bar, "████▏");
    grid_bar(0.5 - 1.0 / 64.0, bar);
    assert_string_equal(bar, "███▉");
    grid_bar(0.0, bar);
    assert_string_equal(bar, "▏");
    unsetenv("LC_ALL");
}

static void a_character_is_one_column(void **state)
{
    struct grid g;

    (void)state;
    grid_start(&g);
    grid_column(&g, "bar", true);
    grid_column(&g, "n", false);
    grid_row(&g);
    grid_set(&g, 0, "██▏");
    grid_set(&g, 1, "1");
    grid_row(&g);
    grid_set(&g, 0, "ab");
    grid_set(&g, 1, "2");
    char *text = printed(&g, 0, false);
    assert_string_equal(text, "bar  n\n██▏  1\nab   2\n");
    free(text);
    grid_free(&g);
}

/* --- lines ------------------------------------------------------------------------------------ */

static char *wrapped(const char *line, size_t at, size_t indent, size_t width)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    assert_non_null(out);
    terminal_wrap(out, line, at, indent, width);
    fclose(out);
    return text;
}

static void lines_break_between_words(void **state)
{
    static const struct {
        const char *line;
        size_t at, indent, width;
        const char *want;
    } cases[] = {
        {"one two  three", 0, 0, 0, "one two  three"},
        {"one two  three", 0, 0, 14, "one two  three"},
        {"one two  three", 0, 0, 13, "one two\nthree"},
        {"one two  three", 0, 2, 5, "one\n  two\n  three"},
        {"one two", 4, 4, 10, "one\n    two"},
        {"averylongword is one", 0, 0, 6, "averylongword\nis one"},
        {"first\nsecond", 0, 0, 80, "first"},
        {"", 0, 0, 80, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = wrapped(cases[i].line, cases[i].at, cases[i].indent, cases[i].width);
        assert_string_equal(text, cases[i].want);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_it_where_nobody_counts),
        cmocka_unit_test(what_is_least_needed_goes_first),
        cmocka_unit_test(nothing_goes_that_fits),
        cmocka_unit_test(a_reason_outlives_its_columns),
        cmocka_unit_test(markdown_is_for_pages),
        cmocka_unit_test(a_bar_is_as_long_as_its_share),
        cmocka_unit_test(a_character_is_one_column),
        cmocka_unit_test(lines_break_between_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
