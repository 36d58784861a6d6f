/* Tables: five writers of one grid; what goes when there is no room for all, what never does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/table/grid.h"

enum { VARIANT, CHECK, TIME, LIMIT, FLAGS };

/* Of two variants, one with a time. */
static void fill(struct grid *g)
{
    static const char *const headings[] = {"variant", "check", "time", "% of peak", "flags"};

    grid_start(g);
    for (int i = VARIANT; i <= FLAGS; i++)
        grid_column(g, headings[i], i != TIME);
    g->rest_from = TIME;
    grid_spare(g, FLAGS, LIMIT);
    grid_row(g);
    grid_set(g, VARIANT, "cuda_naive_longest");
    grid_set(g, CHECK, "ok");
    grid_set(g, TIME, "12.5 us");
    grid_set(g, LIMIT, "93%% arithmetic");
    grid_set(g, FLAGS, "ON");
    grid_row(g);
    grid_set(g, VARIANT, "cuda_b");
    grid_set(g, CHECK, "wrong");
    grid_rest(g, "z[17] is 3 and should be 4, which is a long way off");
}

/* The grid as it is printed where there are so many columns; to be freed. */
static char *printed(struct grid *g, size_t room, enum format format)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    assert_non_null(out);
    g->width = room;
    grid_print(g, format, out);
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

static void all_of_it_where_no_screen_ends(void **state)
{
    struct grid g;

    (void)state;
    fill(&g);
    char *text = printed(&g, 0, FORMAT_TABLE);
    assert_string_equal(text, "variant             check     time  % of peak       flags\n"
                              "cuda_naive_longest  ok     12.5 us  93% arithmetic  ON\n"
                              "cuda_b              wrong  z[17] is 3 and should be 4, which is a long "
                              "way off\n\n");
    free(text);
    grid_free(&g);
}

static void what_is_least_needed_goes_first(void **state)
{
    struct grid g;

    (void)state;
    fill(&g);
    char *text = printed(&g, 56, FORMAT_TABLE);
    assert_string_equal(text, "variant             check     time  % of peak\n"
                              "cuda_naive_longest  ok     12.5 us  93% arithmetic\n"
                              "cuda_b              wrong  z[17] is 3 and should be 4,\n"
                              "                           which is a long way off\n"
                              "left out: flags (all fit in 57 columns)\n\n");
    free(text);
    text = printed(&g, 49, FORMAT_TABLE);
    assert_string_equal(text, "variant             check     time\n"
                              "cuda_naive_longest  ok     12.5 us\n"
                              "cuda_b              wrong  z[17] is 3 and should\n"
                              "                           be 4, which is a long\n"
                              "                           way off\n"
                              "left out: % of peak, flags (all fit in 57\n  columns)\n\n");
    free(text);
    grid_free(&g);
}

static void nothing_goes_that_fits(void **state)
{
    struct grid g;

    (void)state;
    fill(&g);
    char *text = printed(&g, 57, FORMAT_TABLE);
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
    char *text = printed(&g, 40, FORMAT_TABLE);
    assert_non_null(strstr(text, "wrong"));
    assert_non_null(strstr(text, "z[17]"));
    assert_non_null(strstr(text, "left out: % of peak, flags"));
    free(text);
    grid_free(&g);
}

static void markdown_is_for_pages(void **state)
{
    struct grid g;

    (void)state;
    fill(&g);
    char *text = printed(&g, 40, FORMAT_MARKDOWN);
    assert_non_null(strstr(text, "| flags | \n"));
    assert_null(strstr(text, "left out"));
    free(text);
    grid_free(&g);
}

/* --- writers ---------------------------------------------------------------------------------- */

enum { W_PROBLEM, W_VARIANT, W_TIME, W_SHARE, W_HERE, W_NOTE };

/* All that a cell may hold, and what is hostile to each format. */
static void fill_all(struct grid *g)
{
    static const struct grid_column columns[] = {
        [W_PROBLEM] = {.name = "problem", .quoted = true},
        [W_VARIANT] = {"variant", "variant", .left = true},
        [W_TIME] = {.heading = "time", .name = "time_s"},
        [W_SHARE] = {.heading = "share"},
        [W_HERE] = {.name = "here"},
        [W_NOTE] = {"note", "note", .left = true},
    };

    grid_start(g);
    grid_columns(g, columns, sizeof columns / sizeof *columns);
    grid_caption(g, "saxpy   <b>");
    g->rest_from = W_TIME;
    grid_row(g);
    grid_set(g, W_PROBLEM, "saxpy");
    grid_set(g, W_VARIANT, "cpu_a@4");
    grid_word(g, W_VARIANT, "cpu_a");
    grid_link(g, W_VARIANT, "saxpy", "cpu_a");
    grid_duration(g, W_TIME, 0.0125);
    grid_set(g, W_SHARE, "93%% memory ");
    grid_number(g, W_SHARE, 0.93);
    grid_cell(g, W_SHARE)->share = 0.93;
    grid_cell(g, W_SHARE)->tone = TONE_BEST;
    grid_hint(g, W_SHARE, "0.9 to \"1\"");
    grid_truth(g, W_HERE, true);
    grid_set(g, W_NOTE, "a \"b\", <i>|");
    grid_row(g)->tone = TONE_BAD;
    grid_set(g, W_VARIANT, "<script>");
    grid_link(g, W_VARIANT, "saxpy", "<script>");
    grid_number(g, W_TIME, NAN);
    grid_truth(g, W_HERE, false);
    grid_rest(g, "z[1] <is> 3 | 4");
    grid_row(g)->seen = SEEN_PROGRAMS;
    grid_set(g, W_VARIANT, "hidden");
    grid_number(g, W_TIME, 2147483648.0);
    grid_row(g)->seen = SEEN_PEOPLE;
    grid_set(g, W_VARIANT, "shown");
}

static void prints(enum format format, const char *want)
{
    struct grid g;

    fill_all(&g);
    char *text = printed(&g, 0, format);
    assert_string_equal(text, want);
    free(text);
    grid_free(&g);
}

static void people_see_texts(void **state)
{
    (void)state;
    prints(FORMAT_TABLE, "saxpy   <b>\n"
                         "variant      time        share  note\n"
                         "cpu_a@4   12.5 ms  93% memory   a \"b\", <i>|\n"
                         "<script>  z[1] <is> 3 | 4\n"
                         "shown           -            -  -\n\n");
    prints(FORMAT_MARKDOWN, "### saxpy   <b>\n\n"
                            "| variant  |    time |       share | note        | \n"
                            "| :-- | --: | --: | :-- |\n"
                            "| cpu_a@4  | 12.5 ms | 93% memory  | a \"b\", &lt;i>\\| | \n"
                            "| &lt;script> | z[1] &lt;is> 3 \\| 4 | | | \n"
                            "| shown    |       - |           - | -           | \n\n");
}

static void programs_get_values(void **state)
{
    (void)state;
    prints(FORMAT_CSV, "problem,variant,time_s,here,note\n"
                       "\"saxpy\",cpu_a,0.0125,1,\"a \"\"b\"\", <i>|\"\n"
                       "\"\",<script>,,0,\n"
                       "\"\",hidden,2147483648,,\n");
    prints(FORMAT_JSON,
           "{\"problem\":\"saxpy\",\"variant\":\"cpu_a\",\"time_s\":0.0125,"
           "\"here\":true,\"note\":\"a \\\"b\\\", <i>|\"}\n"
           "{\"problem\":null,\"variant\":\"<script>\",\"time_s\":null,\"here\":false,"
           "\"note\":null}\n"
           "{\"problem\":null,\"variant\":\"hidden\",\"time_s\":2147483648,\"here\":null,"
           "\"note\":null}\n");
}

static void pages_get_both_and_no_markup(void **state)
{
    (void)state;
    prints(FORMAT_HTML,
           "<div class=wide><table><caption>saxpy   &lt;b&gt;</caption><thead><tr>"
           "<th aria-sort=none class=l><button>variant</button>"
           "<th aria-sort=none><button>time</button><th aria-sort=none><button>share</button>"
           "<th aria-sort=none class=l><button>note</button><tbody>\n"
           "<tr><th scope=row><a href=\"#saxpy.cpu_a\">cpu_a@4</a><td data-v=0.0125>12.5 ms"
           "<td class=f title=\"0.9 to &quot;1&quot;\" style=--p:93>93% memory"
           "<td class=l>a &quot;b&quot;, &lt;i&gt;|</tr>\n"
           "<tr class=bad><th scope=row>&lt;script&gt;"
           "<td class=l colspan=3>z[1] &lt;is&gt; 3 | 4</tr>\n"
           "<tr><th scope=row>shown<td><td><td class=l></tr>\n"
           "</table></div>\n");
}

static void a_view_has_columns_and_rows_of_its_own(void **state)
{
    struct grid g;

    (void)state;
    fill_all(&g);
    g.rows[0].seen |= SEEN_BESIDE;
    grid_order(&g, W_SHARE, W_VARIANT);
    g.view.rows = SEEN_BESIDE;
    g.view.first = "part";
    g.continued = true;
    char *text = printed(&g, 0, FORMAT_TABLE);
    assert_string_equal(text, "saxpy   <b>\n       part  variant\n93% memory   cpu_a@4\n\n");
    free(text);
    text = printed(&g, 0, FORMAT_CSV); /* not a program's concern */
    assert_true(strncmp(text, "\"saxpy\",cpu_a,", 14) == 0);
    free(text);
    grid_free(&g);
}

static void a_record_takes_the_place_of_cells(void **state)
{
    struct grid g;

    (void)state;
    fill_all(&g);
    g.rows[0].record = json_pack("{s:s}", "record", "compare");
    char *text = printed(&g, 0, FORMAT_JSON);
    assert_non_null(strstr(text, "{\"record\":\"compare\"}\n{\"problem\":null"));
    assert_null(strstr(text, "cpu_a"));
    free(text);
    grid_free(&g);
}

static void nothing_is_said_of_no_rows(void **state)
{
    struct grid g;

    (void)state;
    fill_all(&g);
    g.view.rows = SEEN_BESIDE; /* which none is */
    for (enum format f = FORMAT_TABLE; f <= FORMAT_HTML; f++) {
        char *text = printed(&g, 0, f);
        assert_true((text[0] == '\0') == (f != FORMAT_CSV && f != FORMAT_JSON));
        free(text);
    }
    grid_free(&g);
}

/* --- bars ------------------------------------------------------------------------------------- */

static void a_bar_is_as_long_as_its_share(void **state)
{
    char bar[GRID_BAR];

    (void)state;
    setenv("LC_ALL", "C", 1);
    grid_bar(1.0, bar);
    assert_string_equal(bar, "########");
    grid_bar(0.5, bar);
    assert_string_equal(bar, "####");
    grid_bar(7.0, bar);
    assert_string_equal(bar, "########");
    grid_bar(-1.0, bar);
    assert_string_equal(bar, "#"); /* a variant is there, however slow */
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
    char *text = printed(&g, 0, FORMAT_TABLE);
    assert_string_equal(text, "bar  n\n██▏  1\nab   2\n\n");
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
        cmocka_unit_test(all_of_it_where_no_screen_ends),
        cmocka_unit_test(what_is_least_needed_goes_first),
        cmocka_unit_test(nothing_goes_that_fits),
        cmocka_unit_test(a_reason_outlives_its_columns),
        cmocka_unit_test(markdown_is_for_pages),
        cmocka_unit_test(people_see_texts),
        cmocka_unit_test(programs_get_values),
        cmocka_unit_test(pages_get_both_and_no_markup),
        cmocka_unit_test(a_view_has_columns_and_rows_of_its_own),
        cmocka_unit_test(a_record_takes_the_place_of_cells),
        cmocka_unit_test(nothing_is_said_of_no_rows),
        cmocka_unit_test(a_bar_is_as_long_as_its_share),
        cmocka_unit_test(a_character_is_one_column),
        cmocka_unit_test(lines_break_between_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
