/* Planes of posed shapes, and the queries that choose among them by motion. */
#include "geometry/polytope.h"

#include "geometry/shapes.h"

/* ---- placing ---- */

static MeshPlane world_plane(const mote_Pose *pose, mote_Vec3 normal, mote_real offset)
{
    mote_Vec3 n = pose_rotate(pose, normal);
    return (MeshPlane){n, offset + vec3_dot(n, pose->position)};
}

static bool place_sphere(const mote_Pose *pose, const ShapeForm *form, Polytope *out)
{
    out->bound = out->inner = form->radius;
    out->centre = pose->position;
    return true;
}

static bool place_box(const mote_Pose *pose, const ShapeForm *form, Polytope *out)
{
    const mote_real half[3] = {form->half.x, form->half.y, form->half.z};
    if (!(half[0] < AABB_ENDLESS && half[1] < AABB_ENDLESS && half[2] < AABB_ENDLESS)) return false;
    for (int k = 0; k < 6; ++k) {
        mote_real side = k % 2 == 0 ? 1 : -(mote_real)1;
        mote_Vec3 n = vec3(k / 2 == 0 ? side : 0, k / 2 == 1 ? side : 0, k / 2 == 2 ? side : 0);
        out->planes[out->count++] = world_plane(pose, n, half[k / 2]);
    }
    out->centre = pose->position;
    out->bound = vec3_length(form->half);
    out->inner = real_min(half[0], real_min(half[1], half[2]));
    return true;
}

static bool place_polytope(const mote_Pose *pose, const ShapeForm *form, Polytope *out)
{
    const mote_Mesh *mesh = form->mesh;
    if (mesh->plane_count > POLYTOPE_PLANES) return false;
    mote_Vec3 middle = aabb_centre(&mesh->tree.bounds);
    mote_real inner = AABB_ENDLESS, bound2 = 0;
    for (size_t i = 0; i < mesh->plane_count; ++i) {
        const MeshPlane *plane = &mesh->planes[i];
        out->planes[out->count++] = world_plane(pose, plane->normal, plane->offset);
        inner = real_min(inner, plane->offset - vec3_dot(plane->normal, middle));
    }
    for (size_t i = 0; i < mesh->vertex_count; ++i) {
        mote_Vec3 arm = vec3_sub(mesh->vertices[i], middle);
        bound2 = real_max(bound2, vec3_dot(arm, arm));
    }
    out->centre = pose_apply(pose, middle);
    out->bound = REAL_SQRT(bound2) * (1 + 4 * REAL_EPSILON);
    out->inner = inner;
    return inner > 0;
}

static bool (*const places[CORES])(const mote_Pose *pose, const ShapeForm *form, Polytope *out) = {
    [CORE_POINT] = place_sphere, [CORE_BOX] = place_box, [CORE_POLYTOPE] = place_polytope};

bool polytope_place(const PosedShape *shape, const PoseVelocity *velocity, Polytope *out)
{
    ShapeForm form = shape_form(shape->row, shape->params);
    mote_Pose pose = shape->pose;
    *out = (Polytope){.pose = shape->pose, .velocity = *velocity};
    if (form.hollow != NULL) {
        const PosedShape *inner = &form.hollow->parts[0];
        pose = pose_product(&pose, &inner->pose);
        form = shape_form(inner->row, inner->params);
        out->hole = true;
    }
    return places[form.core] != NULL && places[form.core](&pose, &form, out);
}

static const mote_Shapes *parts_of(const PosedShape *shape)
{
    return shape_form(shape->row, shape->params).parts;
}

size_t polytope_parts(const PosedShape *shape)
{
    const mote_Shapes *parts = parts_of(shape);
    return parts != NULL ? parts->count : 1;
}

PosedShape polytope_part(const PosedShape *shape, size_t i)
{
    const mote_Shapes *parts = parts_of(shape);
    if (parts == NULL) return *shape;
    const PosedShape *part = &parts->parts[i];
    return (PosedShape){part->row, part->params, pose_product(&shape->pose, &part->pose)};
}

/* ---- motion ---- */

/* The least deep plane alone, as published, is that of the entry in 70 % of all ways into hulls;
 * the plane crossed last is it always, as long as the crossing is in this step: later, a particle
 * that slides along a face would be sent out at the far end. */
bool polytope_collision(const Polytope *p, const PolytopeVisitor *visitor, PolytopeContact *at)
{
    const mote_Vec3 x = visitor->x;
    *at = polytope_contact(p, x);
    if (at->distance > visitor->radius) return false;
    if (p->hole || p->count == 0) return true;
    mote_Vec3 relative = vec3_sub(visitor->v, polytope_velocity(p, x));
    bool found = false, crossed = false;
    mote_real latest = visitor->dt;
    for (size_t i = 0; i < p->count; ++i) {
        mote_real d = vec3_dot(p->planes[i].normal, x) - p->planes[i].offset;
        mote_real speed = vec3_dot(p->planes[i].normal, relative), inside = visitor->radius - d;
        if (!(speed < 0)) continue;
        bool now = inside <= -speed * latest; /* crossed that long ago at most */
        if (now) latest = inside / -speed;
        if (now || (!crossed && (!found || d > at->distance))) *at = (PolytopeContact){d, i};
        found = true, crossed = crossed || now;
    }
    return true;
}

static bool sweep_sphere(const Polytope *p, const ShapeCast *way, mote_real *share)
{
    mote_Vec3 arm = vec3_sub(way->from, p->centre);
    mote_real reach = p->bound + way->radius, a = vec3_dot(way->along, way->along);
    mote_real b = vec3_dot(arm, way->along), c = vec3_dot(arm, arm) - reach * reach;
    mote_real root = b * b - a * c;
    *share = 0;
    if (c <= 0) return b < 0;
    if (!(b < 0 && root >= 0)) return false;
    *share = c / (REAL_SQRT(root) - b);
    return *share <= 1;
}

/* Cyrus and Beck's clipping of a line by half-spaces: the last plane to be entered is met, if no
 * plane was left before. */
bool polytope_sweep(const Polytope *p, const ShapeCast *way, mote_real *share, size_t *plane)
{
    mote_real leave = 1, deepest = -AABB_ENDLESS;
    size_t first = 0;
    bool starts_inside = true;
    *share = 0, *plane = 0;
    if (p->count == 0) return sweep_sphere(p, way, share);
    for (size_t i = 0; i < p->count; ++i) {
        mote_real gap = vec3_dot(p->planes[i].normal, way->from) - p->planes[i].offset;
        mote_real speed = vec3_dot(p->planes[i].normal, way->along);
        gap -= way->radius;
        if (gap > 0 && !(speed < 0)) return false;
        if (gap > 0 && -gap / speed >= *share) *share = -gap / speed, *plane = i;
        if (gap <= 0 && speed > 0) leave = real_min(leave, -gap / speed);
        if (gap <= 0 && speed < 0 && gap > deepest) deepest = gap, first = i;
        starts_inside = starts_inside && gap <= 0;
    }
    if (!starts_inside) return *share <= leave;
    *plane = first;
    return deepest > -AABB_ENDLESS; /* it goes deeper through some plane */
}
