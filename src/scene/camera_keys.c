/* Cameras by keys: what the camera is at some times, and smoothly between them.
 *
 * Between two keys every value goes by a cubic polynomial whose slopes are those of its neighbours,
 * but never so steep that it would swing beyond the keys (F. Fritsch and R. Carlson, Monotone
 * Piecewise Cubic Interpolation, 1980): an aperture of 0 stays one. The camera starts and ends at
 * rest. */
#include "scene/read.h"
#include "scene/stage.h"

#include "base/row.h"
#include "render/tables.h"

#include <string.h>

/* ---- reading ---- */

static void read_key(mote_Scene *scene, const Node *object, SceneCameraKey *key)
{
    static const char *const others[] = {"t", NULL};
    const Node *time = node_require(scene_reader(scene), object, "t");
    if (time != NULL) node_number(scene_reader(scene), time, "s", &key->time);
    scene_read_struct(scene, &camera_row, object, others, &key->camera, NULL);
    for (size_t i = 0; i < camera_row.param_count; ++i)
        if (node_find(object, camera_row.params[i].name) != NULL) key->given |= 1u << i;
}

/* What a key does not say, it has of the camera itself. */
static void fill_key(const mote_Camera *camera, SceneCameraKey *key)
{
    for (size_t i = 0; i < camera_row.param_count; ++i) {
        const mote_Param *param = &camera_row.params[i];
        const size_t size = (size_t)param_components(param) * sizeof(mote_real);
        if ((key->given >> i & 1) == 0)
            memcpy((char *)&key->camera + param->offset, (const char *)camera + param->offset,
                   size);
    }
}

void scene_read_camera_keys(mote_Scene *scene, const Node *list)
{
    SceneCameraKey *keys;
    if (list == NULL || !node_expect(scene_reader(scene), list, NODE_ARRAY)) return;
    keys = scene->camera_keys.items = scene_take(scene, (list->count + 1) * sizeof *keys);
    if (keys == NULL) return;
    NODE_EACH(child, list)
    {
        SceneCameraKey *key = &keys[scene->camera_keys.count];
        if (!node_expect(scene_reader(scene), child, NODE_OBJECT)) return;
        read_key(scene, child, key);
        if (scene->camera_keys.count > 0 && !(key->time > key[-1].time))
            diagnose(scene_reader(scene)->diagnostics, node_place(child),
                     "keys of the camera stand in the order of their times: t is %g after %g",
                     key->time, key[-1].time);
        ++scene->camera_keys.count;
    }
}

void scene_finish_camera_keys(mote_Scene *scene)
{
    SceneCameraKey *keys = scene->camera_keys.items;
    for (size_t i = 0; i < scene->camera_keys.count; ++i) fill_key(&scene->camera, &keys[i]);
}

/* ---- following ---- */

/* The slope at a key between two others that are steps of `rise` in `time` away. The parabola
 * through three keys has the slope (a t_1 + b t_0) / (t_0 + t_1), a and b being the secants. Where
 * they differ in sign the key is an extremum and the slope 0; three times the lesser secant is what
 * keeps a cubic monotone. */
static double slope_between(const double rise[2], const double time[2])
{
    const double a = rise[0] / time[0], b = rise[1] / time[1];
    if (!(a * b > 0)) return 0;
    const double slope = (a * time[1] + b * time[0]) / (time[0] + time[1]);
    const double least = a * a < b * b ? a : b;
    return slope / least > 3 ? 3 * least : slope;
}

static double value_of(const SceneCameraKey *key, size_t offset)
{
    mote_real value;
    memcpy(&value, (const char *)&key->camera + offset, sizeof value);
    return (double)value;
}

/* The slope at key number i; 0 at both ends. */
static double slope_at(const SceneCameraKey *keys, size_t count, size_t i, size_t offset)
{
    double rise[2], time[2];
    if (i == 0 || i + 1 == count) return 0;
    for (size_t k = 0; k < 2; ++k) {
        const SceneCameraKey *from = &keys[i - 1 + k];
        rise[k] = value_of(from + 1, offset) - value_of(from, offset);
        time[k] = from[1].time - from[0].time;
    }
    return slope_between(rise, time);
}

/* One number of the camera at a time between keys i and i + 1. */
static double follow(const SceneCameraKey *keys, size_t count, size_t i, double t, size_t offset)
{
    const double from = value_of(&keys[i], offset), to = value_of(&keys[i + 1], offset);
    const double time = keys[i + 1].time - keys[i].time, u = (t - keys[i].time) / time;
    const double a = time * slope_at(keys, count, i, offset);
    const double b = time * slope_at(keys, count, i + 1, offset);
    const double rise = to - from;
    /* Hermite's cubic in Horner's form, with slopes a and b by u in [0, 1]. */
    return from + u * (a + u * ((3 * rise - 2 * a - b) + u * (a + b - 2 * rise)));
}

void scene_follow_camera_keys(const mote_Scene *scene, double t, mote_Camera *camera)
{
    const SceneCameraKey *keys = scene->camera_keys.items;
    const size_t count = scene->camera_keys.count;
    uint32_t given = 0;
    size_t i = 0;
    if (count == 0) return;
    for (size_t k = 0; k < count; ++k) given |= keys[k].given;
    while (i + 1 < count && keys[i + 1].time <= t) ++i;
    for (size_t p = 0; p < camera_row.param_count; ++p) {
        const mote_Param *param = &camera_row.params[p];
        for (int c = 0; (given >> p & 1) != 0 && c < param_components(param); ++c) {
            const size_t offset = param->offset + (size_t)c * sizeof(mote_real);
            const bool still = t <= keys[0].time || i + 1 == count;
            const mote_real value =
                (mote_real)(still ? value_of(&keys[i], offset) : follow(keys, count, i, t, offset));
            memcpy((char *)camera + offset, &value, sizeof value);
        }
    }
}
