/* Cards: what is read from one, and where a mistake in one is said to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/model/card.h"

static char folder[] = "/tmp/test_card.XXXXXX", path[64];
static struct error error;

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static struct card *card_of(const char *text)
{
    snprintf(path, sizeof path, "%s/mine.card", folder);
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    error.text[0] = '\0';
    return card_read(path, &error);
}

static void assert_refused(const char *text, const char *why)
{
    assert_null(card_of(text));
    assert_non_null(strstr(error.text, why));
}

static void all_keys_are_read(void **state)
{
    struct card *c = card_of("# a remark\n\n"
                             "source = \"far/mine.cu\"\n"
                             "  idea=\"says \\\"one\\\" \\\\ = # thing\"  \n"
                             "base = \"cpu_naive\"\n"
                             "math = \"tf32\"\n"
                             "traits = [\"tensor\", \"pairs\"]\n"
                             "device = \"gpu\"\n"
                             "clock = false\n"
                             "phases = [\"upload\",\"run\" ]\n"
                             "level = 2\nread = \"a.h, b.h\"\nlines = 410\n");

    (void)state;
    assert_non_null(c);
    assert_string_equal(c->name.variant, "mine");
    assert_string_equal(c->source, "far/mine.cu");
    assert_string_equal(c->idea, "says \"one\" \\ = # thing");
    assert_string_equal(c->base, "cpu_naive");
    assert_int_equal(c->math, MATH_TF32);
    assert_int_equal(c->traits, TRAIT_TENSOR | TRAIT_PAIRS);
    assert_string_equal(c->device, "gpu");
    assert_false(card_on_cpu(c));
    assert_false(c->clock);
    assert_true(card_has(c, CARD_UPLOAD) && card_has(c, CARD_RUN));
    assert_false(card_has(c, CARD_DOWNLOAD));
    assert_int_equal(c->resource, -1);
    assert_int_equal(c->level, 2);
    assert_string_equal(c->read, "a.h, b.h");
    assert_int_equal(c->lines, 410);
    card_free(c);
}

static void what_is_absent_has_a_default(void **state)
{
    struct card *c = card_of("idea = \"i\"\nphases = [\"run\"]\n");
    char program[64];

    (void)state;
    assert_non_null(c);
    snprintf(program, sizeof program, "%s/mine", folder);
    assert_string_equal(c->file, program); /* no mine.so is there */
    assert_null(c->base);
    assert_null(c->read);
    assert_int_equal(c->level, 0);
    assert_int_equal(c->math, MATH_F32);
    assert_int_equal(c->traits, 0);
    assert_true(card_on_cpu(c) && c->clock);
    card_free(c);
}

static void mistakes_are_named_by_line(void **state)
{
    (void)state;
    assert_refused("idea = \"i\"\nmaths = \"f32\"\n", "mine.card:2: \"maths\" is no key; did you mean \"math\"?");
    assert_refused("math = \"f23\"\n", ":1: \"f23\" is not known; did you mean \"f32\"?");
    assert_refused("idea = i\n", ":1: expected a text in double quotes");
    assert_refused("idea = \"i\n", ":1: expected a text in double quotes");
    assert_refused("idea\n", ":1: expected KEY = VALUE");
    assert_refused("traits = \"pairs\"\n", ":1: expected a list in square brackets");
    assert_refused("traits = [\"pairs\" \"cores\"]\n", ":1: expected \",\" or \"]\"");
    assert_refused("traits = [\"pairs\"\n", ":1: expected \",\" or \"]\"");
    assert_refused("clock = yes\n", ":1: expected true or false");
    assert_refused("idea = \"i\" more\n", ":1: unexpected \"more\"");
}

static void idea_and_run_must_be_there(void **state)
{
    (void)state;
    assert_refused("phases = [\"run\"]\n", "no idea: say in one line");
    assert_refused("idea = \"\"\nphases = [\"run\"]\n", "no idea: say in one line");
    assert_refused("idea = \"i\"\n", "no run: there is nothing to measure");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_keys_are_read),
        cmocka_unit_test(what_is_absent_has_a_default),
        cmocka_unit_test(mistakes_are_named_by_line),
        cmocka_unit_test(idea_and_run_must_be_there),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
