! /// script
! [tool.rungs]
! idea = "Fortran: whole arrays, and where"
! base = "cpu_naive"
! ///
! Idea     cos, sin and the operators take whole arrays.  The compiler makes one loop of a statement, with nothing in between.
! Against  cpu_naive, whose loops are written out.
! Expect   The same speed: the same functions of the C library, and the same vector instructions.
! Try      abs(x16) > threshold without int(): which number does the judge name?
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

        call c_f_pointer(p%x, x, [p%n])
        call c_f_pointer(p%y, y, [p%n])
        call c_f_pointer(p%z, z, [p%n])
        call c_f_pointer(p%x16, x16, [p%n])
        call c_f_pointer(p%z16, z16, [p%n])
        select case (p%f)
        case (0)
            z = cos(x) + sin(y)
        case (1)
            z = 2 * (x - y) / (x + y)
        case default
            where (abs(int(x16)) > p%threshold)
                z16 = x16
            elsewhere
                z16 = 0
            end where
        end select
    end subroutine
end module
