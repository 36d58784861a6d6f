/* librungs_jni.so: the native methods of Rungs.java.  Each calls the function of rungs.h that has its name. */
#include <jni.h>
#include <limits.h>
#include <stdint.h>

#include "harness/library/rungs.h"

static struct rungs *at(jlong handle)
{
    return (struct rungs *)(intptr_t)handle;
}

static void fail(JNIEnv *java)
{
    (*java)->ThrowNew(java, (*java)->FindClass(java, "java/lang/RuntimeException"), rungs_error());
}

static jdouble number(JNIEnv *java, double value)
{
    if (value < 0.0)
        fail(java);
    return value;
}

/* JNIEXPORT makes a function visible; Java finds it by its name. */
#define NATIVE(type, name, ...) \
    JNIEXPORT type JNICALL Java_Rungs_##name(JNIEnv *java, jclass rungs, __VA_ARGS__); \
    JNIEXPORT type JNICALL Java_Rungs_##name(JNIEnv *java, __attribute__((unused)) jclass rungs, __VA_ARGS__)

NATIVE(jlong, open, jstring variant, jstring size, jint threads)
{
    const char *named = (*java)->GetStringUTFChars(java, variant, NULL);
    const char *large = (*java)->GetStringUTFChars(java, size, NULL);
    struct rungs *r = rungs_open(named, large, threads);

    (*java)->ReleaseStringUTFChars(java, variant, named);
    (*java)->ReleaseStringUTFChars(java, size, large);
    if (r == NULL)
        fail(java);
    return (jlong)(intptr_t)r;
}

NATIVE(jstring, describe, jlong handle)
{
    return (*java)->NewStringUTF(java, rungs_case(at(handle)));
}

NATIVE(jobject, array, jlong handle, jstring name)
{
    const char *text = (*java)->GetStringUTFChars(java, name, NULL);
    void *start = rungs_array(at(handle), text);
    const size_t bytes = start != NULL ? rungs_bytes(at(handle), text) : 0;

    (*java)->ReleaseStringUTFChars(java, name, text);
    if (start == NULL) {
        fail(java);
        return NULL;
    }
    return (*java)->NewDirectByteBuffer(java, start, bytes < INT_MAX ? (jlong)bytes : INT_MAX);
}

NATIVE(void, set, jlong handle, jstring name, jdouble value)
{
    const char *text = (*java)->GetStringUTFChars(java, name, NULL);
    const int status = rungs_set(at(handle), text, value);

    (*java)->ReleaseStringUTFChars(java, name, text);
    if (status != 0)
        fail(java);
}

NATIVE(jdouble, call, jlong handle)
{
    return number(java, rungs_call(at(handle)));
}

NATIVE(jdouble, judge, jlong handle)
{
    return number(java, rungs_judge(at(handle)));
}

NATIVE(void, close, jlong handle)
{
    (void)java;
    rungs_close(at(handle));
}
