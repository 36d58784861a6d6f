/*
 * knn / cpu_tree_avx512
 *
 * Idea     A packet of eight observations in one vector: AVX-512 instead of AVX2.  The algorithm is the same.
 * Against  cpu_tree, where eight numbers are two vectors.
 * Expect   Half of the search's instructions, and the search is half of the time: a quarter less in all, at most.  Where
 *          the CPU splits vectors of 512 bits in halves, only the choices gain, by masks.
 * Try      k = 8 and k = 32: the longer the lists, the more of the work is in vectors.
 * Level    3
 * Read     eights_avx512.h, exact.h, ties.h, tree_order.h, tree_search.h, tree.h, trigonometry.h
 */
#include "common/variant.h"
#include "eights_avx512.h" /* eight, VECTORS, refuse */
#include "tree_search.h"   /* prepare, run, release */

VARIANT(.idea = "AVX-512: a packet is one vector",
        .base = "cpu_tree",
        .math = MATH_F32,
        .traits = TRAIT_SHORTCUT,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
