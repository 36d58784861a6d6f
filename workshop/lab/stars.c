#include "workshop/lab/stars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/typed.h"

static const char *const words[STARS] = {"right", "structure", "speed"};

unsigned stars_of(const struct exercise *e)
{
    return STAR_RIGHT | (e->gates > 0 ? STAR_STRUCTURE : 0) | (e->share > 0.0 ? STAR_SPEED : 0);
}

unsigned stars_at(const struct exercise *e, enum place place)
{
    const unsigned elsewhere = place == ON_CARD ? STAR_STRUCTURE : STAR_SPEED;

    return e->cuda ? stars_of(e) & ~elsewhere : stars_of(e);
}

void stars_draw(unsigned won, unsigned possible, char text[STARS + 1])
{
    for (int i = 0; i < STARS; i++)
        if ((possible >> i & 1) != 0)
            *text++ = (won >> i & 1) != 0 ? '*' : '.';
    *text = '\0';
}

void stars_write(unsigned won, char text[STARS_WORDS])
{
    size_t used = 0;

    snprintf(text, STARS_WORDS, "-");
    for (int i = 0; i < STARS; i++)
        if ((won >> i & 1) != 0)
            used += (size_t)snprintf(text + used, STARS_WORDS - used, "%s%s", used > 0 ? "+" : "",
                                     words[i]);
}

bool stars_read(const char *text, unsigned *won)
{
    char again[STARS_WORDS];

    if (text[0] >= '0' && text[0] <= '0' + STARS && text[1] == '\0') {
        *won = (1U << (text[0] - '0')) - 1;
        return true;
    }
    for (*won = 0; *won < 1U << STARS; ++*won) {
        stars_write(*won, again);
        if (strcmp(text, again) == 0)
            return true;
    }
    return false;
}

void stars_missing(const struct exercise *e, enum place place, unsigned won, char *text, size_t room)
{
    const unsigned missing = stars_of(e) & ~won, here = stars_at(e, place);
    size_t used = 0;

    text[0] = '\0';
    if ((missing & STAR_STRUCTURE & ~here) != 0)
        used += (size_t)snprintf(text, room, "the star for structure is won in the simulator: "
                                 "%s run %02d\n", typed(), e->number);
    if ((missing & STAR_SPEED & ~here) != 0)
        snprintf(text + used, room - used, "the star for speed needs a GPU: %s run %02d "
                 "--gpu\n", typed(), e->number);
    else if ((missing & STAR_SPEED) != 0)
        snprintf(text + used, room - used, missing == STAR_SPEED
                 ? "the last star is for speed: the goal stands above\n"
                 : "the star for speed is missing, too: the goal stands above\n");
}
