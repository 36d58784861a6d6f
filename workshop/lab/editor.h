/* Opens the learner's file in an editor: $VISUAL or $EDITOR. */
#ifndef RUNGS_LAB_EDITOR_H
#define RUNGS_LAB_EDITOR_H

/* Returns the editor's command, or NULL if neither is set. */
const char *editor_command(void);

/* Opens the file, and returns when the editor does: at once if it has a window of its own, else at its end.  Without an
   editor it prints how to open the file in another window. */
void editor_open(const char *file);

#endif
