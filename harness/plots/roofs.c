#include "harness/plots/roofs.h"

#include <math.h>
#include <string.h>

static const double MUCH_FASTER = 1.3; /* than the largest working set: it is a cache's rate */

const struct past *roofs_file(const struct source *all, const struct past_run *run)
{
    for (size_t f = 0; f < all->count; f++) {
        const struct past *p = all->files[f];
        for (size_t i = 0; i < p->ceiling_count; i++)
            if (plots_same_machine(&p->runs[p->ceilings[i].run], run))
                return p;
    }
    return NULL;
}

static enum shade ceiling_shade(const struct past_ceiling *c)
{
    if (strcmp(c->device, "cpu") != 0)
        return SHADE_DEVICE;
    return c->cores > 1 ? SHADE_CORES : SHADE_ONE_CORE;
}

static bool usable(const struct past_ceiling *c, const char *resource)
{
    return strcmp(c->status, "ok") == 0 && strcmp(c->resource, resource) == 0;
}

bool roofs_drawable(const struct past *p, struct error *error)
{
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct past_ceiling *c = &p->ceilings[i];
        if (strcmp(c->status, "ok") == 0 && !(c->best > 0.0 && c->best < 1e24 && c->bytes < 1e24))
            return error_set(error, "%s:%zu: %s has a rate or size that no machine has", p->file,
                             c->line, c->name);
    }
    return true;
}

static bool of_roof(const struct past_ceiling *c, const struct roof *r)
{
    return ceiling_shade(c) == r->shade && strcmp(c->device, r->device) == 0;
}

static void set_memory(struct roof *r, const struct past *p, double bytes)
{
    double largest = 0.0, set = 0.0, near = 0.0;

    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct past_ceiling *c = &p->ceilings[i];
        if (!of_roof(c, r) || !usable(c, "memory"))
            continue;
        largest = fmax(largest, c->bytes);
        set = c->bytes <= bytes ? fmax(set, c->bytes) : set;
    }
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct past_ceiling *c = &p->ceilings[i];
        if (!of_roof(c, r) || !usable(c, "memory"))
            continue;
        r->memory = c->bytes == largest ? fmax(r->memory, c->best) : r->memory;
        near = c->bytes >= set ? fmax(near, c->best) : near;
    }
    r->cache = near > MUCH_FASTER * r->memory ? near : 0.0;
}

static bool uses(const struct past_cell cells[], size_t count, const char *math)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(cells[i].math, math) == 0)
            return true;
    return false;
}

static void set_arithmetic(struct roof *r, const struct past *p, const struct past_cell cells[],
                           size_t count)
{
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct past_ceiling *c = &p->ceilings[i];
        if (!of_roof(c, r) || !usable(c, "arithmetic"))
            continue;
        if (strcmp(c->math, "f32") == 0)
            r->arithmetic = fmax(r->arithmetic, c->best);
        else if (uses(cells, count, c->math) && c->best > r->best) {
            r->best = c->best;
            snprintf(r->math, sizeof r->math, "%s", c->math);
        }
    }
}

void roofs_find(struct roofs *roofs, const struct past *p, const struct past_cell cells[],
                size_t count)
{
    roofs->count = 0;
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct past_ceiling *c = &p->ceilings[i];
        bool known = false;
        for (size_t k = 0; k < roofs->count; k++)
            known |= of_roof(c, &roofs->roof[k]);
        if (known || roofs->count == MOST_ROOFS || !usable(c, "memory"))
            continue;
        struct roof *r = &roofs->roof[roofs->count];
        *r = (struct roof){.shade = ceiling_shade(c)};
        snprintf(r->device, sizeof r->device, "%s", c->device);
        set_memory(r, p, cells[0].bytes);
        set_arithmetic(r, p, cells, count);
        roofs->count += r->memory > 0.0 && r->arithmetic > 0.0;
    }
}
