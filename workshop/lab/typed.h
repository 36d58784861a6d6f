/* How the learner has started this program: build-sim/rungs.  A message that names a command says it in the same way, so
   that it can be typed as it stands. */
#ifndef RUNGS_TYPED_H
#define RUNGS_TYPED_H

/* Takes the program's name as it was started.  Below the current folder, a whole path becomes the path from there. */
void typed_begin(const char *started);

/* Returns "build-sim/rungs lab"; without typed_begin "rungs lab". */
const char *typed(void);

#endif
