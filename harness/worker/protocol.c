/* The names of the protocol, for both sides. */
#include "harness/worker/protocol.h"

const char *const activity_names[ACTIVITIES] = {"harness", "refuse", "prepare", "upload", "reset",
                                                "run", "download", "release"};
