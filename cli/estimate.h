/* How long a run will take, found by trying a small part of it. */
#ifndef CLI_ESTIMATE_H
#define CLI_ESTIMATE_H

#include "cli/load.h"

typedef struct Estimate {
    double steps;    /* s for simulating; negative: not known, because the scene is too large */
    double pictures; /* s for drawing and writing; negative: not known, because they are traced */
} Estimate;

/* Takes about half a second; of what fails nothing is known. */
Estimate estimate_run(const LoadDef *load, mote_Scene *scene, const mote_SceneForecast *forecast);

/* "12 s", "3 min", "2 h": two digits are more than such an estimate has. */
enum { DURATION_TEXT = 32 };
void duration_text(double seconds, char text[DURATION_TEXT]);

#endif
