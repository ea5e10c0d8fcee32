/* Mass, centre and principal axes of a shape. */
#ifndef BODIES_MASS_H
#define BODIES_MASS_H

#include "bodies/d3.h"
#include "geometry/shape.h"

typedef struct MassProperties {
    double volume;  /* m^3 */
    double mass;    /* kg */
    D3 inertia;     /* kg m^2, principal moments about the centre of mass */
    DPose in_shape; /* the frame of centre and principal axes, in the shape's frame */
} MassProperties;

/* Of a shape with this density, or with this mass when it is above 0. Fails when the shape has no
 * volume or no end. */
mote_Status mass_of_shape(const ShapeRow *row, const void *params, double density, double mass,
                          const char *where, MassProperties *out, mote_Error *error);

#endif
