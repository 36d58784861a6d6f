! /// script
! [tool.rungs]
! idea = "Fortran: do concurrent"
! base = "cpu_naive"
! ///
! Idea     The order of the elements is left to the compiler: do concurrent says that none depends on another.
! Against  cpu_naive, where C's compiler must find that out.
! Expect   The same speed: memory sets the pace, and both compilers make vector instructions.
! Try      A plain do loop: does the compiler need to be told?
module f_concurrent
    use iso_c_binding
    type, bind(c) :: saxpy
        integer(c_size_t) :: n
        real(c_float) :: a
        type(c_ptr) :: x, y, z
    end type
contains
    subroutine run(p) bind(c)
        type(saxpy), intent(in) :: p
        real(c_float), pointer, contiguous :: x(:), y(:), z(:)
        integer(c_size_t) :: i

        call c_f_pointer(p%x, x, [p%n])
        call c_f_pointer(p%y, y, [p%n])
        call c_f_pointer(p%z, z, [p%n])
        do concurrent (i = 1:p%n)
            z(i) = p%a * x(i) + y(i)
        end do
    end subroutine
end module
