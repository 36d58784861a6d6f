#include "workshop/lab/metrics.h"

#include <math.h>
#include <string.h>

json_t *metrics_at(const struct counted *c, size_t i)
{
    return json_array_get(c->lines, i);
}

double metrics_number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static double metric_sum(const struct counted *c, const char *name)
{
    double sum = 0.0;

    for (size_t i = 0; metrics_at(c, i) != NULL; i++)
        sum += metrics_number(json_object_get(metrics_at(c, i), "metrics"), name);
    return sum;
}

static double kernel_sum(const struct counted *c, const char *name)
{
    double sum = 0.0;

    for (size_t i = 0; metrics_at(c, i) != NULL; i++)
        sum += metrics_number(metrics_at(c, i), name);
    return sum;
}

double metrics_flow_sum(const struct counted *c, const char *what, const char *direction,
                       const char *of)
{
    static const char *const directions[] = {"HtoD", "DtoH", "DtoD", "PtoP", "HtoH"};
    double sum = 0.0;

    for (size_t i = 0; metrics_at(c, i) != NULL; i++)
        for (size_t d = 0; d < sizeof directions / sizeof *directions; d++)
            if (direction == NULL || strcmp(directions[d], direction) == 0)
                sum += metrics_number(json_object_get(json_object_get(metrics_at(c, i), what), directions[d]), of);
    return sum;
}

bool metrics_is_of(const json_t *place, const char *space, const char *access)
{
    return strcmp(json_string_value(json_object_get(place, "space")), space) == 0 &&
           (access == NULL ||
            strcmp(json_string_value(json_object_get(place, "access")), access) == 0);
}

double metrics_line_sum(const struct counted *c, const char *space, const char *access,
                       const char *of)
{
    const json_t *place;
    double sum = 0.0;

    for (size_t i = 0; metrics_at(c, i) != NULL; i++) {
        const json_t *places = json_object_get(metrics_at(c, i), "lines");
        for (size_t j = 0; (place = json_array_get(places, j)) != NULL; j++)
            if (metrics_is_of(place, space, access))
                sum += metrics_number(place, of);
    }
    return sum;
}

static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : NAN;
}

/* Returns sectors a request of the worst line: in a sum, many good lines would hide one that wastes. */
static double worst_line(const struct counted *c, const char *access)
{
    const json_t *place;
    double worst = NAN;

    for (size_t i = 0; metrics_at(c, i) != NULL; i++) {
        const json_t *places = json_object_get(metrics_at(c, i), "lines");
        for (size_t j = 0; (place = json_array_get(places, j)) != NULL; j++)
            if (metrics_is_of(place, "global", access))
                worst = fmax(worst, ratio(metrics_number(place, "sectors"), metrics_number(place, "requests")));
    }
    return worst;
}

static double overlap_share(const struct counted *c)
{
    return ratio(kernel_sum(c, "overlapping_bytes"), metrics_flow_sum(c, "copies", NULL, "bytes"));
}

/* Returns the device that is set when run has returned; NaN if run copies nothing. */
static double device_at_end(const struct counted *c)
{
    for (size_t i = 0; metrics_at(c, i) != NULL; i++) {
        const char *phase = json_string_value(json_object_get(metrics_at(c, i), "phase"));
        if (phase != NULL && strcmp(phase, "run") == 0 && json_object_get(metrics_at(c, i), "device") != NULL)
            return metrics_number(metrics_at(c, i), "device");
    }
    return NAN;
}

double metrics_value(const struct counted *c, const char *metric)
{
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"launches", kernel_sum(c, "launches")},
        {"blocks", metric_sum(c, "launch__grid_size")},
        {"threads", metric_sum(c, "launch__thread_count")},
        {"barriers", kernel_sum(c, "barriers")},
        {"barriers_per_block", ratio(kernel_sum(c, "barriers") * 32.0,
                                     metric_sum(c, "launch__thread_count"))},
        {"load_sectors_per_request", worst_line(c, "load")},
        {"store_sectors_per_request", worst_line(c, "store")},
        {"sectors_per_request", worst_line(c, NULL)},
        {"load_requests", metrics_line_sum(c, "global", "load", "requests")},
        {"store_requests", metrics_line_sum(c, "global", "store", "requests")},
        {"load_bytes", metrics_line_sum(c, "global", "load", "bytes")},
        {"load_sectors", metrics_line_sum(c, "global", "load", "sectors")},
        {"store_bytes", metrics_line_sum(c, "global", "store", "bytes")},
        {"floats_per_load", ratio(metrics_line_sum(c, "global", "load", "bytes") / 4.0,
                                  metrics_line_sum(c, "global", "load", "requests"))},
        {"floats_per_store", ratio(metrics_line_sum(c, "global", "store", "bytes") / 4.0,
                                   metrics_line_sum(c, "global", "store", "requests"))},
        {"atomics", metrics_line_sum(c, "global", "atomic", "requests")},
        {"shared_atomics", metrics_line_sum(c, "shared", "atomic", "requests")},
        {"shared_requests", metrics_line_sum(c, "shared", NULL, "requests")},
        {"shared_passes", metrics_line_sum(c, "shared", NULL, "wavefronts")},
        {"global_sectors", metrics_line_sum(c, "global", NULL, "sectors")},
        {"shared_passes_per_request", ratio(metrics_line_sum(c, "shared", NULL, "wavefronts"),
                                            metrics_line_sum(c, "shared", NULL, "requests"))},
        {"copies_in", metrics_flow_sum(c, "copies", "HtoD", "count")},
        {"copies_out", metrics_flow_sum(c, "copies", "DtoH", "count")},
        {"copies_within", metrics_flow_sum(c, "copies", "DtoD", "count")},
        {"bytes_in", metrics_flow_sum(c, "copies", "HtoD", "bytes")},
        {"bytes_out", metrics_flow_sum(c, "copies", "DtoH", "bytes")},
        {"bytes_between", metrics_flow_sum(c, "copies", "PtoP", "bytes")},
        {"migrations", metrics_flow_sum(c, "migrations", NULL, "count")},
        {"overlap_share", overlap_share(c)},
        {"peer_overlap_share", ratio(kernel_sum(c, "overlapping_peer_bytes"), metrics_flow_sum(c, "copies", "PtoP", "bytes"))},
        {"kernel_overlap_share", ratio(kernel_sum(c, "overlapping_kernels"), kernel_sum(c, "launches"))},
        {"concurrent_kernels", kernel_sum(c, "concurrent_kernels")},
        {"concurrent_kernel_share", ratio(kernel_sum(c, "concurrent_kernels"), kernel_sum(c, "launches"))},
        {"unfinished", kernel_sum(c, "unfinished")},
        {"device_at_end", device_at_end(c)},
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, metric) == 0)
            return all[i].value;
    return NAN;
}
