/* Where the server listens, from --listen ADDRESS[:PORT], and the links that lead there. */
#ifndef RUNGS_SERVE_ADDRESS_H
#define RUNGS_SERVE_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "harness/base/error.h"

struct address {
    struct sockaddr_storage socket;
    char name[256];  /* without the port */
    bool port_given; /* else another one may be taken if this one is in use */
    bool open;       /* other machines can reach it */
};

/* Finds the address.  NULL is 127.0.0.1 and the usual port.  Returns false with an error if there is no such address. */
bool address_find(const char *text, struct address *a, struct error *error);

void address_set_port(struct address *a, uint16_t port);

/* Prints a link for each address of this machine at which the server can be reached. */
void address_print_links(const struct address *a, uint16_t port, const char *token);

#endif
