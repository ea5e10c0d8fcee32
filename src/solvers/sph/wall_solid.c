/* From posed shapes to planes and round surfaces in the world. */
#include "solvers/sph/wall_rays.h"

#include "geometry/shapes.h"

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

/* A box that is endless along an axis has no faces there. */
static bool add_slab(Maker *m, const mote_Pose *pose, mote_Vec3 axis, mote_real half)
{
    if (!(half < AABB_ENDLESS)) return true;
    return add_plane(m, pose, axis, half) && add_plane(m, pose, vec3_scale(axis, -1), half);
}

/* The flat faces of the form. */
static bool add_faces(Maker *m, const mote_Pose *pose, const ShapeForm *form)
{
    const bool box = form->core == CORE_BOX;
    if (box && !add_slab(m, pose, vec3(1, 0, 0), form->half.x)) return false;
    if (box || form->core == CORE_CYLINDER)
        if (!add_slab(m, pose, vec3(0, 1, 0), form->half.y)) return false;
    if (box && !add_slab(m, pose, vec3(0, 0, 1), form->half.z)) return false;
    const size_t count = form->core == CORE_POLYTOPE ? form->mesh->plane_count : 0;
    for (size_t i = 0; i < count; ++i)
        if (!add_plane(m, pose, form->mesh->planes[i].normal, form->mesh->planes[i].offset))
            return false;
    return true;
}

/* The round face of the form, if it has one. */
static void set_round(const ShapeForm *form, WallForm *wall)
{
    static const WallRound rounds[CORES] = {
        [CORE_POINT] = WALL_SPHERE, [CORE_CYLINDER] = WALL_CYLINDER, [CORE_SEGMENT] = WALL_CAPSULE};
    wall->round = rounds[form->core];
    wall->radius = form->core == CORE_CYLINDER ? form->half.x : form->radius;
    if (form->core == CORE_SEGMENT) wall->half_span = form->half.y;
    wall->half_space = form->core == CORE_NONE || form->core == CORE_HALF_SPACE;
}

/* ---- all of them ---- */

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
                         .form = {.hollow = hollow,
                                  .plane = (uint32_t)scene->plane_count,
                                  .centre = body->pose.position,
                                  .axis = pose_rotate(&body->pose, vec3(0, 1, 0))}};
    const ShapeForm form = shape_form(body->row, body->params);
    set_round(&form, &solid->form);
    if (!add_faces(m, &body->pose, &form)) return false;
    solid->form.planes = (uint32_t)scene->plane_count - solid->form.plane;
    return true;
}

static bool add_shape(Maker *m, const PosedShape *shape)
{
    const ShapeForm form = shape_form(shape->row, shape->params);
    if (form.hollow != NULL) {
        PosedShape body = form.hollow->parts[0];
        body.pose = pose_product(&shape->pose, &body.pose);
        return add_solid(m, shape, &body, true);
    }
    if (form.parts == NULL) return add_solid(m, shape, shape, false);
    for (size_t i = 0; i < form.parts->count; ++i) {
        PosedShape part = form.parts->parts[i];
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
