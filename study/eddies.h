/* A ball of large random eddies, where studies of turbulence begin. */
#ifndef STUDY_EDDIES_H
#define STUDY_EDDIES_H

enum { EDDY_WAVES = 24 };

typedef struct EddyWave {
    double k[3], a[3], phase;
} EddyWave;

/* Waves of a metre to half a metre, in all directions, that end smoothly at 1 m from the origin:
 * the flow is the curl of a potential, so beyond the ball it is still. */
typedef struct Eddies {
    EddyWave waves[EDDY_WAVES];
} Eddies;

void eddies_draw(Eddies *eddies);

/* The curl of the flow at a place, 1/s. */
void eddies_vorticity(const Eddies *eddies, const double x[3], double w[3]);

#endif
