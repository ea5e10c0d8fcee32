/* What the plug-in mote-mpi.so gives, which mpi.c loads. It knows neither precision nor world. */
#ifndef RANKS_PLUGIN_H
#define RANKS_PLUGIN_H

#include <mote/ranks.h>

#define RANK_PLUGIN_NAME   "mote-mpi.so"
#define RANK_PLUGIN_SYMBOL "mote_rank_plugin"

/* Changes when anything here or in <mote/ranks.h> does: plug-ins of other versions are refused. */
enum { RANK_PLUGIN_VERSION = 1 };

typedef struct RankPlugin {
    uint32_t version;
    void (*name)(char *text, size_t size); /* of the MPI, before anything is begun */
    mote_Status (*open)(mote_Ranks *ranks, mote_Error *error);
    void (*close)(void);
} RankPlugin;

#endif
