/* What was found of one ceiling, and its "ceiling" record, both ways. */
#ifndef RUNGS_CEILING_VALUE_H
#define RUNGS_CEILING_VALUE_H

#include "common/variant.h"
#include "harness/machine/machine.h"
#include "harness/model/outcome.h"
#include "harness/model/resource.h"
#include "harness/records/schema.h"

extern const char *const resource_names[RESOURCES]; /* as in tables and records */

/* One ceiling at one working set, with one core or all. */
struct ceiling_value {
    size_t run, line; /* index of its run, and its line, in the file that it was read from */
    char name[32];    /* of its file: "cpu_copy" */
    char idea[64];    /* how it was measured */
    char device[16];  /* "cpu", "gpu" */
    char machine[FINGERPRINT]; /* its fingerprint */
    enum resource resource;
    enum math math;
    size_t bytes;     /* working set; 0: it has none */
    int cores;        /* of the CPU that took part; 0: another device's */
    int devices;      /* such devices that there are */
    struct fate fate; /* not ok: there is no value, for this reason */
    double best;      /* work a second in the fastest sample: the limit */
    double median, low, high; /* of the rounds, and its 95 % interval; NaN: too few rounds */
};

/* Its rate, in 3 digits and a unit: "4.38 TB/s".  Kernels are counted in time. */
void resource_describe(enum resource resource, double rate, char *text, size_t bytes);

json_t *ceiling_write(const struct ceiling_value *v);
/* Of a resource that this program does not know: RESOURCES. */
bool ceiling_read(const struct record_place *p, const json_t *object, struct ceiling_value *v);

#endif
