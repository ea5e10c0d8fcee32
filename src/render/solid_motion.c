/* Solids that move while the shutter is open: by the frame's velocity and spin, the shutter being
 * open around the frame's time. Rays of a moment are brought to the solid as it is at that time,
 *     x' = p + R^T (x - p - v t),   R the turn by w t about p,
 * so that shapes need not know of motion. */
#include "render/float3.h"
#include "render/solid.h"

#define STILL 0.5f /* px: motion that no one sees */
#define FAST  1e6  /* m and radians in the time of the shutter: no answer */

static void moment_make(const RenderSolid *s, mote_Vec3 way, mote_Vec3 turn, float part,
                        SolidMoment *out)
{
    const mote_Quat back = quat_of_turn(vec3_scale(turn, (mote_real)-part));
    const mote_Vec3 p = s->shape.pose.position, there = vec3_madd(p, (mote_real)part, way);
    const mote_Vec3 columns[3] = {quat_rotate(back, vec3(1, 0, 0)),
                                  quat_rotate(back, vec3(0, 1, 0)),
                                  quat_rotate(back, vec3(0, 0, 1))};
    float place[3], moved[3], column[3];
    read3(p, place), read3(there, moved);
    for (int c = 0; c < 3; ++c) {
        read3(columns[c], column);
        for (int k = 0; k < 3; ++k) out->turn[k][c] = column[k];
    }
    float arm[3];
    madd3(s->middle, -1, place, arm);
    for (int k = 0; k < 3; ++k) {
        out->shift[k] = place[k] - dot3(out->turn[k], moved);
        out->middle[k] = moved[k] + out->turn[0][k] * arm[0] + out->turn[1][k] * arm[1] +
                         out->turn[2][k] * arm[2];
    }
}

static SplatBounds both(SplatBounds a, SplatBounds b)
{
    if (bounds_empty(a)) return b;
    if (bounds_empty(b)) return a;
    return (SplatBounds){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                         a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

/* The pixels between open and close; `swing`: m that turning moves the ball's middle. */
static void widen_box(RenderSolid *s, const View *view, const float way[3], float swing)
{
    for (int end = 0; end < 2; ++end) {
        float middle[3];
        madd3(s->middle, end == 0 ? -0.5f : 0.5f, way, middle);
        s->box = both(s->box, solid_ball_box(view, middle, s->radius + swing));
    }
}

/* Pixels that no point of it moves more than, about. */
static float pixels_of(const RenderSolid *s, const View *view, float metres)
{
    float depth = dot3(view->axis[2], s->middle) - s->radius;
    depth = depth > view->near ? depth : view->near;
    return view->focal * metres / (view->orthographic ? 1 : depth);
}

bool solid_move(RenderSolid *s, const mote_FrameShape *shape, const View *view, Arena *arena)
{
    const double *v = shape->velocity, *w = shape->spin, open = (double)view->shutter;
    const mote_Vec3 way = {(mote_real)(v[0] * open), (mote_real)(v[1] * open),
                           (mote_real)(v[2] * open)};
    const mote_Vec3 turn = {(mote_real)(w[0] * open), (mote_real)(w[1] * open),
                            (mote_real)(w[2] * open)};
    const float length = (float)vec3_length(way), angle = (float)vec3_length(turn);
    if (!s->drawn || !(length + angle > 0) || !(length < (float)FAST) || !(angle < (float)FAST))
        return true;
    float place[3], arm[3], along[3];
    read3(s->shape.pose.position, place);
    read3(way, along);
    madd3(s->middle, -1, place, arm);
    const float swing = (angle < 2 ? angle : 2) * length3(arm);
    const float round = s->ball > 0 ? 0 : (angle < 2 ? angle : 2) * s->radius;
    const float pixels = pixels_of(s, view, length + swing + round);
    if (!(pixels > STILL)) return true;
    SolidMoment *moments = arena_take(arena, MOMENTS * sizeof *moments);
    if (moments == NULL) return false;
    for (int m = 0; m < MOMENTS; ++m)
        moment_make(s, way, turn, ((float)m + 0.5f) / MOMENTS - 0.5f, &moments[m]);
    s->moments = moments;
    s->gap = (length + swing) / 6;
    s->front -= length + swing;
    s->motion = pixels;
    s->passes = pixels <= MOMENTS ? 2 : 4;
    widen_box(s, view, along, swing);
    return true;
}

bool solid_near_ray(const RenderSolid *s, const View *view, const float origin[3],
                    const float direction[3])
{
    const float depth = dot3(view->axis[2], s->middle) + s->radius + 6 * s->gap;
    const float pixel = (view->orthographic   ? 1
                         : depth > view->near ? depth
                                              : view->near) /
                        view->focal;
    float span[2], from[3], along[3], reach = s->radius + pixel + s->gap;
    if (s->moments == NULL) return solid_ball_span(s->middle, reach, origin, direction, span);
    for (int i = 0; i < 4; ++i) {
        const SolidMoment *m = &s->moments[i * (MOMENTS - 1) / 3];
        for (int k = 0; k < 3; ++k) {
            from[k] = dot3(m->turn[k], origin) + m->shift[k];
            along[k] = dot3(m->turn[k], direction);
        }
        if (solid_ball_span(s->middle, reach, from, along, span)) return true;
    }
    return false;
}
