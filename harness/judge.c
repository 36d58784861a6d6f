#include "harness/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *const math_names[] = {
    [MATH_F32] = "f32", [MATH_FAST] = "fast", [MATH_TF32] = "tf32",
    [MATH_F16] = "f16", [MATH_F64] = "f64",
};

double math_unit(enum math math)
{
    switch (math) {
    case MATH_F32: return 0x1p-24;
    case MATH_FAST: return 0x1p-21;
    case MATH_TF32: return 0x1p-11;
    case MATH_F16: return 0x1p-8;
    case MATH_F64: return 0x1p-53;
    }
    return 0.0;
}

struct verdict verdict_start(void)
{
    return (struct verdict){.finite = true};
}

bool verdict_see(struct verdict *v, const char *array, size_t where, double got, double want,
                 double limit)
{
    double distance = fabs(got - want);
    double error = 0.0;

    v->seen++;
    /* Equal after rounding to float32 is as right as can be; it is also the only way in which an
       overflow to infinity is right. */
    if (got == want || got == (double)(float)want)
        return true;

    if (!isfinite(distance))
        error = INFINITY;
    else if (distance > 0.0)
        error = limit > 0.0 ? distance / limit : INFINITY;

    if (!(error <= 1.0))
        v->wrong++;
    if (error > v->error || !isfinite(got)) { /* a NaN is told of, whatever came before */
        v->error = error;
        v->array = array;
        v->where = where;
        v->got = got;
        v->want = want;
        v->limit = limit;
    }
    if (!isfinite(got)) {
        v->finite = false;
        return false; /* a running maximum could forget this value, so nothing comes after it */
    }
    return true;
}

void verdict_reject(struct verdict *v, const char *format, ...)
{
    va_list arguments;

    v->wrong++;
    v->error = INFINITY;
    va_start(arguments, format);
    vsnprintf(v->note, sizeof v->note, format, arguments);
    va_end(arguments);
}

double verdict_exact(const struct verdict *v)
{
    return v->asked > 0 ? (double)v->same / (double)v->asked : NAN;
}

static bool is_worse(const struct verdict *a, const struct verdict *b)
{
    if (a->finite != b->finite)
        return !a->finite;
    return a->error > b->error || (b->seen == 0 && b->note[0] == '\0');
}

struct verdict verdict_worse(struct verdict a, struct verdict b)
{
    struct verdict worse = is_worse(&b, &a) ? b : a;

    worse.same = a.same + b.same;
    worse.asked = a.asked + b.asked;
    return worse;
}

void verdict_describe(const struct verdict *v, char *text, size_t bytes)
{
    char place[64];

    if (v->note[0] != '\0') {
        snprintf(text, bytes, "%s", v->note);
        return;
    }
    if (v->array == NULL) {
        snprintf(text, bytes, "no error found");
        return;
    }
    if (v->columns > 0)
        snprintf(place, sizeof place, "[%zu][%zu]", v->where / v->columns, v->where % v->columns);
    else
        snprintf(place, sizeof place, "[%zu]", v->where);
    if (!v->finite) /* without the sign that a NaN has, which says nothing */
        snprintf(text, bytes, "%s%s is %g, expected %.9g", v->array, place,
                 isnan(v->got) ? NAN : v->got, v->want);
    else
        snprintf(text, bytes, "%s%s is %.9g, expected %.9g +- %.1e (%zu of %zu wrong)", v->array,
                 place, v->got, v->want, v->limit, v->wrong, v->seen);
}
