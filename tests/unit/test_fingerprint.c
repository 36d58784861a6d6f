/* Fingerprints: which machines count as the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <string.h>

#include "harness/machine/fingerprint.h"

static struct fingerprint of(const char *text)
{
    json_t *run = json_loads(text, 0, NULL);
    struct fingerprint f;

    assert_non_null(run);
    f = fingerprint_of(run);
    json_decref(run);
    return f;
}

#define HOST "\"host\":{\"machine\":\"x86_64\",\"cpu\":\"AMD EPYC\",\"cores\":2,\"governor\":null}"

static void the_same_is_the_same(void **state)
{
    struct fingerprint a = of("{\"threads\":2," HOST ",\"seed\":1,\"build\":{\"commit\":\"a\"}}");
    struct fingerprint b = of("{\"threads\":2," HOST ",\"seed\":2,\"build\":{\"commit\":\"b\"}}");
    char text[200];

    (void)state;
    assert_false(fingerprint_differs(&a, &b, text, sizeof text));
    assert_string_equal(a.hash, b.hash);
    assert_int_equal(strlen(a.hash), 16);
}

static void each_fact_counts(void **state)
{
    static const struct {
        const char *run, *difference;
    } cases[] = {
        {"{\"threads\":1," HOST "}", "--threads 2 and 1"},
        {"{\"threads\":2,\"host\":{\"machine\":\"aarch64\",\"cpu\":\"AMD EPYC\",\"cores\":2}}",
         "machine x86_64 and aarch64"},
        {"{\"threads\":2,\"host\":{\"machine\":\"x86_64\",\"cpu\":\"Xeon\",\"cores\":4}}",
         "processor AMD EPYC and Xeon, cores 2 and 4"},
        {"{\"threads\":2,\"host\":{\"governor\":\"powersave\"}}", "governor none and powersave"},
    };
    struct fingerprint a = of("{\"threads\":2," HOST "}");
    char text[200];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fingerprint b = of(cases[i].run);
        assert_true(fingerprint_differs(&a, &b, text, sizeof text));
        assert_string_equal(text, cases[i].difference);
        assert_string_not_equal(a.hash, b.hash);
    }
}

static void gpus_count(void **state)
{
    struct fingerprint none = of("{\"gpus\":\"\"}"), unsaid = of("{}");
    struct fingerprint one = of("{\"gpus\":\"H100, driver 580\"}");
    struct fingerprint two = of("{\"gpus\":\"H100, H100, driver 580\"}");
    char text[200];

    (void)state;
    assert_true(fingerprint_differs(&none, &one, text, sizeof text));
    assert_string_equal(text, "GPUs none and H100, driver 580");
    assert_true(fingerprint_differs(&one, &two, text, sizeof text));
    assert_string_equal(text, "GPUs H100, driver 580 and H100, H100, driver 580");
    assert_false(fingerprint_differs(&unsaid, &two, text, sizeof text)); /* an older record */
}

/* A file's facts may be anything: no overflow, and nothing that a terminal would interpret. */
static void facts_are_tamed(void **state)
{
    char long_name[1000], run[1200], text[50];

    (void)state;
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    snprintf(run, sizeof run, "{\"threads\":\"%s\",\"host\":{\"cpu\":\"a\\u001b[2Jb\"}}", long_name);
    struct fingerprint a = of(run), b = of("{\"threads\":[1],\"host\":{\"cpu\":{}},\"gpus\":3}");
    assert_true(fingerprint_differs(&a, &b, text, sizeof text));
    assert_string_equal(a.fact[1], "a?[2Jb");
    assert_true(strlen(text) < sizeof text);
    assert_false(fingerprint_differs(&b, &b, text, sizeof text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_the_same),
        cmocka_unit_test(each_fact_counts),
        cmocka_unit_test(gpus_count),
        cmocka_unit_test(facts_are_tamed),
    };

    return cmocka_run_group_tests_name("fingerprint", tests, NULL, NULL);
}
