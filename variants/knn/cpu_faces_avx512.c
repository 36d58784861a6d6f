/*
 * knn / cpu_faces_avx512
 *
 * Idea     Vectors of sixteen: AVX-512 instead of AVX2.  The algorithm is the same.
 * Against  cpu_faces, with vectors of eight.
 * Expect   Up to twice as many pairs where the CPU has 512 bits wide units for multiply-add, and another
 *          unit for the maximum; a third more where two units do all three; nothing where the CPU splits the
 *          work in halves.
 * Try      GROUP = 4: half as many observations share each load of a reference.
 * Level    3
 * Read     avx512.h, exact.h, faces_float.h, faces.h, nearest.h, trigonometry.h
 */
#include <immintrin.h>

#include "common/variant.h"
#include "avx512.h" /* LANES, needs_avx512, vectors */

enum { GROUP = 8 }; /* observations that share each load */

#include "faces_float.h" /* best_on_side; of faces.h, prepare, run, release */

VARIANT(.idea = "AVX-512, and two multiply-adds a pair",
        .base = "cpu_faces",
        .math = MATH_F32,
        .refuse = needs_avx512,
        .prepare = prepare,
        .run = run,
        .release = release)
