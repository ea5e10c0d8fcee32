/* What studies of liquids find: measured values beside what they should be. */
#ifndef STUDY_FINDINGS_H
#define STUDY_FINDINGS_H

#include "study/study.h"

#include <stdio.h>

enum { MOST_FINDINGS = 256 };

typedef struct Finding {
    const char *scene;    /* "hydrostatic" */
    const char *pressure; /* row of the pressure solvers */
    const char *quantity; /* "settled height (m)" */
    double measured, reference;
    double off;       /* how far off, as a share; the caller says of what */
    double tolerance; /* the most that is good */
} Finding;

typedef struct Findings {
    Finding items[MOST_FINDINGS];
    size_t count;
} Findings;

/* off = |measured - reference| / |scale|. */
void findings_add(Findings *findings, Finding finding);
Finding finding_make(const char *scene, const char *pressure, const char *quantity,
                     double tolerance);
size_t findings_missed(const Findings *findings);

/* A table for people, from item `first` on. */
void findings_print(const Findings *findings, size_t first, FILE *file);
/* The same as rows of Markdown. */
void findings_print_markdown(const Findings *findings, FILE *file);
mote_Status findings_write(const Findings *findings, const StudyOptions *options, const char *name,
                           mote_Error *error);

#endif
