/* The planes that a solid lies behind: all faces of a box or a polytope, whose rays they answer
 * alone (T. Kay and J. Kajiya, "Ray tracing complex scenes", SIGGRAPH 1986), and the sides of the
 * box around any other solid. A place in front of one of them is at least as far from the solid as
 * from the plane, which settles most questions about shadows without a march. */
#include "geometry/mesh.h"
#include "render/float3.h"
#include "render/solid.h"

#include <string.h>

enum { MOST_FACES = 64 };

/* ---- making ---- */

static void plane_set(const RenderSolid *s, mote_Vec3 normal, mote_real offset, SolidPlane *out)
{
    const mote_Vec3 n = pose_rotate(&s->shape.pose, normal);
    read3(n, out->normal);
    out->offset = (float)(offset + vec3_dot(n, s->shape.pose.position));
}

/* Low and high sides of the box in the solid's own axes. */
static void box_planes(const RenderSolid *s, const Aabb *box, SolidPlane out[6])
{
    const mote_Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; ++k) {
        plane_set(s, vec3_scale(axes[k], -1), -vec3_dot(axes[k], box->low), &out[2 * k]);
        plane_set(s, axes[k], vec3_dot(axes[k], box->high), &out[2 * k + 1]);
    }
}

/* The pixels of the box's corners; false when one is not before the eye. */
static bool corners_box(const RenderSolid *s, const View *view, const Aabb *box, SplatBounds *out)
{
    float low[2] = {1e30f, 1e30f}, high[2] = {-1e30f, -1e30f};
    for (int c = 0; c < 8; ++c) {
        const mote_Vec3 own = {c & 1 ? box->high.x : box->low.x, c & 2 ? box->high.y : box->low.y,
                               c & 4 ? box->high.z : box->low.z};
        float at[3];
        read3(pose_apply(&s->shape.pose, own), at);
        const float depth = dot3(view->axis[2], at);
        if (!view->orthographic && !(depth > view->near)) return false;
        for (int k = 0; k < 2; ++k) {
            const float across = dot3(view->axis[k], at) / (view->orthographic ? 1 : depth);
            const float pixel = view->center[k] + view->focal * across;
            low[k] = pixel < low[k] ? pixel : low[k];
            high[k] = pixel > high[k] ? pixel : high[k];
        }
    }
    *out = solid_pixels(view, low, high);
    return true;
}

bool solid_find_planes(RenderSolid *s, const View *view, Arena *arena)
{
    const Aabb box = s->shape.row->bounds(s->shape.params);
    if (s->ball > 0 || !(s->radius < SOLID_FARTHEST) || !aabb_is_finite(&box)) return true;
    const ShapeForm form = shape_form(s->shape.row, s->shape.params);
    const mote_Mesh *mesh = form.core == CORE_POLYTOPE ? form.mesh : NULL;
    if (mesh != NULL && (mesh->plane_count < 4 || mesh->plane_count > MOST_FACES)) mesh = NULL;
    s->plane_count = mesh != NULL ? mesh->plane_count : 6;
    s->flat = mesh != NULL || form.core == CORE_BOX;
    s->planes = arena_take(arena, s->plane_count * sizeof *s->planes);
    if (s->planes == NULL) return false;
    for (size_t i = 0; mesh != NULL && i < mesh->plane_count; ++i)
        plane_set(s, mesh->planes[i].normal, mesh->planes[i].offset, &s->planes[i]);
    if (mesh == NULL) box_planes(s, &box, s->planes);
    SplatBounds pixels;
    if (corners_box(s, view, &box, &pixels)) s->box = pixels;
    return true;
}

/* ---- asking ---- */

static inline float height_over(const SolidPlane *p, const float place[3])
{
    return dot3(p->normal, place) - p->offset;
}

bool solid_planes_cast(const RenderSolid *s, const float origin[3], const float direction[3],
                       SolidHit *hit)
{
    const SolidPlane *front = NULL;
    float enter = 0, leave = hit->depth;
    for (size_t i = 0; i < s->plane_count; ++i) {
        const SolidPlane *p = &s->planes[i];
        const float height = height_over(p, origin), fall = -dot3(p->normal, direction);
        if (height > 0) {
            if (!(height < leave * fall)) return false;
            const float at = height / fall;
            if (at > enter) enter = at, front = p;
        } else if (fall < 0 && height > leave * fall) {
            leave = height / fall;
        }
    }
    if (front == NULL || !(enter < leave)) return false;
    hit->depth = enter;
    memcpy(hit->normal, front->normal, sizeof hit->normal);
    return true;
}

bool solid_planes_miss(const RenderSolid *s, const float origin[3], const float direction[3],
                       float reach)
{
    float enter = 0, leave = reach;
    for (size_t i = 0; i < s->plane_count; ++i) {
        const float height = height_over(&s->planes[i], origin) - 1e-4f * s->radius;
        const float fall = -dot3(s->planes[i].normal, direction);
        if (height > 0) {
            if (!(height < leave * fall)) return true;
            if (height > enter * fall) enter = height / fall;
        } else if (fall < 0 && height > leave * fall) {
            leave = height / fall;
        }
    }
    return enter > leave;
}

float solid_planes_distance(const RenderSolid *s, const float place[3])
{
    float most = -SOLID_FARTHEST;
    for (size_t i = 0; i < s->plane_count; ++i) {
        const float height = height_over(&s->planes[i], place);
        most = height > most ? height : most;
    }
    return most;
}

bool solid_planes_clear(const RenderSolid *s, const float place[3], float radius,
                        const float toward[3], float slope, float reach)
{
    for (size_t i = 0; i < s->plane_count; ++i) {
        const float height = height_over(&s->planes[i], place) - radius;
        const float rise = dot3(s->planes[i].normal, toward);
        if (height > 0 && height >= (slope - rise) * reach) return true;
    }
    return false;
}

bool solid_planes_dark(const RenderSolid *s, const float place[3], const float toward[3],
                       float slope, const float span[2])
{
    float enter = span[0], leave = span[1];
    for (size_t i = 0; i < s->plane_count && enter < leave; ++i) {
        const float height = height_over(&s->planes[i], place);
        const float fall = -dot3(s->planes[i].normal, toward) - slope;
        if (!(height < leave * fall) && fall >= 0) return false;
        if (fall > 0 && height > enter * fall) enter = height / fall;
        if (fall < 0 && height > leave * fall) leave = height / fall;
    }
    return s->flat && enter < leave;
}
