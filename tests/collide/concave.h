/* Shapes that are not convex, for tests of single particles: a torus of triangles and the same by
 * its formula, a staircase and a cross of convex parts, and containers: the inside of a box, a
 * ball, both tori, a cross. */
#ifndef TESTS_COLLIDE_CONCAVE_H
#define TESTS_COLLIDE_CONCAVE_H

#include "collide/walls.h"
#include "geometry/meshes.h"

enum { CONCAVE_TORUS, CONCAVE_SHEET, CONCAVE_STAIRS, CONCAVE_CROSS, CONCAVE_RING, CONCAVE_SOLIDS };
enum {
    HOLLOW_BOX = CONCAVE_SOLIDS,
    HOLLOW_BALL,
    HOLLOW_TORUS,
    HOLLOW_CROSS,
    HOLLOW_RING,
    CONCAVE_KINDS
};

typedef struct Concave {
    const char *type;
    WallParams params;
} Concave;

static Concave concave_shapes[CONCAVE_KINDS];

static inline const mote_Shapes *concave_parts(const mote_ShapeDef *defs, size_t count)
{
    mote_Shapes *shapes;
    mote_Error error;
    SETUP_OK(mote_shapes_create(defs, count, (mote_Allocator){0}, &shapes, &error), error);
    return shapes;
}

static inline mote_ShapeDef concave_part(const char *type, const void *params, double x, double y)
{
    return (mote_ShapeDef){type, params, mote_pose_turned(setup_vec(x, y, 0), setup_vec(0, 0, 0))};
}

static inline Concave concave_hollow(const char *type, const void *params)
{
    mote_ShapeDef def = concave_part(type, params, 0, 0);
    Concave shape = {.type = "inverted"};
    shape.params.inverted.shape = concave_parts(&def, 1);
    return shape;
}

static inline void concave_make(void)
{
    static TestMesh data;
    const mote_BoxShape steps[3] = {
        {setup_vec(2, 0.4, 1)}, {setup_vec(1.4, 0.4, 1)}, {setup_vec(0.7, 0.4, 1)}};
    const mote_BoxShape bars[2] = {{setup_vec(2, 0.5, 0.5)}, {setup_vec(0.5, 2, 0.5)}};
    const mote_BoxShape room = {setup_vec(1.6, 1.2, 1)};
    const mote_SphereShape ball = {(mote_real)0.9};
    mote_ShapeDef stairs[3], cross[2];
    for (int i = 0; i < 3; ++i) stairs[i] = concave_part("box", &steps[i], -0.3 * i, 0.4 * i - 0.4);
    for (int i = 0; i < 2; ++i) cross[i] = concave_part("box", &bars[i], 0, 0);
    test_torus(&data, 20, 10, 0.9, 0.4);
    mote_MeshShape torus = {test_mesh(&data), MOTE_INSIDE_CLOSED};
    mote_MeshShape sheet = {torus.mesh, MOTE_INSIDE_NONE};
    mote_CompoundShape stairs_shape = {concave_parts(stairs, 3)};
    mote_CompoundShape cross_shape = {concave_parts(cross, 2)};
    concave_shapes[CONCAVE_TORUS] = (Concave){"mesh", {.mesh = torus}};
    concave_shapes[CONCAVE_SHEET] = (Concave){"mesh", {.mesh = sheet}};
    concave_shapes[CONCAVE_STAIRS] = (Concave){"compound", {.compound = stairs_shape}};
    concave_shapes[CONCAVE_CROSS] = (Concave){"compound", {.compound = cross_shape}};
    const mote_TorusShape ring = {(mote_real)0.9, (mote_real)0.4};
    concave_shapes[CONCAVE_RING] = (Concave){"torus", {.torus = ring}};
    concave_shapes[HOLLOW_RING] = concave_hollow("torus", &ring);
    concave_shapes[HOLLOW_BOX] = concave_hollow("box", &room);
    concave_shapes[HOLLOW_BALL] = concave_hollow("sphere", &ball);
    concave_shapes[HOLLOW_TORUS] = concave_hollow("mesh", &torus);
    concave_shapes[HOLLOW_CROSS] = concave_hollow("compound", &cross_shape);
}

static inline Collider *concave_add(Walls *walls, int kind)
{
    if (concave_shapes[0].type == NULL) concave_make();
    Collider *c = walls_add(walls, concave_shapes[kind].type);
    walls->params[walls->count - 1] = concave_shapes[kind].params;
    return c;
}

#endif
