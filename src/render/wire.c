/* Wires: edges of shapes, boxes around things, and the world's axes, for finding out what is going
 * on. */
#include "render/float3.h"
#include "render/line.h"
#include "render/solid.h"

#define WIRE_WIDTH -1.5f /* px */
#define WIRE_LIFT  3.0f  /* px: seen on surfaces up to 70 degrees from the view */
enum { ROUND = 48, STRAIGHT = 12 };

typedef struct Pen {
    Lines *lines;
    const mote_Pose *pose;
    Line line;
} Pen;

static void draw(Pen *pen, mote_Vec3 a, mote_Vec3 b, int pieces)
{
    read3(pose_apply(pen->pose, a), pen->line.ends[0]);
    read3(pose_apply(pen->pose, b), pen->line.ends[1]);
    lines_add_long(pen->lines, &pen->line, pieces);
}

/* An arc around the middle, from the axis u towards v; quarters of a circle. */
static void arc(Pen *pen, mote_Vec3 middle, mote_Vec3 u, mote_Vec3 v, int quarters)
{
    const int steps = ROUND / 4;
    /* around the circle, so that no chord is below the surface: 1 / cos(pi / 4 / 12) */
    const mote_real out = (mote_real)1.0021463;
    u = vec3_scale(u, out), v = vec3_scale(v, out);
    mote_Vec3 last = vec3_add(middle, u);
    /* a turn by a small angle, again and again: cos and sin of pi / 2 / 12 */
    const double c = 0.99144486137381041, s = 0.13052619222005159;
    double x = 1, y = 0;
    for (int i = 0; i < quarters * steps; ++i) {
        double turned = c * x - s * y;
        y = s * x + c * y, x = turned;
        mote_Vec3 next = vec3_madd(vec3_madd(middle, (mote_real)x, u), (mote_real)y, v);
        draw(pen, last, next, 1);
        last = next;
    }
}

static void draw_box(Pen *pen, mote_Vec3 low, mote_Vec3 high)
{
    for (int edge = 0; edge < 12; ++edge) {
        int axis = edge / 4, other = (axis + 1) % 3, third = (axis + 2) % 3;
        mote_real lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z}, a[3], b[3];
        a[axis] = lows[axis], b[axis] = highs[axis];
        a[other] = b[other] = edge & 1 ? highs[other] : lows[other];
        a[third] = b[third] = edge & 2 ? highs[third] : lows[third];
        draw(pen, vec3(a[0], a[1], a[2]), vec3(b[0], b[1], b[2]), STRAIGHT);
    }
}

static void draw_solid(Pen *pen, const RenderSolid *s)
{
    const ShapeRow *row = s->shape.row;
    ShapeEdge edges[SHAPE_EDGES];
    const Aabb box = row->bounds(s->shape.params);
    const size_t count = row->edges != NULL ? row->edges(s->shape.params, edges) : 0;
    pen->pose = &s->shape.pose;
    if (row->edges == NULL && aabb_is_finite(&box)) draw_box(pen, box.low, box.high);
    for (size_t i = 0; i < count; ++i) {
        const ShapeEdge *e = &edges[i];
        if (e->quarters > 0)
            arc(pen, e->middle, e->u, e->v, e->quarters);
        else
            draw(pen, e->middle, vec3_add(e->middle, e->u), STRAIGHT);
    }
}

/* ---- bounds and axes ---- */

static void draw_system(Pen *pen, const mote_FrameSystem *system, mote_Vec3 eye)
{
    const mote_Column *p = mote_frame_column(system, "position");
    mote_Vec3 low = {(mote_real)1e30, (mote_real)1e30, (mote_real)1e30};
    mote_Vec3 high = vec3_scale(low, -1);
    if (p == NULL || p->type != MOTE_COLUMN_REAL || p->components != 3) return;
    const mote_real *x = p->data, *y = x + p->stride, *z = y + p->stride;
    for (size_t i = 0; i < system->count; ++i) {
        mote_Vec3 at = vec3_sub(vec3(x[i], y[i], z[i]), eye);
        if (!(vec3_dot(at, at) < (mote_real)1e30)) continue;
        low = vec3_min(low, at);
        high = vec3_max(high, at);
    }
    if (low.x <= high.x) draw_box(pen, low, high);
}

static void draw_axes(Pen *pen, mote_Vec3 eye)
{
    for (int k = 0; k < 3; ++k) {
        mote_Vec3 from = vec3_scale(eye, -1), to = from;
        *(k == 0 ? &to.x : k == 1 ? &to.y : &to.z) += 1;
        for (int c = 0; c < 3; ++c) pen->line.color[c] = c == k ? 1 : 0.1f;
        pen->line.width = -3;
        draw(pen, from, to, STRAIGHT);
    }
}

void wires_add(Lines *lines, const mote_RenderDef *def, const mote_Frame *frame, const View *view,
               const struct RenderSolids *solids)
{
    const mote_Pose here = {{0, 0, 0}, {0, 0, 0, 1}};
    Pen pen = {lines, &here, {.width = WIRE_WIDTH, .lift = WIRE_LIFT, .alpha = 1}};
    for (size_t i = 0; i < solids->count; ++i) {
        const bool seen = solids->items[i].glass && def->trace.samples > 0; /* as glass */
        if (!solids->items[i].wire || seen) continue;
        for (int k = 0; k < 3; ++k) pen.line.color[k] = 0.3f + 0.7f * solids->items[i].color[k];
        draw_solid(&pen, &solids->items[i]);
    }
    pen.pose = &here;
    if ((def->show & MOTE_SHOW_BOUNDS) != 0) {
        pen.line.color[0] = 1, pen.line.color[1] = 0.75f, pen.line.color[2] = 0.1f;
        for (size_t s = 0; s < frame->system_count; ++s)
            draw_system(&pen, &frame->systems[s], view->from);
        for (size_t i = 0; i < solids->count; ++i) {
            Aabb box = posed_bounds(&solids->items[i].shape);
            if (aabb_is_finite(&box)) draw_box(&pen, box.low, box.high);
        }
    }
    if ((def->show & MOTE_SHOW_AXES) != 0) draw_axes(&pen, view->from);
}
