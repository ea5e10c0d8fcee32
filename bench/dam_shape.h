/* Particles that lie like a dam break, without having fallen. */
#ifndef BENCH_DAM_SHAPE_H
#define BENCH_DAM_SHAPE_H

#include "base/memory.h"

typedef struct DamBreak {
    Memory memory;
    mote_real *x[3];
    size_t count, room;
    double spacing;
} DamBreak;

/* About `count` of them. False when out of memory. */
bool dam_make(DamBreak *dam, size_t count);
void dam_free(DamBreak *dam);

#endif
