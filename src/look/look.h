/* Looks: what is drawn of a system, by numbers that expressions make of a frame and its particles.
 */
#ifndef LOOK_LOOK_H
#define LOOK_LOOK_H

#include <mote/frame.h>
#include <mote/render.h>

#include "base/memory.h"
#include "expression/expression.h"

/* Colour by a number of each particle. */
typedef struct LookColors {
    bool present;
    Expression value;   /* unless it is a column */
    const char *column; /* NULL: the expression */
    const char *map, *title;
    bool has_range, legend;
    double range[2];
} LookColors;

/* Constant parameters, and expressions of a particle's columns. */
typedef struct Look {
    mote_Look def;
    bool has_size, has_color, has_opacity, has_sprite, has_temperature, has_cell, has_turn, has_uv;
    Expression size, color[3], opacity, sprite, temperature, cell, turn, uv[2];
    LookColors by;
} Look;

/* The names that expressions of looks may use beside t and frame. */
const ExpressionScope *look_scope(void);

/* Systems that one system is drawn as: one, or one for every profile when sprites differ. */
size_t look_parts(const Look *look);

/* parts[0] is the system; its computed columns replace the frame's, and with sprites the further
 * parts are filled. A colour map that wants one fills the legend. What is computed lives in the
 * arena. */
mote_Status look_draw(const Look *look, const mote_Frame *frame, Arena *arena,
                      mote_FrameSystem *parts, mote_Legend *legend, mote_Error *error);

/* How a renderer is to draw a part, which is called `name`. */
mote_Look look_of_part(const Look *look, const char *name, size_t part);

/* Whether the column that the look names is there. */
mote_Status look_check(const Look *look, const mote_FrameSystem *system, mote_Error *error);

/* Between this room's files. */

typedef struct LookDrawing {
    Arena *arena;
    mote_FrameSystem *system;
    ExpressionPlane planes[EXPRESSION_SLOTS];
} LookDrawing;

/* color.c: the system's colours from numbers of its particles, and by their temperature. */
mote_Status look_color_by(LookDrawing *drawing, const LookColors *by, mote_Legend *legend,
                          mote_Error *error);
bool look_color_by_heat(LookDrawing *drawing, const Look *look);

#endif
