#include "harness/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"

bool error_set(struct error *error, const char *format, ...)
{
    char text[sizeof error->text]; /* a separate buffer, because the arguments may include the old
                                      error */
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    if (length >= (int)sizeof text)
        memcpy(text + sizeof text - 4, "...", 4);
    text_clean(text);
    memcpy(error->text, text, sizeof text);
    return false;
}
