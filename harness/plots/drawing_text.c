/* What goes into data and scripts: texts that gnuplot takes for what they are, and numbers. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "harness/plots/drawing.h"
#include "harness/describe.h"

enum { MOST_TEXT = 512 }; /* bytes of a field or a title */

/* --- the script's variables ------------------------------------------------------------------- */

/* Between single quotes gnuplot takes everything as it stands, backslashes, $, @ and ` included. */
static void put_quoted(FILE *f, const char *text)
{
    char drawable[MOST_TEXT];

    snprintf(drawable, sizeof drawable, "%s", text);
    text_clean(drawable); /* it may have been cut in the middle of a character */
    putc('\'', f);
    for (const char *s = drawable; *s != '\0'; s++) {
        if (*s == '\'')
            putc('\'', f);
        putc(*s, f);
    }
    putc('\'', f);
}

void drawing_text(struct drawing *d, const char *name, const char *text)
{
    fprintf(d->script, "%s = ", name);
    put_quoted(d->script, text);
    putc('\n', d->script);
}

void drawing_number(struct drawing *d, const char *name, double value)
{
    if (isfinite(value))
        fprintf(d->script, "%s = %.9g\n", name, value);
    else
        fprintf(d->script, "%s = NaN\n", name);
}

void device_name(const char *device, char name[DEVICE_NAME])
{
    size_t used = 0;

    for (; device[used] != '\0' && used + 1 < DEVICE_NAME; used++)
        name[used] = (char)toupper((unsigned char)device[used]);
    name[used] = '\0';
}

void drawing_device(struct drawing *d, const char *device)
{
    char name[DEVICE_NAME];

    device_name(device, name);
    drawing_text(d, "device", name);
}

void drawing_height(struct drawing *d, size_t rows)
{
    const size_t usual = 26;

    if (rows > usual)
        drawing_number(d, "height", 900.0 + 26.0 * (double)(rows - usual));
}

void drawing_numbers(struct drawing *d, const char *name, const double values[], size_t count)
{
    fprintf(d->script, "array %s[%zu] = [", name, count);
    for (size_t i = 0; i < count; i++)
        fprintf(d->script, "%s%.9g", i > 0 ? ", " : "", values[i]);
    fputs("]\n", d->script);
}

void drawing_texts(struct drawing *d, const char *name, const char *const texts[], size_t count)
{
    fprintf(d->script, "array %s[%zu] = [", name, count > 0 ? count : 1);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", d->script);
        put_quoted(d->script, texts[i]);
    }
    fputs(count > 0 ? "]\n" : "'']\n", d->script);
}

/* --- the data --------------------------------------------------------------------------------- */

static void data_field(struct drawing *d)
{
    if (d->column++ > 0)
        putc('\t', d->data);
}

void data_number(struct drawing *d, double value)
{
    data_field(d);
    if (isfinite(value))
        fprintf(d->data, "%.9g", value);
    else
        fputs("NaN", d->data);
}

/* In data gnuplot reads \ as in C, how often depends on where, and " as an end of a text. */
void data_text(struct drawing *d, const char *text)
{
    char drawable[MOST_TEXT];

    /* An empty field would make gnuplot take the next one for it. */
    snprintf(drawable, sizeof drawable, "%s", text[0] != '\0' ? text : "-");
    text_clean(drawable);
    data_field(d);
    for (const char *s = drawable; *s != '\0'; s++)
        if (*s == '\\')
            fputs("\xE2\x88\x96", d->data); /* U+2216, which looks like one */
        else
            putc(*s == '"' ? '\'' : *s, d->data);
}

void data_comment(struct drawing *d, const char *text)
{
    fprintf(d->data, "# %s\n", text);
}

void data_row(struct drawing *d)
{
    putc('\n', d->data);
    d->column = 0;
}

void data_block(struct drawing *d)
{
    fputs("\n\n", d->data);
}

void data_duration(struct drawing *d, double seconds)
{
    char text[32] = "";

    if (isfinite(seconds))
        describe_duration(seconds, text, sizeof text);
    data_text(d, text);
}
