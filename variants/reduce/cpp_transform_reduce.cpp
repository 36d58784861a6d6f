/*
 * reduce / cpp_transform_reduce
 *
 * Idea     std::transform_reduce may add in any order, where std::accumulate must add one after another.
 * Against  cpu_naive, whose additions wait for each other.
 * Expect   GCC's library adds four at a time, so half of the additions need not wait.  But two passes over x.
 * Try      std::accumulate: does the compiler reorder it?
 * Level    1
 * Read     nothing else
 */
#include <cmath>
#include <functional>
#include <numeric>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const auto p = static_cast<const reduce *>(problem);
    const auto end = p->x + p->n;
    const auto wide = [](float x) { return static_cast<double>(x); };
    const auto square = [](float x) { return static_cast<double>(x) * x; };

    *p->sum = static_cast<float>(std::transform_reduce(p->x, end, 0.0, std::plus<>(), wide));
    *p->norm = static_cast<float>(std::sqrt(std::transform_reduce(p->x, end, 0.0, std::plus<>(), square)));
}

VARIANT(.idea = "C++: std::transform_reduce, in any order", .base = "cpu_naive", .math = MATH_F64, .run = run)
