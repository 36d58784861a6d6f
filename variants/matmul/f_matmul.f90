! /// script
! [tool.rungs]
! idea = "Fortran: the intrinsic matmul"
! base = "cpu_naive"
! ///
! Idea     The product is a function of the language.  Fortran stores columns, so the rows of C are columns here, and C = A*B
!          reads as its transpose: the transposes of B and A, multiplied in that order.
! Against  cpu_naive, the definition; cpu_blocked, which does by hand what the compiler's library does.
! Expect   Several times faster: the library works in blocks that fit the cache, on one core.
! Try      -fexternal-blas, which calls OpenBLAS from a size on.
module f_matmul
    use iso_c_binding
    type, bind(c) :: problem
        integer(c_size_t) :: m, n, k
        type(c_ptr) :: a, b, c
    end type
contains
    subroutine run(p) bind(c)
        type(problem), intent(in) :: p
        real(c_float), pointer, contiguous :: a(:, :), b(:, :), c(:, :)

        call c_f_pointer(p%a, a, [p%k, p%m])
        call c_f_pointer(p%b, b, [p%n, p%k])
        call c_f_pointer(p%c, c, [p%n, p%m])
        c = matmul(b, a)
    end subroutine
end module
