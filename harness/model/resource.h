/* What a machine has a limited amount of. */
#ifndef RUNGS_RESOURCE_H
#define RUNGS_RESOURCE_H

/* What there is a limited amount of, and the work that is counted. */
enum resource {
    RESOURCE_MEMORY,     /* bytes, read and written, of a working set of some size */
    RESOURCE_ARITHMETIC, /* flops; a multiply-add is two */
    RESOURCE_SPECIAL,    /* sines, roots, powers ... in hardware */
    RESOURCE_UPLOAD,     /* bytes from host to device; a card with this one has phases upload and
                            download, and gives RESOURCE_DOWNLOAD as well */
    RESOURCE_DOWNLOAD,   /* bytes from device to host */
    RESOURCE_PEER,       /* bytes from one GPU to another */
    RESOURCE_LAUNCH,     /* kernels launched one after the other */
    RESOURCE_ROUND_TRIP, /* kernels launched and waited for */
    RESOURCE_NODE,       /* kernels that are nodes of a graph, one after the other */
    RESOURCES
};

#endif
