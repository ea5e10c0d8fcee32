/* The periods of a world's box. */
#ifndef WORLD_PERIOD_H
#define WORLD_PERIOD_H

#include <mote/world.h>

/* m, of periodic axes; else 0. */
static inline mote_Vec3 world_period(const mote_WorldDef *def)
{
    const mote_Vec3 low = def->box_min, high = def->box_max;
    return (mote_Vec3){def->periodic_x ? high.x - low.x : 0, def->periodic_y ? high.y - low.y : 0,
                       def->periodic_z ? high.z - low.z : 0};
}

#endif
