/* Dense output of adaptive schemes, as a part of the study of convergence. */
#ifndef STUDY_DENSE_H
#define STUDY_DENSE_H

#include "study/study.h"

mote_Status study_dense(const StudyOptions *options, mote_Error *error);

#endif
