/* Walls as a device knows them: forms whose surface is a formula, where they stand now. */
#include "solvers/sph/stay.h"

#include "collide/wall.h"
#include "geometry/shapes.h"
#include "solvers/points/slot.h"

static StayPose pose_of(const mote_Pose *pose)
{
    const PoseAxes axes = pose_axes(pose);
    return (StayPose){
        pose->position, axes.x, axes.y, axes.z, !quat_is_identity(pose->orientation), 0};
}

/* ---- surfaces ---- */

/* From its form; false: its surface is no formula there. */
static bool take_surface(const ShapeForm *form, StayShape *s)
{
    static const StayCore cores[CORES] = {[CORE_HALF_SPACE] = STAY_PLANE,
                                          [CORE_POINT] = STAY_SPHERE,
                                          [CORE_BOX] = STAY_BOX,
                                          [CORE_SEGMENT] = STAY_CAPSULE,
                                          [CORE_CYLINDER] = STAY_CYLINDER};
    const bool plane = form->core == CORE_HALF_SPACE, cylinder = form->core == CORE_CYLINDER;
    s->core = cores[form->core];
    s->vector = plane ? form->normal : form->half;
    s->size[0] = plane ? form->offset : cylinder ? form->half.x : form->radius;
    s->size[1] = 2 * form->half.y;
    return plane || s->core != STAY_PLANE;
}

/* ---- motion ---- */

static SurfaceMotion motion_of(const Collider *c)
{
    const mote_Pose pose = wall_pose(c, 0);
    const mote_Vec3 belt = c->def.velocity;
    return (SurfaceMotion){.runs = belt.x != 0 || belt.y != 0 || belt.z != 0,
                           .moves = c->moves,
                           .turns = c->turns,
                           .belt = c->posed ? pose_rotate(&pose, belt) : belt,
                           .linear = c->linear,
                           .angular = c->angular,
                           .origin = vec3_madd(c->pose.position, 0, c->change.linear)};
}

/* How far a point of the collider goes at most; less than 0: there is no bound. */
static mote_real sweep_of(const Collider *c)
{
    const mote_Vec3 at = c->pose.position;
    if (!c->moves) return 0;
    const mote_real way = vec3_length(c->change.linear), more = (mote_real)1.01;
    if (!c->turns) return more * way;
    if (!aabb_is_finite(&c->bounds)) return -1;
    const mote_Vec3 arm = vec3_max(vec3_sub(c->bounds.high, at), vec3_sub(at, c->bounds.low));
    return more * (way + vec3_length(c->change.angular) * vec3_length(arm));
}

/* ---- all of them ---- */

static bool take_shape(const WallSolid *solid, StayShape *s)
{
    const Collider *c = solid->collider;
    const ShapeForm form = shape_form(solid->shape.row, solid->shape.params);
    const PosedShape *core = form.hollow != NULL ? &form.hollow->parts[0] : &solid->shape;
    *s = (StayShape){.form = solid->form,
                     .motion = motion_of(c),
                     .pose = pose_of(&solid->shape.pose),
                     .own = pose_of(&core->pose),
                     .low = solid->bounds.low,
                     .high = solid->bounds.high,
                     .centre = c->pose.position,
                     .sweep = sweep_of(c),
                     .nested = form.hollow != NULL,
                     .collider = c->number};
    const ShapeForm of = shape_form(core->row, core->params);
    return take_surface(&of, s) && s->sweep >= 0 && !c->friction->sticks;
}

size_t sph_stay_shape_count(const SphStep *step)
{
    const Broad *broad = step->outer->walls[0];
    return broad != NULL && broad->count > 0 ? step->state->walls.scene.count : 0;
}

bool sph_stay_shapes(SphStep *step, SphStay *stay)
{
    const SolverStep *outer = step->outer;
    WallScene *scene = &step->state->walls.scene;
    const Broad *broad = outer->walls[0];
    if (broad == NULL || broad->count == 0) return true;
    if (!wall_scene_make(scene, outer->memory, broad) ||
        !memory_reserve(outer->memory, (void **)&stay->shapes, &stay->shape_capacity, scene->count,
                        sizeof *stay->shapes))
        return false;
    for (size_t i = 0; i < scene->count; ++i)
        if (!take_shape(&scene->solids[i], &stay->shapes[i])) return false;
    return true;
}
