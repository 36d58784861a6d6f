/* The value of a ceiling (a measured peak rate), written and read as a "ceiling" record. */
#ifndef RUNGS_CEILING_VALUE_H
#define RUNGS_CEILING_VALUE_H

#include "common/variant.h"
#include "harness/machine/machine.h"
#include "harness/model/outcome.h"
#include "harness/model/rank_facts.h"
#include "harness/model/resource.h"
#include "harness/records/schema.h"

extern const char *const resource_names[RESOURCES]; /* as in tables and records */

/* One ceiling at one working set, with one core or all. */
struct ceiling_value {
    size_t run, line; /* index of its run, and its line, in the file that it was read from */
    char name[32];    /* of the file that measures it: "cpu_copy" */
    char idea[64];    /* how it was measured */
    char device[16];  /* "cpu", "gpu" */
    char machine[FINGERPRINT]; /* its fingerprint */
    enum resource resource;
    enum math math;
    size_t bytes;     /* working set; 0: none */
    int cores;        /* CPU cores that took part; 0: another device */
    int devices;      /* number of such devices in the machine */
    struct fate fate; /* if not ok, the reason why there is no value */
    struct rank_facts mpi; /* of a network, between as many ranks as `cores` says */
    double best;      /* work a second in the fastest sample: the peak */
    double median, low, high; /* of the rounds, with its 95 % interval; NaN: too few rounds */
};

/* Writes a rate with 3 digits and a unit: "4.38 TB/s".  Launches are written as times. */
void resource_describe(enum resource resource, double rate, char *text, size_t bytes);

json_t *ceiling_write(const struct ceiling_value *v);
/* A resource that this program does not know becomes RESOURCES. */
bool ceiling_read(const struct record_place *p, const json_t *object, struct ceiling_value *v);

#endif
