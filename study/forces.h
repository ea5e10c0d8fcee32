/* Forces on one body in one flow, had three ways. */
#ifndef STUDY_FORCES_H
#define STUDY_FORCES_H

#include "study/cases.h"

Cases force_cases; /* of vortex_cases */

#endif
