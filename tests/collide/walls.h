/* Colliders without a world, and a particle that falls among them: what the tests of single
 * particles start from. */
#ifndef TESTS_COLLIDE_WALLS_H
#define TESTS_COLLIDE_WALLS_H

#include "collide/collide.h"
#include "setup.h"

enum { MOST_WALLS = 12 };

typedef union WallParams {
    mote_PlaneShape plane;
    mote_SphereShape sphere;
    mote_BoxShape box;
    mote_CapsuleShape capsule;
    mote_CylinderShape cylinder;
    mote_TorusShape torus;
    mote_ConvexShape convex;
    mote_MeshShape mesh;
    mote_CompoundShape compound;
    mote_InvertedShape inverted;
} WallParams;

typedef struct Walls {
    Collider colliders[MOST_WALLS];
    WallParams params[MOST_WALLS];
    const Collider *list[MOST_WALLS];
    Broad broad;
    size_t count;
} Walls;

static inline const void *walls_row(const mote_Row *const *(*table)(Isa, size_t *),
                                    const char *name)
{
    size_t count;
    const mote_Row *const *rows = table(isa_pick(), &count);
    for (size_t i = 0; i < count; ++i)
        if (strcmp(rows[i]->name, name) == 0) return rows[i];
    fprintf(stderr, "there is no row %s\n", name);
    exit(2);
}

/* A collider of this shape with default parameters and dry friction; the caller changes it. */
static inline Collider *walls_add(Walls *walls, const char *shape)
{
    size_t i = walls->count++;
    Collider *c = &walls->colliders[i];
    *c = (Collider){.number = (uint32_t)i, .def = mote_collider_def()};
    c->shape = walls_row(shape_rows, shape);
    c->friction = walls_row(friction_rows, "dry");
    mote_row_defaults(&c->friction->head, &c->friction_params);
    mote_row_defaults(&c->shape->head, &walls->params[i]);
    c->object.params = &walls->params[i];
    return c;
}

/* One tree for all, used again: only the walls that were prepared last are in it. */
static Memory walls_memory;
static Broad walls_broad;

static inline void walls_prepare(Walls *walls, double t, double dt)
{
    mote_Error error;
    for (size_t i = 0; i < walls->count; ++i) {
        SETUP_OK(collider_prepare(&walls->colliders[i], t, dt, &error), error);
        walls->list[i] = &walls->colliders[i];
    }
    if (walls_broad.tree.memory == NULL) {
        walls_memory = memory_make((mote_Allocator){0});
        walls_broad = broad_make(&walls_memory);
    }
    walls_broad.colliders = walls->list, walls_broad.count = walls->count;
    SETUP_OK(broad_build(&walls_broad, &error), error);
    walls->broad = walls_broad;
}

typedef struct Ball {
    mote_Vec3 x, v;
    mote_real radius;
} Ball;

/* One step of symplectic Euler under gravity, then the algorithm. */
static inline RowCase walls_step(const Walls *walls, const mote_CollideDef *def,
                                 void (*resolve)(RowCase *), Ball *ball, mote_Vec3 gravity,
                                 mote_real dt)
{
    RowCase row = {.broad = &walls->broad,
                   .def = def,
                   .x0 = ball->x,
                   .v0 = ball->v,
                   .radius = ball->radius,
                   .mass = 1,
                   .dt = dt,
                   .start = 0,
                   .end = 1,
                   .may_bounce = true};
    row.v1 = vec3_madd(row.v0, dt, gravity);
    row.x1 = vec3_madd(row.x0, dt, row.v1);
    if (!row_hold(&row)) resolve(&row);
    ball->x = row.x1, ball->v = row.v1;
    return row;
}

/* How deep the ball is inside the collider at the end of the sub-step, beyond rounding. */
static inline double walls_depth(const Walls *walls, const Ball *ball)
{
    double worst = 0;
    for (size_t i = 0; i < walls->count; ++i) {
        const Collider *c = &walls->colliders[i];
        double size = fabs((double)ball->x.x) + fabs((double)ball->x.y) + fabs((double)ball->x.z) +
                      (double)ball->radius + (double)vec3_length(wall_pose(c, 1).position) +
                      (double)vec3_length(c->change.linear);
        double gap = (double)(wall_distance(c, 1, ball->x) - ball->radius);
        double depth = -gap - 64 * (double)REAL_EPSILON * size;
        if (!(depth <= worst)) worst = depth;
    }
    return worst;
}

#endif
