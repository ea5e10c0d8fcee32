/* Collapsing columns of water beside experiments. */
#include "study/cases.h"

mote_Status dambreak_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    mote_Status status = column_cases(options, findings, error);
    return status == MOTE_OK ? box_cases(options, findings, error) : status;
}

mote_Status study_dambreak(const StudyOptions *options, mote_Error *error)
{
    printf("Collapsing columns of water beside experiments: Martin and Moyce 1952, and SPHERIC "
           "test 2.\n\n");
    return cases_study(dambreak_cases, "dambreak", options, error);
}
