/* Slices: the picture. */
#include "render/slice.h"

#include "base/status.h"
#include "base/vec.h"
#include "geometry/posed.h"
#include "geometry/shape.h"
#include "render/image.h"

#include <math.h>
#include <string.h>

enum { SAMPLE_PIXELS = 2, ARROWS_MOST = 500, LINES_MOST = 200 };
#define MARGIN 1.08 /* around what fills the picture */

static const float empty_color[3] = {0.02f, 0.022f, 0.027f}, solid_color[3] = {0.13f, 0.13f, 0.13f};
static const float line_color[3] = {0.01f, 0.01f, 0.01f}, arrow_color[3] = {0.95f, 0.95f, 0.95f};

/* ---- the camera ---- */

/* From where the picture is clear to read: its up is the world's, or ahead seen from above. */
static const char *const side_of[3][3] = {
    {"top", "front", "right"}, {"right", "top", "front"}, {"front", "left", "top"}};

mote_Status mote_slice_camera(const mote_Slice *slice, mote_Vec3 low, mote_Vec3 high, int up_axis,
                              double aspect, mote_Camera *camera, mote_Error *error)
{
    if (slice->axis < 0 || slice->axis > 2 || up_axis < 0 || up_axis > 2)
        return status_fail(error, MOTE_BAD_VALUE, "slice: axis must be 0, 1 or 2");
    double to[3] = {(double)(low.x + high.x) / 2, (double)(low.y + high.y) / 2,
                    (double)(low.z + high.z) / 2};
    to[slice->axis] = (double)slice->at;
    camera->to = vec3((mote_real)to[0], (mote_real)to[1], (mote_real)to[2]);
    camera->from = vec3_add(camera->to, vec3(1, 1, 1));
    camera->orbit = 0, camera->dolly = 1;
    mote_Status status = mote_camera_view(camera, side_of[up_axis][slice->axis], up_axis, error);
    if (status != MOTE_OK) return status;
    const mote_Vec3 sight = vec3_sub(camera->to, camera->from), size = vec3_sub(high, low);
    const mote_Vec3 right = vec3_unit(vec3_cross(sight, camera->up), vec3(1, 0, 0));
    const double wide = fabs((double)vec3_dot(right, size));
    const double tall = fabs((double)vec3_dot(camera->up, size));
    const double height = MARGIN * fmax(tall, wide / aspect);
    camera->height = height > 0 && isfinite(height) ? (mote_real)height : 1;
    return MOTE_OK;
}

/* ---- what is drawn ---- */

typedef struct SlicePicture {
    const mote_RenderDef *def;
    const mote_Slice *slice;
    const mote_Frame *frame;
    mote_Image *image;
    Arena *arena;
    View view;
    SliceQuantity quantity;
    SliceGrid grid;
    double reach, low, high;
    double *values, *covered;
    SliceMask mask;
} SlicePicture;

static mote_Status check(const SlicePicture *p, mote_Error *error)
{
    const mote_Slice *s = p->slice;
    const float along = p->view.axis[2][s->axis];
    if (!(p->def->camera.height > 0) || !(fabsf(along) > 0.999f))
        return status_fail(error, MOTE_BAD_VALUE,
                           "slice: the camera must look along %c, without perspective; "
                           "mote_slice_camera gives one",
                           'x' + s->axis);
    if (s->lines > LINES_MOST || s->arrows > ARROWS_MOST)
        return status_fail(error, MOTE_BAD_VALUE,
                           "slice: there are at most %d lines, and %d arrows across", LINES_MOST,
                           ARROWS_MOST);
    if (s->low <= s->high) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "slice: the range goes from %g to %g, but must rise",
                       s->low, s->high);
}

/* Samples that are so many pixels apart, from the picture's corner over its end. */
static SliceGrid grid_of(const SlicePicture *p, double pixels)
{
    const View *v = &p->view;
    SliceGrid g = {.step = pixels / (double)v->focal};
    g.columns = (int)ceil(v->width / pixels) + 1, g.rows = (int)ceil(v->height / pixels) + 1;
    const double from[3] = {(double)v->from.x, (double)v->from.y, (double)v->from.z};
    const int axis = p->slice->axis;
    const double deep = ((double)p->slice->at - from[axis]) / (double)v->axis[2][axis];
    for (int k = 0; k < 3; ++k) {
        const double right = (double)v->axis[0][k], down = (double)v->axis[1][k];
        g.across[k] = g.step * right, g.down[k] = g.step * down;
        g.corner[k] =
            from[k] + deep * (double)v->axis[2][k] -
            ((double)v->center[0] * right + (double)v->center[1] * down) / (double)v->focal;
    }
    return g;
}

static bool sample(SlicePicture *p)
{
    p->grid = grid_of(p, SAMPLE_PIXELS);
    const size_t bytes = (size_t)p->grid.columns * (size_t)p->grid.rows * sizeof *p->values;
    p->values = arena_take(p->arena, bytes), p->covered = arena_take(p->arena, bytes);
    return p->values != NULL && p->covered != NULL &&
           slice_sample(&p->grid, &p->quantity, p->reach, p->arena, p->values, p->covered);
}

/* Between four samples. */
static double between(const SliceGrid *g, const double *of, double x, double y)
{
    const int i = (int)x, j = (int)y;
    const double u = x - i, v = y - j;
    const double *row = of + (size_t)j * (size_t)g->columns + i, *next = row + g->columns;
    return (1 - v) * ((1 - u) * row[0] + u * row[1]) + v * ((1 - u) * next[0] + u * next[1]);
}

static void mix(float pixel[4], const float color[3], float part)
{
    for (int k = 0; k < 3; ++k) pixel[k] += part * (color[k] - pixel[k]);
    pixel[3] = 1;
}

static mote_Status paint_row(const SlicePicture *p, int y, double *places, float (*colors)[3],
                             mote_Error *error)
{
    const int width = p->view.width;
    float *pixel = p->image->pixels + 4 * (size_t)y * (size_t)width;
    const char *map = p->slice->map != NULL ? p->slice->map : "viridis";
    for (int x = 0; x < width; ++x)
        places[x] =
            (between(&p->grid, p->values, (x + 0.5) / SAMPLE_PIXELS, (y + 0.5) / SAMPLE_PIXELS) -
             p->low) /
            (p->high - p->low);
    mote_Status status = mote_colormap(map, places, (size_t)width, colors, error);
    for (int x = 0; x < width && status == MOTE_OK; ++x, pixel += 4) {
        const double covered =
            between(&p->grid, p->covered, (x + 0.5) / SAMPLE_PIXELS, (y + 0.5) / SAMPLE_PIXELS);
        const double part = (covered - SLICE_EDGE) / 0.06 + 0.5;
        memcpy(pixel, empty_color, sizeof empty_color);
        mix(pixel, colors[x], (float)(part > 0 ? part < 1 ? part : 1 : 0));
    }
    return status;
}

static mote_Status paint(const SlicePicture *p, mote_Error *error)
{
    const size_t width = (size_t)p->view.width;
    double *places = arena_take(p->arena, width * sizeof *places);
    float(*colors)[3] = arena_take(p->arena, width * sizeof *colors);
    mote_Status status = MOTE_OK;
    if (places == NULL || colors == NULL)
        return status_no_memory(error, "a slice", width * sizeof *places);
    for (int y = 0; y < p->view.height && status == MOTE_OK; ++y)
        status = paint_row(p, y, places, colors, error);
    return status;
}

/* Colliders and bodies where the plane cuts them. */
static void paint_shape(const SlicePicture *p, const mote_FrameShape *shape)
{
    const ShapeRow *row = shape->params != NULL ? shape_named(shape->type) : NULL;
    const double *at = shape->position, *turn = shape->orientation;
    if (row == NULL) return;
    const PosedShape posed = {
        row,
        shape->params,
        {vec3((mote_real)at[0], (mote_real)at[1], (mote_real)at[2]),
         {(mote_real)turn[0], (mote_real)turn[1], (mote_real)turn[2], (mote_real)turn[3]}}};
    const SliceGrid g = grid_of(p, 1);
    for (int y = 0; y < p->view.height; ++y)
        for (int x = 0; x < p->view.width; ++x) {
            mote_real place[3], distance, *const planes[3] = {&place[0], &place[1], &place[2]};
            for (int k = 0; k < 3; ++k)
                place[k] =
                    (mote_real)(g.corner[k] + (x + 0.5) * g.across[k] + (y + 0.5) * g.down[k]);
            posed_distance(&posed, 1, planes, &distance);
            const double inside = 0.5 - (double)distance / g.step;
            if (inside > 0)
                mix(p->image->pixels + 4 * ((size_t)y * (size_t)p->view.width + (size_t)x),
                    solid_color, (float)(inside < 1 ? inside : 1));
        }
}

/* ---- lines and arrows ---- */

static void lay_mask(const SlicePicture *p, const float color[3], float part)
{
    const size_t count = (size_t)p->mask.width * (size_t)p->mask.height;
    for (size_t i = 0; i < count; ++i)
        if (p->mask.cover[i] > 0) mix(p->image->pixels + 4 * i, color, part * p->mask.cover[i]);
    memset(p->mask.cover, 0, count * sizeof *p->mask.cover);
}

static void draw_piece(void *context, const double from[2], const double to[2])
{
    const SlicePicture *p = context;
    const double a[2] = {SAMPLE_PIXELS * from[0], SAMPLE_PIXELS * from[1]};
    const double b[2] = {SAMPLE_PIXELS * to[0], SAMPLE_PIXELS * to[1]};
    slice_stroke(&p->mask, a, b, p->view.height / 540.0);
}

static void draw_lines(SlicePicture *p)
{
    const uint32_t count = p->slice->lines;
    for (uint32_t n = 1; n <= count; ++n)
        slice_lines(&p->grid, p->values, p->covered,
                    p->low + (p->high - p->low) * n / (count + 1.0), draw_piece, p);
    lay_mask(p, line_color, 0.8f);
}

/* The velocity at the middles of even squares; the fastest is as long as a square. */
static bool draw_arrows(SlicePicture *p)
{
    const double pixels = p->view.width / (double)p->slice->arrows;
    const SliceGrid g = grid_of(p, pixels);
    const size_t count = (size_t)g.columns * (size_t)g.rows;
    double *u[2], *covered = arena_take(p->arena, count * sizeof *covered), most = 0;
    SliceQuantity q = {p->quantity.system, mote_frame_column(p->quantity.system, "velocity"), 0};
    double *part = arena_take(p->arena, count * sizeof *part);
    for (int d = 0; d < 2; ++d) u[d] = arena_take(p->arena, count * sizeof *u[d]);
    if (covered == NULL || part == NULL || u[0] == NULL || u[1] == NULL) return false;
    memset(u[0], 0, count * sizeof *part), memset(u[1], 0, count * sizeof *part);
    for (q.component = 0; q.component < 3; ++q.component) {
        if (!slice_sample(&g, &q, p->reach, p->arena, part, covered)) return false;
        for (size_t i = 0; i < count; ++i)
            for (int d = 0; d < 2; ++d) u[d][i] += part[i] * (double)p->view.axis[d][q.component];
    }
    for (size_t i = 0; i < count; ++i)
        if (covered[i] >= SLICE_EDGE) most = fmax(most, u[0][i] * u[0][i] + u[1][i] * u[1][i]);
    for (size_t i = 0; i < count && most > 0; ++i) {
        const double at[2] = {pixels * (double)(i % (size_t)g.columns),
                              pixels * (double)(i / (size_t)g.columns)};
        const double by = pixels / sqrt(most), along[2] = {by * u[0][i], by * u[1][i]};
        if (covered[i] >= SLICE_EDGE)
            slice_arrow(&p->mask, at, along, 1.3 * p->view.height / 540.0);
    }
    lay_mask(p, arrow_color, 0.9f);
    return true;
}

static mote_Status check_arrows(const SlicePicture *p, mote_Error *error)
{
    const mote_Column *velocity = mote_frame_column(p->quantity.system, "velocity");
    if (p->slice->arrows == 0 || (velocity != NULL && velocity->components == 3)) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "slice: particles of %.60s have no velocity, which arrows show",
                       p->quantity.system->name);
}

/* ---- all of it ---- */

mote_Status mote_slice_range(const mote_Frame *frame, const mote_Slice *slice, double *low,
                             double *high, mote_Error *error)
{
    SliceQuantity quantity;
    mote_Status status = slice_quantity(frame, slice, &quantity, error);
    if (status == MOTE_OK) slice_range(slice, &quantity, slice_reach(quantity.system), low, high);
    return status;
}

static bool draw_all(SlicePicture *p, mote_Status *status, mote_Error *error)
{
    const size_t pixels = (size_t)p->view.width * (size_t)p->view.height;
    p->mask = (SliceMask){p->view.width, p->view.height,
                          arena_take(p->arena, pixels * sizeof *p->mask.cover)};
    if (p->mask.cover == NULL || !sample(p)) return false;
    memset(p->mask.cover, 0, pixels * sizeof *p->mask.cover);
    *status = paint(p, error);
    if (*status != MOTE_OK) return true;
    if (p->slice->lines > 0) draw_lines(p);
    if (p->slice->arrows > 0 && !draw_arrows(p)) return false;
    for (size_t i = 0; i < p->frame->shape_count; ++i) paint_shape(p, &p->frame->shapes[i]);
    return true;
}

mote_Status slice_render(const mote_RenderDef *def, const mote_Frame *frame, mote_Image *image,
                         mote_Error *error)
{
    SlicePicture p = {.def = def,
                      .slice = def->slice,
                      .frame = frame,
                      .image = image,
                      .arena = &image->arena,
                      .low = def->slice->low,
                      .high = def->slice->high};
    mote_Status status = view_make(&def->camera, frame, image, &p.view, error);
    if (status == MOTE_OK) status = check(&p, error);
    if (status == MOTE_OK) status = slice_quantity(frame, p.slice, &p.quantity, error);
    if (status == MOTE_OK) status = check_arrows(&p, error);
    if (status != MOTE_OK) return status;
    arena_reset(p.arena);
    image->features = NULL;
    p.reach = slice_reach(p.quantity.system);
    if (!(p.low < p.high)) slice_range(p.slice, &p.quantity, p.reach, &p.low, &p.high);
    if (!draw_all(&p, &status, error)) return status_no_memory(error, "a slice", p.arena->total);
    return status;
}
