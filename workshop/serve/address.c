#include "workshop/serve/address.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usual_name[] = "127.0.0.1", usual_port[] = "8642";

/* Takes "name", "name:port", "[::1]:port" or "::1" apart. */
static bool split(const char *text, struct address *a, char port[8], struct error *error)
{
    const char *close = text[0] == '[' ? strchr(text, ']') : NULL;
    const char *colon = close != NULL ? close + 1 : strrchr(text, ':');

    if (close == NULL && colon != NULL && strchr(text, ':') != colon)
        colon = NULL; /* several colons: an IPv6 address without a port */
    const bool has_port = colon != NULL && *colon == ':';
    const size_t length = close != NULL ? (size_t)(close - text - 1)
                          : has_port    ? (size_t)(colon - text)
                                        : strlen(text);

    if (length == 0 || length >= sizeof a->name || (close != NULL && *colon != ':' && *colon != '\0'))
        return error_set(error, "--listen takes ADDRESS or ADDRESS:PORT, as 127.0.0.1:8642, not \"%s\"", text);
    snprintf(a->name, sizeof a->name, "%.*s", (int)length, text + (close != NULL));
    a->port_given = has_port;
    if (!has_port)
        return true;
    char *end;
    const long number = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0' || number < 0 || number > 65535)
        return error_set(error, "--listen: a port is a number from 0 to 65535, not \"%s\"", colon + 1);
    snprintf(port, 8, "%ld", number);
    return true;
}

static bool is_loopback(const struct sockaddr *s)
{
    if (s->sa_family == AF_INET)
        return (ntohl(((const struct sockaddr_in *)s)->sin_addr.s_addr) >> 24) == 127;
    return s->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)s)->sin6_addr);
}

static bool is_any(const struct sockaddr *s)
{
    if (s->sa_family == AF_INET)
        return ((const struct sockaddr_in *)s)->sin_addr.s_addr == htonl(INADDR_ANY);
    return IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)s)->sin6_addr);
}

bool address_find(const char *text, struct address *a, struct error *error)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found;
    char port[8];

    *a = (struct address){.port_given = false};
    snprintf(port, sizeof port, "%s", usual_port);
    if (!split(text != NULL ? text : usual_name, a, port, error))
        return false;
    const int failed = getaddrinfo(a->name, port, &wanted, &found);
    if (failed != 0)
        return error_set(error, "--listen: \"%s\" is no address: %s", a->name, gai_strerror(failed));
    memcpy(&a->socket, found->ai_addr, found->ai_addrlen);
    a->open = !is_loopback(found->ai_addr);
    freeaddrinfo(found);
    return true;
}

void address_set_port(struct address *a, uint16_t port)
{
    if (a->socket.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)&a->socket)->sin6_port = htons(port);
    else
        ((struct sockaddr_in *)&a->socket)->sin_port = htons(port);
}

static void print_link(const char *name, uint16_t port, const char *token)
{
    const bool six = strchr(name, ':') != NULL;

    printf("  http://%s%s%s:%u/%s/\n", six ? "[" : "", name, six ? "]" : "", port, token);
}

void address_print_links(const struct address *a, uint16_t port, const char *token)
{
    struct ifaddrs *all = NULL;
    char name[NI_MAXHOST];

    if (!is_any((const struct sockaddr *)&a->socket) || getifaddrs(&all) != 0) {
        print_link(a->name, port, token);
        return;
    }
    for (const struct ifaddrs *i = all; i != NULL; i = i->ifa_next)
        if (i->ifa_addr != NULL && i->ifa_addr->sa_family == AF_INET && (i->ifa_flags & IFF_UP) != 0 &&
            getnameinfo(i->ifa_addr, sizeof(struct sockaddr_in), name, sizeof name, NULL, 0, NI_NUMERICHOST) == 0)
            print_link(name, port, token);
    freeifaddrs(all);
}
