/* Cameras: defaults, fitting to the particles, and the projection they stand for. */
#include "render/view.h"

#include "base/status.h"
#include "base/vec.h"

#include <math.h>

mote_Camera mote_camera_def(void)
{
    return (mote_Camera){.from = {0, 1, 5},
                         .up = {0, 1, 0},
                         .fov = 40,
                         .near = (mote_real)0.01,
                         .shutter = (mote_real)0.5};
}

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

mote_Status view_make(const mote_Camera *camera, const mote_Frame *frame, const mote_Image *image,
                      View *view, mote_Error *error)
{
    Basis basis;
    mote_Status status = check_numbers(camera, error);
    if (status == MOTE_OK) status = basis_make(camera, &basis, error);
    if (status != MOTE_OK) return status;
    *view = (View){.width = mote_image_width(image), .height = mote_image_height(image)};
    view->orthographic = camera->height > 0;
    double half = 0.5 * view->height;
    view->focal = (float)(view->orthographic ? view->height / (double)camera->height
                                             : half / half_slope(camera));
    view->center[0] = 0.5f * (float)view->width, view->center[1] = (float)half;
    view->from = camera->from;
    view->near = (float)camera->near;
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

/* ---- fitting ---- */

typedef struct Box {
    double low[3], high[3];
} Box;

static void box_add_system(Box *box, const mote_FrameSystem *system)
{
    const mote_Column *position = mote_frame_column(system, "position");
    if (position == NULL || position->type != MOTE_COLUMN_REAL || position->components != 3) return;
    const mote_real *plane = position->data;
    for (int k = 0; k < 3; ++k, plane += position->stride) {
        for (size_t i = 0; i < system->count; ++i) {
            double value = (double)plane[i];
            if (!isfinite(value)) continue;
            if (value < box->low[k]) box->low[k] = value;
            if (value > box->high[k]) box->high[k] = value;
        }
    }
}

/* The distance from the middle at which a corner, given from the middle, is inside the picture. */
static double distance_for(mote_Vec3 corner, const Basis *basis, double slope, double aspect)
{
    double across = fabs((double)vec3_dot(corner, basis->right)) / (slope * aspect);
    double height = fabs((double)vec3_dot(corner, basis->down)) / slope;
    return (across > height ? across : height) - (double)vec3_dot(corner, basis->forward);
}

void mote_camera_fit(mote_Camera *camera, const mote_Frame *frame, double aspect)
{
    Box box = {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    Basis basis;
    for (size_t s = 0; s < frame->system_count; ++s) box_add_system(&box, &frame->systems[s]);
    if (box.low[0] > box.high[0] || !(aspect > 0)) return;
    if (check_numbers(camera, NULL) != MOTE_OK || basis_make(camera, &basis, NULL) != MOTE_OK)
        return;
    const double margin = 1.08, slope = half_slope(camera);
    double distance = 10 * (double)camera->near, height = 0, half[3];
    for (int k = 0; k < 3; ++k) half[k] = 0.5 * (box.high[k] - box.low[k]) * margin;
    for (int corner = 0; corner < 8; ++corner) {
        mote_Vec3 c = vec3((mote_real)(corner & 1 ? half[0] : -half[0]),
                           (mote_real)(corner & 2 ? half[1] : -half[1]),
                           (mote_real)(corner & 4 ? half[2] : -half[2]));
        double d = distance_for(c, &basis, slope, aspect);
        double h = 2 * (distance_for(c, &basis, 1, aspect) + (double)vec3_dot(c, basis.forward));
        distance = d > distance ? d : distance;
        height = h > height ? h : height;
    }
    if (camera->height > 0 && height > 0) camera->height = (mote_real)height;
    camera->to = vec3((mote_real)(0.5 * (box.low[0] + box.high[0])),
                      (mote_real)(0.5 * (box.low[1] + box.high[1])),
                      (mote_real)(0.5 * (box.low[2] + box.high[2])));
    camera->from = vec3_madd(camera->to, (mote_real)-distance, basis.forward);
}
