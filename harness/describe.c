#include "harness/describe.h"

#include <math.h>
#include <stdio.h>

void describe_number(double x, char *text, size_t bytes)
{
    const double size = fabs(x);
    int digits; /* in front of the point, or minus the zeros behind it */

    if (!(size < 1e15)) {
        snprintf(text, bytes, "-");
        return;
    }
    digits = size >= 1e-9 ? (int)floor(log10(size)) + 1 : 0;
    if (digits > 3) {
        const double step = pow(10.0, digits - 3);
        snprintf(text, bytes, "%.0f", round(x / step) * step);
    } else if (digits > -3) { /* %g has an exponent from 999.5 on */
        snprintf(text, bytes, size >= 999.5 ? "%.0f" : "%.3g", x);
    } else {
        snprintf(text, bytes, "%.*f", 3 - digits, x);
    }
}

void describe_duration(double seconds, char *text, size_t bytes)
{
    static const struct {
        double from, is; /* seconds */
        const char *name;
    } units[] = {{172800.0, 86400.0, "days"}, {7200.0, 3600.0, "h"}, {120.0, 60.0, "min"},
                 {1.0, 1.0, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "us"}, {0.0, 1e-9, "ns"}};
    char number[32];
    size_t i = 0;

    /* What rounds to 1000 of one unit is 1 of the next. */
    while (units[i].from > 0.0 && !(seconds >= units[i].from * (units[i].is < 1.5 ? 0.9995 : 1.0)))
        i++;
    describe_number(seconds / units[i].is, number, sizeof number);
    snprintf(text, bytes, "%s %s", number, units[i].name);
}
