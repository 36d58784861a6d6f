#include "workshop/serve/gate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool gate_make_token(char token[TOKEN_DIGITS + 1], struct error *error)
{
    uint64_t numbers[2];

    if (getrandom(numbers, sizeof numbers, 0) != sizeof numbers)
        return error_set(error, "no random numbers for a token: %s", strerror(errno));
    snprintf(token, TOKEN_DIGITS + 1, "%016llx%016llx", (unsigned long long)numbers[0],
             (unsigned long long)numbers[1]);
    return true;
}

const char *gate_behind_token(const char *path, const char *token)
{
    volatile unsigned char differs = 0; /* volatile, so that no compiler leaves the loop early */

    if (path[0] != '/' || strcspn(path + 1, "/") != TOKEN_DIGITS || path[1 + TOKEN_DIGITS] != '/')
        return NULL;
    for (int i = 0; i < TOKEN_DIGITS; i++)
        differs |= (unsigned char)(path[1 + i] ^ token[i]);
    return differs == 0 ? path + 1 + TOKEN_DIGITS + 1 : NULL;
}

/* Copies the name of "name:8642" or "[::1]:8642", without the port.  Returns false if it is neither. */
static bool name_of(const char *host, char name[256])
{
    const bool bracket = host[0] == '[';
    const char *begin = host + bracket;
    const size_t length = strcspn(begin, bracket ? "]" : ":");
    const char *rest = begin + length + (bracket && begin[length] == ']');

    if (length == 0 || length >= 256 || (bracket && begin[length] != ']'))
        return false;
    memcpy(name, begin, length);
    name[length] = '\0';
    return rest[0] == '\0' || (rest[0] == ':' && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

/* Returns whether the name is a numeric address, and sets whether that is one of this machine alone. */
static bool is_address(const char *name, bool *own)
{
    struct in_addr four;
    struct in6_addr six;

    if (inet_pton(AF_INET, name, &four) == 1) {
        *own = (ntohl(four.s_addr) >> 24) == 127;
        return true;
    }
    if (inet_pton(AF_INET6, name, &six) == 1) {
        *own = IN6_IS_ADDR_LOOPBACK(&six);
        return true;
    }
    return false;
}

bool gate_host(const char *host, bool open, const char *own_name)
{
    char name[256];
    bool own = false;

    if (host == NULL || !name_of(host, name))
        return false;
    if (strcasecmp(name, "localhost") == 0)
        return true;
    if (is_address(name, &own))
        return own || open;
    return open && strcasecmp(name, own_name) == 0;
}

bool gate_origin(const char *origin, const char *host)
{
    if (origin == NULL)
        return true;
    /* https: a proxy in front of the server may encrypt, and keeps the name. */
    for (const char *const *scheme = (const char *const[]){"http://", "https://", NULL}; *scheme != NULL; scheme++)
        if (strncmp(origin, *scheme, strlen(*scheme)) == 0)
            return strcasecmp(origin + strlen(*scheme), host) == 0;
    return false;
}
