/* Several processes of a variant at the same time: how many calls they make, what a call then takes, and whether MPS runs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "harness/machine/mps.h"
#include "harness/measure/companions.h"
#include "harness/records/speedup.h"
#include "harness/worker/keep_on.h"

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* --- cycles --------------------------------------------------------------------------------------- */

/* A cycle a second, from 100 on. */
static void note(unsigned cycles)
{
    for (unsigned i = 0; i <= cycles; i++)
        keep_on_note(i == 0, 100.0 + i);
}

static void cycles_are_counted_in_parts(void **state)
{
    (void)state;
    note(10);
    assert_true(near(keep_on_cycles(100.0, 110.0), 10.0));
    assert_true(near(keep_on_cycles(102.5, 104.25), 1.75));
    assert_true(near(keep_on_cycles(90.0, 101.0), 1.0));   /* none before the first */
    assert_true(near(keep_on_cycles(109.0, 999.0), 1.0));  /* nor after the last */
    assert_true(keep_on_cycles(200.0, 300.0) == 0.0);
}

static void a_long_last_cycle_counts_by_its_share(void **state)
{
    (void)state;
    note(3);
    keep_on_note(false, 113.0); /* ten seconds: it waited for a processor */
    assert_true(near(keep_on_cycles(100.0, 104.0), 3.1));
}

static void many_cycles_are_not_forgotten(void **state)
{
    static const unsigned many[] = {1023, 1024, 1025, 2047, 2048, 100000};

    (void)state;
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        note(many[i]);
        assert_true(near(keep_on_cycles(0.0, 1e9), many[i]));
        assert_true(near(keep_on_cycles(110.5, 100.0 + many[i] - 3.0), many[i] - 13.5));
    }
    note(2); /* and a new one begins with none */
    assert_true(near(keep_on_cycles(0.0, 1e9), 2.0));
}

/* --- the time of a call --------------------------------------------------------------------------- */

static struct samples two_samples(double first, double second)
{
    return (struct samples){.count = 2, .time = {[PHASE_E2E] = {first, second}, [PHASE_RUN] = {0.5, 0.5},
                                                 [PHASE_COLD] = {NAN, NAN}, [PHASE_UPLOAD] = {NAN, NAN},
                                                 [PHASE_DOWNLOAD] = {NAN, NAN}}};
}

static void a_call_takes_its_share_of_all(void **state)
{
    const struct entrant e = {.scale = {.processes = 3}, .companion_count = 2};
    struct samples s = two_samples(1.0, 3.0); /* half a call a second */

    (void)state;
    companions_share(&e, &s, 1.0);
    assert_true(near(s.time[PHASE_E2E][0], 2.0) && near(s.time[PHASE_E2E][1], 2.0)); /* three make 1.5 a second */
    assert_true(isnan(s.time[PHASE_RUN][0]));
    s = two_samples(1.0, 1.0);
    companions_share(&e, &s, 0.0); /* the others have not had the device at all: alone it is no faster than thirds */
    assert_true(near(s.time[PHASE_E2E][0], 3.0));
}

static void one_process_keeps_its_phases(void **state)
{
    const struct entrant e = {.scale = {.processes = 1}};
    struct samples s = two_samples(1.0, 3.0);

    (void)state;
    companions_share(&e, &s, 0.0);
    assert_true(near(s.time[PHASE_E2E][0], 2.0) && near(s.time[PHASE_RUN][0], 0.5));
}

/* --- speed-up ------------------------------------------------------------------------------------- */

static void speed_up_is_that_of_all_together(void **state)
{
    static double one[20], four[20];
    struct result a = {.problem = "saxpy", .variant = "cuda_naive", .device = "gpu", .scale = {.processes = 1}}, b = a;
    struct result *const rows[] = {&a, &b};
    struct speedup list[2];

    (void)state;
    for (int i = 0; i < 20; i++) {
        one[i] = 1.0 + 0.001 * (i % 5);
        four[i] = 2.0 + 0.001 * (i % 7);
    }
    b.scale.processes = 4;
    a.time[PHASE_E2E] = series_of(one, 20);
    b.time[PHASE_E2E] = series_of(four, 20);
    assert_int_equal(speedups_find(rows, 2, list), 1);
    assert_true(fabs(list[0].e2e.ratio - 2.0) < 0.01); /* each call takes twice as long, and four are made */
    assert_true(list[0].e2e.low > 1.9 && list[0].e2e.high < 2.1);
    assert_true(fabs(speedup_efficiency(&list[0], list[0].e2e.ratio) - 0.5) < 0.01);
    a.scale = b.scale = (struct scale){.threads = 1};
    b.scale.threads = 4; /* threads share one call */
    assert_int_equal(speedups_find(rows, 2, list), 1);
    assert_true(fabs(list[0].e2e.ratio - 0.5) < 0.01);
}

/* --- MPS ------------------------------------------------------------------------------------------ */

static char folder[] = "/tmp/rungs-mps-XXXXXX";

static void make_process(const char *pid, const char *command)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, pid);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/%s/cmdline", folder, pid);
    FILE *f = fopen(path, "we");
    assert_non_null(f);
    fwrite(command, 1, strlen(command) + 1, f);
    fputs("-d", f);
    fclose(f);
}

static void mps_is_found(void **state)
{
    char pipes[64], control[80], command[96];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(pipes, sizeof pipes, "%s/pipes", folder);
    snprintf(control, sizeof control, "%s/control", pipes);
    make_process("17", "/usr/bin/nvidia-cuda-mps-servers"); /* another program */
    make_process("self", "nvidia-cuda-mps-server");         /* no process */
    assert_string_equal(mps_state_of(folder, pipes), "none");
    assert_int_equal(mkdir(pipes, 0700), 0);
    assert_string_equal(mps_state_of(folder, pipes), "none");
    fclose(fopen(control, "we"));
    assert_string_equal(mps_state_of(folder, pipes), "control"); /* of the host, which a container does not see */
    remove(control);
    make_process("18", "/usr/bin/nvidia-cuda-mps-control");
    assert_string_equal(mps_state_of(folder, pipes), "control");
    make_process("19", "nvidia-cuda-mps-server");
    assert_string_equal(mps_state_of(folder, pipes), "server");
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_counted_in_parts),
        cmocka_unit_test(a_long_last_cycle_counts_by_its_share),
        cmocka_unit_test(many_cycles_are_not_forgotten),
        cmocka_unit_test(a_call_takes_its_share_of_all),
        cmocka_unit_test(one_process_keeps_its_phases),
        cmocka_unit_test(speed_up_is_that_of_all_together),
        cmocka_unit_test(mps_is_found),
    };

    return cmocka_run_group_tests_name("companions", tests, NULL, NULL);
}
