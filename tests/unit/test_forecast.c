/* Scaling beyond the measured ranks, with made-up times: what the formula fits is extrapolated, the rest is refused. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/records/forecast.h"
#include "harness/records/traffic.h"

enum { ROWS = 8, ROUNDS = 3 };

static struct result rows[ROWS];
static double rounds[ROWS][ROUNDS];
static struct records made_up;
static const struct network network = {.alpha = 1e-6, .beta = 1e10};

static void begin(void **state)
{
    (void)state;
    made_up = (struct records){.results = rows};
}

static void set_axis(struct result *r, const char *name, long long value)
{
    struct axis *axis = &r->size[r->axes++];

    snprintf(axis->name, sizeof axis->name, "%s", name);
    axis->value = value;
}

/* A stencil of 1024 x 1024, or `times` as many rows, that takes so long with so many ranks. */
static struct result *add(const char *sends, int ranks, int times, double seconds)
{
    const size_t i = made_up.result_count++;
    struct result *r = &rows[i];

    *r = (struct result){.problem = "stencil", .variant = "cpu_mpi", .scale = {.ranks = ranks}};
    snprintf(r->label, sizeof r->label, times > 1 ? "M*%d" : "M", times);
    snprintf(r->mpi.sends, sizeof r->mpi.sends, "%s", sends);
    set_axis(r, "rows", 1024LL * times);
    set_axis(r, "cols", 1024);
    set_axis(r, "sweeps", 10);
    set_axis(r, "bytes", 0);
    for (size_t at = 0; at < ROUNDS; at++)
        rounds[i][at] = seconds;
    r->time[PHASE_RUN] = r->time[PHASE_E2E] = series_of(rounds[i], ROUNDS);
    return r;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* Ten sweeps of two messages of 4 KiB: 28.192 us, and what starts and ends a run: 2.1024 us a step of the tree. */
static const double HALO = 20.0 * (1e-6 + 4096.0 / 1e10), STEP = 2e-6 + 1024.0 / 1e10, ONE = 8e-3;

static struct forecast forecast(bool weak, int most)
{
    struct forecast f;

    forecast_make(&f, &made_up, &rows[0], weak, &network, most);
    return f;
}

static void what_fits_is_extrapolated(void **state)
{
    (void)state;
    add("halo", 1, 1, ONE);
    add("halo", 2, 1, 1.1 * (ONE / 2.0 + HALO + STEP));
    add("halo", 4, 1, ONE / 4.0 + HALO + 2.0 * STEP);
    const struct forecast f = forecast(false, 64);
    assert_true(f.accepted && f.reason[0] == '\0');
    assert_true(near(f.worst, 1.0 - 1.0 / 1.1) && f.worst_at == 2);
    assert_int_equal(f.count, 7); /* 1, 2, 4 and 8, 16, 32, 64 */
    assert_true(f.points[2].ranks == 4 && near(f.points[2].measured, ONE / 4.0 + HALO + 2.0 * STEP));
    assert_true(f.points[6].ranks == 64 && isnan(f.points[6].measured));
    assert_true(near(f.points[6].formula, ONE / 64.0 + HALO + 6.0 * STEP));
    assert_true(near(forecast_speedup(&f, &f.points[6]), ONE / (ONE / 64.0 + HALO + 6.0 * STEP)));
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    add("halo", 1, 1, ONE);
    add("halo", 2, 1, ONE / 2.0 + HALO + STEP);
    add("halo", 4, 1, 1.4 * (ONE / 4.0 + HALO + 2.0 * STEP)); /* the formula is 29 % too low */
    const struct forecast f = forecast(false, 4096);
    assert_false(f.accepted);
    assert_string_equal(f.reason, "the formula is 29 % off with 4 ranks, more than 25 %");
    assert_int_equal(f.count, 3);
    for (size_t i = 0; i < f.count; i++)
        assert_true(isfinite(f.points[i].measured));
}

static void what_is_too_fast_is_refused(void **state)
{
    (void)state;
    add("halo", 1, 1, ONE);
    add("halo", 2, 1, (ONE / 2.0 + HALO + STEP) / 1.3); /* as where the halves fit a cache */
    assert_false(forecast(false, 4096).accepted);
}

static void what_is_not_known_is_refused(void **state)
{
    (void)state;
    add("", 1, 1, ONE);
    add("", 2, 1, ONE / 2.0);
    struct forecast f = forecast(false, 4096);
    assert_string_equal(f.reason, "the record does not say what the ranks send");
    begin(NULL);
    add("gossip", 1, 1, ONE);
    add("gossip", 2, 1, ONE / 2.0);
    f = forecast(false, 4096);
    assert_string_equal(f.reason, "there is no formula for what the ranks send");
    assert_true(!f.accepted && f.count == 2);
    begin(NULL);
    add("summa", 1, 1, ONE); /* a stencil has no such axes */
    add("summa", 2, 1, ONE / 2.0);
    assert_false(forecast(false, 4096).accepted);
    begin(NULL);
    add("halo", 1, 1, ONE);
    f = forecast(false, 4096);
    assert_true(!f.accepted && f.count == 1 && strstr(f.reason, "only one number of ranks") != NULL);
}

static void weak_scaling_has_as_much_work_a_rank(void **state)
{
    (void)state;
    add("halo", 1, 1, ONE);
    add("halo", 2, 1, 99.0); /* strong: no point of this curve */
    add("halo", 1, 2, 99.0);
    add("halo", 2, 2, ONE + HALO + STEP);
    assert_true(forecast_begins(&made_up, &rows[0], true));
    assert_false(forecast_begins(&made_up, &rows[2], true)); /* twice as large with one rank */
    assert_false(forecast_begins(&made_up, &rows[3], false));
    const struct forecast f = forecast(true, 4096);
    assert_true(f.accepted && f.worst < 1e-9);
    assert_int_equal(f.points[f.count - 1].ranks, 4096); /* of 1024 rows each */
    assert_true(near(f.points[f.count - 1].formula, ONE + HALO + 12.0 * STEP));
    assert_true(near(forecast_speedup(&f, &f.points[f.count - 1]), 4096.0 * ONE / (ONE + HALO + 12.0 * STEP)));
}

static void it_ends_where_the_work_does(void **state)
{
    (void)state;
    add("halo", 1, 1, ONE);
    add("halo", 2, 1, ONE / 2.0 + HALO + STEP);
    const struct forecast f = forecast(false, 4096);
    assert_int_equal(f.last, 1024);
    assert_int_equal(f.points[f.count - 1].ranks, 1024);
    /* With 128 ranks 62.5 us of arithmetic and 42.9 of messages; four times as many have 15.6 and 47.1. */
    assert_int_equal(f.ends, 128);
    assert_int_equal(f.waits, 256);
}

static void messages_may_travel_meanwhile(void **state)
{
    (void)state;
    add("halo, overlapped", 1, 1, ONE);
    add("halo, overlapped", 2, 1, ONE / 2.0 + STEP);
    const struct forecast f = forecast(false, 1024);
    assert_true(f.accepted && f.worst < 1e-9);
    assert_true(near(f.points[1].formula, ONE / 2.0 + STEP));
    assert_true(near(f.points[f.count - 1].formula, HALO + 10.0 * STEP)); /* 1024 ranks: nothing left to hide behind */
}

static void other_runs_and_variants_are_no_points(void **state)
{
    (void)state;
    add("halo", 1, 1, ONE);
    add("halo", 2, 1, ONE / 2.0 + HALO + STEP);
    add("halo", 4, 1, 99.0)->run = 1;
    snprintf(add("halo", 8, 1, 99.0)->variant, sizeof rows->variant, "cpu_mpi_overlap");
    add("halo", 16, 1, 99.0)->fate.outcome = OUTCOME_WRONG;
    add("halo", INT_MAX, 1, 99.0);
    const struct forecast f = forecast(false, 4);
    assert_true(f.accepted && f.count == 3 && isnan(f.points[2].measured));
}

/* --- patterns ------------------------------------------------------------------------------------- */

static struct traffic traffic(const char *sends, int ranks, const char *const axes[], const long long lengths[])
{
    struct result r = {.problem = "x"};
    struct traffic t;

    snprintf(r.mpi.sends, sizeof r.mpi.sends, "%s", sends);
    for (size_t i = 0; axes[i] != NULL; i++)
        set_axis(&r, axes[i], lengths[i]);
    assert_true(traffic_of(&r, ranks, 1.0, &t));
    return t;
}

static void patterns_count_what_is_sent(void **state)
{
    static const char *const knn[] = {"m", "n", "k", NULL}, *const fft[] = {"batch", "n", NULL};
    const long long of_knn[] = {1000, 4096, 2}, square[] = {768, 768, 768}, many[] = {4, 1 << 16}, one[] = {1, 1 << 16};

    (void)state;
    struct traffic t = traffic("nothing", 3, knn, of_knn);
    assert_true(t.messages == 0.0 && t.bytes == 0.0 && near(t.share, 0.334) && t.most == 1000.0);
    t = traffic("tree", 8, knn, of_knn);
    assert_true(t.messages == 3.0 && t.bytes == 3.0 * 1000 * 2 * 16 && t.share == 0.125);
    t = traffic("summa", 4, knn, square); /* 2 by 2; two slices of 384 */
    assert_true(t.messages == 4.0 && t.bytes == 4.0 * 2.0 * 384 * 768 && t.share == 0.25);
    t = traffic("summa", 3, knn, square); /* 3 by 1: B alone travels */
    assert_true(t.bytes == 4.0 * 768 * 768 && near(t.share, 1.0 / 3.0));
    t = traffic("all to all, few", 4, fft, many);
    assert_true(t.messages == 0.0 && t.most == 4.0);
    t = traffic("all to all, few", 4, fft, one);
    assert_true(t.messages == 9.0 && near(t.bytes, 3.0 * 8.0 * 65536 / 4.0 * 0.75) && t.most == 256.0);
    t = traffic("all to all", 4, fft, many);
    assert_true(t.messages == 36.0);
}

static void a_network_is_read(void **state)
{
    struct network n;
    struct error error;

    (void)state;
    assert_true(network_parse("alpha=1.5us,beta=12.5GB", &n, &error));
    assert_true(near(n.alpha, 1.5e-6) && near(n.beta, 12.5e9) && n.mpi.hosts == 0);
    assert_true(network_parse("beta=900MB/s,alpha=30ns", &n, &error) && near(n.alpha, 30e-9) && near(n.beta, 9e8));
    static const char *const wrong[] = {"", "alpha=1us", "alpha=1,beta=1GB", "alpha=1us,beta=1", "alpha=0us,beta=1GB",
                                        "alpha=-1us,beta=1GB", "alpha=us,beta=1GB", "alpha=1us,beta=1GB,gamma=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(network_parse(wrong[i], &n, &error));
}

static void a_network_is_found_in_its_file(void **state)
{
    struct ceiling_value values[] = {
        {.resource = RESOURCE_NETWORK, .bytes = 1 << 22, .best = 2e10, .median = 1e10, .low = 9e9, .high = 1.1e10},
        {.resource = RESOURCE_NETWORK, .bytes = 1 << 16, .best = 9e9, .median = 8e9},
        {.resource = RESOURCE_MESSAGE, .bytes = 8, .best = 1e6, .median = NAN, .low = NAN, .high = NAN, .mpi = {.ranks = 2, .hosts = 2}},
    };
    struct records p = {.ceilings = values, .ceiling_count = 3};
    struct network n;

    (void)state;
    assert_true(network_find(&p, &n));
    assert_true(near(n.alpha, 1e-6) && near(n.beta, 1e10) && n.mpi.hosts == 2);
    assert_true(isinf(n.alpha_width) && near(n.beta_width, 0.2));
    p.ceiling_count = 2;
    assert_false(network_find(&p, &n));
    p.ceiling_count = 3;
    values[2].fate.outcome = OUTCOME_CRASH;
    assert_false(network_find(&p, &n));
}

#define TEST(function) cmocka_unit_test(function)
#define CURVE(function) {#function, function, start, NULL, NULL}

static int start(void **state)
{
    begin(state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CURVE(what_fits_is_extrapolated),
        CURVE(what_does_not_fit_is_refused),
        CURVE(what_is_too_fast_is_refused),
        CURVE(what_is_not_known_is_refused),
        CURVE(weak_scaling_has_as_much_work_a_rank),
        CURVE(it_ends_where_the_work_does),
        CURVE(messages_may_travel_meanwhile),
        CURVE(other_runs_and_variants_are_no_points),
        TEST(patterns_count_what_is_sent),
        TEST(a_network_is_read),
        TEST(a_network_is_found_in_its_file),
    };

    return cmocka_run_group_tests_name("forecast", tests, NULL, NULL);
}
