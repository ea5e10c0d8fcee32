/* Runs the program `mote-peer-openvdb`, if it was built: particles go in through a file. */
#include "bench/peers/openvdb.h"

double bench_openvdb(mote_real *const x[3], size_t count, double spacing)
{
    (void)x, (void)count, (void)spacing;
    return 0;
}
