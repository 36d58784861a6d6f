/* The resources whose peak rates a machine's ceilings measure. */
#ifndef RUNGS_RESOURCE_H
#define RUNGS_RESOURCE_H

/* A resource, and the unit of its work. */
enum resource {
    RESOURCE_MEMORY,     /* bytes, read and written, of a working set of some size */
    RESOURCE_ARITHMETIC, /* flops; a multiply-add counts as two */
    RESOURCE_SPECIAL,    /* sines, roots, powers ... in hardware */
    RESOURCE_UPLOAD,     /* bytes from host to device.  A ceiling's card with this one has phases
                            upload and download, and measures RESOURCE_DOWNLOAD as well */
    RESOURCE_DOWNLOAD,   /* bytes from device to host */
    RESOURCE_PEER,       /* bytes from one GPU to another */
    RESOURCE_LAUNCH,     /* kernels launched one after another */
    RESOURCE_ROUND_TRIP, /* kernels launched and waited for */
    RESOURCE_NODE,       /* kernels that are nodes of a graph, one after another */
    RESOURCE_MESSAGE,    /* small messages between two ranks, both ways at the same time */
    RESOURCE_NETWORK,    /* bytes of large ones, one way */
    RESOURCES
};

#endif
