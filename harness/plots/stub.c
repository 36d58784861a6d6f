#include "harness/plots/drawing.h"
#define STUB(x) bool x(struct plots *p, const struct source *s, struct error *e) { (void)p; (void)s; (void)e; return true; }
STUB(plot_scaling) STUB(plot_history)
