/*
 * The text of an asm statement: where its instructions begin, and which of them the simulator implements.
 * The scanner (rewrite/) uses this as well: a file with any other instruction becomes a variant that
 * refuses.
 */
#ifndef CUDASIM_PTX_TEXT_H
#define CUDASIM_PTX_TEXT_H

#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

/* Names as in the manual, with * for variable parts, and the functions in ptx_*.c that execute them.
   The first match counts. */
#define PTX_INSTRUCTIONS(X)                                                                        \
    X("mov.*", ptx_move)                                                                           \
    X("setp.[en][qe].[bsu]32", ptx_compare)                                                        \
    X("selp.*32", ptx_select)                                                                      \
    X("ldmatrix.sync.aligned.m8n8.x[124].shared.b16", ptx_ldmatrix)                                \
    X("ldmatrix.sync.aligned.m8n8.x[124].trans.shared.b16", ptx_ldmatrix)                          \
    X("mma.sync.aligned.m16n8k*.row.col.f32.f16.f16.f32", ptx_mma)                                 \
    X("mma.sync.aligned.m16n8k*.row.col.f32.bf16.bf16.f32", ptx_mma)                               \
    X("mma.sync.aligned.m16n8k*.row.col.f32.tf32.tf32.f32", ptx_mma)                               \
    X("wgmma.fence.sync.aligned", ptx_wgmma_fence)                                                 \
    X("wgmma.commit_group.sync.aligned", ptx_wgmma_commit)                                         \
    X("wgmma.wait_group.sync.aligned", ptx_wgmma_wait)                                             \
    X("wgmma.mma_async.sync.aligned.m64n*k16.f32.f16.f16", ptx_wgmma)                              \
    X("wgmma.mma_async.sync.aligned.m64n*k16.f32.bf16.bf16", ptx_wgmma)                            \
    X("wgmma.mma_async.sync.aligned.m64n*k8.f32.tf32.tf32", ptx_wgmma)                             \
    X("mapa.shared::cluster.u32", ptx_mapa)                                                        \
    X("mbarrier.init.shared*.b64", ptx_mbarrier_init)                                              \
    X("mbarrier.inval.shared*.b64", ptx_mbarrier_inval)                                            \
    X("mbarrier.expect_tx.*.b64", ptx_mbarrier_expect)                                             \
    X("mbarrier.arrive.expect_tx.*.b64", ptx_mbarrier_arrive_expect)                               \
    X("mbarrier.arrive.shared*.b64", ptx_mbarrier_arrive)                                          \
    X("mbarrier.arrive.release.c*.shared*.b64", ptx_mbarrier_arrive)                               \
    X("mbarrier.try_wait.parity.*.b64", ptx_mbarrier_wait)                                         \
    X("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes",          \
      ptx_copy_box)                                                                                \
    X("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"           \
      ".multicast::cluster", ptx_copy_box)                                                         \
    X("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes*",              \
      ptx_copy_box)                                                                                \
    X("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", ptx_copy_bytes)         \
    X("barrier.cluster.arrive*", ptx_cluster_arrive)                                               \
    X("barrier.cluster.wait*", ptx_cluster_wait)                                                   \
    X("setmaxnreg.*.sync.aligned.u32", ptx_nothing)                                                \
    X("griddepcontrol.*", ptx_nothing)                                                             \
    X("fence.proxy.async*", ptx_nothing)                                                           \
    X("fence.mbarrier_init.release.cluster", ptx_nothing)

enum { PTX_NAME_BYTES = 160 };

static inline const char *ptx_skip(const char *at, const char *what)
{
    while (*at != '\0' && (isspace((unsigned char)*at) || strchr(what, *at) != NULL))
        at++;
    return at;
}

/* Returns the next instruction or directive from `at`, behind its condition (@!p), or NULL.
   `condition` gets the start of that, or NULL.  Copies the name. */
static inline const char *ptx_next(const char *at, char name[PTX_NAME_BYTES],
                                   const char **condition)
{
    size_t length;

    at = ptx_skip(at, ";{}");
    *condition = *at == '@' ? at + 1 : NULL;
    if (*at == '@')
        at = ptx_skip(at + 1 + strcspn(at + 1, " \t\n"), "");
    length = strcspn(at, " \t\n;");
    if (length == 0)
        return NULL;
    if (length >= PTX_NAME_BYTES)
        length = PTX_NAME_BYTES - 1;
    memcpy(name, at, length);
    name[length] = '\0';
    return at;
}

/* Returns the end of the instruction: a semicolon or the end of the text. */
static inline const char *ptx_end(const char *at)
{
    return at + strcspn(at, ";");
}

#define PTX_FITS(pattern, function) || fnmatch(pattern, name, 0) == 0
static inline bool ptx_known(const char *name)
{
    return strcmp(name, ".reg") == 0 PTX_INSTRUCTIONS(PTX_FITS);
}
#undef PTX_FITS

#endif
