/* Turns a kernel's counters into five facts. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/profile/kernel.h"

enum { FACT = 400, WORTH_A_WORD = 5 /* percent of a pipe */ };

static void add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, FACT - used, format, arguments);
    va_end(arguments);
}

/* --- bound by what ---------------------------------------------------------------------------- */

static const struct {
    enum metric metric;
    const char *name, *pipe;
} resources[] = {
    {N_DRAM, "memory", NULL},
    {N_L2, "the L2 cache", NULL},
    {N_L1, "the L1 cache and shared memory", NULL},
    {N_FMA, "arithmetic, multiply-adds", "fma"},
    {N_ALU, "arithmetic, integers and comparisons", "alu"},
    {N_XU, "special functions", "xu"},
    {N_F16, "arithmetic, float16", "fp16"},
    {N_F64, "arithmetic, float64", "fp64"},
    {N_TENSOR, "tensor cores", "tensor"},
    {N_ISSUE, "the issue of instructions", NULL},
};
enum { RESOURCES = sizeof resources / sizeof *resources };

/* ncu's words, and their meanings. */
static const struct {
    const char *stall, *meaning;
} stalls[] = {
    {"barrier", "__syncthreads"},
    {"branch_resolving", "a branch's target"},
    {"dispatch_stall", "the dispatcher"},
    {"drain", "its last stores"},
    {"gmma", "tensor cores"},
    {"imc_miss", "constants"},
    {"lg_throttle", "a place in the queue of global memory"},
    {"long_scoreboard", "global memory"},
    {"math_pipe_throttle", "a busy pipe of arithmetic"},
    {"membar", "a memory fence"},
    {"mio_throttle", "a place in the queue of shared memory and special functions"},
    {"misc", "something else"},
    {"no_instruction", "instructions"},
    {"short_scoreboard", "shared memory, shuffles or special functions"},
    {"sleeping", "the end of its sleep"},
    {"tex_throttle", "a place in the queue of textures"},
    {"wait", "the fixed latency of arithmetic"},
    {"warpgroup_arrive", "the rest of its warpgroup"},
};

static const char *meaning_of(const char *stall)
{
    for (size_t i = 0; i < sizeof stalls / sizeof *stalls; i++)
        if (strcmp(stalls[i].stall, stall) == 0)
            return stalls[i].meaning;
    return stall;
}

static size_t busiest(const struct kernel *k)
{
    size_t best = 0;

    for (size_t i = 1; i < RESOURCES; i++)
        if (!(k->metric[resources[i].metric] <= k->metric[resources[best].metric]) &&
            isfinite(k->metric[resources[i].metric]))
            best = i;
    return best;
}

/* From 60 % on, as in ncu's own rules, a resource bounds a kernel; below, latency does. */
void kernel_bound(const struct kernel *k, char *text, size_t bytes)
{
    const size_t best = busiest(k);
    const double share = k->metric[resources[best].metric];
    const double LAUNCH = 4e-6, ENOUGH = 60.0;

    /* Data from memory pass through the L2 cache, which is then busy as well. */
    if (resources[best].metric == N_L2 && k->metric[N_DRAM] >= ENOUGH)
        snprintf(text, bytes, "memory: %.0f %% of what the device can do, %.0f %% of the L2 cache before it",
                 k->metric[N_DRAM], share);
    else if (share >= ENOUGH)
        snprintf(text, bytes, "%s: %.0f %% of what the device can do", resources[best].name, share);
    else if (k->longest < LAUNCH)
        snprintf(text, bytes, "its start: %.1f us are about what an empty kernel takes",
                 k->longest * 1e6);
    else if (k->metric[N_WAVES] < 0.5)
        snprintf(text, bytes, "too little work: the grid fills %.0f %% of the device",
                 100.0 * k->metric[N_WAVES]);
    else if (k->stall[0] != '\0')
        snprintf(text, bytes, "latency: nothing is busier than %.0f %% (%s); warps wait for %s", share,
                 resources[best].name, meaning_of(k->stall));
    else
        snprintf(text, bytes, "latency: nothing is busier than %.0f %% (%s)", share,
                 resources[best].name);
}

/* --- the others ------------------------------------------------------------------------------- */

static void add_peaks(const struct kernel *k, char *text)
{
    double most = NAN;
    const char *separator = " (";

    add(text, "memory %.0f %%, L2 %.0f %%, L1 and shared memory %.0f %%; arithmetic ",
        k->metric[N_DRAM], k->metric[N_L2], k->metric[N_L1]);
    for (size_t i = 0; i < RESOURCES; i++)
        if (resources[i].pipe != NULL)
            most = fmax(most, k->metric[resources[i].metric]); /* fmax ignores NaN */
    add(text, "%.0f %%", most);
    for (size_t i = 0; i < RESOURCES; i++)
        if (resources[i].pipe != NULL && k->metric[resources[i].metric] >= WORTH_A_WORD) {
            add(text, "%s%s %.0f", separator, resources[i].pipe, k->metric[resources[i].metric]);
            separator = ", ";
        }
    add(text, "%s, instructions issued in %.0f %% of the cycles", separator[0] == ',' ? ")" : "",
        k->metric[N_ISSUE]);
}

static void add_sectors(const struct kernel *k, const char *what, enum metric requests,
                        enum metric sectors, enum metric bytes, char *text)
{
    const double r = k->metric[requests], s = k->metric[sectors], b = k->metric[bytes];

    if (!(r > 0.0))
        return;
    add(text, "%s%s %.1f", text[0] != '\0' ? "; " : "", what, s / r);
    if (b > 0.0)
        add(text, " for %.0f bytes", b / r);
}

static void add_shared(const struct kernel *k, char *text)
{
    const double instructions = k->metric[N_SHARED_LOADS] + k->metric[N_SHARED_STORES];
    const double wavefronts = k->metric[N_WAVEFRONTS], conflicts = k->metric[N_CONFLICTS];

    if (!(instructions > 0.0))
        add(text, "not used");
    else if (!(conflicts > 0.005 * wavefronts))
        add(text, "%.1f wavefronts an instruction, none of them for bank conflicts",
            wavefronts / instructions);
    else
        add(text, "%.1f wavefronts an instruction, %.0f %% of them for bank conflicts",
            wavefronts / instructions, 100.0 * conflicts / wavefronts);
}

static void add_occupancy(const struct kernel *k, char *text)
{
    static const struct {
        enum metric limit;
        const char *name;
    } limits[] = {{N_BY_WARPS, "warps"}, {N_BY_REGISTERS, "registers"}, {N_BY_SHARED, "shared memory"},
                  {N_BY_BLOCKS, "blocks"}};
    const double shared = k->metric[N_SHARED_STATIC] + k->metric[N_SHARED_DYNAMIC];
    size_t least = 0;

    for (size_t i = 1; i < sizeof limits / sizeof *limits; i++)
        if (k->metric[limits[i].limit] < k->metric[limits[least].limit])
            least = i;
    add(text, "%.0f %% of %.0f %% possible", k->metric[N_OCCUPANCY], k->metric[N_POSSIBLE]);
    if (k->metric[N_POSSIBLE] < 99.5)
        add(text, ", for want of %s", limits[least].name);
    add(text, "; %.0f registers a thread", k->metric[N_REGISTERS]);
    if (shared > 0.0)
        add(text, ", %.0f bytes of shared memory a block", shared);
}

/* --- print ------------------------------------------------------------------------------------ */

static void print_fact(FILE *out, const char *about, const char *text)
{
    enum { ABOUT = 22 };
    const size_t width = terminal_width(out);

    fprintf(out, "  %-*s", ABOUT - 2, about);
    terminal_wrap(out, text, ABOUT, ABOUT, width > 0 && width < 100 ? width : 100);
    fputc('\n', out);
}

void kernel_print(FILE *out, const struct kernel *k, double share)
{
    char text[FACT] = "", time[32];

    describe_duration(k->longest, time, sizeof time);
    add(text, "kernel %s: %s%s", k->name, time, k->launches > 1 ? " at most" : "");
    if (k->launches > 1)
        add(text, ", %zu launches", k->launches);
    if (share < 0.995)
        add(text, ", %.0f %% of the kernels' time", 100.0 * share);
    add(text, "; %s blocks of %s threads\n", k->grid, k->block);
    terminal_prose(out, text);

    kernel_bound(k, text, sizeof text);
    print_fact(out, "bound by", text);
    text[0] = '\0';
    add_peaks(k, text);
    print_fact(out, "of the peak", text);
    text[0] = '\0';
    add_sectors(k, "loads", N_LOADS, N_LOAD_SECTORS, N_LOAD_BYTES, text);
    add_sectors(k, "stores", N_STORES, N_STORE_SECTORS, N_STORE_BYTES, text);
    print_fact(out, "sectors a request", text[0] != '\0' ? text : "no global memory");
    text[0] = '\0';
    add_shared(k, text);
    print_fact(out, "shared memory", text);
    text[0] = '\0';
    add_occupancy(k, text);
    print_fact(out, "occupancy", text);
}
