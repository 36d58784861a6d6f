#define _GNU_SOURCE
#include "workshop/lab/seat.h"

#include <ctype.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 256 };

/* Cuts off a UTF-8 character whose last bytes did not fit, and replaces what does not belong into a file's name.  In UTF-8
   all bytes of a character beyond ASCII are 128 or more, and those behind its first are below 192. */
static void make_file_name(char name[SEAT_ROOM])
{
    size_t length = strlen(name), first = length;

    while (first > 0 && ((unsigned char)name[first - 1] & 0xc0) == 0x80)
        first--;
    const unsigned char lead = first > 0 ? (unsigned char)name[first - 1] : 0;
    const size_t wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (wanted > 1 && length - (first - 1) < wanted)
        name[first - 1] = '\0';
    for (char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c < 128 && !isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            *c = '-';
}

/* Reads the next line "WHO SEAT" that is no comment.  A name of several words keeps the first. */
static bool next_line(FILE *seats, int *line, char who[MOST], char name[SEAT_ROOM])
{
    char text[MOST];

    while (fgets(text, sizeof text, seats) != NULL) {
        ++*line;
        if (text[strspn(text, " \t")] != '#' && sscanf(text, "%255s %63s", who, name) == 2) {
            make_file_name(name);
            return true;
        }
    }
    return false;
}

static FILE *open_list(const char *folder)
{
    char file[512];

    snprintf(file, sizeof file, "%.480s/seats", folder);
    return fopen(file, "r");
}

/* Returns whether the list names this user, this computer, or both; the first line that does counts. */
static bool find(const char *folder, const char *user, const char *host, char name[SEAT_ROOM])
{
    FILE *seats = open_list(folder);
    char both[MOST], who[MOST];
    bool found = false;
    int line = 0;

    snprintf(both, sizeof both, "%.120s@%.120s", user, host);
    while (seats != NULL && !found && next_line(seats, &line, who, name))
        found = strcmp(who, both) == 0 || strcmp(who, user) == 0 || strcmp(who, host) == 0;
    if (seats != NULL)
        fclose(seats);
    return found;
}

void seat_name(const char *folder, char name[SEAT_ROOM])
{
    const char *given = getenv("RUNGS_SEAT");
    const struct passwd *account = getpwuid(geteuid());
    const char *user = account != NULL ? account->pw_name : "user";
    char host[HOST_NAME_MAX + 1] = "host";

    gethostname(host, sizeof host - 1);
    if (given != NULL && given[0] != '\0')
        snprintf(name, SEAT_ROOM, "%s", given);
    else if (!find(folder, user, host, name))
        snprintf(name, SEAT_ROOM, "%.30s-%.30s", user, host);
    make_file_name(name);
}

bool seat_listed(const char *folder, int *line, char name[SEAT_ROOM])
{
    FILE *seats = open_list(folder);
    char who[MOST];
    int at = 0;
    bool found = false;

    while (seats != NULL && (found = next_line(seats, &at, who, name)) && at <= *line)
        ;
    if (seats != NULL)
        fclose(seats);
    *line = at;
    return found;
}
