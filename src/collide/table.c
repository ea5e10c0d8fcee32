/* How a system collides: the table, and the definition in C that takes its defaults from it. */
#include "base/row.h"
#include "collide/collide.h"

static const char *const algorithm_kind[] = {"collide algorithm", "contact", NULL};
static const char *const detections[] = {"swept", "end", NULL};
static const char *const inside_choices[] = {"push", "delete", "error", NULL};
static const char *const repulsion_laws[] = {"penalty", "spring", "inverse", NULL};

static const mote_Param collide_params[] = {
    PARAM_NAME(mote_CollideDef, algorithm, "how particles meet colliders", algorithm_kind),
    PARAM_CHOICE(mote_CollideDef, detection,
                 "look for hits along the whole step, or at its end alone", detections, 0),
    PARAM_CHOICE(mote_CollideDef, inside, "what to do with particles that are inside a collider",
                 inside_choices, 0),
    PARAM_BOOL(mote_CollideDef, as_points, "ignore the particles' radii", 0),
    PARAM_DOUBLE(mote_CollideDef, interval, "s",
                 "time between collision checks, in whole sub-steps; 0: after each", 0, 0, 1e9),
    PARAM_CHOICE(mote_CollideDef, law, "force law of repulsion", repulsion_laws, 0),
    PARAM_REAL(mote_CollideDef, stiffness, "N/m", "stiffness of repulsion", 1000, 0, PARAM_LARGEST),
    PARAM_REAL(mote_CollideDef, reach, "m", "distance at which repulsion begins", 0.05,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(mote_CollideDef, damping, "kg/s", "damping of repulsion", 1, 0, PARAM_LARGEST),
};

const mote_Row collide_row =
    ROW_HEAD("collide", "how a system's particles meet colliders", collide_params, mote_CollideDef);

mote_CollideDef mote_collide_def(void)
{
    mote_CollideDef def;
    mote_row_defaults(&collide_row, &def);
    def.algorithm = algorithm_kind[1];
    return def;
}
