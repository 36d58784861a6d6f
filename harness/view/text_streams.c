/* Draws copies and kernels in their streams.  A column is a step, not a time: each piece of work begins as soon as
   the work ahead of it has ended, and each kind of it is done by one engine. */
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/view/text.h"

enum { MOST_STEPS = 30 };

void text_streams(FILE *out, const json_t *document)
{
    static const char *const letters = "HDPK.";
    const json_t *works = json_object_get(document, "works"), *work;
    long long streams = 0, steps = 0;
    size_t i;

    json_array_foreach((json_t *)works, i, work) {
        streams = view_number(work, "stream") >= streams ? view_number(work, "stream") + 1 : streams;
        steps = view_number(work, "step") >= steps ? view_number(work, "step") + 1 : steps;
    }
    if (streams < 2)
        return;
    terminal_printf(out, "\nstreams: H copies to the device, D back, P from GPU to GPU, K is a kernel; a column is a step, not a time\n");
    for (long long s = 0; s < streams; s++) {
        char row[MOST_STEPS + 1];
        memset(row, ' ', sizeof row);
        row[steps < MOST_STEPS ? steps : MOST_STEPS] = '\0';
        json_array_foreach((json_t *)works, i, work) {
            const long long step = view_number(work, "step");
            const char *kind = view_word(work, "kind");
            if (view_number(work, "stream") == s && step < MOST_STEPS)
                row[step] = letters[strcmp(kind, "HtoD") == 0 ? 0 : strcmp(kind, "DtoH") == 0 ? 1
                                    : strcmp(kind, "PtoP") == 0 ? 2
                                    : strcmp(kind, "kernel") == 0 ? 3 : 4];
        }
        fprintf(out, "  stream %2lld  %s\n", s, row);
    }
    json_array_foreach((json_t *)json_object_get(document, "traffic"), i, work) {
        char may[32];
        describe_bytes((double)(view_number(work, "overlapping_bytes") + view_number(work, "overlapping_peer_bytes")), may,
                       sizeof may);
        terminal_printf(out, "  %s: copies of %s may overlap something\n", view_word(work, "phase"), may);
    }
}
