/* harness/machine/device_gpu.cu has the same in CUDA, with comments on its kernels. */
#include "harness/machine/cuda_driver.h"
#include "harness/machine/device_driver.h"

static void *marks[DEVICE_MARKS];

/* --- stamps ------------------------------------------------------------------------------------- */

static void mark(int i)
{
    cuda_driver_enter();
    if (marks[i] == NULL)
        cuda_driver_check("cuEventCreate", cu.event(&marks[i], 0));
    cuda_driver_check("cuEventRecord", cu.record(marks[i], NULL));
    cuda_driver_leave();
}

static double seconds(int i, int j)
{
    float milliseconds = 0.0f;

    cuda_driver_enter();
    cuda_driver_check("cuEventElapsedTime", cu.elapsed(&milliseconds, marks[i], marks[j]));
    cuda_driver_leave();
    return milliseconds * 1e-3;
}

/* --- kernels ------------------------------------------------------------------------------------ */

/* spin(duration): goes on for so many nanoseconds.
   read_all(buffer, count): reads count times 16 bytes, and writes a word if their sum is 1, which it is not. */
static const char ptx[] =
    ".version 6.0\n"
    ".target sm_50\n"
    ".address_size 64\n"
    ".visible .entry spin(.param .u64 duration)\n"
    "{\n"
    "    .reg .pred more;\n"
    "    .reg .u64 start, now, most;\n"
    "    ld.param.u64 most, [duration];\n"
    "    mov.u64 start, %globaltimer;\n"
    "again:\n"
    "    mov.u64 now, %globaltimer;\n"
    "    sub.u64 now, now, start;\n"
    "    setp.lt.u64 more, now, most;\n"
    "    @more bra again;\n"
    "    ret;\n"
    "}\n"
    ".visible .entry read_all(.param .u64 buffer, .param .u64 count)\n"
    "{\n"
    "    .reg .pred more, one;\n"
    "    .reg .u32 block, threads, blocks, thread, sum, w<4>;\n"
    "    .reg .u64 i, end, base, at, step, wide;\n"
    "    ld.param.u64 base, [buffer];\n"
    "    ld.param.u64 end, [count];\n"
    "    mov.u32 block, %ctaid.x;\n"
    "    mov.u32 threads, %ntid.x;\n"
    "    mov.u32 blocks, %nctaid.x;\n"
    "    mov.u32 thread, %tid.x;\n"
    "    mul.wide.u32 i, block, threads;\n"
    "    cvt.u64.u32 wide, thread;\n"
    "    add.u64 i, i, wide;\n"
    "    mul.wide.u32 step, blocks, threads;\n"
    "    mov.u32 sum, 0;\n"
    "    cvta.to.global.u64 base, base;\n"
    "    setp.ge.u64 more, i, end;\n"
    "    @more bra done;\n"
    "next:\n"
    "    shl.b64 at, i, 4;\n"
    "    add.u64 at, at, base;\n"
    "    ld.global.v4.u32 {w0, w1, w2, w3}, [at];\n"
    "    add.u32 sum, sum, w0;\n"
    "    xor.b32 sum, sum, w3;\n"
    "    add.u64 i, i, step;\n"
    "    setp.lt.u64 more, i, end;\n"
    "    @more bra next;\n"
    "    setp.eq.u32 one, sum, 1;\n"
    "    @one st.global.u32 [base], sum;\n"
    "done:\n"
    "    ret;\n"
    "}\n";

static void launch(const char *name, unsigned blocks, unsigned threads, void *arguments[])
{
    static void *module;
    void *function;

    if (module == NULL)
        cuda_driver_check("cuModuleLoadData", cu.module(&module, ptx));
    cuda_driver_check("cuModuleGetFunction", cu.function(&function, module, name));
    cuda_driver_check("cuLaunchKernel",
                      cu.launch(function, blocks, 1, 1, threads, 1, 1, 0, NULL, arguments, NULL));
}

static void lead(double duration)
{
    uint64_t nanoseconds = (uint64_t)(duration * 1e9);

    cuda_driver_enter();
    launch("spin", 1, 1, (void *[]){&nanoseconds});
    cuda_driver_leave();
}

static void evict(void)
{
    static cuda_address buffer;
    static uint64_t count;

    cuda_driver_enter();
    if (buffer == 0) {
        struct device_facts first[1];
        cuda_driver_facts(first, 1);
        count = 2 * first[0].cache / 16 + 1;
        cuda_driver_check("cuMemAlloc", cu.allocate(&buffer, count * 16));
        cuda_driver_check("cuMemsetD8", cu.fill(buffer, 0, count * 16));
    }
    launch("read_all", 1024, 256, (void *[]){&buffer, &count});
    cuda_driver_leave();
}

const struct device device_stream = {
    .name = "gpu", .missing = cuda_driver_missing, .facts = cuda_driver_facts, .mark = mark, .seconds = seconds,
    .sync = cuda_driver_wait, .lead = lead, .evict = evict,
};
