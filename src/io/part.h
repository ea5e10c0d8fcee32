/* Parts: what exports write. The particles of a system, a surface around them, a body and a
 * collider are all the same to a file: points with columns (position, normal, velocity, color,
 * ...), links and triangles between them, and for shapes a pose. */
#ifndef IO_PART_H
#define IO_PART_H

#include <mote/frame.h>

#include "base/memory.h"
#include "frame/mesh_rows.h"

typedef enum PartKind {
    PART_PARTICLES = 1, /* without links */
    PART_LINKED = 2,    /* particles with links or triangles: cloth, ropes */
    PART_SURFACE = 4,
    PART_BODY = 8,
    PART_COLLIDER = 16
} PartKind;

enum {
    PART_SYSTEMS = PART_PARTICLES | PART_LINKED,
    PART_SHAPES = PART_BODY | PART_COLLIDER,
    PART_ALL = PART_SYSTEMS | PART_SURFACE | PART_SHAPES
};

typedef struct Part {
    PartKind kind;
    const char *name; /* no other part of the frame has it */
    size_t number;    /* in the frame's systems, surfaces or shapes */
    mote_FrameSystem points;
    MeshRows mesh; /* rows of the points */
    int up;        /* axis */
    int flat;      /* axis of no extent in two dimensions; -1: none */
    /* Of formats that hold volumes alone. */
    const struct Volume *volume;
    /* Of shapes: the points stand in the frame of this pose. */
    double position[3];    /* m */
    double orientation[4]; /* unit quaternion x, y, z, w */
    double velocity[3];    /* m/s */
    double spin[3];        /* rad/s */
} Part;

/* How a file sees the world. */
typedef struct PartView {
    int up;                   /* axis that is up in the file; -1: as in the frame */
    double scale;             /* on lengths; 0 counts as 1 */
    double cell;              /* m, of volumes; 0: as the particles' sizes say */
    const float (*colors)[3]; /* of the frame's shapes, linear RGB; NULL: none are known */
} PartView;

/* The frame's parts in the order systems, surfaces, shapes, with kind, name and number alone. False
 * when out of memory. */
bool parts_list(const mote_Frame *frame, Arena *arena, Part **parts, size_t *count);

/* Fills in the rest of a listed part, turned and scaled. False when out of memory. */
bool part_make(const mote_Frame *frame, const PartView *view, Part *part, Arena *arena);

/* Moves a shape's points from its own frame into the world, with their velocities; other parts are
 * there already. False when out of memory. */
bool part_place(Part *part, Arena *arena);

static inline bool part_is_shape(const Part *part)
{
    return (part->kind & PART_SHAPES) != 0;
}

/* Columns that were made for a part have room for this many. */
enum { PART_COLUMNS = 6 };

/* A further column of real numbers, one plane after another; NULL when out of memory. */
mote_real *part_add_column(Part *part, const char *name, const char *unit, int components,
                           Arena *arena);

/* ---- part_surface.c ---- */

/* Places, normals and triangles of a surface, with velocity and colour of the particles around. */
bool part_make_surface(const mote_Frame *frame, Part *part, Arena *arena);

#endif
