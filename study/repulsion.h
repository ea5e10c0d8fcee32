/* The part of the study of collision that is about forces near surfaces, and about what no
 * collision algorithm can help. */
#ifndef STUDY_REPULSION_H
#define STUDY_REPULSION_H

#include "study/study.h"

mote_Status study_repulsion(const StudyOptions *options, mote_Error *error);

#endif
