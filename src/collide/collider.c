/* The table of collide algorithms, and the parameters of a collider. */
#include "collide/collider.h"

#include "base/row.h"

#define DECLARE(row, ...) ISA_EXTERN(CollideRow, row)
COLLIDE_ROWS(DECLARE)
ISA_ROW_TABLE(collide_rows, COLLIDE_ROWS)

static const mote_Param params[] = {
    PARAM_REAL(mote_ColliderDef, restitution, "", "share of the normal speed kept by a bounce", 0.5,
               0, 1),
    PARAM_REAL(mote_ColliderDef, friction, "", "Coulomb's friction coefficient", 0.3, 0,
               PARAM_LARGEST),
    PARAM_VEC3(mote_ColliderDef, velocity, "m/s", "velocity of the surface, as of a belt", 0, 0, 0),
};

const mote_Row collider_row =
    ROW_HEAD("collider", "a shape that particles bounce off, slide on and rest on", params,
             mote_ColliderDef);

mote_ColliderDef mote_collider_def(void)
{
    mote_ColliderDef def;
    mote_row_defaults(&collider_row, &def);
    def.shape = "plane";
    return def;
}
