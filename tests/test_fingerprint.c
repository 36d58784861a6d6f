/* Which machines are the same, and what a driver's files say of its GPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <string.h>

#include "harness/fingerprint.h"
#include "harness/machine.h"

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
    struct fingerprint none = of("{\"devices\":[]}"), unsaid = of("{}");
    struct fingerprint one = of("{\"devices\":[{\"name\":\"H100\",\"driver\":\"580\"}]}");
    struct fingerprint two = of("{\"devices\":[{\"name\":\"H100\",\"driver\":\"580\"},"
                                "{\"name\":\"H100\",\"driver\":\"580\"}]}");
    struct fingerprint mixed = of("{\"devices\":[{\"name\":\"H100\",\"driver\":\"590\"},"
                                  "{\"name\":\"L4\"}]}");
    char text[200];

    (void)state;
    assert_true(fingerprint_differs(&none, &one, text, sizeof text));
    assert_string_equal(text, "GPUs none and H100, driver none and 580");
    assert_true(fingerprint_differs(&one, &two, text, sizeof text));
    assert_string_equal(text, "GPUs H100 and 2 x H100");
    assert_true(fingerprint_differs(&two, &mixed, text, sizeof text));
    assert_string_equal(text, "GPUs 2 x H100 and H100, L4, driver 580 and 590");
    assert_false(fingerprint_differs(&unsaid, &two, text, sizeof text)); /* an older record */
}

/* A file's facts may be anything: no overflow, and nothing that a terminal would obey. */
static void facts_are_tamed(void **state)
{
    char long_name[1000], run[1200], text[50];

    (void)state;
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    snprintf(run, sizeof run, "{\"threads\":\"%s\",\"host\":{\"cpu\":\"a\\u001b[2Jb\"}}", long_name);
    struct fingerprint a = of(run), b = of("{\"threads\":[1],\"host\":{\"cpu\":{}},\"devices\":3}");
    assert_true(fingerprint_differs(&a, &b, text, sizeof text));
    assert_string_equal(a.fact[1], "a?[2Jb");
    assert_true(strlen(text) < sizeof text);
    assert_false(fingerprint_differs(&b, &b, text, sizeof text));
}

/* --- a driver's files ------------------------------------------------------------------------- */

static char folder[] = "/tmp/rungs-gpus-XXXXXX";

static void put(const char *path, const char *text)
{
    char full[200];

    snprintf(full, sizeof full, "%s/%s", folder, path);
    if (text == NULL) {
        assert_int_equal(mkdir(full, 0777), 0);
        return;
    }
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    static const char *const paths[] = {"gpus/0000:02:00.0/information", "gpus/0000:02:00.0",
                                        "gpus/0000:01:00.0/information", "gpus/0000:01:00.0",
                                        "gpus", "version", ""};
    char full[200];

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        snprintf(full, sizeof full, "%s/%s", folder, paths[i]);
        (void)remove(full);
    }
    return 0;
}

static void drivers_files_are_read(void **state)
{
    json_t *gpus = machine_gpus(folder);

    (void)state;
    assert_int_equal(json_array_size(gpus), 0); /* no driver */
    json_decref(gpus);

    put("version", "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release "
                   "Build  (dvs@rome)\nGCC version:  gcc version 13.3.0\n");
    put("gpus", NULL);
    put("gpus/0000:02:00.0", NULL);
    put("gpus/0000:02:00.0/information", "Model: \t\t NVIDIA L4\nIRQ:   \t\t 0\n");
    put("gpus/0000:01:00.0", NULL);
    put("gpus/0000:01:00.0/information", "IRQ: 1\nModel: \t\t NVIDIA H200\n");
    gpus = machine_gpus(folder);
    char *text = json_dumps(gpus, JSON_COMPACT);
    assert_string_equal(text, "[{\"index\":0,\"name\":\"NVIDIA H200\",\"driver\":\"580.95.05\"},"
                              "{\"index\":1,\"name\":\"NVIDIA L4\",\"driver\":\"580.95.05\"}]");
    free(text);
    json_decref(gpus);

    put("version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5\n");
    gpus = machine_gpus(folder);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(gpus, 0), "driver")), "550.54.15");
    json_decref(gpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_the_same),
        cmocka_unit_test(each_fact_counts),
        cmocka_unit_test(gpus_count),
        cmocka_unit_test(facts_are_tamed),
        cmocka_unit_test_setup_teardown(drivers_files_are_read, make_folder, remove_folder),
    };

    return cmocka_run_group_tests_name("fingerprint", tests, NULL, NULL);
}
