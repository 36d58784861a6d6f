/*
 * knn / cpu_tree
 *
 * Idea     A tree that follows the data (tree.h), and eight observations that search it together, one in each lane of
 *          the vectors (tree_search.h).  They are neighbours, so they mostly need the same nodes: a node is loaded
 *          once for all of them, and skipped if no lane needs it.
 * Against  cpu_index, whose grid is as fine in a town as at sea, and where each observation searches alone.
 * Expect   As fast for a town, a coast or copies as for the whole sphere.  Faster than a grid there, too: some 20 pairs
 *          and 20 boxes for each observation, in vectors, and few branches.  The search takes half of the time; half
 *          are unit vectors and sorting.
 * Try      SECTOR_BITS = 0 in tree_order.h, with half of the observations far from all references: how many more
 *          boxes does a packet need, whose observations lie in different directions?
 * Level    3
 * Read     eights_avx2.h, exact.h, ties.h, tree_order.h, tree_search.h, tree.h, trigonometry.h
 */
#include "common/variant.h"
#include "eights_avx2.h" /* eight, VECTORS, refuse */
#include "tree_search.h" /* prepare, run, release */

VARIANT(.idea = "a k-d tree that eight observations search together",
        .base = "cpu_index",
        .math = MATH_F32,
        .traits = TRAIT_SHORTCUT,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
