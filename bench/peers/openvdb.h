/* OpenVDB as a peer of surfaces: particles to a level set to a mesh, by a program of its own, since
 * OpenVDB is C++: `cmake --build BUILD --target mote-peer-openvdb` makes it where OpenVDB is. */
#ifndef BENCH_PEERS_OPENVDB_H
#define BENCH_PEERS_OPENVDB_H

#include <mote/base.h>

typedef struct OpenvdbFigures {
    double seconds; /* 0: the program is not there */
    double triangles, volume;
} OpenvdbFigures;

/* On one thread, spheres of radius `spacing`, voxels of half a spacing. */
OpenvdbFigures bench_openvdb(mote_real *const x[3], size_t count, double spacing);

#endif
