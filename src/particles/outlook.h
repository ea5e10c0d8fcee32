/* What rows are asked before a run: what would go wrong in it. A scene looks at its objects one by
 * one, and their rows see this of it; each fault is a line of text, with what to change. */
#ifndef PARTICLES_OUTLOOK_H
#define PARTICLES_OUTLOOK_H

#include "text/text_buffer.h"

/* The particles of an emitter, as they start. */
typedef struct OutlookStart {
    const char *system;     /* its name */
    mote_Vec3 at, velocity; /* m, m/s */
    double speed;           /* m/s, of the fastest */
    double mass, radius;    /* kg, m */
    bool even;              /* all of them start from `at` with `velocity` */
    bool laid;              /* they fill a space at once, as a liquid does */
    double likely;          /* m/s: then, how fast they may become by a fall through it */
} OutlookStart;

typedef struct Outlook {
    const char *name;           /* of the object that has the row */
    const char *const *systems; /* that it moves, by name */
    size_t system_count;        /* of them */
    const OutlookStart *starts; /* of the emitters that feed them */
    size_t start_count;         /* of them */
    double linked;              /* of a system: kg, the lightest that links bring; infinite: none */
    double theta;               /* of a system: weight of a step's end; below 0: explicit */
    bool sampled;               /* of a field: something goes by it */
    double particles;           /* most at a time, of all systems */
    double dt, frame;           /* s: a sub-step, a frame */
    mote_Vec3 gravity;          /* m/s^2 */
    bool flat;                  /* two-dimensional */
    TextBuffer *out;            /* for the lines */
    double *longest;            /* s: the step that all lines ask for; NULL: nobody wants it */
} Outlook;

#define OUTLOOK_WARN(outlook, ...) text_buffer_print((outlook)->out, __VA_ARGS__)

/* The step as a line shows it, with two digits; the shortest of them is kept in `longest`. */
double outlook_advise(double *longest, double step);

/* The fastest start, m/s, and the lightest particle, kg, of a system's emitters; infinite without
 * any. */
double outlook_fastest(const Outlook *outlook, const char *system);
double outlook_lightest(const Outlook *outlook, const char *system);

#endif
