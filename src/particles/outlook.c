/* What several rows want to know before a run. */
#include "particles/outlook.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

double outlook_advise(double *longest, double step)
{
    char text[NUMBER_SIZE];
    number_write(step, 2, text);
    number_parse(text, &step);
    if (longest != NULL && (*longest == 0 || step < *longest)) *longest = step;
    return step;
}

double outlook_fastest(const Outlook *outlook, const char *system)
{
    double fastest = 0;
    for (size_t i = 0; i < outlook->start_count; ++i)
        if (strcmp(outlook->starts[i].system, system) == 0)
            fastest = fmax(fastest, outlook->starts[i].speed);
    return fastest;
}

double outlook_lightest(const Outlook *outlook, const char *system)
{
    double lightest = HUGE_VAL;
    for (size_t i = 0; i < outlook->start_count; ++i)
        if (strcmp(outlook->starts[i].system, system) == 0)
            lightest = fmin(lightest, outlook->starts[i].mass);
    return lightest;
}
