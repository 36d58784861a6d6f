/*
 * The messages between `rungs serve` and librungs.so, over a SOCK_SEQPACKET socket that is the program's standard input.
 * Each is a line of text.
 *
 *     program  inputs               with the inputs' file, which can be mapped for writing until the library answers
 *     library  mapped
 *     program  ready CASE           with the outputs' file; CASE is JSON (harness/model/members.h)
 *     library  call | judge         any number of times, each answered by
 *     program  ok NUMBER            seconds, or the largest error as a part of its tolerance
 *     program  failed REASON        at any time; only the end of the connection can follow
 */
#ifndef RUNGS_MESSAGES_H
#define RUNGS_MESSAGES_H

enum { MESSAGE_BYTES = 4096 }; /* of a message, at most */

#endif
