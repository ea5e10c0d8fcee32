/* Motion as scenes say it: a place, a turn, constant velocity and constant spin. */
#ifndef GEOMETRY_MOTION_H
#define GEOMETRY_MOTION_H

#include "geometry/pose.h"

#define RADIANS_PER_DEGREE ((mote_real)0.017453292519943295)

extern const mote_Row motion_row; /* mote_Motion */

/* Where it has got to at time t (s). */
mote_Pose motion_pose(const mote_Motion *motion, double t);

#endif
