/*
 * void fiber_switch(void **save, void *to)
 *
 * Leaves this stack, noting at *save where, and goes on with the one that was left at `to`.  What
 * the calling convention lets a callee change is saved by the compiler already.  The last step is a
 * jump and not a return: a processor that predicts returns would be wrong at every one.
 */
        .text
        .globl  fiber_switch
        .type   fiber_switch, @function
fiber_switch:
        push    %rbp
        push    %rbx
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        mov     %rsp, (%rdi)
        mov     %rsi, %rsp
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbx
        pop     %rbp
        pop     %rcx
        jmp     *%rcx
        .size   fiber_switch, .-fiber_switch
        .section .note.GNU-stack, "", @progbits
