/* Records that are not of one rung at one size: ceilings and crossovers. */
#include "harness/files/records_fields.h"

bool read_ceiling(const struct place *p, const json_t *object, struct past_ceiling *c)
{
    return field_name(p, object, "name", c->name, sizeof c->name) &&
           field_text(p, object, "device", c->device, sizeof c->device) &&
           field_text(p, object, "math", c->math, sizeof c->math) &&
           field_text(p, object, "resource", c->resource, sizeof c->resource) &&
           field_text(p, object, "status", c->status, sizeof c->status) &&
           field_number(p, object, "bytes", &c->bytes) &&
           field_int(p, object, "cores", &c->cores) && field_number(p, object, "best", &c->best);
}

bool read_crossover(const struct place *p, const json_t *object, struct past_crossover *c)
{
    return field_name(p, object, "problem", c->problem, sizeof c->problem) &&
           field_name(p, object, "variant", c->variant, sizeof c->variant) &&
           field_text(p, object, "against", c->against, sizeof c->against) &&
           field_text(p, object, "phase", c->phase, sizeof c->phase) &&
           field_text(p, object, "pays", c->pays, sizeof c->pays) &&
           field_text(p, object, "unit", c->unit, sizeof c->unit) &&
           field_text(p, object, "axis", c->axis, sizeof c->axis) &&
           field_text(p, object, "sentence", c->sentence, sizeof c->sentence) &&
           field_number(p, object, "from", &c->from) && field_number(p, object, "to", &c->to) &&
           field_number(p, object, "axis_from", &c->axis_from) &&
           field_number(p, object, "axis_to", &c->axis_to);
}
