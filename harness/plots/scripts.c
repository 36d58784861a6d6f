/* The scripts of plots/, in the program itself: it draws from wherever it lies. */
#include "harness/plots/drawing.h"

/* Of plots/NAME.gp, under the symbol plots_NAME_gp. */
#define SCRIPT(name)                                                                               \
    __asm__(".pushsection .rodata\n"                                                               \
            "plots_" #name "_gp: .incbin \"plots/" #name ".gp\"\n"                                 \
            ".byte 0\n"                                                                            \
            ".popsection\n");                                                                      \
    extern const char plots_##name##_gp[];

SCRIPT(style)
SCRIPT(legend)
SCRIPT(curves)
SCRIPT(ladder)
SCRIPT(phases)
SCRIPT(sweep)
SCRIPT(roofline)
SCRIPT(scaling)
SCRIPT(history)

const struct plot_script plot_scripts[] = {
    {"style", plots_style_gp},       {"legend", plots_legend_gp},
    {"curves", plots_curves_gp},     {"ladder", plots_ladder_gp},
    {"phases", plots_phases_gp},     {"sweep", plots_sweep_gp},
    {"roofline", plots_roofline_gp}, {"scaling", plots_scaling_gp},
    {"history", plots_history_gp},   {NULL, NULL},
};
