/* Verifies, before the first block of a case, that the phases of a variant in another language are what they say.  Such
   a variant has a runtime of its own, which may start work where the harness's wait and clock do not see it. */
#ifndef RUNGS_VERIFY_H
#define RUNGS_VERIFY_H

#include "harness/worker/sample.h"

/* Return whether they are; if not, the reply has the outcome and its reason. */

/* Do the device's stamps before and after so many runs fit the host's?  Less than 200 us cannot be compared. */
bool verify_stamps(const struct stage *s, unsigned long runs, struct reply *a);

/* Has a run ended when the harness has waited for it? */
bool verify_end_of_run(const struct stage *s, struct reply *a);

#endif
