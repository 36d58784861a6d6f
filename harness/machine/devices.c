#include "harness/machine/devices.h"

#include <stdio.h>

void devices_describe(const struct devices *d, char *text, size_t bytes)
{
    const struct device_facts *f = &d->facts[0];
    char many[16] = "", more[192] = "";

    text[0] = '\0';
    if (d->name == NULL)
        return;
    if (d->count == 0) {
        snprintf(text, bytes, "no %s: %s", d->name, d->missing);
        return;
    }
    if (d->count > 1)
        snprintf(many, sizeof many, "%d x ", d->count);
    if (f->units > 0)
        snprintf(more, sizeof more, " (%s, %d SMs, %.0f GiB), %s, stamps %.2g us apart", f->kind,
                 f->units, (double)f->memory / 0x1p30, f->software, d->step * 1e6);
    snprintf(text, bytes, "%s%s%s", many, f->name, more);
}
