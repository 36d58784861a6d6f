/*
 * Whatever a file of records holds: the runs and cells that were read can be shown and compared, or
 * the error says why there are none.
 */
#include "tests/fuzz/input.h"

#include <string.h>

#include "harness/files/records.h"

static volatile double sink; /* so that every time is really read */

static void check_text(const char *text, size_t bytes)
{
    if (strnlen(text, bytes) == bytes)
        abort();
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ')
            abort();
}

static double sum(const struct past_series *s)
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
    struct past p;
    struct error error = {""};
    char text[128];

    if (!past_read_all(fuzz_file(data, size), &p, &error)) {
        check_error(error.text);
        return 0;
    }
    for (size_t i = 0; i < p.run_count; i++) {
        check_text(p.runs[i].id, sizeof p.runs[i].id);
        check_text(p.runs[i].started, sizeof p.runs[i].started);
        (void)fingerprint_differs(&p.runs[0].machine, &p.runs[i].machine, text, sizeof text);
        check_text(text, sizeof text);
    }
    for (size_t i = 0; i < p.cell_count; i++) {
        const struct past_cell *c = &p.cells[i];
        if (c->run >= p.run_count)
            abort();
        check_text(c->problem, sizeof c->problem);
        check_text(c->variant, sizeof c->variant);
        check_text(c->reason, sizeof c->reason);
        check_text(c->flags, sizeof c->flags);
        check_text(c->limit_e2e.name, sizeof c->limit_e2e.name);
        past_name(c, text, sizeof text);
        check_text(text, sizeof text);
        past_size(c, text, sizeof text);
        check_text(text, sizeof text);
        sink = sum(&c->e2e) + sum(&c->resident) + sum(&c->upload) + sum(&c->download);
    }
    past_free(&p);
    return 0;
}
