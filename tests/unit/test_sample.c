/* Timing on the worker's side, on a device with a made-up clock: every call leaves a letter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/worker/sample.h"

/* u upload, x reset, r run, d download, e evict, l lead */
static char log_[1 << 16];
static size_t logged;
static double now, run_takes, marks[DEVICE_MARKS];

static void note(char letter)
{
    if (logged < sizeof log_ - 1)
        log_[logged++] = letter;
}

static void upload(const void *p) { (void)p, note('u'), now += 1e-3; }
static void reset(const void *p) { (void)p, note('x'), now += 3e-3; }
static void run(const void *p) { (void)p, note('r'), now += run_takes; }
static void download(const void *p) { (void)p, note('d'), now += 2e-3; }

static void mark(int i) { marks[i] = now; }
static double seconds(int i, int j) { return marks[j] - marks[i]; }
static void nothing(void) {}
static void lead(double duration) { (void)duration, note('l'); }
static void evict(void) { note('e'); }

static const struct device device = {.name = "made-up", .mark = mark, .seconds = seconds,
                                     .sync = nothing, .lead = lead, .evict = evict};

static struct reply block(const struct variant *variant, double takes, unsigned samples)
{
    static struct ledger ledger;
    const struct stage stage = {.variant = variant, .device = &device, .ledger = &ledger};
    const struct request request = {.op = OP_BLOCK, .samples = samples, .reps = 1, .seconds = 10.0};
    struct reply reply = {.outcome = OUTCOME_OK};

    memset(log_, 0, sizeof log_);
    logged = 0;
    run_takes = takes;
    sample_begin();
    sample_block(&stage, &request, &reply);
    assert_int_equal(ledger.activity, IN_HARNESS);
    return reply;
}

static const struct variant plain = {.upload = upload, .run = run, .download = download};
static const struct variant in_place = {
    .upload = upload, .reset = reset, .run = run, .download = download};
static const struct variant moves_pages = {.reset = reset, .run = run};

static void phases_are_told_apart(void **state)
{
    struct reply a = block(&plain, 50e-6, 3);

    (void)state;
    assert_int_equal(a.samples.count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(fabs(a.samples.time[PHASE_UPLOAD][i] - 1e-3) < 1e-9);
        /* One run, or an average of several. */
        assert_true(fabs(a.samples.time[PHASE_RUN][i] - 50e-6) < 1e-9);
        assert_true(fabs(a.samples.time[PHASE_COLD][i] - 50e-6) < 1e-9);
        assert_true(fabs(a.samples.time[PHASE_DOWNLOAD][i] - 2e-3) < 1e-9);
    }
}

static void short_runs_fill_an_interval(void **state)
{
    (void)state;
    assert_in_range(block(&plain, 50e-6, 1).samples.runs, 4, 6); /* 0.2 ms */
    assert_int_equal(block(&plain, 300e-6, 1).samples.runs, 1);
}

static void a_cold_run_comes_straight_after_the_emptying(void **state)
{
    (void)state;
    block(&in_place, 50e-6, 4);
    assert_non_null(strchr(log_, 'e'));
    for (const char *e = strchr(log_, 'e'); e != NULL; e = strchr(e + 1, 'e'))
        assert_memory_equal(e, "elrd", 4); /* queued behind the lead; nothing warms the cache */
}

static void a_long_run_is_run_once_a_sample(void **state)
{
    struct reply a = block(&plain, 20e-3, 2);

    (void)state;
    assert_null(strchr(log_, 'e'));
    assert_null(strchr(log_, 'l'));
    assert_true(isnan(a.samples.time[PHASE_COLD][0]));
    /* calibration, then phases and the whole, twice */
    assert_string_equal(log_, "urd" "urd" "urd" "urd" "urd");
}

/* Between two runs there is an upload or a reset. */
static void assert_never_used_twice(void)
{
    assert_null(strstr(log_, "rr"));
    assert_null(strstr(log_, "rlr"));
    for (const char *r = strchr(log_, 'r'); r != NULL; r = strchr(r + 1, 'r')) {
        const char *before = r;
        while (before > log_ && before[-1] != 'r' && before[-1] != 'u' && before[-1] != 'x')
            before--;
        assert_true(before > log_ && before[-1] != 'r');
    }
}

static void what_a_run_uses_up_is_put_back(void **state)
{
    struct reply a = block(&in_place, 50e-6, 3);

    (void)state;
    assert_never_used_twice();
    assert_int_equal(a.samples.runs, 1);
    for (unsigned i = 0; i < 3; i++) /* untimed */
        assert_true(fabs(a.samples.time[PHASE_RUN][i] - 50e-6) < 1e-9);

    block(&moves_pages, 50e-6, 3);
    assert_string_equal(log_, "xrxrxr");
}

static void without_uploads_a_reset_keeps_samples_at_one_cycle(void **state)
{
    static struct ledger ledger;
    const struct stage stage = {.variant = &moves_pages, .device = &device, .ledger = &ledger};
    const struct request request = {.op = OP_WARM, .seconds = 0.0, .target = 1.0};
    struct reply reply = {.outcome = OUTCOME_OK};

    (void)state;
    sample_warm(&stage, &request, &reply); /* a cycle takes no real time here: others would go on */
    assert_int_equal(reply.reps, 1);
}

/* A first call that is not a sample; time outside of samples is `beside`, and together they are all of
   the time. */
static void a_first_call_may_be_all(void **state)
{
    static struct ledger ledger;
    static const struct variant short_one = {.run = run};
    const struct stage stage = {.variant = &short_one, .device = &device, .ledger = &ledger};
    const struct request look = {.op = OP_BLOCK, .reps = 7, .settle = true};
    const struct request both = {.op = OP_BLOCK, .samples = 2, .reps = 3, .seconds = 1.0, .settle = true};
    struct reply a = {.outcome = OUTCOME_OK}, b = {.outcome = OUTCOME_OK};

    (void)state;
    memset(log_, 0, sizeof log_);
    logged = 0;
    sample_begin();
    sample_block(&stage, &look, &a);
    assert_int_equal(a.samples.count, 0);
    assert_true(a.first > 0.0 && a.last_call > 0.0);
    assert_string_equal(log_, "r");
    sample_block(&stage, &both, &b);
    assert_int_equal(b.samples.count, 2);
    assert_true(b.first > 0.0 && b.last_call > a.last_call);
    assert_true(b.beside <= 0.0);
    assert_string_equal(log_, "r" "r" "rrr" "rrr");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_are_told_apart),
        cmocka_unit_test(short_runs_fill_an_interval),
        cmocka_unit_test(a_cold_run_comes_straight_after_the_emptying),
        cmocka_unit_test(a_first_call_may_be_all),
        cmocka_unit_test(a_long_run_is_run_once_a_sample),
        cmocka_unit_test(what_a_run_uses_up_is_put_back),
        cmocka_unit_test(without_uploads_a_reset_keeps_samples_at_one_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
