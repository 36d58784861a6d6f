/*
 * One function for three widths of vector units, and which of them this processor has.
 *
 * FOR_WIDTHS(DEFINE) expands to DEFINE(bytes, attribute) for each width.  DEFINE makes a function whose
 * name ends in the number of bytes.  On a machine with one width, all three are the same.
 */
#if defined(__x86_64__)
#define WITH(features) __attribute__((target(features)))
#define FOR_WIDTHS(define) define(16, WITH("sse2")) define(32, WITH("avx2,fma")) \
    define(64, WITH("avx512f"))

static inline int widest(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return 64;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 32 : 16;
}
#else
#define FOR_WIDTHS(define) define(16, ) define(32, ) define(64, )

static inline int widest(void)
{
    return 16;
}
#endif

#define FOR_WIDEST(name) (widest() == 64 ? name##_64 : widest() == 32 ? name##_32 : name##_16)
