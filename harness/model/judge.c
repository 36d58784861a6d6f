#include "harness/model/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"

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

uint64_t judge_seed(void)
{
    return random_unforeseen() >> 11; /* as many bits as every JSON reader keeps in a number */
}

struct verdict verdict_start(void)
{
    return (struct verdict){.finite = true};
}

bool verdict_see(struct verdict *v, const char *array, size_t where, double got, double want,
                 double tolerance)
{
    double distance = fabs(got - want);
    double error = 0.0;

    v->seen++;
    /* A value that equals the expected one after rounding to float32 is right.  Only so can an
       overflow to infinity be right. */
    if (got == want || got == (double)(float)want)
        return true;

    if (!isfinite(distance))
        error = INFINITY;
    else if (distance > 0.0)
        error = tolerance > 0.0 ? distance / tolerance : INFINITY;

    if (!(error <= 1.0))
        v->wrong++;
    if (error > v->error || !isfinite(got)) { /* NaN is reported whatever came before */
        v->error = error;
        v->array = array;
        v->where = where;
        v->got = got;
        v->want = want;
        v->limit = tolerance;
    }
    if (!isfinite(got)) {
        v->finite = false;
        return false; /* nothing may follow, because a running maximum could forget this value */
    }
    return true;
}

/* Returns whether each value is right and none is worse than the worst so far.  It has no branches, so
   that the compiler can vectorise it.  It is slightly strict, so that the rounding of a quotient makes
   no difference. */
static bool nothing_new(double worst, size_t count, const float got[], const double want[],
                        const double tolerance[])
{
    const double share = (1.0 - 0x1p-50) * (worst < 1.0 ? worst : 1.0);
    unsigned remarkable = 0;

#pragma omp simd reduction(| : remarkable)
    for (size_t i = 0; i < count; i++) {
        const double distance = fabs(got[i] - want[i]);
        const unsigned nearest = got[i] == (float)want[i];
        const unsigned near = (unsigned)(distance <= share * tolerance[i]) & (distance < INFINITY);

        remarkable |= 1U ^ (nearest | near);
    }
    return remarkable == 0;
}

bool verdict_see_row(struct verdict *v, const char *array, size_t where, size_t count,
                     const float got[], const double want[], const double tolerance[])
{
    enum { AT_A_TIME = 128 };

    for (size_t begin = 0; begin < count; begin += AT_A_TIME) {
        const size_t end = count - begin < AT_A_TIME ? count : begin + AT_A_TIME;

        if (nothing_new(v->error, end - begin, got + begin, want + begin, tolerance + begin)) {
            v->seen += end - begin;
            continue;
        }
        for (size_t i = begin; i < end; i++)
            if (!verdict_see(v, array, where + i, got[i], want[i], tolerance[i]))
                return false;
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

bool verdict_add(struct verdict *v, const struct verdict *next)
{
    v->seen += next->seen;
    v->wrong += next->wrong;
    v->same += next->same;
    v->asked += next->asked;
    if (next->error > v->error || !next->finite) {
        v->error = next->error;
        v->array = next->array;
        v->where = next->where;
        v->got = next->got;
        v->want = next->want;
        v->limit = next->limit;
    }
    v->finite = v->finite && next->finite;
    if (next->note[0] != '\0')
        memcpy(v->note, next->note, sizeof v->note);
    return next->finite && next->note[0] == '\0';
}

struct range {
    verdict_part *part;
    const void *context;
    size_t grain;
    struct verdict *verdicts; /* one for each chunk */
};

static void judge_chunk(void *context, size_t begin, size_t end)
{
    const struct range *r = context;
    struct verdict *v = &r->verdicts[begin / r->grain];

    *v = verdict_start();
    r->part(v, r->context, begin, end);
}

struct verdict verdict_of(size_t count, size_t least_chunk, verdict_part *part, const void *context)
{
    const size_t grain = parallel_grain(count, least_chunk), chunks = parallel_chunks(count, grain);
    struct range r = {part, context, grain, calloc(chunks + 1, sizeof *r.verdicts)};
    struct verdict all = verdict_start();

    if (r.verdicts == NULL) {
        verdict_reject(&all, "no memory to judge %zu items", count);
        return all;
    }
    if (!parallel_for(count, grain, judge_chunk, &r))
        verdict_reject(&all, "interrupted");
    for (size_t i = 0; i < chunks && all.note[0] == '\0'; i++)
        if (!verdict_add(&all, &r.verdicts[i]))
            break;
    free(r.verdicts);
    return all;
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
    if (!v->finite) /* without the sign of a NaN, which has no meaning */
        snprintf(text, bytes, "%s%s is %g, expected %.9g", v->array, place,
                 isnan(v->got) ? NAN : v->got, v->want);
    else
        snprintf(text, bytes, "%s%s is %.9g, expected %.9g +- %.1e (%zu of %zu wrong)", v->array,
                 place, v->got, v->want, v->limit, v->wrong, v->seen);
}
