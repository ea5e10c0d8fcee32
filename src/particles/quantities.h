/* What formulas of particles may use: quantities of a row by name, and the columns that the scene
 * gave its systems. */
#ifndef PARTICLES_QUANTITIES_H
#define PARTICLES_QUANTITIES_H

#include "expression/formula.h"
#include "particles/range.h"

/* Of a row itself: X(slot, name, what it is). */
#define ROW_QUANTITIES(X)                                                                          \
    X(QUANTITY_X, "x", "place, m")                                                                 \
    X(QUANTITY_Y, "y", "")                                                                         \
    X(QUANTITY_Z, "z", "")                                                                         \
    X(QUANTITY_VX, "vx", "velocity, m/s")                                                          \
    X(QUANTITY_VY, "vy", "")                                                                       \
    X(QUANTITY_VZ, "vz", "")                                                                       \
    X(QUANTITY_T, "t", "time, s")                                                                  \
    X(QUANTITY_ID, "id", "its number, from 0")                                                     \
    X(QUANTITY_AGE, "age", "time since its birth, s")                                              \
    X(QUANTITY_SPEED, "speed", "length of the velocity, m/s")                                      \
    X(QUANTITY_MASS, "mass", "kg")                                                                 \
    X(QUANTITY_RADIUS, "radius", "m")

/* The same, and those of a field there. */
#define QUANTITIES(X)                                                                              \
    ROW_QUANTITIES(X)                                                                              \
    X(QUANTITY_FX, "fx", "value of the field that `field` names")                                  \
    X(QUANTITY_FY, "fy", "")                                                                       \
    X(QUANTITY_FZ, "fz", "")

#define QUANTITY_SLOT(slot, ...) slot,
enum { QUANTITIES(QUANTITY_SLOT) QUANTITY_COUNT };

/* Their names in the order of the slots, ended by NULL. */
extern const char *const quantity_names[];
extern const char *const row_quantity_names[]; /* without the field's */

/* The planes of rows, for expression_rows; not to be moved. */
typedef struct Quantities {
    ExpressionPlane planes[EXPRESSION_SLOTS];
    double age[BLOCK_ROWS], speed[BLOCK_ROWS];
} Quantities;

/* Planes of what the formula uses, at the range's state and time t, at most BLOCK_ROWS rows.
 * `field`: three planes of values, or NULL. */
void quantities_of(const mote_Formula *formula, const Range *r, double t, mote_real *const field[3],
                   Quantities *quantities);

/* Notes that a formula has no good value for a row: the run ends with it. `what` is for people:
 * "acceleration of force pull". */
void quantities_note_wrong(const mote_Formula *formula, const char *what, const Range *r,
                           size_t row, double t, double value);

/* Fails when the system lacks a column that the formula uses. */
mote_Status quantities_check(const mote_Formula *formula, const mote_System *system,
                             const char *where, mote_Error *error);

#endif
