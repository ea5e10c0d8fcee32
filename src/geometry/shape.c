/* The table of shapes, and poses for users. */
#include "geometry/shape.h"

#include "base/row.h"

#define DECLARE(row, ...) ISA_EXTERN(ShapeRow, row)
MOTE_SHAPES(DECLARE)
ISA_ROW_TABLE(shape_rows, MOTE_SHAPES)
ROW_DEFAULTS_FUNCTIONS(MOTE_SHAPES)

const ShapeRow *shape_named(const char *name)
{
    size_t count;
    const mote_Row *const *rows = shape_rows(isa_pick(), &count);
    return (const ShapeRow *)(const void *)row_named(rows, count, name); /* its head is first */
}

mote_Pose mote_pose_def(void)
{
    return pose_identity();
}

mote_Pose mote_pose_turned(mote_Vec3 position, mote_Vec3 angles)
{
    mote_Quat x = quat_of_turn(vec3(angles.x, 0, 0)), y = quat_of_turn(vec3(0, angles.y, 0)),
              z = quat_of_turn(vec3(0, 0, angles.z));
    return (mote_Pose){position, quat_product(z, quat_product(y, x))};
}
