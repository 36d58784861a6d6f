/*
 * CUDA's arithmetic beyond C's.
 *
 * A host computes some of it more accurately than a GPU.  So the fast functions are rounded to what a GPU
 * guarantees, and an answer that depends on more digits fails here as well.
 */
#ifndef CUDASIM_MATH_H
#define CUDASIM_MATH_H

/* --- the least and the greatest, of any two types --------------------------------------------- */

#define CUDASIM_MIN_MAX(type)                                                                      \
    static inline constexpr type min(type a, type b) { return b < a ? b : a; }                     \
    static inline constexpr type max(type a, type b) { return a < b ? b : a; }
CUDASIM_MIN_MAX(int)
CUDASIM_MIN_MAX(unsigned)
CUDASIM_MIN_MAX(long)
CUDASIM_MIN_MAX(unsigned long)
CUDASIM_MIN_MAX(long long)
CUDASIM_MIN_MAX(unsigned long long)
#undef CUDASIM_MIN_MAX
static inline constexpr unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
static inline constexpr unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
static inline constexpr unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
static inline constexpr unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline double min(float a, double b) { return fmin(a, b); }
static inline double min(double a, float b) { return fmin(a, b); }
static inline double max(float a, double b) { return fmax(a, b); }
static inline double max(double a, float b) { return fmax(a, b); }

/* --- functions that C does not have ----------------------------------------------------------- */

static inline float cudasim_rsqrt(float x) { return (float)(1.0 / sqrt((double)x)); }
static inline double cudasim_rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline double cudasim_reduced(double x) { return x - 2.0 * rint(0.5 * x); }
static inline double cudasim_sinpi(double x) { return sin(3.14159265358979323846 * cudasim_reduced(x)); }
static inline double cudasim_cospi(double x)
{
    double r = fabs(cudasim_reduced(x)); /* cos is least accurate near its zero: use sin there */
    return sin(3.14159265358979323846 * (0.5 - r));
}
static inline void cudasim_sincospi(double x, double *s, double *c)
{
    *s = cudasim_sinpi(x);
    *c = cudasim_cospi(x);
}
static inline void cudasim_sincospif(float x, float *s, float *c)
{
    *s = (float)cudasim_sinpi(x);
    *c = (float)cudasim_cospi(x);
}
/* Newer C libraries have functions of these names, with other linkage. */
#define rsqrtf(x) cudasim_rsqrt((float)(x))
#define rsqrt(x) cudasim_rsqrt((double)(x))
#define sinpif(x) ((float)cudasim_sinpi((float)(x)))
#define cospif(x) ((float)cudasim_cospi((float)(x)))
#define sinpi(x) cudasim_sinpi(x)
#define cospi(x) cudasim_cospi(x)
#define sincospi(x, s, c) cudasim_sincospi(x, s, c)
#define sincospif(x, s, c) cudasim_sincospif(x, s, c)
static inline float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
static inline float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }

/* --- fast and less exact ---------------------------------------------------------------------- */

/* Absolute error: a multiple of 2^-21, as the sine and cosine unit gives. */
static inline float cudasim_coarse(float x) { return ldexpf(rintf(ldexpf(x, 21)), -21); }
/* Relative error: two bits less. */
static inline float cudasim_short(float x)
{
    int exponent;
    float fraction = frexpf(x, &exponent);

    return isfinite(x) ? ldexpf(rintf(ldexpf(fraction, 22)), exponent - 22) : x;
}

/* The argument as a part of a turn, by one product that is cut off: what FMUL.RZ hands to the special-function unit.  Returns
   the angle, below one turn. */
static inline double cudasim_turned(float x)
{
    const double product = (double)x * 0.15915493667125701904; /* 1/(2 pi) as a float32 */
    const float nearest = (float)product;
    const double turns = fabs((double)nearest) > fabs(product) ? nextafterf(nearest, 0.0f) : nearest;

    return 6.283185307179586 * (turns - trunc(turns));
}
static inline float cudasim_fast_sin(float x) { return cudasim_coarse((float)sin(cudasim_turned(x))); }
static inline float cudasim_fast_cos(float x) { return cudasim_coarse((float)cos(cudasim_turned(x))); }
static inline void cudasim_fast_sincos(float x, float *s, float *c)
{
    *s = cudasim_fast_sin(x);
    *c = cudasim_fast_cos(x);
}
/* The C library has functions of these names already. */
#define __sinf(x) cudasim_fast_sin(x)
#define __cosf(x) cudasim_fast_cos(x)
#define __sincosf(x, s, c) cudasim_fast_sincos(x, s, c)
#define __tanf(x) (cudasim_fast_sin(x) / cudasim_fast_cos(x))
#define __expf(x) cudasim_short(expf(x))
#define __exp10f(x) cudasim_short(powf(10.0f, x))
#define __logf(x) cudasim_coarse(logf(x))
#define __log2f(x) cudasim_coarse(log2f(x))
#define __log10f(x) cudasim_coarse(log10f(x))
#define __powf(x, y) cudasim_short(powf(x, y))
#define __fdividef(x, y) cudasim_short((float)(x) / (float)(y))

/* --- one operation, rounded to nearest -------------------------------------------------------- */

static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline float __frcp_rn(float a) { return 1.0f / a; }
static inline float __frsqrt_rn(float a) { return cudasim_rsqrt(a); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

/* --- conversions ------------------------------------------------------------------------------ */

static inline long long cudasim_to_integer(double x, double least, double most)
{
    return isnan(x) ? 0 : x <= least ? (long long)least : x >= most ? (long long)most : (long long)x;
}
static inline int __float2int_rn(float x) { return (int)cudasim_to_integer(rint(x), -0x1p31, 0x1p31 - 1); }
static inline int __float2int_rz(float x) { return (int)cudasim_to_integer(trunc(x), -0x1p31, 0x1p31 - 1); }
static inline int __float2int_rd(float x) { return (int)cudasim_to_integer(floor(x), -0x1p31, 0x1p31 - 1); }
static inline int __float2int_ru(float x) { return (int)cudasim_to_integer(ceil(x), -0x1p31, 0x1p31 - 1); }
static inline unsigned __float2uint_rn(float x) { return (unsigned)cudasim_to_integer(rint(x), 0, 0x1p32 - 1); }
static inline unsigned __float2uint_rz(float x) { return (unsigned)cudasim_to_integer(trunc(x), 0, 0x1p32 - 1); }
static inline unsigned __float2uint_rd(float x) { return (unsigned)cudasim_to_integer(floor(x), 0, 0x1p32 - 1); }
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline float __ull2float_rn(unsigned long long x) { return (float)x; }
static inline double __int2double_rn(int x) { return x; }
static inline float __double2float_rn(double x) { return (float)x; }
static inline int __double2int_rn(double x) { return (int)cudasim_to_integer(rint(x), -0x1p31, 0x1p31 - 1); }

template <class To, class From> static inline To cudasim_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "as many bits");
    To to;

    memcpy(&to, &from, sizeof to);
    return to;
}
static inline int __float_as_int(float x) { return cudasim_bits<int>(x); }
static inline unsigned __float_as_uint(float x) { return cudasim_bits<unsigned>(x); }
static inline float __int_as_float(int x) { return cudasim_bits<float>(x); }
static inline float __uint_as_float(unsigned x) { return cudasim_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return cudasim_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return cudasim_bits<double>(x); }
static inline int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
static inline int __double2loint(double x) { return (int)__double_as_longlong(x); }

/* --- bits and integers ------------------------------------------------------------------------ */

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned __brev(unsigned x)
{
    unsigned r = 0;

    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1u) << (31 - i);
    return r;
}
static inline unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    unsigned r = 0;

    for (int i = 0; i < 4; i++) {
        unsigned s = selector >> 4 * i, byte = (unsigned)(bytes >> 8 * (s & 7)) & 0xff;
        r |= (s & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << 8 * i;
    }
    return r;
}
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n)
{
    return (unsigned)(((uint64_t)high << 32 | low) << (n & 31) >> 32);
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n)
{
    return (unsigned)(((uint64_t)high << 32 | low) >> (n & 31));
}
static inline int __mul24(int a, int b) { return a * b; }
static inline unsigned __umul24(unsigned a, unsigned b) { return a * b; }
static inline int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
static inline int __sad(int a, int b, unsigned c) { return (int)(c + (unsigned)(a > b ? a - b : b - a)); }
static inline int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 4; i++)
        c += (signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
    return c;
}
static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 4; i++)
        c += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
    return c;
}
static inline int __vimin3_s32(int a, int b, int c)
{
    int least = a < b ? a : b;

    return least < c ? least : c;
}
static inline int __vimax3_s32(int a, int b, int c)
{
    int most = a > b ? a : b;

    return most > c ? most : c;
}
static inline int __vibmin_s32(int a, int b, bool *first)
{
    *first = a <= b;
    return *first ? a : b;
}
static inline unsigned __vmins2(unsigned a, unsigned b)
{
    const int low = (short)a < (short)b ? a : b, high = (int)a >> 16 < (int)b >> 16 ? a : b;

    return ((unsigned)high & 0xffff0000) | ((unsigned)low & 0xffff);
}
static inline unsigned __vmaxs2(unsigned a, unsigned b)
{
    const int low = (short)a > (short)b ? a : b, high = (int)a >> 16 > (int)b >> 16 ? a : b;

    return ((unsigned)high & 0xffff0000) | ((unsigned)low & 0xffff);
}
static inline unsigned __vadd4(unsigned a, unsigned b)
{
    return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);
}

#endif
