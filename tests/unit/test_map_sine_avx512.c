/* The sine and cosine of variants/map/cpu_avx512.c. */
#include "variants/map/cpu_avx512.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/map_sine.h"
