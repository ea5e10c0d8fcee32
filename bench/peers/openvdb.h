/* OpenVDB as a peer of surfaces: particles to a level set to a mesh, by a program of its own, since
 * OpenVDB is C++. */
#ifndef BENCH_PEERS_OPENVDB_H
#define BENCH_PEERS_OPENVDB_H

#include <mote/base.h>

/* Seconds on one thread; 0 when the program `mote-peer-openvdb` is not beside this one. */
double bench_openvdb(mote_real *const x[3], size_t count, double spacing);

#endif
