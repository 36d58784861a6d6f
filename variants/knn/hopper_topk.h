/* k neighbours by the sweep of hopper.h, for cuda_topk_wgmma and cuda_multi_wgmma */
#ifndef RUNGS_KNN_HOPPER_TOPK_H
#define RUNGS_KNN_HOPPER_TOPK_H

#include "cuda_topk_halves.h" /* topk_sweep, topk_new, topk_free, topk_select_halves */
#include "hopper.h"           /* sweep_by_wgmma, LONG */

static void topk_by_wgmma(topk_sweep s, uint4 *rows, points all, cudaStream_t stream)
{
    for (size_t i = 0; i < all.count; i += s.pass) {
        const points obs = pass_of(s, all, i);

        sweep_by_wgmma<LONG>(s, rows, obs, stream);
        topk_select_halves(s, obs, stream);
    }
}

#endif
