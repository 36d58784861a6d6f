/* The words of a card: the worker that writes it and the parent that reads it share them. */
#include "harness/model/card.h"

const char *const math_names[] = {
    [MATH_F32] = "f32", [MATH_FAST] = "fast", [MATH_TF32] = "tf32",
    [MATH_F16] = "f16", [MATH_F64] = "f64", NULL,
};

/* One for each bit, the lowest first. */
const char *const trait_names[] = {"shortcut", "tensor", "all_gpus", "cores", "pairs", "any_tie", "ranks", NULL};

const char *const clock_names[] = {"host", "stream", NULL};
const char *const engine_names[] = {"dask", "spark", NULL};
const char *const device_names[] = {"cpu", "gpu", "sim", NULL};

const char *const card_phase_names[] = {
    [CARD_REFUSE] = "refuse", [CARD_PREPARE] = "prepare",   [CARD_UPLOAD] = "upload",
    [CARD_RESET] = "reset",   [CARD_RUN] = "run", [CARD_DOWNLOAD] = "download",
    [CARD_RELEASE] = "release", NULL,
};
