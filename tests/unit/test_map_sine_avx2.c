/* The sine and cosine of variants/map/cpu_simd.c. */
#include "variants/map/cpu_simd.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/map_sine.h"
