/*
 * qr / cuda_shared
 *
 * Idea     A block a panel of 288 rows, which comes to shared memory once and has a QR of its own.  The panels' R are a matrix
 *          again, and so on.  Q is made downwards.
 * Against  cuda_naive, where each reflection reads what is left of the matrix from global memory.
 * Expect   A is read once, reflectors are written and read once, Q is written once.  A warp keeps its columns in registers, and
 *          each multiply-add needs no load but the reflector's: bound by arithmetic at n = 64.  The upper levels have few panels,
 *          and each step of a panel waits for the one before.
 * Try      STRIPS = 5: 160 rows.  How many levels are there, and what do they take?
 * Level    3
 * Read     cuda_buffers.h, cuda_panel.h, cuda_tree.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_q, d_r */
#include "cuda_tree.h"    /* tree_refuse, tree_prepare, tree_run, tree_release */

static struct tree tree;

static void prepare_tree(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    prepare(problem);
    tree_prepare(&tree, p->m, p->n);
}

static void run(const void *problem)
{
    (void)problem;
    tree_run(&tree, d_a, d_q, d_r);
}

static void release_tree(void)
{
    tree_release(&tree);
    release();
}

VARIANT(.idea = "a block a panel of rows in shared memory, a tree of their R",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = tree_refuse,
        .prepare = prepare_tree,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_tree)
