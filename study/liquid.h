/* A liquid that a study runs: a scene as text, changed by settings, with all that its probes
 * measured. */
#ifndef STUDY_LIQUID_H
#define STUDY_LIQUID_H

#include "study/study.h"

#include <mote/scene.h>

enum { LIQUID_SETTINGS = 16, LIQUID_SETTING_SIZE = 96, LIQUID_RECORDS = 32 };

/* What a probe measured: of sample i and column c, values[i * columns + c]. */
typedef struct Record {
    const char *name;
    size_t columns, count, capacity;
    double *times, *values;
} Record;

typedef struct LiquidRun {
    const StudyOptions *options; /* its settings come last */
    mote_Scene *scene;
    mote_World *world;
    mote_Tasks *tasks;
    Record records[LIQUID_RECORDS];
    size_t record_count;
    mote_StepReport report; /* of the last step */
    double seconds;         /* wall clock of all steps */
    double told;            /* of them, when it was last said how far it is */
    uint64_t substeps;
    char settings[LIQUID_SETTINGS][LIQUID_SETTING_SIZE];
    size_t setting_count;
} LiquidRun;

/* Settings come before opening: "key=value". */
__attribute__((format(printf, 2, 3))) void liquid_set(LiquidRun *run, const char *format, ...);

/* Close it in any case. */
mote_Status liquid_open(LiquidRun *run, const char *name, const char *text, mote_Error *error);
void liquid_close(LiquidRun *run);

/* Steps whole frames until the time is reached. */
mote_Status liquid_advance(LiquidRun *run, double until, mote_Error *error);

/* A lattice of liquid with a velocity that depends on the place, before the first step. */
typedef struct LiquidBlock {
    double low[3], spacing, density;
    int count[3];
    void (*velocity)(const double x[3], double v[3]); /* NULL: at rest */
} LiquidBlock;

mote_Status liquid_fill(LiquidRun *run, const char *system, const LiquidBlock *block,
                        mote_Error *error);

/* NULL when there is no such probe. */
const Record *liquid_record(const LiquidRun *run, const char *probe);
/* NaN without samples. */
double record_last(const Record *record, size_t column);
/* The mean of the last samples. */
double record_mean(const Record *record, size_t column, size_t last);

/* The columns of a system now; NULL when there is none. */
const mote_real *liquid_plane(const LiquidRun *run, const char *system, const char *column,
                              int component, size_t *count);

#endif
