#define _DEFAULT_SOURCE
/* What profilers print, as it was recorded: on an H200 (ncu 2025.3), on a virtual machine (perf 6.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/profile/kernel.h"
#include "harness/profile/perf.h"
#include "harness/profile/tool.h"

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%.12g, expected %.12g", got, want);
}

/* Makes a file with this text; it exists until the next call. */
static char name[64];

static void forget_file(void)
{
    unlink(name);
}

static const char *file_of(const char *text)
{
    int file;

    forget_file();
    strcpy(name, "/tmp/rungs-test-XXXXXX");
    file = mkstemp(name);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    return name;
}

static size_t kernels_of(const char *file, struct kernel list[], size_t room)
{
    struct sheet s;
    struct error error;

    if (!sheet_read(&s, file, &error))
        fail_msg("%s", error.text);
    size_t count = kernel_read(&s, list, room);
    sheet_free(&s);
    return count;
}

/* --- sheets ----------------------------------------------------------------------------------- */

static void a_table_begins_behind_what_is_said(void **state)
{
    struct error error;
    struct sheet s;

    (void)state;
    assert_true(sheet_read(&s, file_of("==PROF== Connected, to 1\n\n\"a\",\"b\",\"c, d\",\"e\"\n"
                                       "1,\"1,234.5\",x\n\nNOTE\n,,,-3e2\n"), &error));
    assert_int_equal(s.columns, 4);
    assert_int_equal(s.rows, 2 - 1); /* a row of three fields is a message */
    assert_int_equal(sheet_column(&s, "c, d"), 2);
    assert_int_equal(sheet_column(&s, "f"), 4);
    assert_near(sheet_number(&s, 0, 3), -300.0);
    assert_true(isnan(sheet_number(&s, 0, 0)));
    assert_true(isnan(sheet_number(&s, 0, 4)));
    assert_true(isnan(sheet_number(&s, 1, 0)));
    assert_string_equal(sheet_text(&s, 7, 7), "");
    sheet_free(&s);
}

static void numbers_have_commas(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"1,234.5", 1234.5}, {"0", 0.0}, {"94,400", 94400.0}, {"7.12", 7.12},
                 {"n/a", NAN}, {"", NAN}, {"12 us", NAN}, {",", NAN}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error;
        struct sheet s;
        char text[200];
        snprintf(text, sizeof text, "\"a\",\"b\",\"c\",\"d\"\n\"%s\",\"\",\"\",\"\"\n", cases[i].text);
        assert_true(sheet_read(&s, file_of(text), &error));
        if (isnan(cases[i].value))
            assert_true(isnan(sheet_number(&s, 0, 0)));
        else
            assert_near(sheet_number(&s, 0, 0), cases[i].value);
        sheet_free(&s);
    }
}

static void what_is_no_table_is_an_error(void **state)
{
    struct error error;
    struct sheet s;

    (void)state;
    assert_false(sheet_read(&s, file_of("==WARNING== No kernels were profiled.\n"), &error));
    assert_non_null(strstr(error.text, "no table"));
    assert_false(sheet_read(&s, "/nonexistent/ncu.csv", &error));
    assert_non_null(strstr(error.text, "/nonexistent/ncu.csv"));
    assert_false(sheet_read(&s, file_of("\"a\",\"b\",\"c\",\"d\"\n\"1"), &error));
    assert_non_null(strstr(error.text, "never closed"));
}

/* --- kernels ---------------------------------------------------------------------------------- */

static void launches_of_a_kernel_are_one(void **state)
{
    struct kernel k[KERNELS];

    (void)state;
    assert_int_equal(kernels_of("tests/profile/knn-cuda_tiled.csv", k, KERNELS), 3);
    assert_string_equal(k[0].name, "knn_tiled_answer"); /* in the order of their times */
    assert_string_equal(k[1].name, "knn_tiled");
    assert_string_equal(k[2].name, "knn_tiled_units");
    assert_int_equal(k[2].launches, 2);
    assert_near(k[2].time, 5.280e-6);
    assert_near(k[2].longest, 2.720e-6);
    assert_string_equal(k[2].grid, "512"); /* of the longer one, which came second */
    assert_string_equal(k[2].block, "128");
    assert_near(k[2].metric[N_DRAM], 4.14);
    assert_int_equal(k[1].launches, 1);
    assert_near(k[1].time, 94.4e-6);
    assert_string_equal(k[1].device, "NVIDIA H200");
}

static void the_longest_launch_speaks_for_all(void **state)
{
    struct kernel k[KERNELS];

    (void)state;
    assert_int_equal(kernels_of(file_of("\"ID\",\"Kernel Name\",\"Grid Size\",\"gpu__time_duration.sum\"\n"
                                        "\"\",\"\",\"\",\"ns\"\n"
                                        "0,\"void tile<64>(int)\",\"(4, 2, 1)\",\"1,000\"\n"
                                        "1,\"void tile<64>(int)\",\"(9, 1, 1)\",\"3,000\"\n"
                                        "2,\"void tile<64>(int)\",\"(4, 2, 1)\",\"2,000\"\n"), k, KERNELS),
                     1);
    assert_string_equal(k[0].name, "tile<64>");
    assert_int_equal(k[0].launches, 3);
    assert_near(k[0].time, 6e-6);
    assert_near(k[0].longest, 3e-6);
    assert_string_equal(k[0].grid, "9");
}

static void metrics_come_from_their_columns(void **state)
{
    struct kernel k[KERNELS];

    (void)state;
    assert_int_equal(kernels_of("tests/profile/knn-cuda_shared.csv", k, KERNELS), 1);
    assert_near(k[0].metric[N_FMA], 40.38);
    assert_near(k[0].metric[N_LOADS], 519309.0);
    assert_near(k[0].metric[N_LOAD_SECTORS], 1022439.0);
    assert_near(k[0].metric[N_LOAD_BYTES], 20070932.0);
    assert_near(k[0].metric[N_CONFLICTS], 19104.0);
    assert_near(k[0].metric[N_SHARED_STATIC], 4096.0);
    assert_near(k[0].metric[N_WAVES], 0.32);
    assert_true(isnan(k[0].metric[N_F16])); /* this device has no such pipe */
}

static void the_worst_stall_is_one_that_waits(void **state)
{
    struct kernel k[KERNELS];

    (void)state;
    kernels_of("tests/profile/knn-cuda_tiled.csv", k, KERNELS);
    assert_string_equal(k[0].stall, "long_scoreboard");
    assert_near(k[0].stalled, 3.97);
    assert_string_equal(k[1].stall, "math_pipe_throttle"); /* 0.90; not_selected has 3.06 */
    assert_near(k[1].stalled, 0.90);
    assert_near(k[1].cycles, 0.05 + 0.01 + 0.87 + 0.01 + 0.10 + 0.90 + 0.02 + 3.06 + 1 + 0.07 + 0.16);
}

static void no_more_kernels_than_there_is_room_for(void **state)
{
    struct kernel k[2];

    (void)state;
    assert_int_equal(kernels_of("tests/profile/knn-cuda_tiled.csv", k, 2), 2);
}

/* Every metric that is read is also requested, and ncu knows its name (except one, on this device). */
static void what_is_asked_for_is_there(void **state)
{
    char text[4096], *rest = text, *metric;
    struct error error;
    struct sheet s;
    size_t asked = 0;

    (void)state;
    kernel_metrics(text, sizeof text);
    assert_true(sheet_read(&s, "tests/profile/knn-cuda_tiled.csv", &error));
    while ((metric = strsep(&rest, ",")) != NULL) {
        asked++;
        if (strncmp(metric, "regex:", 6) == 0 || strstr(metric, "pipe_fp16") != NULL)
            continue;
        if (sheet_column(&s, metric) == s.columns)
            fail_msg("no %s", metric);
    }
    assert_int_equal(asked, N_METRICS + 1);
    sheet_free(&s);
}

/* --- what bounds them ------------------------------------------------------------------------- */

static void what_bounds_a_kernel(void **state)
{
    static const struct {
        double dram, l2, fma, issue, waves, longest;
        const char *stall, *want;
    } cases[] = {
        {93.0, 30.0, 20.0, 30.0, 9.0, 1e-3, "long_scoreboard", "memory: 93 %"},
        {93.0, 30.0, 95.0, 30.0, 9.0, 1e-3, "long_scoreboard", "arithmetic, multiply-adds: 95 %"},
        {10.0, 30.0, 20.0, 77.0, 9.0, 1e-3, "wait", "the issue of instructions: 77 %"},
        {59.0, 30.0, 20.0, 30.0, 9.0, 1e-3, "long_scoreboard",
         "latency: nothing is busier than 59 % (memory); warps wait for global memory"},
        {59.0, 30.0, 20.0, 30.0, 9.0, 1e-3, "quantum_foam", "warps wait for quantum_foam"},
        {59.0, 30.0, 20.0, 30.0, 9.0, 1e-3, "", "latency: nothing is busier than 59 % (memory)"},
        {20.0, 30.0, 20.0, 30.0, 0.4, 1e-3, "long_scoreboard", "too little work: the grid fills 40 %"},
        {20.0, 30.0, 20.0, 30.0, 0.4, 2e-6, "long_scoreboard", "its start: 2.0 us"},
        {80.0, 30.0, 20.0, 30.0, 0.4, 2e-6, "long_scoreboard", "memory: 80 %"},
        {85.0, 91.0, 20.0, 30.0, 9.0, 1e-3, "wait",
         "memory: 85 % of what the device can do, 91 % of the L2 cache before it"},
        {23.0, 66.0, 20.0, 30.0, 9.0, 1e-3, "wait", "the L2 cache: 66 %"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kernel k = {.longest = cases[i].longest};
        char text[400];
        for (int m = 0; m < N_METRICS; m++)
            k.metric[m] = NAN;
        k.metric[N_DRAM] = cases[i].dram;
        k.metric[N_L2] = cases[i].l2;
        k.metric[N_FMA] = cases[i].fma;
        k.metric[N_ISSUE] = cases[i].issue;
        k.metric[N_WAVES] = cases[i].waves;
        snprintf(k.stall, sizeof k.stall, "%s", cases[i].stall);
        kernel_bound(&k, text, sizeof text);
        if (strstr(text, cases[i].want) == NULL)
            fail_msg("%zu: \"%s\", expected \"%s\"", i, text, cases[i].want);
    }
}

static void five_facts(void **state)
{
    struct kernel k[KERNELS];
    char *text = NULL;
    size_t bytes;

    (void)state;
    kernels_of("tests/profile/knn-cuda_shared.csv", k, KERNELS);
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    kernel_print(out, &k[0], 1.0);
    fclose(out);
    assert_string_equal(
        text,
        "kernel knn_shared: 360 us; 256 blocks of 256 threads\n"
        "  bound by            special functions: 74 % of what the device can do\n"
        "  of the peak         memory 0 %, L2 3 %, L1 and shared memory 45 %; arithmetic 74 % (fma 40, alu\n"
        "                      17, xu 74), instructions issued in 68 % of the cycles\n"
        "  sectors a request   loads 2.0 for 39 bytes; stores 1.3 for 8 bytes\n"
        "  shared memory       2.3 wavefronts an instruction, none of them for bank conflicts\n"
        "  occupancy           23 % of 75 % possible, for want of registers; 40 registers a thread, 4096\n"
        "                      bytes of shared memory a block\n");
    free(text);
}

/* --- perf ------------------------------------------------------------------------------------- */

static void perf_counts_what_the_machine_does(void **state)
{
    struct perf_counts p;
    struct error error;

    (void)state;
    assert_true(perf_read(&p, "tests/profile/perf-virtual", &error));
    assert_false(perf_has_hardware(&p));
    assert_near(p.of[P_TASK_CLOCK], 108.70);
    assert_near(p.of[P_SWITCHES], 36.0);
    assert_true(isnan(p.of[P_CYCLES]));

    assert_true(perf_read(&p, file_of("# started on Sat Nov 21 16:45:12 2026\n\n"
                                      "4000,,cycles:u,900,100.00,,\n10000,,instructions:u,900,100.00,2.5,x\n"
                                      "100,,branches,900,100.00,,\n7,,branch-misses,900,100.00,,\n"
                                      "2.00,msec,task-clock,2000,100.00,0.9,CPUs utilized\n"), &error));
    assert_true(perf_has_hardware(&p));
    assert_near(p.of[P_INSTRUCTIONS], 10000.0);
    assert_near(p.of[P_BRANCHES], 100.0); /* not the branch-misses */
    assert_near(p.of[P_BRANCH_MISSES], 7.0);
    assert_true(isnan(p.of[P_CACHE_MISSES]));

    assert_false(perf_read(&p, file_of("perf: no\n"), &error));
    assert_false(perf_read(&p, "/nonexistent/counts", &error));
    assert_non_null(strstr(error.text, "/nonexistent/counts"));
}

static void perf_says_what_bounds_it(void **state)
{
    static const struct {
        double instructions, cycles, misses, branch_misses;
        const char *want;
    } cases[] = {{1e9, 4e8, 1e4, 1e4, "bound by            arithmetic"},
                 {1e9, 2e9, 2e7, 1e4, "bound by            memory"},
                 {1e9, 2e9, 1e4, 2e7, "bound by            branches"},
                 {1e9, 2e9, 1e4, 1e4, "bound by            latency"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct perf_counts p = {.of = {0.0}};
        char *text = NULL;
        size_t bytes;
        FILE *out = open_memstream(&text, &bytes);
        assert_non_null(out);
        p.of[P_INSTRUCTIONS] = cases[i].instructions;
        p.of[P_CYCLES] = cases[i].cycles;
        p.of[P_CACHE_MISSES] = cases[i].misses;
        p.of[P_BRANCHES] = 1e8;
        p.of[P_BRANCH_MISSES] = cases[i].branch_misses;
        p.of[P_TASK_CLOCK] = 1500.0;
        p.of[P_FAULTS] = 10.0;
        perf_print(out, &p, 5.0, 1.0);
        fclose(out);
        if (strstr(text, cases[i].want) == NULL || strstr(text, "cores at work       1.50") == NULL ||
            strstr(text, "2 page faults") == NULL)
            fail_msg("%s, expected %s", text, cases[i].want);
        free(text);
    }
}

/* --- tools ------------------------------------------------------------------------------------ */

static void a_command_can_be_typed_again(void **state)
{
    struct command_line c = {.count = 0};
    char text[200];

    (void)state;
    command_add(&c, "/usr/bin/ncu");
    command_add(&c, "regex:a.*b");
    command_add(&c, "--set");
    command_add(&c, "");
    command_line_text(&c, text, sizeof text);
    assert_string_equal(text, "/usr/bin/ncu 'regex:a.*b' --set ''");
}

static void a_tool_ends_as_it_ends(void **state)
{
    const char *log = file_of("");
    char line[64];
    struct error error;

    (void)state;
    struct command_line c = {.words = {"/bin/sh", "-c", "echo first; echo second >&2; exit 7"}, .count = 3};
    assert_int_equal(tool_run(&c, log, NULL, &error), 7);
    assert_true(tool_said(log, "first", NULL, 0));
    assert_true(tool_said(log, "s", line, sizeof line));
    assert_string_equal(line, "second");
    assert_false(tool_said(log, "third", NULL, 0));
    c = (struct command_line){.words = {"/bin/sh", "-c", "kill -9 $$"}, .count = 3};
    assert_int_equal(tool_run(&c, log, NULL, &error), 128 + 9);
    c = (struct command_line){.words = {"/nonexistent/tool"}, .count = 1};
    assert_int_equal(tool_run(&c, log, NULL, &error), -1);
    assert_non_null(strstr(error.text, "/nonexistent/tool"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_begins_behind_what_is_said),
        cmocka_unit_test(numbers_have_commas),
        cmocka_unit_test(what_is_no_table_is_an_error),
        cmocka_unit_test(launches_of_a_kernel_are_one),
        cmocka_unit_test(the_longest_launch_speaks_for_all),
        cmocka_unit_test(metrics_come_from_their_columns),
        cmocka_unit_test(the_worst_stall_is_one_that_waits),
        cmocka_unit_test(no_more_kernels_than_there_is_room_for),
        cmocka_unit_test(what_is_asked_for_is_there),
        cmocka_unit_test(what_bounds_a_kernel),
        cmocka_unit_test(five_facts),
        cmocka_unit_test(perf_counts_what_the_machine_does),
        cmocka_unit_test(perf_says_what_bounds_it),
        cmocka_unit_test(a_command_can_be_typed_again),
        cmocka_unit_test(a_tool_ends_as_it_ends),
    };

    atexit(forget_file);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
