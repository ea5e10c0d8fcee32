/* Probes: measured quantities over time, for tables and plots. */
#ifndef MOTE_PROBES_H
#define MOTE_PROBES_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A quantity of the particles around a point, by a smoothing kernel (Wendland C2): the sum over the
 * particles j of V_j A_j W(|x - x_j|), divided by the sum of V_j W, so that it holds at walls and
 * surfaces too. V_j is m_j / density_j in a liquid and 1 elsewhere. */

/* Pressure of a liquid at a point, or its mean over a disc. Where there is no liquid: 0. */
typedef struct mote_PressureProbe {
    const char *system; /* a liquid */
    mote_Vec3 at;       /* m; a probe in a wall stands on its surface */
    mote_real radius;   /* m, of the disc; 0: a point */
    mote_Vec3 normal;   /* of the disc */
    mote_real reach;    /* m, of the kernel; 0: that of the liquid */
    bool wall; /* what the walls there do to the liquid, over their area: a gauge in a wall */
    bool mean; /* over the time since the last sample, as of a gauge; else at a moment */
} mote_PressureProbe;

/* Velocity at a point; where there are no particles: NaN. */
typedef struct mote_VelocityProbe {
    const char *system; /* its name */
    mote_Vec3 at;       /* m */
    mote_real reach;    /* m, of the kernel; 0: that of the liquid */
} mote_VelocityProbe;

/* Any column of the particles around a point; where there are none: NaN. */
typedef struct mote_ColumnProbe {
    const char *system; /* its name */
    const char *column; /* a name: "density", "temperature"; its first three components */
    mote_Vec3 at;       /* m */
    mote_real reach;    /* m, of the kernel; 0: that of the liquid */
} mote_ColumnProbe;

/* What a height probe tells. */
enum {
    MOTE_HEIGHT_TOP,   /* the highest liquid above the point */
    MOTE_HEIGHT_WETTED /* how much of the line above the point is in liquid, as a wire gauge */
};

/* Height of a liquid above a point, along the axis that is up. */
typedef struct mote_HeightProbe {
    const char *system; /* its name */
    mote_Vec3 at;       /* m: the bottom of the line, which is where heights are counted from */
    int measure;        /* MOTE_HEIGHT_... */
    mote_real reach;    /* m, of the kernel; 0: that of the liquid */
} mote_HeightProbe;

/* Force and torque of particles on a collider with `measure`, the mean since the last sample; the
 * torque is about the collider's position. */
typedef struct mote_LoadProbe {
    const char *collider;
} mote_LoadProbe;

/* Sums over a system: number, mass, centre of mass, momentum, kinetic energy, largest speed, and
 * for a liquid the mean and the largest error of density, as shares of its rest density. */
typedef struct mote_TotalProbe {
    const char *system;
} mote_TotalProbe;

/* A field's value at a point. */
typedef struct mote_FieldProbe {
    const char *field;
    mote_Vec3 at; /* m */
} mote_FieldProbe;

MOTE_API mote_PressureProbe mote_pressure_probe_def(void);
MOTE_API mote_VelocityProbe mote_velocity_probe_def(void);
MOTE_API mote_ColumnProbe mote_column_probe_def(void);
MOTE_API mote_HeightProbe mote_height_probe_def(void);
MOTE_API mote_LoadProbe mote_load_probe_def(void);
MOTE_API mote_TotalProbe mote_total_probe_def(void);
MOTE_API mote_FieldProbe mote_field_probe_def(void);

/* A probe for mote_world_add_probe; everything is copied. */
typedef struct mote_ProbeDef {
    size_t size;        /* bytes, by mote_probe_def() */
    const char *name;   /* unique; NULL: the type and a number */
    const char *type;   /* "pressure", "velocity", "height", ... */
    const void *params; /* struct of the type */
    double interval;    /* s between samples, taken at ends of sub-steps; 0: every frame */
} mote_ProbeDef;

MOTE_API void mote_probe_def_init(mote_ProbeDef *def, size_t size);
MOTE_MAKER(mote_ProbeDef, mote_probe_def)

/* A column of the table that a probe fills. */
typedef struct mote_ProbeColumn {
    const char *name; /* "pressure" */
    const char *unit; /* "Pa"; "" when it has none */
} mote_ProbeColumn;

enum { MOTE_PROBE_COLUMNS = 12 }; /* a probe has at most */

/* What a probe has sampled. */
typedef struct mote_ProbeSamples {
    const char *name;                /* of the probe; NULL: there is no such probe */
    const char *type;                /* of the probe */
    const mote_ProbeColumn *columns; /* of the table */
    size_t column_count;
    size_t count;         /* samples */
    const double *times;  /* s */
    const double *values; /* of sample i and column c: values[i * column_count + c] */
} mote_ProbeSamples;

#ifdef __cplusplus
}
#endif
#endif
