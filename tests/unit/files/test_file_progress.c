/* The line about a long file, on a terminal and in a pipe. */
#define _GNU_SOURCE
#include "tests/unit/files/scratch.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include "harness/base/clock.h"
#include "harness/files/file_progress.h"

/* Shows a file at 3 of 4 on `stream`, in place of standard error, when `seconds` have passed. */
static void show_on(int stream, double seconds)
{
    struct file_progress p = file_progress_begin("writing", "a long name \033 of a file.png");
    const int before = dup(STDERR_FILENO);

    assert_true(p.next > clock_now());
    p.next -= seconds;
    assert_true(dup2(stream, STDERR_FILENO) >= 0);
    file_progress_show(&p, 3, 4);
    file_progress_show(&p, 3, 4); /* is not drawn again at once */
    file_progress_end(&p);
    file_progress_end(&p);
    fflush(stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
}

/* Opens a terminal of 30 columns.  Returns its other side. */
static int open_terminal(int *side)
{
    const struct winsize size = {.ws_row = 24, .ws_col = 30};
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);

    assert_true(terminal >= 0);
    assert_int_equal(grantpt(terminal), 0);
    assert_int_equal(unlockpt(terminal), 0);
    *side = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(*side >= 0);
    assert_int_equal(ioctl(*side, TIOCSWINSZ, &size), 0);
    return terminal;
}

static void check_terminal(double seconds, const char *want)
{
    int side, terminal = open_terminal(&side);
    char said[256];

    show_on(side, seconds);
    assert_int_equal(write(side, ".", 1), 1); /* the end */
    for (size_t i = 0; i == 0 || said[i - 1] != '.'; i++) {
        assert_true(i + 1 < sizeof said);
        assert_int_equal(read(terminal, said + i, 1), 1);
        said[i + 1] = '\0';
    }
    assert_string_equal(said, want);
    close(side);
    close(terminal);
}

static void draws_after_a_second(void **state)
{
    (void)state;
    setenv("TERM", "xterm", 1);
    check_terminal(0.0, ".");
    check_terminal(10.0, "\rwriting 75 %: a long name ? o\033[K\r\033[K.");
}

static void is_silent_in_a_pipe(void **state)
{
    int ends[2];
    char said[16];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    show_on(ends[1], 10.0);
    close(ends[1]);
    assert_int_equal(read(ends[0], said, sizeof said), 0);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_after_a_second),
        cmocka_unit_test(is_silent_in_a_pipe),
    };

    return cmocka_run_group_tests_name("file_progress", tests, NULL, NULL);
}
