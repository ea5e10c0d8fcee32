/* Ranks that mpirun or srun has started, as commands see them. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include <mote/ranks.h>

/* Before anything else: the first rank speaks for all, and the others say nothing from now on. True
 * on the first, and where there is one alone. */
bool ranks_hush(void);

/* Begins to speak with the others; *ranks is NULL where there are none. The exit code, after a
 * message when that fails. And the end of it, by all. */
int ranks_start(const mote_Ranks **ranks);
void ranks_stop(void);

/* What came of work that every rank did by itself: another code than EXIT_DONE where it failed
 * anywhere, after a message. */
int ranks_together(const mote_Ranks *ranks, int code);

/* Threads for one of the ranks of this machine; 0: as many as it may use. */
int64_t ranks_threads(const mote_Ranks *ranks, int64_t asked);

#endif
