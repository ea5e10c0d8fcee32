/* Emitters: their parameters and defaults, the table of sources, and what a saved state may say. */
#include "emit/emitter.h"

#include "base/definition.h"
#include "base/row.h"
#include "base/status.h"

#include <math.h>

static const char *const field_kind[] = {"field", NULL};

static const mote_Param params[] = {
    PARAM_VEC3(mote_EmitterDef, at, "m", "place of the source", 0, 0, 0),
    PARAM_REAL(mote_EmitterDef, rate, "1/s", "particles per second", 0, 0, 1e12),
    PARAM_COUNT(mote_EmitterDef, burst, "particles made at once at the start", 0, 0, 1e12),
    PARAM_DOUBLE(mote_EmitterDef, burst_every, "s", "time between bursts; 0 for only one", 0, 0,
                 1e12),
    PARAM_DOUBLE(mote_EmitterDef, start, "s", "when it begins", 0, -1e12, 1e12),
    PARAM_DOUBLE(mote_EmitterDef, stop, "s", "when it ends", 1e12, -1e12, 1e12),
    PARAM_REAL(mote_EmitterDef, jitter, "", "0 evenly spaced births, 1 random ones", 1, 0, 1),
    PARAM_VEC3(mote_EmitterDef, velocity, "m/s", "velocity of the new particles", 0, 0, 0),
    PARAM_REAL(mote_EmitterDef, spread, "rad", "half angle of the cone around velocity", 0, 0,
               3.1415927),
    PARAM_REAL(mote_EmitterDef, speed_jitter, "", "share by which speeds vary", 0, 0, 1),
    PARAM_REAL(mote_EmitterDef, outward, "m/s", "speed along the source's outward direction", 0,
               -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_REAL(mote_EmitterDef, lifetime, "s", "how long the particles live", (double)INFINITY,
               PARAM_POSITIVE, PARAM_NO_LIMIT),
    PARAM_REAL(mote_EmitterDef, lifetime_jitter, "", "share by which lifetimes vary", 0, 0, 1),
    PARAM_REAL(mote_EmitterDef, mass, "kg", "mass of a particle", 1, PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(mote_EmitterDef, radius, "m", "radius of a particle", 0.01, 0, PARAM_LARGEST),
    PARAM_REAL(mote_EmitterDef, radius_jitter, "", "share by which radii vary", 0, 0, 1),
    PARAM_COLOR(mote_EmitterDef, color, "colour of the particles", 1, 1, 1),
    PARAM_REAL(mote_EmitterDef, opacity, "", "opacity of the particles", 1, 0, 1),
    PARAM_REAL(mote_EmitterDef, temperature, "K",
               "of the particles, where their system has one; 0: as its solver says", 0, 0,
               PARAM_LARGEST),
    PARAM_COUNT(mote_EmitterDef, group, "bits of the group column", 1, 0, 4294967295.0),
    PARAM_NAME(mote_EmitterDef, wind, "vector field whose velocity new particles have, too",
               field_kind),
    PARAM_NAME(mote_EmitterDef, density,
               "scalar field: the probability that a place of the source is taken", field_kind),
};

const mote_Row emitter_row = ROW_DEFINITION("emitter", "makes particles, by rate or burst", params,
                                            mote_EmitterDef, mote_EmitterDef);

static mote_EmitterDef emitter_defaults(void)
{
    mote_EmitterDef def;
    mote_row_defaults(&emitter_row, &def);
    def.source = "point";
    return def;
}

DEFINITION_MAKER(mote_EmitterDef, mote_emitter_def, emitter_defaults)

/* ---- sources ---- */

#define DECLARE(row, ...) ISA_EXTERN(SourceRow, row)
SOURCE_ROWS(DECLARE)
ISA_ROW_TABLE(source_rows, SOURCE_ROWS)

#define SOURCE_DEFAULTS(X)                                                                         \
    X(source_disc, mote_DiscSource, mote_disc_source_def)                                          \
    X(source_box, mote_BoxSource, mote_box_source_def)                                             \
    X(source_sphere, mote_SphereSource, mote_sphere_source_def)                                    \
    X(source_surface, mote_ShapeSource, mote_shape_source_def)                                     \
    X(source_fill, mote_FillSource, mote_fill_source_def)                                          \
    X(source_inflow, mote_InflowSource, mote_inflow_source_def)
ROW_DEFAULTS_FUNCTIONS(SOURCE_DEFAULTS)

mote_Status emitter_check_state(const Emitter *emitter, mote_Error *error)
{
    if (fabs(emitter->remainder) <= 1) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "emitters/%.100s/remainder: the saved state owes %g births, but an emitter "
                       "never owes more than one",
                       emitter->object.name, emitter->remainder);
}
