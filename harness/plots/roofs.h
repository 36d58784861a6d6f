/* The roofs of a roofline: what one machine can do, from its ceilings' records. */
#ifndef RUNGS_ROOFS_H
#define RUNGS_ROOFS_H

#include "harness/plots/drawing.h"

/* The ceilings of one machine, all or those of a device. */
struct roof {
    enum shade shade;
    char device[16];
    double memory;     /* bytes a second, of the largest working set measured */
    double cache;      /* of one like the cell's, where that is much faster; else 0 */
    double arithmetic; /* flops a second, float32 */
    double best;       /* in any arithmetic that a rung of the cell uses */
    char math[16];     /* which */
};

enum { MOST_ROOFS = 6 };

struct roofs {
    size_t count;
    struct roof roof[MOST_ROOFS];
};

/* The file with the ceilings of this run's machine; NULL: there is none. */
const struct past *roofs_file(const struct source *all, const struct past_run *run);

/* Are all rates of a machine's making?  False: the error says which is not. */
bool roofs_drawable(const struct past *p, struct error *error);

/* Those of a table's cells. */
void roofs_find(struct roofs *roofs, const struct past *p, const struct past_cell cells[],
                size_t count);

#endif
