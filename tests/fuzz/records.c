/*
 * For any bytes: the runs and cells that were read can be shown and compared, or the error says why there
 * are none.
 */
#include "tests/fuzz/input.h"

#include <string.h>

#include "harness/records/caveats.h"
#include "harness/records/records.h"

static volatile double sink; /* so that every time is read */

static void check_text(const char *text, size_t bytes)
{
    if (strnlen(text, bytes) == bytes)
        abort();
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ')
            abort();
}

static double sum(const struct series *s)
{
    double total = 0;

    for (size_t i = 0; i < s->rounds; i++) {
        if (!(s->round[i] >= 0))
            abort();
        total += s->round[i];
    }
    return total;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct records p;
    struct error error = {""};
    char text[128];

    if (!records_read_all(fuzz_file(data, size), &p, &error)) {
        check_error(error.text);
        return 0;
    }
    for (size_t i = 0; i < p.run_count; i++) {
        check_text(p.runs[i].id, sizeof p.runs[i].id);
        check_text(p.runs[i].started, sizeof p.runs[i].started);
        (void)fingerprint_differs(&p.runs[0].machine, &p.runs[i].machine, text, sizeof text);
        check_text(text, sizeof text);
    }
    for (size_t i = 0; i < p.result_count; i++) {
        const struct result *c = &p.results[i];
        if (c->run >= p.run_count)
            abort();
        check_text(c->problem, sizeof c->problem);
        check_text(c->variant, sizeof c->variant);
        check_text(c->fate.reason, sizeof c->fate.reason);
        if (c->flags >= 1u << FLAGS)
            abort();
        check_text(c->bound_e2e.name, sizeof c->bound_e2e.name);
        check_text(result_name(c).text, sizeof(struct result_name));
        result_size(c, text, sizeof text);
        check_text(text, sizeof text);
        (void)result_problem(c);
        for (int phase = 0; phase < PHASES; phase++)
            sink = sum(&c->time[phase]) + series_summary(&c->time[phase]).median;
    }
    for (size_t i = 0; i < p.block_count; i++)
        for (unsigned s = 0; s < p.blocks[i].block.samples.count; s++)
            sink = p.blocks[i].block.samples.time[PHASE_E2E][s];
    for (size_t i = 0; i < p.ceiling_count; i++) {
        if (p.ceilings[i].resource >= RESOURCES)
            abort();
        check_text(p.ceilings[i].name, sizeof p.ceilings[i].name);
    }
    records_free(&p);
    return 0;
}
