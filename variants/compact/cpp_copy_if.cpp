/*
 * compact / cpp_copy_if
 *
 * Idea     std::copy_if: the library's loop, with the test as a lambda.
 * Against  cpu_naive, the same loop and branch in C.
 * Expect   The same speed, and the same wrong guesses of the processor at 20 % NaN.
 * Try      std::remove_copy_if with std::isnan: what does the standard's own test compile to?
 * Level    1
 * Read     nothing else
 */
#include <algorithm>

#include "common/compact.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const auto p = static_cast<const compact *>(problem);

    *p->count = std::copy_if(p->x, p->x + p->n, p->kept, [](float x) { return x == x; }) - p->kept;
}

VARIANT(.idea = "C++: std::copy_if with a lambda", .base = "cpu_naive", .run = run)
