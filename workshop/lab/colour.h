/* Colours, if the terminal shows them and the user wants them (harness/base/terminal.h). */
#ifndef RUNGS_LAB_COLOUR_H
#define RUNGS_LAB_COLOUR_H

enum colour { RED = 31, GREEN = 32, YELLOW = 33, BOLD = 1, FAINT = 2 };

void colour_begin(void); /* finds that out */
void colour_on(enum colour c);
void colour_off(void);

#endif
