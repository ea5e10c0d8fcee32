/* Ranks of a launcher: who was started, and the plug-in through which they speak. There is one MPI
 * in a program, so there is one of everything here. */
#include "ranks/plugin.h"

#include "base/status.h"
#include "base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- who was started ---- */

/* What launchers tell those they start. Slurm sets its own numbers for batch scripts too, which are
 * started once: there `only_with` says that it has started ranks. */
typedef struct Launcher {
    const char *count, *own, *only_with;
} Launcher;

static const Launcher launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", NULL}, /* mpirun of Open MPI */
    {"PMI_SIZE", "PMI_RANK", NULL},                         /* srun --mpi=pmi2, MPICH */
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "PMIX_RANK"},  /* srun --mpi=pmix */
};

static long number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL ? strtol(text, NULL, 10) : -1;
}

int mote_ranks_launched(int *own)
{
    enum { MOST = 1 << 24 };
    if (own != NULL) *own = 0;
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; ++i) {
        const Launcher *launcher = &launchers[i];
        const long count = number_of(launcher->count), rank = number_of(launcher->own);
        if (launcher->only_with != NULL && getenv(launcher->only_with) == NULL) continue;
        if (count < 2 || count > MOST || rank < 0 || rank >= count) continue;
        if (own != NULL) *own = (int)rank;
        return (int)count;
    }
    return 1;
}

int mote_ranks_here(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                        "SLURM_NTASKS_PER_NODE"};
    const int all = mote_ranks_launched(NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const long here = number_of(names[i]);
        if (here >= 1) return here < all ? (int)here : all;
    }
    return 1;
}

/* ---- the plug-in ---- */

static const RankPlugin *plugin;
static mote_Ranks table;

/* Where it is after `make`, and after `make install`. */
static const char *const places[] = {"%s/" RANK_PLUGIN_NAME,
                                     "%s/" MOTE_PLUGINS "/" RANK_PLUGIN_NAME};

static mote_Status load(mote_Error *error)
{
    char folder[SYSTEM_PATH], path[SYSTEM_PATH + SYSTEM_NAME], why[SYSTEM_NAME] = "";
    const char *given = getenv("MOTE_MPI");
    void *library = NULL;
    if (plugin != NULL) return MOTE_OK;
    system_program_folder(folder);
    if (given != NULL && given[0] != '\0') library = system_plugin(given, why);
    for (size_t i = 0; i < sizeof places / sizeof places[0] && library == NULL; ++i) {
        FILE *there;
        snprintf(path, sizeof path, places[i], folder);
        if (given != NULL || folder[0] == '\0' || (there = fopen(path, "rb")) == NULL) continue;
        fclose(there);
        library = system_plugin(path, why); /* one that is there tells why it does not do */
    }
    if (library == NULL)
        return status_fail(error, MOTE_UNAVAILABLE,
                           RANK_PLUGIN_NAME " %s%.200s; it is built with mote where MPI is "
                                            "installed (Debian: libopenmpi-dev)",
                           why[0] != '\0' ? "could not be loaded: " : "was not found beside mote",
                           why);
    const RankPlugin *found = system_symbol(library, RANK_PLUGIN_SYMBOL);
    if (found == NULL || found->version != RANK_PLUGIN_VERSION)
        return status_fail(error, MOTE_UNAVAILABLE,
                           RANK_PLUGIN_NAME " is of another version of mote; build both together");
    plugin = found;
    return MOTE_OK;
}

mote_Status mote_ranks_library(char *name, size_t size, mote_Error *error)
{
    mote_Status status = load(error);
    if (size > 0) name[0] = '\0';
    if (status == MOTE_OK) plugin->name(name, size);
    return status;
}

mote_Status mote_ranks_open(const mote_Ranks **ranks, mote_Error *error)
{
    mote_Error why;
    const int launched = mote_ranks_launched(NULL);
    *ranks = NULL;
    if (launched == 1) return MOTE_OK;
    mote_Status status = load(&why);
    if (status != MOTE_OK)
        return status_fail(error, status,
                           "%d programs were started together, but they cannot share their work: "
                           "%.400s",
                           launched, why.message);
    status = plugin->open(&table, error);
    if (status != MOTE_OK) return status;
    if (table.count != launched) {
        const int seen = table.count;
        mote_ranks_close();
        return status_fail(error, MOTE_UNAVAILABLE,
                           "%d programs were started together, but MPI sees %d: " RANK_PLUGIN_NAME
                           " was built for another MPI than the launcher's",
                           launched, seen);
    }
    *ranks = &table;
    return MOTE_OK;
}

void mote_ranks_close(void)
{
    if (table.count > 0) plugin->close();
    memset(&table, 0, sizeof table);
}
