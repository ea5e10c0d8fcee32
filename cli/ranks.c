/* One program of several: the first speaks, and all go on or stop together. */
#include "cli/ranks.h"

#include "base/system.h"
#include "cli/exit.h"

#include <stdio.h>
#include <unistd.h>

bool ranks_hush(void)
{
    int own;
    mote_ranks_launched(&own);
    if (own == 0) return true;
    message_silence();
    return false;
}

int ranks_start(const mote_Ranks **ranks)
{
    mote_Error error = {0};
    mote_Status status = mote_ranks_open(ranks, &error);
    return status == MOTE_OK ? EXIT_DONE : message_failure(status, &error);
}

void ranks_stop(void)
{
    mote_ranks_close();
}

int ranks_together(const mote_Ranks *ranks, int code)
{
    double worst = code;
    mote_Error error = {0};
    if (ranks == NULL) return code;
    mote_Status status = ranks->most(ranks->context, &worst, 1, &error);
    if (status != MOTE_OK) return message_failure(status, &error);
    if (code == EXIT_DONE && worst > EXIT_DONE) {
        message("another rank could not start: every machine must see the scene and its files "
                "below the same path");
        return (int)worst;
    }
    return code;
}

/* A launcher may bind ranks to cores of their own, which system_cores counts, or leave them all to
 * each: then they are shared. */
int64_t ranks_threads(const mote_Ranks *ranks, int64_t asked)
{
    if (ranks == NULL || asked > 0) return asked;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN), share = cores / mote_ranks_here();
    if (share < 1) return 1;
    return share < system_cores() ? share : 0;
}
