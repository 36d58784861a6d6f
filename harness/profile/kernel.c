/* Turns a sheet of ncu's into kernels. */
#include "harness/profile/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[N_METRICS] = {
    [N_TIME] = "gpu__time_duration.sum",
    [N_DRAM] = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    [N_L2] = "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    [N_L1] = "l1tex__throughput.avg.pct_of_peak_sustained_active",
    [N_FMA] = "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
    [N_ALU] = "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
    [N_XU] = "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    [N_F16] = "sm__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_active",
    [N_F64] = "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
    [N_TENSOR] = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    [N_ISSUE] = "smsp__issue_active.avg.pct_of_peak_sustained_active",
    [N_LOADS] = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    [N_LOAD_SECTORS] = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    [N_STORES] = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    [N_STORE_SECTORS] = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    [N_LOAD_BYTES] = "smsp__sass_data_bytes_mem_global_op_ld.sum",
    [N_STORE_BYTES] = "smsp__sass_data_bytes_mem_global_op_st.sum",
    [N_SHARED_LOADS] = "smsp__sass_inst_executed_op_shared_ld.sum",
    [N_SHARED_STORES] = "smsp__sass_inst_executed_op_shared_st.sum",
    [N_WAVEFRONTS] = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    [N_CONFLICTS] = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    [N_OCCUPANCY] = "sm__warps_active.avg.pct_of_peak_sustained_active",
    [N_POSSIBLE] = "sm__maximum_warps_per_active_cycle_pct",
    [N_REGISTERS] = "launch__registers_per_thread",
    [N_SHARED_STATIC] = "launch__shared_mem_per_block_static",
    [N_SHARED_DYNAMIC] = "launch__shared_mem_per_block_dynamic",
    [N_BY_BLOCKS] = "launch__occupancy_limit_blocks",
    [N_BY_REGISTERS] = "launch__occupancy_limit_registers",
    [N_BY_SHARED] = "launch__occupancy_limit_shared_mem",
    [N_BY_WARPS] = "launch__occupancy_limit_warps",
    [N_WAVES] = "launch__waves_per_multiprocessor",
};

/* smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio, and some twenty more */
static const char stall_begins[] = "smsp__average_warps_issue_stalled_";
static const char stall_ends[] = "_per_issue_active.ratio";

void kernel_metrics(char *text, size_t bytes)
{
    size_t used = 0;

    for (int m = 0; m < N_METRICS && used < bytes; m++)
        used += (size_t)snprintf(text + used, bytes - used, "%s,", names[m]);
    if (used < bytes)
        snprintf(text + used, bytes - used, "regex:%s.*_per_issue_active", stall_begins);
}

/* "nearest(float *, int)" is nearest, "void tile<64>(int)" is tile<64>. */
static void short_name(const char *full, char *name, size_t bytes)
{
    const char *begin = strncmp(full, "void ", 5) == 0 ? full + 5 : full;

    if (strncmp(begin, "(anonymous namespace)::", 23) == 0)
        begin += 23;
    snprintf(name, bytes, "%.*s", (int)strcspn(begin, "("), begin);
}

/* "(256, 1, 1)" is 256, "(16, 16, 1)" is 16 x 16. */
static void short_extent(const char *full, char *text, size_t bytes)
{
    unsigned x = 1, y = 1, z = 1;

    if (sscanf(full, "(%u, %u, %u)", &x, &y, &z) != 3)
        snprintf(text, bytes, "%s", full);
    else if (z > 1)
        snprintf(text, bytes, "%u x %u x %u", x, y, z);
    else if (y > 1)
        snprintf(text, bytes, "%u x %u", x, y);
    else
        snprintf(text, bytes, "%u", x);
}

/* --- stalls ----------------------------------------------------------------------------------- */

/* Returns the reason's length, or 0 if the column is something else. */
static size_t stall_of(const char *column)
{
    const size_t begins = strlen(stall_begins), ends = strlen(stall_ends), all = strlen(column);

    if (all <= begins + ends || strncmp(column, stall_begins, begins) != 0 ||
        strcmp(column + all - ends, stall_ends) != 0)
        return 0;
    return all - begins - ends;
}

static void read_stalls(const struct sheet *s, size_t row, struct kernel *k)
{
    k->stalled = k->cycles = 0.0;
    k->stall[0] = '\0';
    for (size_t c = 0; c < s->columns; c++) {
        const size_t length = stall_of(s->names[c]);
        const double cycles = sheet_number(s, row, c);
        const char *reason = s->names[c] + strlen(stall_begins);
        if (length == 0 || length >= STALL_TEXT || !isfinite(cycles))
            continue;
        k->cycles += cycles;
        /* a warp that issues, or is ready to, waits for nothing */
        if (cycles > k->stalled && strncmp(reason, "selected_", 9) != 0 &&
            strncmp(reason, "not_selected_", 13) != 0) {
            k->stalled = cycles;
            snprintf(k->stall, sizeof k->stall, "%.*s", (int)length, reason);
        }
    }
}

/* --- kernels ---------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const struct kernel *x = a, *y = b;

    return (x->time < y->time) - (x->time > y->time);
}

static struct kernel *find(struct kernel list[], size_t *count, size_t room, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    if (*count == room)
        return NULL;
    list[*count] = (struct kernel){.launches = 0};
    snprintf(list[*count].name, sizeof list->name, "%s", name);
    return &list[(*count)++];
}

size_t kernel_read(const struct sheet *s, struct kernel list[], size_t room)
{
    const size_t name = sheet_column(s, "Kernel Name"), time = sheet_column(s, names[N_TIME]);
    char text[sizeof list->name];
    size_t count = 0;

    for (size_t row = 0; row < s->rows; row++) { /* the first row has units and no time */
        const double seconds = 1e-9 * sheet_number(s, row, time);
        short_name(sheet_text(s, row, name), text, sizeof text);
        struct kernel *k = isfinite(seconds) ? find(list, &count, room, text) : NULL;
        if (k == NULL)
            continue;
        k->launches++;
        k->time += seconds;
        if (seconds <= k->longest)
            continue;
        k->longest = seconds;
        for (int m = 0; m < N_METRICS; m++)
            k->metric[m] = sheet_number(s, row, sheet_column(s, names[m]));
        short_extent(sheet_text(s, row, sheet_column(s, "Grid Size")), k->grid, sizeof k->grid);
        short_extent(sheet_text(s, row, sheet_column(s, "Block Size")), k->block, sizeof k->block);
        snprintf(k->device, sizeof k->device, "%.63s",
                 sheet_text(s, row, sheet_column(s, "device__attribute_display_name")));
        read_stalls(s, row, k);
    }
    qsort(list, count, sizeof *list, by_time);
    return count;
}
