/* GSL's RK4 as a peer, when its library is on this machine. */
#ifndef BENCH_PEER_GSL_H
#define BENCH_PEER_GSL_H

#include <stddef.h>

/* Particle-steps per second of gsl_odeiv2's rk4 on `count` particles under gravity, as one system
 * of 6 count equations; 0 when it is not installed. */
double peer_gsl_rk4(size_t count);

#endif
