/* The program rungs-worker: loads one variant, and does what the parent asks.  It holds nothing of the
   judge.  A simulated variant, or a learner's, is linked with it into a program of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/worker/lines.h"
#include "harness/worker/load.h"
#include "harness/worker/protocol.h"

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--serve") == 0) {
        const struct variant *v = variant_load(argv[3]);
        if (v == NULL)
            return WORKER_BROKEN;
        worker_serve(argv[2], v, NULL, strtoull(argv[4], NULL, 10));
    }
    if (argc == 6 && strcmp(argv[1], "--lines") == 0)
        lines_serve(argv[2], argv[3], argv[4], strtoull(argv[5], NULL, 10));
    if (argc >= 2 && strcmp(argv[1], "--card") == 0)
        return card_print(argc > 2 ? argv[2] : argv[0]);
    fprintf(stderr, "rungs starts this program: --serve NAME FILE MEMORY, --lines NAME PROGRAM FILE MEMORY, or --card FILE\n");
    return 2;
}
