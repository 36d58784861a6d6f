! /// script
! [tool.rungs]
! idea = "Fortran: whole arrays, and where"
! base = "cpu_naive"
! ///
! Idea     cos, sin and the operators take whole arrays.  The compiler makes one loop of a statement: arguments of a subroutine
!          that it writes may not overlap with others, so that nothing needs a copy.
! Against  cpu_naive, whose loops are written out.
! Expect   trig: some four times as fast on x86, because gfortran knows the vector functions of the C library and takes four numbers
!          at a time.  The others: the same speed.
! Try      The statements in run itself, on pointers, which may overlap: what do the copies cost?  And abs(x16) without int(): which
!          number does the judge name?
module f_elemental
    use iso_c_binding
    type, bind(c) :: problem
        integer(c_size_t) :: n
        integer(c_int) :: f
        type(c_ptr) :: x, y, z
        integer(c_int) :: threshold
        type(c_ptr) :: x16, z16
    end type
contains
    subroutine run(p) bind(c)
        type(problem), intent(in) :: p
        real(c_float), pointer, contiguous :: x(:), y(:), z(:)
        integer(c_int16_t), pointer, contiguous :: x16(:), z16(:)

        if (p%f == 2) then
            call c_f_pointer(p%x16, x16, [p%n])
            call c_f_pointer(p%z16, z16, [p%n])
            call suppress(p%n, p%threshold, x16, z16)
            return
        end if
        call c_f_pointer(p%x, x, [p%n])
        call c_f_pointer(p%y, y, [p%n])
        call c_f_pointer(p%z, z, [p%n])
        if (p%f == 0) call trig(p%n, x, y, z)
        if (p%f == 1) call reldiff(p%n, x, y, z)
    end subroutine

    subroutine trig(n, x, y, z)
        integer(c_size_t), intent(in) :: n
        real(c_float), intent(in) :: x(n), y(n)
        real(c_float), intent(out) :: z(n)

        z = cos(x) + sin(y)
    end subroutine

    subroutine reldiff(n, x, y, z)
        integer(c_size_t), intent(in) :: n
        real(c_float), intent(in) :: x(n), y(n)
        real(c_float), intent(out) :: z(n)

        z = 2 * (x - y) / (x + y)
    end subroutine

    subroutine suppress(n, threshold, x, z)
        integer(c_size_t), intent(in) :: n
        integer(c_int), intent(in) :: threshold
        integer(c_int16_t), intent(in) :: x(n)
        integer(c_int16_t), intent(out) :: z(n)

        where (abs(int(x)) > threshold)
            z = x
        elsewhere
            z = 0
        end where
    end subroutine
end module
