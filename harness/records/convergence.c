#include "harness/records/convergence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"

static bool plausible(const struct evaluation *e)
{
    return isfinite(e->work) && e->work >= 0.0f && isfinite(e->residual) && e->residual >= 0.0f;
}

void convergence_free(struct convergence *c)
{
    free(c->list);
    *c = (struct convergence){.count = 0};
}

void convergence_set(struct convergence *c, size_t count, const struct evaluation list[], size_t room)
{
    const size_t kept = count < room ? count : room;

    convergence_free(c);
    for (size_t i = 0; i < kept; i++)
        if (!plausible(&list[i]))
            return;
    if (kept == 0)
        return;
    c->list = malloc(kept * sizeof *c->list);
    if (c->list == NULL)
        abort();
    memcpy(c->list, list, kept * sizeof *c->list);
    c->count = count;
    c->kept = kept;
}

double convergence_readings(const struct convergence *c)
{
    double sum = 0.0;

    for (size_t i = 0; i < c->kept; i++)
        sum += (double)c->list[i].work;
    return c->kept > 0 ? sum * (double)c->count / (double)c->kept : 0.0;
}

json_t *convergence_write(const struct convergence *c)
{
    json_t *work = json_array(), *residual = json_array();

    for (size_t i = 0; i < c->kept; i++) {
        json_array_append_new(work, json_number((double)c->list[i].work));
        json_array_append_new(residual, json_number((double)c->list[i].residual));
    }
    return json_pack("{s:I, s:o, s:o}", "evaluations", (json_int_t)c->count, "work", work, "residual", residual);
}

bool convergence_read(const struct record_place *p, const json_t *object, struct convergence *c)
{
    const json_t *work = json_object_get(object, "work"), *residual = json_object_get(object, "residual");
    struct evaluation list[EVALUATIONS_KEPT];
    long long count;

    if (object == NULL)
        return true;
    if (!field_integer(p, object, "evaluations", &count))
        return false;
    const size_t kept = json_array_size(work);
    if (!json_is_array(work) || !json_is_array(residual) || json_array_size(residual) != kept ||
        kept > EVALUATIONS_KEPT || count < 0 || (size_t)count < kept || (kept == 0 && count > 0))
        return place_error(p, "\"convergence\" has no lists \"work\" and \"residual\" of equal length");
    for (size_t i = 0; i < kept; i++) {
        const json_t *w = json_array_get(work, i), *r = json_array_get(residual, i);
        if (!json_is_number(w) || !json_is_number(r))
            return place_error(p, "evaluation %zu of \"convergence\" is not two numbers", i + 1);
        list[i] = (struct evaluation){(float)json_number_value(w), (float)json_number_value(r)};
    }
    convergence_set(c, (size_t)count, list, kept);
    return true;
}
