#include "harness/model/outcome.h"

#include <stdarg.h>
#include <stdio.h>

#include "harness/base/error.h"
#include "harness/base/text.h"

const char *const outcome_names[] = {
    [OUTCOME_OK] = "ok",           [OUTCOME_WRONG] = "wrong",
    [OUTCOME_NAN] = "nan",         [OUTCOME_BREACH] = "breach",
    [OUTCOME_CRASH] = "crash",     [OUTCOME_TIMEOUT] = "timeout",
    [OUTCOME_MEMORY] = "memory",   [OUTCOME_REFUSED] = "refused",
    [OUTCOME_NO_DEVICE] = "no device", [OUTCOME_SKIPPED] = "skipped",
    [OUTCOME_STOPPED] = "stopped",
};

bool fate_set(struct fate *fate, enum outcome outcome, const char *format, ...)
{
    va_list arguments;

    fate->outcome = outcome;
    va_start(arguments, format);
    vsnprintf(fate->reason, sizeof fate->reason, format, arguments);
    va_end(arguments);
    text_clean(fate->reason); /* one line, whatever the variant printed */
    return false;
}
