/* The reader of records: what it makes of valid files, and its error for every kind of invalid one. */
#include "tests/unit/files/scratch.h"

#include <math.h>

#include "harness/records/caveats.h"
#include "harness/records/records.h"

#define RUN                                                                                        \
    "{\"record\":\"run\",\"schema\":\"rungs/1.0\",\"run_id\":\"a\",\"started\":\"2026-11-21T09:06:47Z\"," \
    "\"seed\":7,\"threads\":2,\"profile\":\"quick\",\"order\":\"latin\",\"build\":{\"version\":\"0.1\"," \
    "\"commit\":\"abc\"},\"host\":{\"cpu\":\"AMD EPYC\",\"cores\":2}}\n"
#define END "{\"record\":\"end\",\"run_id\":\"a\",\"exit_status\":3,\"wall_ns\":2500000000}\n"
/* A measurement whose last fields are to follow. */
#define CELL                                                                                       \
    "{\"record\":\"measurement\",\"run_id\":\"a\",\"problem\":\"knn\",\"variant\":\"cpu_naive\"," \
    "\"size\":{\"m\":4,\"n\":2},\"validation\":{\"status\":\"ok\"}"

static bool read_text(const char *text, struct records *p, struct error *error)
{
    return records_read(scratch_file("r.jsonl", text, strlen(text)), p, error);
}

/* --- good files ------------------------------------------------------------------------------- */

static void reads_all_fields(void **state)
{
    struct records p;
    struct error error;
    char size[64];

    (void)state;
    assert_true(read_text(
        RUN CELL ",\"label\":\"S\",\"base\":\"cpu_none\",\"device\":\"gpu\",\"math\":\"tf32\","
        "\"idea\":\"one\",\"stop\":\"converged\",\"threads\":3,\"cores\":1.5,\"predicted\":1e9,"
        "\"once\":{\"setup\":1000,\"first\":2000},\"order\":\"serial\",\"work\":{\"flops\":8.0,"
        "\"bytes_algorithmic\":16.0,\"specials\":0.0,\"items\":4.0},\"phases\":{\"upload\":null,"
        "\"e2e\":{\"rounds\":[1000,2500.5,0],\"timer\":\"host\",\"stat\":{\"new\":1},\"sittings\":["
        "{\"round_n\":1,\"first_round\":4},{\"round_n\":2,\"first_round\":0}]},"
        "\"run\":{\"rounds\":[500],\"timer\":\"device\"}}}\n" END,
        &p, &error));
    assert_int_equal(p.run_count, 1);
    assert_int_equal(p.result_count, 1);

    const struct run *run = &p.runs[0];
    assert_string_equal(run->id, "a");
    assert_string_equal(run->started, "2026-11-21T09:06:47Z");
    assert_string_equal(run->version, "0.1");
    assert_string_equal(run->commit, "abc");
    assert_string_equal(run->preset, "quick");
    assert_string_equal(run->cpu, "AMD EPYC");
    assert_int_equal(run->seed, 7);
    assert_int_equal(run->threads, 2);
    assert_int_equal(run->cores, 2);
    assert_true(run->ended && !run->serial && run->exit_status == 3 && run->wall == 2.5);

    const struct result *c = &p.results[0];
    assert_int_equal(c->line, 2);
    assert_string_equal(c->problem, "knn");
    assert_string_equal(c->variant, "cpu_naive");
    assert_string_equal(c->label, "S");
    assert_string_equal(c->base, "cpu_none");
    assert_string_equal(c->device, "gpu");
    assert_int_equal(c->math, MATH_TF32);
    assert_string_equal(c->idea, "one");
    assert_string_equal(c->stop, "converged");
    assert_int_equal(c->fate.outcome, OUTCOME_OK);
    assert_true(c->threads == 3 && c->cores == 1.5 && c->alone && result_timed(c));
    assert_true(c->work.flops == 8 && c->work.bytes == 16 && c->work.specials == 0 &&
                c->work.items == 4);
    assert_true(fabs(c->predicted - 1) < 1e-12 && fabs(c->setup - 1e-6) < 1e-15);
    assert_true(isnan(c->error) && isnan(c->exact));
    const struct series *e2e = &c->time[PHASE_E2E], *run_alone = &c->time[PHASE_RUN];
    assert_int_equal(e2e->rounds, 3);
    assert_true(e2e->pass[0].rounds == 1 && e2e->pass[0].first == 4);
    assert_true(e2e->pass[1].rounds == 2 && e2e->pass[1].first == 0);
    assert_true(run_alone->pass[0].rounds == 1); /* none named: one */
    assert_true(fabs(e2e->round[1] - 2500.5e-9) < 1e-18 && e2e->round[2] == 0);
    assert_true(run_alone->rounds == 1 && fabs(run_alone->round[0] - 500e-9) < 1e-18);
    assert_true(result_resident(c) == run_alone);
    assert_true(c->time[PHASE_UPLOAD].rounds == 0 && c->time[PHASE_UPLOAD].round == NULL &&
                c->time[PHASE_DOWNLOAD].rounds == 0);
    result_size(c, size, sizeof size);
    assert_string_equal(size, "m=4 n=2");
    records_free(&p);
    assert_true(p.results == NULL && p.runs == NULL && p.result_count == 0);
}

/* The host's times of a run repeat the end-to-end series. */
static void a_run_by_the_hosts_clock_is_none(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(RUN CELL ",\"phases\":{\"e2e\":{\"rounds\":[7],\"timer\":\"host\"},"
                              "\"run\":{\"rounds\":[7],\"timer\":\"host\"}}}\n", &p, &error));
    assert_true(p.results[0].time[PHASE_E2E].rounds == 1);
    assert_true(p.results[0].time[PHASE_RUN].rounds == 0);
    assert_null(p.results[0].time[PHASE_RUN].round);
    records_free(&p);
}

#define SIT "{\"round_n\":1,\"first_round\":2},"
#define FIVE_TIMES "1000,2000,3000,4000,5000"

static void reads_up_to_ten_passes(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(RUN CELL ",\"phases\":{\"e2e\":{"
                              "\"rounds\":[" FIVE_TIMES "," FIVE_TIMES "],"
                              "\"sittings\":[" SIT SIT SIT SIT SIT SIT SIT SIT SIT
                              "{\"round_n\":1,\"first_round\":7}]}}}\n", &p, &error));
    const struct series *e2e = &p.results[0].time[PHASE_E2E];
    assert_int_equal(series_passes(e2e), MAX_PASSES);
    assert_true(e2e->pass[8].first == 2 && e2e->pass[9].first == 7 && e2e->pass[9].rounds == 1);
    assert_true(fabs(series_summary(e2e).low - 1e-6) < 1e-15); /* the second least of ten */
    records_free(&p);
}

/* What was once called so: the median of each of several processes. */
static void launches_of_old_are_passes_of_a_round_each(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(
        RUN CELL ",\"device\":\"gpu\",\"stop\":\"launches\",\"phases\":{\"e2e\":{"
                 "\"rounds\":[" FIVE_TIMES ",6000,7000],\"first_round\":0,\"timer\":\"host\"},"
                 "\"run\":{\"rounds\":[1000,2000],"
                 "\"sittings\":[{\"round_n\":2,\"first_round\":0}],\"timer\":\"device\"}}}\n"
        CELL ",\"stop\":\"max_rounds\",\"phases\":{"
             "\"e2e\":{\"rounds\":[1,2],\"first_round\":3}}}\n",
        &p, &error));
    const struct series *e2e = &p.results[0].time[PHASE_E2E], *run = &p.results[0].time[PHASE_RUN];
    assert_true(e2e->rounds == 7 && series_passes(e2e) == 7);
    assert_true(run->rounds == 2 && series_passes(run) == 2);
    for (size_t i = 0; i < MAX_PASSES; i++) {
        assert_int_equal(e2e->pass[i].rounds, i < 7);
        assert_int_equal(e2e->pass[i].first, 0);
    }
    assert_true(fabs(series_median(e2e) - 4e-6) < 1e-15);
    e2e = &p.results[1].time[PHASE_E2E]; /* and nothing else is */
    assert_true(series_passes(e2e) == 1 && e2e->pass[0].rounds == 2 && e2e->pass[0].first == 3);
    records_free(&p);
}

static void a_status_or_flag_of_a_later_version_is_no_success(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(
        RUN "{\"record\":\"measurement\",\"run_id\":\"a\",\"problem\":\"p\",\"variant\":\"v\","
            "\"size\":{},\"validation\":{\"status\":\"bored\"},\"flags\":[\"noisy\",\"green\"],"
            "\"phases\":{\"e2e\":{\"rounds\":[7]}}}\n", &p, &error));
    assert_int_equal(p.results[0].fate.outcome, OUTCOME_SKIPPED);
    assert_false(result_timed(&p.results[0]));
    assert_int_equal(p.results[0].flags, 1u << FLAG_NOISY);
    records_free(&p);
}

static void reads_ceilings_and_crossovers(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(
        RUN "{\"record\":\"ceiling\",\"run_id\":\"a\",\"name\":\"cpu_copy\",\"device\":\"cpu\","
            "\"resource\":\"memory\",\"math\":\"f32\",\"bytes\":16384,\"cores\":2,\"status\":\"ok\","
            "\"best\":4e11}\n"
            "{\"record\":\"ceiling\",\"run_id\":\"a\",\"name\":\"gpu_peer\",\"status\":\"refused\","
            "\"resource\":\"peer\",\"best\":null}\n"
            "{\"record\":\"ceiling\",\"run_id\":\"a\",\"name\":\"gpu_tele\","
            "\"resource\":\"ether\"}\n"
            "{\"record\":\"crossover\",\"run_id\":\"a\",\"problem\":\"knn\",\"variant\":\"cuda_warp\","
            "\"phase\":\"e2e\",\"against\":\"cpu_simd\",\"pays\":\"from\",\"unit\":\"pairs\","
            "\"axis\":\"m=n\",\"from\":1e6,\"to\":null,\"axis_from\":1000,\"axis_to\":1100}\n",
        &p, &error));
    assert_true(p.ceiling_count == 2 && p.crossover_count == 1 && p.result_count == 0);
    const struct ceiling_value *c = &p.ceilings[0]; /* the third one's resource is not known here */
    assert_string_equal(c->name, "cpu_copy");
    assert_true(c->resource == RESOURCE_MEMORY && c->math == MATH_F32);
    assert_true(c->fate.outcome == OUTCOME_OK && c->devices == 0);
    assert_string_equal(c->device, "cpu");
    assert_true(c->line == 2 && c->bytes == 16384 && c->cores == 2 && c->best == 4e11);
    assert_true(isnan(p.ceilings[1].best) && p.ceilings[1].fate.outcome == OUTCOME_REFUSED);
    assert_true(p.ceilings[1].resource == RESOURCE_PEER && p.ceilings[1].line == 3);
    const struct crossover_record *x = &p.crossovers[0];
    assert_string_equal(x->variant, "cuda_warp");
    assert_string_equal(x->against, "cpu_simd");
    assert_string_equal(x->phase, "e2e");
    assert_true(x->from == 1e6 && isnan(x->to) && x->axis_from == 1000 && x->axis_to == 1100);
    records_free(&p);
    assert_true(p.ceilings == NULL && p.crossovers == NULL);
}

static void reads_on_how_many_it_ran(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(RUN CELL ",\"scale\":{\"threads\":4}}\n" CELL ",\"scale\":{\"devices\":2}}\n"
                              CELL ",\"scale\":null}\n", &p, &error));
    assert_true(p.results[0].scale.threads == 4 && p.results[0].scale.devices == 0);
    assert_true(p.results[1].scale.threads == 0 && p.results[1].scale.devices == 2);
    assert_true(p.results[2].scale.threads == 0 && p.results[2].scale.devices == 0);
    records_free(&p);
}

static void passes_over_what_it_does_not_know(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(RUN "\n{\"record\":\"telemetry\",\"run_id\":\"a\",\"x\":[[{}]]}\r\n  \t\n" CELL
                              ",\"hologram\":{\"size\":1}}\n" END "\n\n",
                          &p, &error));
    assert_int_equal(p.result_count, 1);
    assert_int_equal(p.results[0].line, 5);
    assert_false(result_timed(&p.results[0]));
    assert_true(isnan(p.results[0].setup) && isnan(p.results[0].work.flops) &&
                isnan(p.results[0].cores));
    records_free(&p);
}

struct bad {
    const char *text, *error; /* behind the file's name; it may go on */
};

static void half_a_line_at_the_end_is_passed_over(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(RUN CELL "}\n{\"record\":\"measur", &p, &error));
    assert_int_equal(p.result_count, 1);
    assert_int_equal(p.cut, 3);
    records_free(&p);
    assert_true(read_text(RUN, &p, &error));
    assert_int_equal(p.cut, 0);
    records_free(&p);
}

#define BLOCK "{\"record\":\"block\",\"run_id\":\"a\",\"problem\":\"p\",\"variant\":\"v\"," \
              "\"label\":\"S\",\"size\":{\"n\":4},\"scale\":{\"devices\":2},\"launch\":1,\"round\":3," \
              "\"reps\":5,\"runs\":6,\"took_ns\":70,\"cpu_ns\":80,"
#define TELEMETRY "\"telemetry\":[null,1.5,null,null,null,9]"

static void reads_blocks_where_they_are_asked_for(void **state)
{
    static const char text[] = RUN BLOCK "\"e2e\":[1000,2000],\"run\":[10,20]," TELEMETRY "}\n";
    struct result of = {.problem = "p", .variant = "v", .label = "S", .scale = {.devices = 2},
                        .axes = 1, .size = {{"n", 4}}};
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(text, &p, &error));
    assert_int_equal(p.block_count, 0);
    records_free(&p);
    assert_true(records_read_all(scratch_path("r.jsonl"), &p, &error));
    assert_int_equal(p.block_count, 1);
    const struct block_record *b = &p.blocks[0];
    const struct samples *samples = &b->block.samples;
    const struct telemetry *telemetry = &b->block.telemetry;
    assert_true(b->pass == 1 && b->round == 3 && b->block.reps == 5 && samples->runs == 6 &&
                samples->count == 2);
    assert_true(fabs(b->block.seconds - 70e-9) < 1e-15);
    assert_true(fabs(b->block.cpu_seconds - 80e-9) < 1e-15);
    assert_true(fabs(samples->time[PHASE_E2E][0] - 1000e-9) < 1e-15 &&
                fabs(samples->time[PHASE_RUN][1] - 20e-9) < 1e-15);
    assert_true(isnan(samples->time[PHASE_COLD][0]) && isnan(telemetry->value[0]) &&
                telemetry->value[1] == 1.5);
    assert_true(telemetry->held_back == 9 && b->scale.devices == 2 && b->scale.threads == 0);
    assert_true(block_is(b, &of, 1, 3));
    assert_false(block_is(b, &of, 0, 3) || block_is(b, &of, 1, 4));
    of.size[0].value = 5;
    assert_false(block_is(b, &of, 1, 3));
    records_free(&p);
}

static void refuses_blocks_that_are_none(void **state)
{
    static const struct bad blocks[] = {
        {RUN BLOCK TELEMETRY "}\n", ":2: a block without samples"},
        {RUN BLOCK "\"e2e\":[-1]," TELEMETRY "}\n", ":2: sample 1 of \"e2e\" is not a time"},
        {RUN BLOCK "\"e2e\":[1],\"run\":[1,2]," TELEMETRY "}\n", ":2: \"run\" is not a list of the right number of times"},
        {RUN BLOCK "\"e2e\":[1],\"telemetry\":[1]}\n", ":2: \"telemetry\" is not a list of 6"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct records p;
        struct error error;
        const char *path = scratch_path("r.jsonl");
        assert_true(read_text(blocks[i].text, &p, &error));
        records_free(&p);
        assert_false(records_read_all(path, &p, &error));
        assert_non_null(strstr(error.text, blocks[i].error));
        assert_true(p.blocks == NULL && p.runs == NULL);
    }
}

static void words_leave_out_what_may_change(void **state)
{
    const char *const argv[] = {"rungs", "bench", "saxpy",    "--resume", "f",
                                "-x",    "a",     "--out=f", "--outer",  "--format", "csv", "knn/cpu_*"};
    char *words = run_words(argv, sizeof argv / sizeof *argv);

    (void)state;
    assert_string_equal(words, "bench saxpy -x a --outer 'knn/cpu_*'");
    free(words);
}

static void a_missing_end_is_an_interruption(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(RUN CELL "}", &p, &error)); /* nor does the last line, if whole */
    assert_false(p.runs[0].ended);
    assert_true(isnan(p.runs[0].wall));
    assert_int_equal(p.result_count, 1);
    records_free(&p);
}

static void several_runs_in_one_file(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(
        RUN CELL "}\n" END
                 "{\"record\":\"run\",\"schema\":\"rungs/1.7\",\"run_id\":\"b\",\"order\":\"serial\"}\n"
                 "{\"record\":\"measurement\",\"run_id\":\"b\",\"problem\":\"fft\",\"variant\":\"v\","
                 "\"size\":{},\"validation\":{\"status\":\"skipped\",\"reason\":\"too slow\"}}\n",
        &p, &error));
    assert_int_equal(p.run_count, 2);
    assert_true(p.runs[0].ended && !p.runs[1].ended && p.runs[1].serial);
    assert_int_equal(p.results[1].run, 1);
    assert_true(p.results[1].alone && !p.results[0].alone);
    assert_string_equal(p.results[1].fate.reason, "too slow");
    records_free(&p);
}

/* Names are shown on terminals: no bell, no escape, no second line. */
static void control_characters_do_not_pass(void **state)
{
    struct records p;
    struct error error;

    (void)state;
    assert_true(read_text(RUN "{\"record\":\"measurement\",\"run_id\":\"a\",\"problem\":\"k\\u001b[2J\","
                              "\"variant\":\"v\\n\\u0007w\",\"size\":{\"\\tn\":1},"
                              "\"validation\":{\"status\":\"ok\"}}\n",
                          &p, &error));
    assert_string_equal(p.results[0].problem, "k?[2J");
    assert_string_equal(p.results[0].variant, "v??w");
    assert_string_equal(p.results[0].size[0].name, "?n");
    records_free(&p);
}

/* --- bad files -------------------------------------------------------------------------------- */

static const struct bad bads[] = {
    {"", ": is empty"},
    {"\n\n", ": contains no run"},
    {"lat,lon\n1,2\n", ":1: not JSON: "},
    {"{\"record\":\"run\"", ":1: the record is incomplete; was the file cut?"},
    {RUN "{\"record\":\"measur\n" END, ":2: not JSON: "},
    {RUN "[1]\n", ":2: not a record: it must be a JSON object"},
    {RUN "{}\n", ":2: \"record\" is missing, or not a name"},
    {RUN "{\"record\":7}\n", ":2: \"record\" is missing, or not a name"},
    {RUN "{\"record\":\"end\"}\n", ":2: \"run_id\" is missing, or not a name"},
    {RUN "{\"record\":\"end\",\"record\":\"run\",\"run_id\":\"a\"}\n", ":2: not JSON: duplicate"},
    {RUN RUN, ":2: run a occurs twice in this file"},
    {CELL "}\n", ":1: the first line of run a is missing"},
    {RUN "{\"record\":\"end\",\"run_id\":\"b\"}\n",
     ":2: the first line of run b is missing"},
    {"{\"record\":\"run\",\"run_id\":\"a\"}\n", ":1: \"schema\" is missing, or not a name"},
    {"{\"record\":\"run\",\"run_id\":\"a\",\"schema\":\"rungs/2.0\"}\n",
     ":1: the schema is rungs/2.0, but this program reads rungs/1"},
    {"{\"record\":\"run\",\"run_id\":\"a\",\"schema\":\"rungs/1.0\",\"threads\":\"two\"}\n",
     ":1: \"threads\" is not a whole number"},
    {"{\"record\":\"run\",\"run_id\":\"a\",\"schema\":\"rungs/1.0\",\"threads\":-1}\n",
     ":1: \"threads\" is out of range"},
    {"{\"record\":\"run\",\"run_id\":\"a\",\"schema\":\"rungs/1.0\",\"host\":\"here\"}\n",
     ":1: \"host\" is not an object"},
    {RUN "{\"record\":\"end\",\"run_id\":\"a\",\"wall_ns\":-1}\n", ":2: \"wall_ns\" is below 0"},
    {RUN "{\"record\":\"measurement\",\"run_id\":\"a\"}\n",
     ":2: \"problem\" is missing, or not a name"},
    {RUN "{\"record\":\"ceiling\",\"run_id\":\"a\"}\n", ":2: \"name\" is missing, or not a name"},
    {RUN "{\"record\":\"ceiling\",\"run_id\":\"a\",\"name\":\"c\",\"best\":\"all\"}\n",
     ":2: \"best\" is not a number"},
    {RUN "{\"record\":\"crossover\",\"run_id\":\"a\",\"problem\":\"p\",\"variant\":\"v\",\"to\":[]}\n",
     ":2: \"to\" is not a number"},
    {RUN CELL ",\"scale\":4}\n", ":2: \"scale\" is not an object"},
    {RUN CELL ",\"base\":3}\n", ":2: \"base\" is not a text"},
    {RUN CELL ",\"cores\":\"all\"}\n", ":2: \"cores\" is not a number"},
    {RUN CELL ",\"predicted\":-5}\n", ":2: \"predicted\" is below 0"},
    {RUN CELL ",\"phases\":[]}\n", ":2: \"phases\" is not an object"},
    {RUN CELL ",\"phases\":{\"e2e\":{}}}\n", ":2: the \"rounds\" of \"e2e\" are not a list of times"},
    {RUN CELL ",\"phases\":{\"run\":{\"rounds\":7}}}\n",
     ":2: the \"rounds\" of \"run\" are not a list of times"},
    {RUN CELL ",\"phases\":{\"e2e\":{\"rounds\":[1,2],\"sittings\":7}}}\n",
     ":2: the \"sittings\" of \"e2e\" are not a list of at most 10"},
    {RUN CELL ",\"phases\":{\"e2e\":{\"rounds\":[1,2],\"sittings\":[{},{},{},{},{},{},{},{},{},{},{}]}}}\n",
     ":2: the \"sittings\" of \"e2e\" are not a list of at most 10"},
    {RUN CELL ",\"phases\":{\"e2e\":{\"rounds\":[1,2],\"sittings\":[{\"round_n\":1}]}}}\n",
     ":2: the \"sittings\" of \"e2e\" have 1 rounds, but there are 2"},
    {RUN CELL ",\"phases\":{\"e2e\":{\"rounds\":[1],\"sittings\":[{\"round_n\":-1}]}}}\n",
     ":2: \"round_n\" is out of range"},
    {RUN CELL ",\"phases\":{\"e2e\":{\"rounds\":[1,-1]}}}\n", ":2: round 2 of \"e2e\" is not a time"},
    {RUN CELL ",\"phases\":{\"e2e\":{\"rounds\":[1,null]}}}\n", ":2: round 2 of \"e2e\" is not a time"},
    {RUN CELL ",\"phases\":{\"e2e\":{\"rounds\":[1e999]}}}\n", ":2: not JSON: real number overflow"},
    {RUN "{\"record\":\"measurement\",\"run_id\":\"a\",\"problem\":\"p\",\"variant\":\"v\"}\n",
     ":2: \"size\" is missing"},
    {RUN "{\"record\":\"measurement\",\"run_id\":\"a\",\"problem\":\"p\",\"variant\":\"v\","
         "\"size\":{\"n\":-1}}\n",
     ":2: the \"size\" has a value that is not a whole number"},
    {RUN "{\"record\":\"measurement\",\"run_id\":\"a\",\"problem\":\"p\",\"variant\":\"v\","
         "\"size\":{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}}\n",
     ":2: \"size\" has more axes than 8, or too long a name"},
    {RUN "{\"record\":\"measurement\",\"run_id\":\"a\",\"problem\":\"p\",\"variant\":\"v\","
         "\"size\":{},\"validation\":{}}\n",
     ":2: \"status\" is missing, or not a name"},
    {RUN "{\"record\":\"measurement\",\"run_id\":\"a\",\"problem\":"
         "\"pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp\"}\n",
     ":2: \"problem\" is longer than 63 bytes"},
};

static void refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        struct records p;
        struct error error;
        const char *path = scratch_path("r.jsonl");
        if (read_text(bads[i].text, &p, &error))
            fail_msg("case %zu was read, expected %s", i, bads[i].error);
        if (strncmp(error.text, path, strlen(path)) != 0 ||
            strncmp(error.text + strlen(path), bads[i].error, strlen(bads[i].error)) != 0)
            fail_msg("case %zu: %s, expected %s", i, error.text, bads[i].error);
        assert_null(strpbrk(error.text, "\n\033"));
        assert_true(p.results == NULL && p.runs == NULL);
    }
}

static void refuses_bytes_that_are_no_text(void **state)
{
    static const char nul[] = "{\"record\":\"run\0\"}\n", ff[] = "{\"record\":\"\xff\xfe\"}\n";
    struct records p;
    struct error error;

    (void)state;
    assert_false(records_read(scratch_file("nul", nul, sizeof nul - 1), &p, &error));
    assert_non_null(strstr(error.text, "nul:1: not JSON: "));
    assert_false(records_read(scratch_file("ff", ff, sizeof ff - 1), &p, &error));
    assert_non_null(strstr(error.text, "ff:1: not JSON: "));
    assert_false(records_read("/dev/null", &p, &error));
    assert_string_equal(error.text, "/dev/null: is empty");
    assert_false(records_read(scratch_folder, &p, &error));
    assert_false(records_read(scratch_path("none"), &p, &error));
    assert_non_null(strstr(error.text, "none: No such file"));
}

/* A file without line ends must not fill the memory, nor nested brackets the stack. */
static void refuses_what_is_too_large(void **state)
{
    static char text[6 << 20];
    struct records p;
    struct error error;
    const size_t run = strlen(RUN);

    (void)state;
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < run; i++)
        text[i] = RUN[i];
    assert_false(records_read(scratch_file("long", text, sizeof text), &p, &error));
    assert_non_null(strstr(error.text, "long:2: a line has more than 4 MiB; is this a file of "));
    memset(text + run, '[', 1 << 20);
    assert_false(records_read(scratch_file("deep", text, run + (1 << 20)), &p, &error));
    assert_non_null(strstr(error.text, "deep:2: "));
    assert_false(records_read("/dev/zero", &p, &error));
    assert_non_null(strstr(error.text, "/dev/zero:1: a line has more than 4 MiB"));
}

static void refuses_more_than_there_is_memory_for(void **state)
{
    enum { CELLS = 200 };
    static char text[CELLS * 256];
    struct records p;
    struct error error;
    size_t used = (size_t)snprintf(text, sizeof text, "%s", RUN);

    (void)state;
    for (size_t i = 0; i < CELLS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s}\n", CELL);
    const char *path = scratch_file("many", text, used);
    assert_true(records_read(path, &p, &error));
    assert_int_equal(p.result_count, CELLS);
    records_free(&p);
    scratch_memory = 100 * sizeof(struct result);
    assert_false(records_read(path, &p, &error));
    scratch_memory = (size_t)1 << 30;
    assert_non_null(strstr(error.text, "many: needs "));
}

/* Published records from before some fields existed. */
static void equal_gpus_are_counted(void **state)
{
    static const struct {
        const char *is, *text;
    } cases[] = {{"", ""},
                 {"H200, driver 580", "H200, driver 580"},
                 {"H200, H200, H200, driver 580", "3 x H200, driver 580"},
                 {"H200, H200, H100, driver 580", "2 x H200, H100, driver 580"},
                 {"A", "A"}};
    struct run run = {.gpus = ""};
    char text[FACT_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(run.gpus, sizeof run.gpus, "%s", cases[i].is);
        run_gpus(&run, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static void reads_published_records(void **state)
{
    struct records p;
    struct error error;
    size_t timed = 0, resident = 0;

    (void)state;
    if (!records_read("results/reference/h200-s-m.jsonl", &p, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < p.result_count; i++) {
        timed += result_timed(&p.results[i]);
        resident += p.results[i].time[PHASE_RUN].rounds > 0;
    }
    assert_true(p.run_count == 1 && p.runs[0].ended && p.result_count > 150);
    assert_true(timed > 120 && resident > 20 && resident < timed);
    assert_int_equal(p.runs[0].threads, 16);
    records_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_fields),
        cmocka_unit_test(a_run_by_the_hosts_clock_is_none),
        cmocka_unit_test(reads_up_to_ten_passes),
        cmocka_unit_test(launches_of_old_are_passes_of_a_round_each),
        cmocka_unit_test(a_status_or_flag_of_a_later_version_is_no_success),
        cmocka_unit_test(reads_ceilings_and_crossovers),
        cmocka_unit_test(reads_on_how_many_it_ran),
        cmocka_unit_test(passes_over_what_it_does_not_know),
        cmocka_unit_test(half_a_line_at_the_end_is_passed_over),
        cmocka_unit_test(reads_blocks_where_they_are_asked_for),
        cmocka_unit_test(refuses_blocks_that_are_none),
        cmocka_unit_test(words_leave_out_what_may_change),
        cmocka_unit_test(a_missing_end_is_an_interruption),
        cmocka_unit_test(several_runs_in_one_file),
        cmocka_unit_test(control_characters_do_not_pass),
        cmocka_unit_test(refuses),
        cmocka_unit_test(refuses_bytes_that_are_no_text),
        cmocka_unit_test(refuses_what_is_too_large),
        cmocka_unit_test(refuses_more_than_there_is_memory_for),
        cmocka_unit_test(equal_gpus_are_counted),
        cmocka_unit_test(reads_published_records),
    };

    return cmocka_run_group_tests_name("records", tests, scratch_begin, scratch_end);
}
