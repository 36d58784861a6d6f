#include "tests/unit/files/scratch.h"

#include <sys/stat.h>

#include "harness/files/npy.h"

static void leaves_no_half_files(void **state)
{
    static const size_t shape[] = {2};
    static const float old[] = {1, 2}, new[] = {3, 4};
    struct array a;
    struct stat status;
    struct error error = {""};
    char path[128], link_path[128];

    (void)state;
    scratch_files(true);
    (void)snprintf(path, sizeof path, "%s/out.npy", scratch_folder);
    (void)snprintf(link_path, sizeof link_path, "%s/link.npy", scratch_folder);
    assert_true(npy_write(path, ELEMENT_F32, 1, shape, old, &error));
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0666 & ~mask);
    assert_int_equal(scratch_files(false), 1);

    /* Abandoned: the old one is as it was. */
    struct outfile out;
    assert_true(outfile_open(&out, path, &error));
    npy_write_to(&out, ELEMENT_F32, 1, shape, new);
    assert_int_equal(scratch_files(false), 2);
    outfile_abandon(&out);
    assert_int_equal(scratch_files(false), 1);
    assert_true(npy_read(path, &a, &error));
    assert_memory_equal(a.data, old, sizeof old);
    array_free(&a);

    /* Through a link, the link stays one. */
    assert_int_equal(symlink(path, link_path), 0);
    assert_true(npy_write(link_path, ELEMENT_F32, 1, shape, new, &error));
    assert_int_equal(lstat(link_path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(npy_read(path, &a, &error));
    assert_memory_equal(a.data, new, sizeof new);
    array_free(&a);
    assert_int_equal(scratch_files(true), 2);

    assert_false(npy_write(scratch_folder, ELEMENT_F32, 1, shape, new, &error));
    assert_error(&error, scratch_folder, ": cannot be written: Is a directory");
    assert_false(npy_write("/nonexistent/a.npy", ELEMENT_F32, 1, shape, new, &error));
    assert_string_equal(error.text,
                        "/nonexistent/a.npy: cannot be written: No such file or directory");
}

static void tells_of_a_full_disk(void **state)
{
    static float data[100000];
    const size_t few[] = {1}, many[] = {100000};
    struct error error = {""};

    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("# skipped: /dev/full is not there\n");
        return;
    }
    assert_false(npy_write("/dev/full", ELEMENT_F32, 1, few, data, &error));
    assert_string_equal(error.text, "/dev/full: cannot be written: No space left on device");
    assert_false(npy_write("/dev/full", ELEMENT_F32, 1, many, data, &error));
    assert_string_equal(error.text, "/dev/full: cannot be written: No space left on device");
    assert_int_equal(access("/dev/full", W_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_no_half_files),
        cmocka_unit_test(tells_of_a_full_disk),
    };

    return cmocka_run_group_tests_name("outfile", tests, scratch_begin, scratch_end);
}
