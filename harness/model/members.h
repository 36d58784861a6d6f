/*
 * What a case holds, for programs that cannot include its header: other languages.
 *
 * A problem lists the members of its struct in `members` (harness/model/problem.h).  From that list and from
 * a case, members_describe() makes a text in JSON, which a worker in another language reads
 * (common/foreign.h, docs/other-languages.md):
 *
 *     {"abi":1,"problem":"saxpy","cell":"M: n=16777216",
 *      "scalars":{"n":{"type":"u8","at":3520,"address":139088223010816},"a":{"type":"f4",...}},
 *      "arrays":{"x":{"type":"f4","shape":[16777216],"file":"in","at":4096,"address":...}, ...}}
 *
 * Types have NumPy's letters, in this machine's byte order.  `at` is the offset in the file of the inputs ("in") or
 * of the outputs ("out").  An array without memory, as of no elements, has the address 0.
 */
#ifndef RUNGS_MEMBERS_H
#define RUNGS_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

enum member_type { MEMBER_F4, MEMBER_C8, MEMBER_U1, MEMBER_U4, MEMBER_U8, MEMBER_I2, MEMBER_I4 };

struct member {
    const char *name; /* the member's; NULL ends a list */
    enum member_type type;
    size_t offset;     /* in the struct */
    const char *shape; /* an array's lengths, by names of scalars or as numbers: "m,k", "n+1", "1"; NULL: a scalar */
    bool output;
};

#define SCALAR(problem, member, type) {#member, type, offsetof(struct problem, member), NULL, false}
#define INPUT(problem, member, type, shape) {#member, type, offsetof(struct problem, member), shape, false}
#define OUTPUT(problem, member, type, shape) {#member, type, offsetof(struct problem, member), shape, true}

/* Writes the text of a case into `text`.  Its struct lies at `data` now, and at arena_case_place() in a worker.  False: it has no room. */
bool members_describe(const struct member members[], const char *problem, const char *cell, const void *data,
                     char *text, size_t bytes);

/* Writes the outputs of at most `most` numbers into `text`: "sum=12.5 norm=3".  "": there are none. */
void members_answer(const struct member members[], const void *data, size_t most, char *text, size_t bytes);

#endif
