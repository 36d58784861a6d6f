#include "harness/records/ceiling_value.h"

#include <stdio.h>

#include "harness/base/text.h"
#include "harness/model/judge.h"

const char *const resource_names[RESOURCES] = {
    "memory", "arithmetic", "special functions", "upload",    "download",
    "peer",   "launch",     "round trip",        "graph node", "message", "network"};

void resource_describe(enum resource resource, double rate, char *text, size_t bytes)
{
    static const char *const units[RESOURCES] = {
        [RESOURCE_MEMORY] = "B/s",   [RESOURCE_ARITHMETIC] = "FLOP/s", [RESOURCE_SPECIAL] = "/s",
        [RESOURCE_UPLOAD] = "B/s",   [RESOURCE_DOWNLOAD] = "B/s",      [RESOURCE_PEER] = "B/s",
        [RESOURCE_NETWORK] = "B/s",
    };
    const bool tera = rate >= 999.5e9;

    if (units[resource] == NULL)
        describe_duration(1.0 / rate, text, bytes);
    else
        snprintf(text, bytes, "%.3g %c%s", rate / (tera ? 1e12 : 1e9), tera ? 'T' : 'G',
                 units[resource]);
}

/* --- the record ------------------------------------------------------------------------------- */

#define OF(key, kind, member) RECORD_FIELD(struct ceiling_value, key, kind, member)

static const struct field fields[] = {
    OF("name", KIND_NAME, name),       OF("idea", KIND_TEXT, idea),
    OF("device", KIND_TEXT, device),   OF("bytes", KIND_COUNT, bytes),
    OF("cores", KIND_INT, cores),      OF("devices", KIND_INT, devices),
    OF("reason", KIND_TEXT, fate.reason), OF("best", KIND_NUMBER, best),
    OF("median", KIND_NUMBER, median), OF("lo", KIND_NUMBER, low),
    OF("hi", KIND_NUMBER, high),       OF("fingerprint", KIND_TEXT, machine),
    OF("hosts", KIND_INT, mpi.hosts),  OF("library", KIND_TEXT, mpi.library),
    OF("transport", KIND_TEXT, mpi.transport),
};
enum { FIELDS = sizeof fields / sizeof *fields };

json_t *ceiling_write(const struct ceiling_value *v)
{
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:f}", "record", "ceiling", "resource",
                               resource_names[v->resource], "math", math_names[v->math], "status",
                               outcome_names[v->fate.outcome], "conf", 0.95);

    fields_write(object, fields, FIELDS, v);
    return object;
}

bool ceiling_read(const struct record_place *p, const json_t *object, struct ceiling_value *v)
{
    if (!fields_read(p, object, fields, FIELDS, v))
        return false;
    v->resource =
        (enum resource)field_choice(object, "resource", resource_names, RESOURCES, RESOURCES);
    v->math = (enum math)field_choice(object, "math", math_names, MATH_F64 + 1, MATH_F32);
    v->fate.outcome = (enum outcome)field_choice(object, "status", outcome_names,
                                                 OUTCOME_STOPPED + 1, OUTCOME_SKIPPED);
    return true;
}
