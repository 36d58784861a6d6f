/*
 * Inline PTX.  The scanner turns
 *
 *     asm volatile("text" : "=r"(a) : "r"(b) : "memory");
 *
 * into
 *
 *     cudasim_asm(CUDASIM_PTX("text"), CUDASIM_OPERAND("=r", a), CUDASIM_OPERAND("r", b));
 *
 * Operands are passed and returned by value.  So a variable whose address is not otherwise taken stays in
 * a register, and the compiler announces no access to it.
 */
#ifndef CUDASIM_PTX_CALL_H
#define CUDASIM_PTX_CALL_H

#include <type_traits>
#include <utility>

#define CUDASIM_PTX(...)                                                                           \
    (__extension__({                                                                               \
        static struct cudasim_ptx here_ = {__VA_ARGS__, __FILE__, __LINE__, NULL};                 \
        &here_;                                                                                    \
    }))

/* FIRST and SECOND are the characters of the constraint; the second of "r" is zero. */
template <char FIRST, char SECOND, class T> struct cudasim_operand {
    static constexpr char direction = FIRST == '=' || FIRST == '+' ? FIRST : ' ';
    static constexpr char type = direction == ' ' ? FIRST : SECOND;
    static constexpr unsigned words = type == 'l' || type == 'd' || type == 'n' ? 2 : 1;
    T &value;
};

template <char FIRST, char SECOND, class T>
CUDASIM_INLINE cudasim_operand<FIRST, SECOND, std::remove_reference_t<T>> cudasim_operand_of(T &&v)
{
    return {v};
}

#define CUDASIM_OPERAND(constraint, ...)                                                           \
    cudasim_operand_of<(constraint)[0], (constraint)[1]>(__VA_ARGS__)

template <unsigned N> struct cudasim_words {
    uint32_t word[N];
};

template <unsigned N>
__attribute__((noinline, no_sanitize("thread"))) cudasim_words<N>
cudasim_execute_by_value(struct cudasim_ptx *statement, const char *constraints, cudasim_words<N> w)
{
    cudasim_execute(statement, constraints, w.word, __builtin_return_address(0));
    return w;
}

template <class O, unsigned N>
CUDASIM_INLINE void cudasim_put_operand(cudasim_words<N> &w, unsigned at, const O &o)
{
    if constexpr (O::direction == '=') {
        for (unsigned i = 0; i < O::words; i++)
            w.word[at + i] = 0;
    } else if constexpr (O::type == 'f') {
        w.word[at] = cudasim_bits<uint32_t>((float)o.value);
    } else {
        uint64_t bits;
        if constexpr (O::type == 'd')
            bits = cudasim_bits<uint64_t>((double)o.value);
        else
            bits = (uint64_t)o.value;
        w.word[at] = (uint32_t)bits;
        if constexpr (O::words == 2)
            w.word[at + 1] = (uint32_t)(bits >> 32);
    }
}

template <class O, unsigned N>
CUDASIM_INLINE void cudasim_take_operand(const cudasim_words<N> &w, unsigned at, const O &o)
{
    if constexpr (O::direction == ' ') {
        ;
    } else if constexpr (O::type == 'f') {
        o.value = cudasim_bits<float>(w.word[at]);
    } else {
        uint64_t bits = w.word[at];
        if constexpr (O::words == 2)
            bits |= (uint64_t)w.word[at + 1] << 32;
        if constexpr (O::type == 'd')
            o.value = cudasim_bits<double>(bits);
        else
            o.value = (std::remove_reference_t<decltype(o.value)>)bits;
    }
}

/* Two characters for each operand. */
template <class... O> struct cudasim_constraints {
    char text[2 * sizeof...(O) + 1] = {};

    constexpr cudasim_constraints()
    {
        unsigned i = 0;
        ((text[i++] = O::direction, text[i++] = O::type), ...);
    }
};

template <class... O> CUDASIM_INLINE void cudasim_asm(struct cudasim_ptx *statement, const O &...o)
{
    static constexpr unsigned words = (O::words + ... + 1); /* an array of length 0 is not possible */
    static constexpr cudasim_constraints<O...> constraints;
    cudasim_words<words> w;
    [[maybe_unused]] unsigned at = 0;

    w.word[words - 1] = 0;

    ((cudasim_put_operand(w, at, o), at += O::words), ...);
    w = cudasim_execute_by_value(statement, constraints.text, w);
    at = 0;
    ((cudasim_take_operand(w, at, o), at += O::words), ...);
}

#endif
