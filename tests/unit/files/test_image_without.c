/*
 * Reading images in a build without libpng and libjpeg.  The functions of image.c are taken from here, with
 * a list of formats in which none registers.
 */
#define image_format_register image_format_register_not
#include "harness/files/image.c" /* NOLINT(bugprone-suspicious-include) */
#undef image_format_register

#include "tests/unit/files/scratch.h"

static void says_what_to_install(void **state)
{
    struct image image;
    struct error error = {""};
    const char *path = scratch_file("a", "\x89PNG\r\n", 6);

    (void)state;
    assert_false(image_read(path, &image, &error));
    assert_error(&error, path, ": seems to be a PNG, and this build lacks libpng: install libpng-dev and "
                               "build again, or convert the image to PGM or PPM");
    path = scratch_file("a", "\xFF\xD8\xFF", 3);
    assert_false(image_read(path, &image, &error));
    assert_error(&error, path, ": seems to be a JPEG, and this build lacks libjpeg: install libjpeg-dev and "
                               "build again, or convert the image to PGM or PPM");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(says_what_to_install)};

    return cmocka_run_group_tests_name("image_without", tests, scratch_begin, scratch_end);
}
