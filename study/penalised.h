/* Bodies in a wind, on meshes. */
#ifndef STUDY_PENALISED_H
#define STUDY_PENALISED_H

#include "study/cases.h"

Cases penalised_cases; /* of vortex_cases */

#endif
