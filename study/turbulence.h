/* A ball of turbulence that decays. */
#ifndef STUDY_TURBULENCE_H
#define STUDY_TURBULENCE_H

#include "study/cases.h"

Cases turbulence_cases; /* of vortex_cases */

#endif
