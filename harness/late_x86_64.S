/*
 * The functions of late.h: those of CUDA's libraries that rungs call, and the files of these, as the
 * Makefile has written them down.  Each jumps to where its place says: to late_find at first, which
 * asks late_function where it is, and from then on to the function itself.
 */
        .macro  LATE name
        .globl  \name
        .hidden \name
        .type   \name, @function
\name:  jmp     *place_\name(%rip)
find_\name:
        lea     place_\name(%rip), %r10
        lea     name_\name(%rip), %r11
        jmp     late_find
        .size   \name, .-\name
        .section .rodata
name_\name:
        .string "\name"
        .data
        .balign 8
place_\name:
        .quad   find_\name
        .text
        .endm

        .macro  LIBRARY file
        .section .rodata.libraries, "a", @progbits
        .string "\file"
        .text
        .endm

        .section .rodata.libraries, "a", @progbits
        .globl  late_libraries
late_libraries:
        .text

/* Into %r10's place goes where the function is that %r11 names; and on to it, with all arguments. */
late_find:
        push    %rbp
        mov     %rsp, %rbp
        sub     $192, %rsp
        mov     %rdi, (%rsp)
        mov     %rsi, 8(%rsp)
        mov     %rdx, 16(%rsp)
        mov     %rcx, 24(%rsp)
        mov     %r8, 32(%rsp)
        mov     %r9, 40(%rsp)
        mov     %rax, 48(%rsp)
        mov     %r10, 56(%rsp)
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        movaps  %xmm\n, 64 + 16 * \n(%rsp)
        .endr
        mov     %r11, %rdi
        call    late_function
        mov     %rax, %r11
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
        movaps  64 + 16 * \n(%rsp), %xmm\n
        .endr
        mov     56(%rsp), %r10
        mov     48(%rsp), %rax
        mov     40(%rsp), %r9
        mov     32(%rsp), %r8
        mov     24(%rsp), %rcx
        mov     16(%rsp), %rdx
        mov     8(%rsp), %rsi
        mov     (%rsp), %rdi
        leave
        mov     %r11, (%r10)
        jmp     *%r11

        .include "late.names"

        .section .rodata.libraries, "a", @progbits
        .string ""
        .section .note.GNU-stack, "", @progbits
