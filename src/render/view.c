/* Cameras: defaults, fitting to the particles, and the projection they stand for. */
#include "render/view.h"

#include "base/math.h"
#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"
#include "render/solid.h"
#include "render/tables.h"

#include <math.h>
#include <string.h>

#define FIT_MARGIN 1.06 /* a little air around the particles */

ROW_DEFAULTS(camera_row, mote_Camera, mote_camera_def)

/* tan(x) for 0 <= x < pi / 2, from the series of sine and cosine: the same on every machine. */
static double tangent(double x)
{
    double sine = 0, cosine = 0, term = 1;
    for (int n = 0; n < 28; n += 2) {
        cosine += term;
        term *= x / (n + 1);
        sine += term;
        term *= -x / (n + 2);
    }
    return sine / cosine;
}

static double half_slope(const mote_Camera *camera)
{
    return tangent((double)camera->fov * (3.14159265358979323846 / 360));
}

static bool finite3(mote_Vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* The eye where orbit and dolly put it: turned about `up` by Rodrigues' formula. */
static mote_Camera camera_moved(const mote_Camera *camera)
{
    mote_Camera c = *camera;
    mote_Vec3 axis = vec3_unit(c.up, vec3(0, 1, 0)), arm = vec3_sub(c.from, c.to);
    double angle = (double)c.orbit * (3.14159265358979323846 / 180);
    mote_real cosine = (mote_real)math_cos(angle), sine = (mote_real)math_sin(angle);
    mote_Vec3 along = vec3_scale(axis, vec3_dot(axis, arm)), across = vec3_sub(arm, along);
    mote_Vec3 turned = vec3_madd(vec3_scale(across, cosine), sine, vec3_cross(axis, across));
    if (c.orbit != 0) arm = vec3_add(along, turned);
    if (c.dolly > 0 && c.dolly != 1) arm = vec3_scale(arm, c.dolly);
    if (c.orbit != 0 || (c.dolly > 0 && c.dolly != 1)) c.from = vec3_add(c.to, arm);
    c.orbit = 0, c.dolly = 1;
    return c;
}

typedef struct Basis {
    mote_Vec3 right, down, forward;
} Basis;

static mote_Status basis_make(const mote_Camera *camera, Basis *basis, mote_Error *error)
{
    mote_Vec3 sight = vec3_sub(camera->to, camera->from), none = {0, 0, 0};
    if (!finite3(sight) || !(vec3_length(sight) > 0))
        return status_fail(error, MOTE_BAD_VALUE,
                           "camera: from and to are the same point or not finite, but must be two "
                           "points that give a direction");
    basis->forward = vec3_unit(sight, none);
    mote_Vec3 up = vec3_unit(camera->up, none);
    mote_Vec3 right = vec3_cross(basis->forward, up);
    if (!finite3(up) || !(vec3_length(right) > (mote_real)1e-4))
        return status_fail(error, MOTE_BAD_VALUE,
                           "camera: up is zero, not finite or along the view, but must point "
                           "across it");
    basis->right = vec3_unit(right, none);
    basis->down = vec3_cross(basis->forward, basis->right);
    return MOTE_OK;
}

static mote_Status check_numbers(const mote_Camera *c, mote_Error *error)
{
    const struct {
        const char *name, *range;
        bool good;
        mote_real value;
    } rows[] = {
        {"fov", "above 0 and at most 170 degrees", c->fov > 0 && c->fov <= 170, c->fov},
        {"height", "0 (perspective) or a positive length in m",
         c->height >= 0 && isfinite(c->height), c->height},
        {"near", "a positive distance in m", c->near > 0 && isfinite(c->near), c->near},
        {"shutter", "between 0 and 1", c->shutter >= 0 && c->shutter <= 1, c->shutter},
        {"orbit", "a finite angle in degrees", isfinite(c->orbit), c->orbit},
        {"dolly", "a positive factor", c->dolly >= 0 && isfinite(c->dolly), c->dolly},
        {"aperture", "0 (all is sharp) or a width in m", c->aperture >= 0 && isfinite(c->aperture),
         c->aperture},
        {"focus", "0 (at `to`) or a distance in m", c->focus >= 0 && isfinite(c->focus), c->focus},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (!rows[i].good)
            return status_fail(error, MOTE_BAD_VALUE, "camera: %s is %g, but must be %s",
                               rows[i].name, (double)rows[i].value, rows[i].range);
    return MOTE_OK;
}

static void axis_write(mote_Vec3 from, float to[3])
{
    to[0] = (float)from.x, to[1] = (float)from.y, to[2] = (float)from.z;
}

mote_Status view_make(const mote_Camera *given, const mote_Frame *frame, const mote_Image *image,
                      View *view, mote_Error *error)
{
    Basis basis;
    mote_Status status = check_numbers(given, error);
    if (status != MOTE_OK) return status;
    const mote_Camera moved = camera_moved(given), *camera = &moved;
    status = basis_make(camera, &basis, error);
    if (status != MOTE_OK) return status;
    *view = (View){.width = mote_image_width(image), .height = mote_image_height(image)};
    view->orthographic = camera->height > 0;
    double half = 0.5 * view->height;
    view->focal = (float)(view->orthographic ? view->height / (double)camera->height
                                             : half / half_slope(camera));
    view->center[0] = 0.5f * (float)view->width, view->center[1] = (float)half;
    view->from = camera->from;
    view->near = (float)camera->near;
    view->aperture = (float)camera->aperture;
    view->focus = (float)(camera->focus > 0 ? camera->focus
                                            : vec3_length(vec3_sub(camera->to, camera->from)));
    double open = (double)camera->shutter * frame->dt;
    view->shutter = open > 0 && open < 1e30 ? (float)open : 0;
    axis_write(basis.right, view->axis[0]);
    axis_write(basis.down, view->axis[1]);
    axis_write(basis.forward, view->axis[2]);
    view->up[frame->up_axis >= 0 && frame->up_axis < 3 ? frame->up_axis : 1] = 1;
    return MOTE_OK;
}

void view_ray(const View *view, float x, float y, float origin[3], float direction[3])
{
    float right = (x - view->center[0]) / view->focal, down = (y - view->center[1]) / view->focal;
    for (int k = 0; k < 3; ++k) {
        float across = right * view->axis[0][k] + down * view->axis[1][k];
        origin[k] = view->orthographic ? across : 0;
        direction[k] = view->axis[2][k] + (view->orthographic ? 0 : across);
    }
}

double mote_camera_scale(const mote_Camera *camera, int height)
{
    double distance = (double)vec3_length(vec3_sub(camera->to, camera->from));
    if (camera->height > 0) return height / (double)camera->height;
    if (camera->dolly > 0) distance *= (double)camera->dolly;
    return distance > 0 ? 0.5 * height / (half_slope(camera) * distance) : 0;
}

/* ---- sides ---- */

/* From where, with y up; the picture's up. */
static const struct {
    const char *name;
    double from[3], up[3];
} sides[] = {{"front", {0, 0, 1}, {0, 1, 0}},         {"back", {0, 0, -1}, {0, 1, 0}},
             {"left", {-1, 0, 0}, {0, 1, 0}},         {"right", {1, 0, 0}, {0, 1, 0}},
             {"top", {0, 1, 0}, {0, 0, -1}},          {"bottom", {0, -1, 0}, {0, 0, 1}},
             {"corner", {0.6, 0.45, 0.66}, {0, 1, 0}}};
enum { SIDES = sizeof sides / sizeof sides[0] };

static const char *side_name(const void *context, size_t i)
{
    (void)context;
    return i < SIDES ? sides[i].name : NULL;
}

/* The axes turned around so that the second is the world's up. */
static mote_Vec3 turned_up(const double v[3], int up)
{
    int shift = up - 1;
    return vec3((mote_real)v[(3 - shift) % 3], (mote_real)v[(4 - shift) % 3],
                (mote_real)v[(5 - shift) % 3]);
}

mote_Status mote_camera_view(mote_Camera *camera, const char *name, int up_axis, mote_Error *error)
{
    size_t i = 0;
    while (i < SIDES && strcmp(sides[i].name, name) != 0) ++i;
    if (i == SIDES) {
        const char *near = text_nearest(name, side_name, NULL);
        return status_fail(error, MOTE_BAD_VALUE,
                           "camera: there is no view `%.60s`%s%s%s (there are front, back, left, "
                           "right, top, bottom and corner)",
                           name, near != NULL ? "; did you mean `" : "", near != NULL ? near : "",
                           near != NULL ? "`?" : "");
    }
    mote_real away = vec3_length(vec3_sub(camera->from, camera->to));
    int up = up_axis >= 0 && up_axis < 3 ? up_axis : 1;
    camera->from = vec3_madd(camera->to, away > 0 ? away : 1, turned_up(sides[i].from, up));
    camera->up = turned_up(sides[i].up, up);
    camera->orbit = 0, camera->dolly = 1;
    return MOTE_OK;
}

/* ---- fitting ---- */

/* Camera axes, relative to the eye. */
typedef struct Fit {
    Basis basis;
    mote_Vec3 origin;
    double low[3], high[3]; /* of the particles */
    double slope, aspect;   /* of the picture's edge */
    double distance;        /* from the middle, so that all are inside */
} Fit;

typedef void FitVisit(Fit *fit, const double place[3]);

static void visit_place(Fit *fit, mote_Vec3 place, FitVisit *visit)
{
    mote_Vec3 p = vec3_sub(place, fit->origin);
    if (!finite3(p)) return;
    visit(fit, (const double[3]){(double)vec3_dot(p, fit->basis.right),
                                 (double)vec3_dot(p, fit->basis.down),
                                 (double)vec3_dot(p, fit->basis.forward)});
}

static void visit_box(Fit *fit, mote_Vec3 low, mote_Vec3 high, FitVisit *visit)
{
    for (int c = 0; c < 8; ++c)
        visit_place(fit,
                    vec3(c & 1 ? high.x : low.x, c & 2 ? high.y : low.y, c & 4 ? high.z : low.z),
                    visit);
}

static void visit_system(Fit *fit, const mote_FrameSystem *system, FitVisit *visit)
{
    const mote_Column *position = mote_frame_column(system, "position");
    if (position == NULL || position->type != MOTE_COLUMN_REAL || position->components != 3) return;
    const mote_real *x = position->data, *y = x + position->stride, *z = y + position->stride;
    for (size_t i = 0; i < system->count; ++i) visit_place(fit, vec3(x[i], y[i], z[i]), visit);
}

static void visit_all(Fit *fit, const mote_Frame *frame, FitVisit *visit)
{
    Aabb box;
    for (size_t s = 0; s < frame->system_count; ++s) visit_system(fit, &frame->systems[s], visit);
    for (size_t i = 0; i < frame->shape_count; ++i)
        if (frame_shape_bounds(&frame->shapes[i], &box)) visit_box(fit, box.low, box.high, visit);
}

static void find_box(Fit *fit, const double place[3])
{
    for (int k = 0; k < 3; ++k) {
        fit->low[k] = place[k] < fit->low[k] ? place[k] : fit->low[k];
        fit->high[k] = place[k] > fit->high[k] ? place[k] : fit->high[k];
    }
}

static double middle(const Fit *fit, int k)
{
    return 0.5 * (fit->low[k] + fit->high[k]);
}

static void find_distance(Fit *fit, const double place[3])
{
    double across = fabs(place[0] - middle(fit, 0)) / (fit->slope * fit->aspect);
    double height = fabs(place[1] - middle(fit, 1)) / fit->slope;
    double wanted = FIT_MARGIN * (across > height ? across : height) - (place[2] - middle(fit, 2));
    if (wanted > fit->distance) fit->distance = wanted;
}

static bool fit_begin(Fit *fit, mote_Camera *camera, double aspect)
{
    if (!(aspect > 0) || check_numbers(camera, NULL) != MOTE_OK) return false;
    *camera = camera_moved(camera);
    *fit = (Fit){.origin = camera->from, .slope = half_slope(camera), .aspect = aspect};
    for (int k = 0; k < 3; ++k) fit->low[k] = 1e300, fit->high[k] = -1e300;
    return basis_make(camera, &fit->basis, NULL) == MOTE_OK;
}

/* Once the box is known. */
static bool fit_depth(Fit *fit, const mote_Camera *camera)
{
    if (fit->low[0] > fit->high[0]) return false;
    fit->distance = 10 * (double)camera->near + 0.5 * (fit->high[2] - fit->low[2]);
    return true;
}

static void fit_end(const Fit *fit, mote_Camera *camera)
{
    double width = (fit->high[0] - fit->low[0]) / fit->aspect, height = fit->high[1] - fit->low[1];
    double most = FIT_MARGIN * (width > height ? width : height);
    if (camera->height > 0 && most > 0) camera->height = (mote_real)most;
    mote_Vec3 to = vec3_madd(camera->from, (mote_real)middle(fit, 0), fit->basis.right);
    to = vec3_madd(to, (mote_real)middle(fit, 1), fit->basis.down);
    camera->to = vec3_madd(to, (mote_real)middle(fit, 2), fit->basis.forward);
    camera->from = vec3_madd(camera->to, (mote_real)-fit->distance, fit->basis.forward);
}

void mote_camera_fit(mote_Camera *camera, const mote_Frame *frame, double aspect)
{
    Fit fit;
    if (!fit_begin(&fit, camera, aspect)) return;
    visit_all(&fit, frame, find_box);
    if (!fit_depth(&fit, camera)) return;
    visit_all(&fit, frame, find_distance);
    fit_end(&fit, camera);
}

void mote_camera_fit_box(mote_Camera *camera, mote_Vec3 low, mote_Vec3 high, double aspect)
{
    Fit fit;
    if (!fit_begin(&fit, camera, aspect)) return;
    visit_box(&fit, low, high, find_box);
    if (!fit_depth(&fit, camera)) return;
    visit_box(&fit, low, high, find_distance);
    fit_end(&fit, camera);
}

void mote_frame_enclose(const mote_Frame *frame, mote_Vec3 *low, mote_Vec3 *high)
{
    /* the box in the camera's axes is the box when these are the world's */
    Fit fit = {.basis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int k = 0; k < 3; ++k) fit.low[k] = 1e300, fit.high[k] = -1e300;
    visit_all(&fit, frame, find_box);
    if (fit.low[0] > fit.high[0]) return;
    mote_Vec3 a = {(mote_real)fit.low[0], (mote_real)fit.low[1], (mote_real)fit.low[2]};
    mote_Vec3 b = {(mote_real)fit.high[0], (mote_real)fit.high[1], (mote_real)fit.high[2]};
    bool empty = low->x > high->x;
    *low = empty ? a : vec3_min(*low, a);
    *high = empty ? b : vec3_max(*high, b);
}
