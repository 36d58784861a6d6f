! /// script
! [tool.rungs]
! idea = "Fortran: the intrinsics sum and norm2, in float64"
! base = "cpu_naive"
! math = "f64"
! ///
! Idea     Both answers are functions of the language.
! Against  cpu_naive, which finds both in one loop.
! Expect   Slower: norm2 guards against overflow with a branch and a division for each element, though float64 needs no guard.
! Try      sqrt(sum(real(x, c_double)**2)) in place of norm2.
module f_norm2
    use iso_c_binding
    type, bind(c) :: problem
        integer(c_size_t) :: n
        type(c_ptr) :: x, sum, norm
    end type
contains
    subroutine run(p) bind(c)
        type(problem), intent(in) :: p
        real(c_float), pointer, contiguous :: x(:)
        real(c_float), pointer :: total, norm

        call c_f_pointer(p%x, x, [p%n])
        call c_f_pointer(p%sum, total)
        call c_f_pointer(p%norm, norm)
        total = real(sum(real(x, c_double)), c_float)
        norm = real(norm2(real(x, c_double)), c_float)
    end subroutine
end module
