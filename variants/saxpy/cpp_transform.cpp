/*
 * saxpy / cpp_transform
 *
 * Idea     std::transform with a lambda: the loop is the library's, and the arithmetic is one expression.
 * Against  cpu_naive, the same loop by index in C.
 * Expect   The same speed: the template and the lambda are inlined, and what is left is that loop.
 * Try      std::execution::par_unseq, which needs TBB: does it pay at this size?
 * Level    1
 * Read     nothing else
 */
#include <algorithm>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const auto p = static_cast<const saxpy *>(problem);

    std::transform(p->x, p->x + p->n, p->y, p->z, [a = p->a](float x, float y) { return a * x + y; });
}

VARIANT(.idea = "C++: std::transform with a lambda", .base = "cpu_naive", .run = run)
