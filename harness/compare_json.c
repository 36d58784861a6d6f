#include "harness/compare_json.h"

#include <math.h>

#include "harness/record.h"

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

void compare_json(json_t *object, const struct comparison *c)
{
    json_object_set_new(object, "ratio", number(c->ratio));
    json_object_set_new(object, "lo", number(c->low));
    json_object_set_new(object, "hi", number(c->high));
    json_object_set_new(object, "conf", number(c->confidence));
    json_object_set_new(object, "rounds", json_integer((json_int_t)c->rounds));
    json_object_set_new(object, "ties", json_integer((json_int_t)c->ties));
    json_object_set_new(object, "method", json_string(c->method));
    json_object_set_new(object, "verdict", json_string(finding_names[c->finding]));
}

json_t *compare_roles_json(const struct standing *s, const struct rival *than)
{
    json_t *roles = json_array();

    for (size_t role = 0; role < ROLES; role++)
        if (s->than[role] == than)
            json_array_append_new(roles, json_string(role_names[role]));
    return roles;
}

/* Several roles may be one rung's: it is named once, with all of them. */
static bool seen_before(const struct standing *s, size_t role)
{
    for (size_t earlier = 0; earlier < role; earlier++)
        if (s->than[earlier] == s->than[role])
            return true;
    return false;
}

static void add(json_t *list, const struct row *row, const struct row *base,
                const struct standing *s, size_t role, const char *phase,
                const struct comparison *c)
{
    if (!isfinite(c->ratio))
        return;
    const struct name name = record_name(row);
    json_t *object = json_pack("{s:s, s:s, s:s, s:o, s:s, s:o, s:s, s:o, s:o, s:s}", "record",
                               "compare", "problem", name.problem, "variant", name.variant, "scale",
                               record_scale(&row->scale), "label", row->label, "size",
                               record_size(row), "base", record_name(base).variant, "base_scale",
                               record_scale(&base->scale), "against",
                               compare_roles_json(s, s->than[role]), "phase", phase);
    compare_json(object, c);
    json_array_append_new(list, object);
}

json_t *ladder_json(const struct ladder *l, struct row *const rows[])
{
    json_t *list = json_array();

    for (size_t i = 0; i < l->count; i++) {
        const struct standing *s = &l->standings[i];
        for (size_t role = 0; role < ROLES; role++) {
            if (s->than[role] == NULL || seen_before(s, role))
                continue;
            const struct row *base = rows[s->than[role] - l->rivals];
            add(list, rows[i], base, s, role, "e2e", &s->e2e[role]);
            add(list, rows[i], base, s, role, "resident", &s->resident[role]);
        }
    }
    return list;
}
