/* Systems of particles: planar columns, one row per particle.
 *
 * A system belongs to a world (mote_world_add_system). Rows move when particles die or are sorted;
 * a particle's id never changes and is never used again, so whoever wants to remember a particle
 * remembers its id. */
#ifndef MOTE_PARTICLES_H
#define MOTE_PARTICLES_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a column holds. */
typedef enum mote_ColumnType {
    MOTE_COLUMN_REAL,   /* mote_real */
    MOTE_COLUMN_DOUBLE, /* double, in both libraries */
    MOTE_COLUMN_U32,    /* uint32_t */
    MOTE_COLUMN_U64     /* uint64_t */
} mote_ColumnType;

/* Planes that a column has at most. */
enum { MOTE_MOST_COMPONENTS = 9 };

/* One named quantity per particle. Component c of row i is element c * stride + i of data. */
typedef struct mote_Column {
    const char *name;     /* as in scene files */
    const char *unit;     /* "" when it has none */
    const char *stage;    /* who writes it: "emit", "solve", "user", ... */
    mote_ColumnType type; /* of its values */
    int components;       /* planes: 1, 3, at most MOTE_MOST_COMPONENTS */
    double fallback;      /* what new rows get */
    bool internal;        /* state of a stage: saved with the world, but no part of frames */
    size_t stride;        /* elements from one plane to the next */
    void *data;           /* all planes */
} mote_Column;

/* The particles of a world that one solver moves; the world owns it. */
typedef struct mote_System mote_System;

/* A column that a scene gives a system, with expressions of a particle's quantities. Programs have
 * mote_system_add_column. */
typedef struct mote_ColumnDef {
    const char *name;               /* of a new column, or "mass" */
    const char *unit;               /* NULL: none */
    const mote_Formula *birth;      /* its value at a particle's birth; NULL: 0, or the mass */
    const mote_Formula *rate;       /* unit/s: how fast it changes; NULL: not at all */
    const mote_Formula *exhaust[3]; /* of "mass", m/s: velocity, relative to the particle, of what
                                       leaves or comes; it pushes by exhaust dm/dt; or NULL */
} mote_ColumnDef;

/* Its name, and how many particles live. */
MOTE_API const char *mote_system_name(const mote_System *system);
MOTE_API size_t mote_system_count(const mote_System *system);

/* All columns. The built-in ones: id, position (m), velocity (m/s), mass (kg), radius (m), birth
 * (s, double), lifetime (s; infinite by default), color (linear RGB), opacity, group (a bit mask).
 * The pointers are valid until rows or columns are added or the world is stepped. */
MOTE_API const mote_Column *mote_system_columns(const mote_System *system, size_t *count);
/* NULL when there is no such column. */
MOTE_API const mote_Column *mote_system_column(const mote_System *system, const char *name);

/* A further column; name, unit and stage are copied, stride and data ignored. */
MOTE_API mote_Status mote_system_add_column(mote_System *system, const mote_Column *column,
                                            mote_Error *error);

/* Appends rows with new ids, born now, other columns at their fallback; the caller fills them. */
MOTE_API mote_Status mote_system_add_rows(mote_System *system, size_t count, size_t *first_row,
                                          mote_Error *error);

/* To be called after columns were changed from outside: histories and derived values restart. */
MOTE_API void mote_system_edited(mote_System *system);

/* The row of a particle now, or SIZE_MAX when it does not live. */
MOTE_API size_t mote_system_find(mote_System *system, uint64_t id);

#ifdef __cplusplus
}
#endif
#endif
