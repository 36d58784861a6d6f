/*
 * void fiber_switch(void **save, void *to)
 *
 * Leaves this stack, notes its place in *save, and continues on the stack that was left at `to`.  The
 * compiler has saved the registers that the calling convention lets a callee change.  The last
 * instruction is a jump and not a return, because the processor would mispredict every return.
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
