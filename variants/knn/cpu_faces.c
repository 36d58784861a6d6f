/*
 * knn / cpu_faces
 *
 * Idea     A multiply-add less: divided by its largest component, an observation has only two numbers left
 *          to multiply with (faces.h has a picture).  Observations with the same largest component go
 *          through the references together (best_on_side in faces_float.h).
 * Against  cpu_simd_openmp, which takes three multiply-adds and answers one observation after the other.
 *          Here a group of observations is answered in vectors as well (nearest.h).
 * Expect   Half as many pairs again: eight a clock of each core, where it has two units for multiply-add of
 *          eight lanes, and another one for the maximum.
 * Try      In faces.h, PASS = 64: how many groups are filled by observations that repeat?
 * Level    3
 * Read     avx2.h, exact.h, faces_float.h, faces.h, nearest.h, trigonometry.h
 */
#include <immintrin.h>

#include "common/variant.h"
#include "avx2.h" /* LANES, needs_avx2, vectors */

enum { GROUP = 4 }; /* observations that share each load */

#include "faces_float.h" /* best_on_side; of faces.h, prepare, run, release */

VARIANT(.idea = "AVX2, and two multiply-adds a pair instead of three",
        .base = "cpu_simd_openmp",
        .math = MATH_F32,
        .refuse = needs_avx2,
        .prepare = prepare,
        .run = run,
        .release = release)
