/* How many ranks a scene wants. */
#ifndef CLI_CHECK_RANKS_H
#define CLI_CHECK_RANKS_H

#include <mote/scene.h>

typedef struct RankAdvice {
    char refused[400];     /* what of it ranks cannot share; "": nothing that is known */
    int needed;            /* ranks, on machines such as this one; 0: no number would do */
    int named;             /* ranks that `share` is of: needed, or as many as share it well */
    mote_SceneShare share; /* and what they would need */
} RankAdvice;

/* `there`: bytes of memory of this machine. `tries`: makes its world to see whether it can be
 * spread. */
mote_Status ranks_advise(mote_Scene *scene, uint64_t there, bool tries, RankAdvice *advice,
                         mote_Error *error);

void ranks_print_advice(const RankAdvice *advice);

#endif
