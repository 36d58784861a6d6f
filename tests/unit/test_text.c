/* Numbers and texts as people see them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/error.h"
#include "harness/base/text.h"
#include "harness/table/table.h"

static void numbers_have_three_digits_and_no_exponent(void **state)
{
    static const struct {
        double is;
        const char *text;
    } cases[] = {{0.0, "0"},           {3.5, "3.5"},         {0.02634, "0.0263"},
                 {448.96, "449"},      {999.4, "999"},       {999.6, "1000"},
                 {50892.0, "50900"},   {1234567.0, "1230000"}, {0.00012345, "0.000123"},
                 {0.0000123, "0.0000123"}, {-2230.1, "-2230"}, {1e300, "-"}, {NAN, "-"},
                 {67.85, "67.8"}, {67.85 - 1e-12, "67.8"}, {67.85 + 1e-12, "67.8"},
                 {INFINITY, "-"}};
    char text[32];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        describe_number(cases[i].is, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static void durations_go_up_a_unit_at_a_thousand(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0.0, "0 ns"},          {5.2e-10, "0.52 ns"},   {999.4e-9, "999 ns"},
                 {999.7e-9, "1 us"},     {1e-6, "1 us"},         {999.9e-6, "1 ms"},
                 {0.99949, "999 ms"},    {0.9996, "1 s"},        {119.0, "119 s"},
                 {119.99, "120 s"},      {120.0, "2 min"},       {7199.0, "120 min"},
                 {7200.0, "2 h"},        {172800.0, "2 days"},   {2.1e8, "2430 days"}};
    char text[32];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        describe_duration(cases[i].seconds, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static void ratios_have_no_exponent(void **state)
{
    static const struct {
        double ratio;
        const char *text;
    } cases[] = {{2.539, "2.54 "}, {119813.0, "119813 "}, {0.0523, "0.052 "},
                 {0.0000941, "0.000094 "}};
    char text[32];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct comparison c = {.ratio = cases[i].ratio, .finding = FASTER};
        table_ratio(&c, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static void text_is_one_line_in_one_direction(void **state)
{
    static const struct {
        const char *is, *clean;
    } cases[] = {
        {"plain", "plain"},
        {"\xE6\x97\xA5\xE6\x9C\xAC", "\xE6\x97\xA5\xE6\x9C\xAC"}, /* U+65E5 U+672C stay */
        {"a\nb\033[31m", "a?b?[31m"},
        {"\xC2\x9B" "31m", "??31m"},              /* U+009B, the short form of ESC [ */
        {"cut\xE2\x80", "cut??"},
        {"x\xE2\x80\xAEy", "x?y"},               /* U+202E reverses the text after it */
        {"\xE2\x81\xA6\xE2\x80\xA8\xD8\x9C!", "??" "?!"}, /* U+2066, U+2028, U+061C */
        {"\xEF\xBF\xBE\xEF\xBB\xBF", "??"},      /* U+FFFE, U+FEFF */
    };
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s", cases[i].is);
        text_clean(text);
        assert_string_equal(text, cases[i].clean);
    }
}

static void words_are_quoted_where_a_shell_needs_it(void **state)
{
    static const struct { const char *word, *expected; } words[] = {
        {"results/a.jsonl", "results/a.jsonl"}, {"my runs/a.jsonl", "'my runs/a.jsonl'"}, {"knn/cpu_*", "'knn/cpu_*'"},
        {"it's", "'it'\\''s'"}, {"", "''"}, {"$HOME", "'$HOME'"}, {"~/a", "'~/a'"},
    };
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        text_quote(words[i].word, text, sizeof text);
        assert_string_equal(text, words[i].expected);
    }
    text_quote("no room for this one", text, 8);
    assert_string_equal(text, "'no roo");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_three_digits_and_no_exponent),
        cmocka_unit_test(durations_go_up_a_unit_at_a_thousand),
        cmocka_unit_test(ratios_have_no_exponent),
        cmocka_unit_test(text_is_one_line_in_one_direction),
        cmocka_unit_test(words_are_quoted_where_a_shell_needs_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
