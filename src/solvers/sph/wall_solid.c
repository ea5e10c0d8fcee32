/* From posed shapes to planes and round surfaces in the world. */
#include "solvers/sph/wall_solid.h"

#include "geometry/shapes.h"

#include <string.h>

typedef struct Maker {
    WallScene *scene;
    Memory *memory;
    const Collider *collider;
} Maker;

static bool add_plane(Maker *m, const mote_Pose *pose, mote_Vec3 normal, mote_real offset)
{
    WallScene *s = m->scene;
    if (!memory_reserve(m->memory, (void **)&s->planes, &s->plane_capacity, s->plane_count + 1,
                        sizeof *s->planes))
        return false;
    mote_Vec3 n = pose_rotate(pose, normal);
    s->planes[s->plane_count++] = (MeshPlane){n, offset + vec3_dot(n, pose->position)};
    return true;
}

static bool add_slab(Maker *m, const mote_Pose *pose, mote_Vec3 axis, mote_real half)
{
    if (!(half < AABB_ENDLESS)) return true;
    return add_plane(m, pose, axis, half) && add_plane(m, pose, vec3_scale(axis, -1), half);
}

static mote_real half_edge(mote_real size)
{
    return size > 0 ? size * (mote_real)0.5 : AABB_ENDLESS;
}

/* ---- one function per shape ---- */

static bool of_box(Maker *m, const PosedShape *shape, WallSolid *solid)
{
    const mote_Vec3 size = ((const mote_BoxShape *)shape->params)->size;
    (void)solid;
    return add_slab(m, &shape->pose, vec3(1, 0, 0), half_edge(size.x)) &&
           add_slab(m, &shape->pose, vec3(0, 1, 0), half_edge(size.y)) &&
           add_slab(m, &shape->pose, vec3(0, 0, 1), half_edge(size.z));
}

static bool of_convex(Maker *m, const PosedShape *shape, WallSolid *solid)
{
    const mote_Mesh *mesh = ((const mote_ConvexShape *)shape->params)->mesh;
    (void)solid;
    for (size_t i = 0; i < mesh->plane_count; ++i)
        if (!add_plane(m, &shape->pose, mesh->planes[i].normal, mesh->planes[i].offset))
            return false;
    return true;
}

static bool of_sphere(Maker *m, const PosedShape *shape, WallSolid *solid)
{
    (void)m;
    solid->round = WALL_SPHERE;
    solid->radius = ((const mote_SphereShape *)shape->params)->radius;
    return true;
}

static bool of_cylinder(Maker *m, const PosedShape *shape, WallSolid *solid)
{
    const mote_CylinderShape *p = shape->params;
    solid->round = WALL_CYLINDER;
    solid->radius = p->radius;
    return add_slab(m, &shape->pose, vec3(0, 1, 0), p->height * (mote_real)0.5);
}

static bool of_capsule(Maker *m, const PosedShape *shape, WallSolid *solid)
{
    const mote_CapsuleShape *p = shape->params;
    (void)m;
    solid->round = WALL_CAPSULE;
    solid->radius = p->radius;
    solid->half = p->length * (mote_real)0.5;
    return true;
}

static bool of_other(Maker *m, const PosedShape *shape, WallSolid *solid)
{
    (void)m, (void)shape;
    solid->half_space = true;
    return true;
}

static const struct {
    const char *shape;
    bool (*make)(Maker *m, const PosedShape *shape, WallSolid *solid);
} makers[] = {
    {"box", of_box},           {"convex", of_convex},   {"sphere", of_sphere},
    {"cylinder", of_cylinder}, {"capsule", of_capsule},
};

/* ---- all of them ---- */

static bool has_name(const PosedShape *shape, const char *name)
{
    return strcmp(shape->row->head.name, name) == 0;
}

/* `body` is what has the form: the shape itself, or what it is a hollow of. */
static bool add_solid(Maker *m, const PosedShape *shape, const PosedShape *body, bool hollow)
{
    WallScene *scene = m->scene;
    if (!memory_reserve(m->memory, (void **)&scene->solids, &scene->capacity, scene->count + 1,
                        sizeof *scene->solids))
        return false;
    WallSolid *solid = &scene->solids[scene->count++];
    *solid = (WallSolid){.collider = m->collider,
                         .shape = *shape,
                         .bounds = posed_bounds(shape),
                         .hollow = hollow,
                         .plane = scene->plane_count,
                         .centre = body->pose.position,
                         .axis = pose_rotate(&body->pose, vec3(0, 1, 0))};
    bool (*make)(Maker *, const PosedShape *, WallSolid *) = of_other;
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; ++i)
        if (has_name(body, makers[i].shape)) make = makers[i].make;
    if (!make(m, body, solid)) return false;
    solid->planes = scene->plane_count - solid->plane;
    return true;
}

static bool add_shape(Maker *m, const PosedShape *shape)
{
    if (has_name(shape, "inverted")) {
        const mote_InvertedShape *p = shape->params;
        PosedShape body = p->shape->parts[0];
        body.pose = pose_product(&shape->pose, &body.pose);
        return add_solid(m, shape, &body, true);
    }
    if (!has_name(shape, "compound")) return add_solid(m, shape, shape, false);
    const mote_Shapes *parts = ((const mote_CompoundShape *)shape->params)->parts;
    for (size_t i = 0; i < parts->count; ++i) {
        PosedShape part = parts->parts[i];
        part.pose = pose_product(&shape->pose, &part.pose);
        if (!add_shape(m, &part)) return false;
    }
    return true;
}

bool wall_scene_make(WallScene *scene, Memory *memory, const Broad *broad)
{
    scene->count = scene->plane_count = 0;
    for (size_t i = 0; i < broad->count; ++i) {
        const Collider *c = broad->colliders[i];
        Maker maker = {scene, memory, c};
        PosedShape shape = {c->shape, c->object.params, c->pose};
        if (!add_shape(&maker, &shape)) return false;
    }
    return true;
}

void wall_scene_free(WallScene *scene, Memory *memory)
{
    memory_free(memory, scene->solids, scene->capacity * sizeof *scene->solids);
    memory_free(memory, scene->planes, scene->plane_capacity * sizeof *scene->planes);
    *scene = (WallScene){0};
}
