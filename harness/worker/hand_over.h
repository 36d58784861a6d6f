/* How the connection to the parent reaches rank 0: launchers close inherited files, so it is handed over by a socket. */
#ifndef RUNGS_HAND_OVER_H
#define RUNGS_HAND_OVER_H

#include <stdbool.h>

enum { HAND_OVER_NAME = 33 };

/* Starts a process that keeps the connection for the first process that takes it, and closes it here.  `name` gets the name
   to take it by.  That process ends with the calling one.  False: it cannot be started. */
bool hand_over_begin(int connection, char name[HAND_OVER_NAME]);

/* The rank's side: returns the connection; -1: nothing on this host has that name. */
int hand_over_take(const char *name);

#endif
