/* What ranks report of their end is read back as it was written, among what others write. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/worker/last_words.h"

enum { ROOM = 4 };

static FILE *file;

static void others_write(const char *text)
{
    assert_true(write(fileno(file), text, strlen(text)) == (ssize_t)strlen(text));
}

static int begin(void **state)
{
    (void)state;
    file = tmpfile();
    return file == NULL;
}

static int end(void **state)
{
    (void)state;
    return fclose(file);
}

static void an_end_is_read_back(void **state)
{
    struct last_words list[ROOM], w = {.rank = 3, .ranks = 8, .ended = true, .status = SIGSEGV, .said = "no: more, wind"};

    (void)state;
    w.note = (struct ledger){.activity = IN_RUN, .signal = SIGSEGV, .address = (void *)(uintptr_t)0x1234, .wrote = true,
                             .wanted = 5, .allowed = 7};
    others_write("mpirun says this and that\n");
    last_words_write(&w, fileno(file));
    others_write("-----------\n");
    assert_int_equal(last_words_read(fileno(file), list, ROOM), 1);
    assert_true(list[0].rank == 3 && list[0].ranks == 8 && list[0].ended && list[0].status == SIGSEGV);
    assert_true(list[0].note.activity == IN_RUN && list[0].note.signal == SIGSEGV && list[0].note.wrote);
    assert_true(list[0].note.address == (void *)(uintptr_t)0x1234);
    assert_true(list[0].note.wanted == 5 && list[0].note.allowed == 7);
    assert_string_equal(list[0].said, "no: more, wind");
}

static void those_that_run_are_told_apart(void **state)
{
    struct last_words list[ROOM], busy = {.rank = 1, .ranks = 2, .note.activity = IN_RUN}, waits = {.ranks = 2};

    (void)state;
    last_words_write(&busy, fileno(file));
    last_words_write(&waits, fileno(file));
    assert_int_equal(last_words_read(fileno(file), list, ROOM), 2);
    assert_true(!list[0].ended && list[0].note.activity == IN_RUN && list[1].note.activity == IN_HARNESS);
    assert_string_equal(list[0].said, "");
}

static void what_is_no_report_is_passed_over(void **state)
{
    struct last_words list[ROOM], w = {.rank = 0, .ranks = 2};

    (void)state;
    others_write("rungs rank and file\nrungs rank 1 of 2: ended 1, status 0, in 99 by signal 0 at (nil), wrote 0, wanted 0 of 0: \n");
    last_words_write(&w, fileno(file));
    assert_int_equal(last_words_read(fileno(file), list, ROOM), 1);
    assert_int_equal(list[0].rank, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_end_is_read_back, begin, end),
        cmocka_unit_test_setup_teardown(those_that_run_are_told_apart, begin, end),
        cmocka_unit_test_setup_teardown(what_is_no_report_is_passed_over, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
