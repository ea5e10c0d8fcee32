/* Liquids whose behaviour is known, each run with every pressure solver; vortex fluids. */
#ifndef STUDY_CASES_H
#define STUDY_CASES_H

#include "study/findings.h"
#include "study/liquid.h"

enum { MOST_PRESSURES = 4 };

typedef mote_Status Cases(const StudyOptions *options, Findings *findings, mote_Error *error);

/* Add what they find; write plots when there is a folder. */
Cases hydrostatic_cases, dambreak_cases, poiseuille_cases, flow_cases, vortex_cases, floating_cases;
Cases column_cases, box_cases; /* of dambreak_cases */

/* Name of the i-th pressure solver that is no row to compare with; NULL after the last. */
const char *case_pressure(size_t i);
/* True when it has this key of its own. */
bool pressure_has(const char *pressure, const char *key);

/* False when the options name another case or another pressure solver. */
bool case_wanted(const StudyOptions *options, const char *name, const char *pressure);
/* Fails when the options name a case and none was found. */
mote_Status cases_check(const StudyOptions *options, const Findings *findings, mote_Error *error);

/* Says on standard error what is being run, since it takes a while. */
void case_begin(const char *scene, const char *pressure);
/* The same, and opens it with a block of that spacing. Close it in any case. */
mote_Status case_open(LiquidRun *run, const char *name, const char *text, const LiquidBlock *block,
                      const char *pressure, mote_Error *error);
/* The run's cost, when it is done. */
void case_end(const LiquidRun *run);

/* A study of these cases alone: their table, CSV and plots. */
mote_Status cases_study(Cases *cases, const char *name, const StudyOptions *options,
                        mote_Error *error);

#endif
