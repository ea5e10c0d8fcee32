/* Particles and surfaces as blocks of a message. */
#include "view/message.h"

#include <math.h>
#include <string.h>

mote_Look view_look_of(const mote_RenderDef *def, const char *system)
{
    mote_Look found = mote_look_def();
    for (size_t i = 0; i < def->look_count; ++i)
        if (def->looks[i].system == NULL) found = def->looks[i];
    for (size_t i = 0; i < def->look_count; ++i)
        if (def->looks[i].system != NULL && strcmp(def->looks[i].system, system) == 0)
            found = def->looks[i];
    return found;
}

/* ---- columns ---- */

/* Frames of the other precision have doubles in the place of reals. */
static const mote_real *as_reals(ViewMessage *message, const double *from, size_t count)
{
    mote_real *out = arena_take(&message->scratch, (count + 1) * sizeof *out);
    for (size_t i = 0; out != NULL && i < count; ++i) out[i] = (mote_real)from[i];
    return out;
}

/* False when there is no such column, or no memory. */
static bool find_planes(ViewMessage *message, const mote_FrameSystem *system, const char *name,
                        int components, const mote_real *planes[])
{
    const mote_Column *column = mote_frame_column(system, name);
    if (column == NULL || column->components < components) return false;
    const bool reals = column->type == MOTE_COLUMN_REAL;
    if (!reals && column->type != MOTE_COLUMN_DOUBLE) return false;
    for (int k = 0; k < components; ++k) {
        const size_t first = (size_t)k * column->stride;
        planes[k] = reals ? (const mote_real *)column->data + first
                          : as_reals(message, (const double *)column->data + first, system->count);
        if (planes[k] == NULL) return false;
    }
    return true;
}

static bool all_equal(const mote_real *plane, size_t count)
{
    for (size_t i = 1; i < count; ++i)
        if (!(plane[i] == plane[0])) return false;
    return count > 0;
}

/* ---- radius and colour ---- */

/* Returns the mean, which says how fine places must be. */
static double put_radius(ViewMessage *message, const mote_FrameSystem *system, double size)
{
    const mote_real *radius;
    const bool there = find_planes(message, system, "radius", 1, &radius);
    if (!there || all_equal(radius, system->count)) {
        const double value = size * (there ? (double)radius[0] : 0);
        json_put_double(&message->json, "radius", isfinite(value) ? value : 0);
        return value;
    }
    size_t at;
    double sum = 0;
    float *out = view_block(message, system->count * sizeof *out, &at);
    if (out == NULL) return 0;
    for (size_t i = 0; i < system->count; ++i) {
        out[i] = (float)(size * (double)radius[i]);
        sum += isfinite(out[i]) ? (double)out[i] : 0;
    }
    view_block_begin(message, "radius", at, "f32", system->count);
    json_finish(&message->json, '}');
    return sum / (double)system->count;
}

typedef struct Colors {
    const mote_real *planes[4]; /* red, green, blue, opacity */
    mote_real gain;             /* largest of the first three, at least 1 */
} Colors;

static bool find_colors(ViewMessage *message, const mote_FrameSystem *system, Colors *colors)
{
    if (!find_planes(message, system, "color", 3, colors->planes) ||
        !find_planes(message, system, "opacity", 1, &colors->planes[3]))
        return false;
    colors->gain = 1;
    for (int k = 0; k < 3; ++k) {
        const mote_real *plane = colors->planes[k];
        for (size_t i = 0; i < system->count; ++i)
            if (plane[i] > colors->gain && plane[i] < (mote_real)1e6) colors->gain = plane[i];
    }
    return true;
}

static inline unsigned char byte_of(float part)
{
    part = part > 0 ? part < 1 ? part : 1 : 0;
    return (unsigned char)(255 * part + 0.5f);
}

static void write_color(const Colors *colors, size_t i, unsigned char out[4])
{
    const float scale = 1 / (float)colors->gain;
    for (int k = 0; k < 3; ++k) {
        const float part = (float)colors->planes[k][i] * scale;
        out[k] = byte_of(__builtin_sqrtf(part > 0 ? part : 0));
    }
    out[3] = byte_of((float)colors->planes[3][i]);
}

static void put_colors(ViewMessage *message, const mote_FrameSystem *system, double brightness)
{
    Colors colors;
    const bool there = find_colors(message, system, &colors);
    bool one = true;
    for (int k = 0; k < 4 && there && one; ++k) one = all_equal(colors.planes[k], system->count);
    json_put_double(&message->json, "gain", brightness * (there ? (double)colors.gain : 1));
    if (!there || one) {
        const unsigned char white[4] = {255, 255, 255, 255};
        unsigned char bytes[4];
        double numbers[4];
        if (there) write_color(&colors, 0, bytes);
        for (int k = 0; k < 4; ++k) numbers[k] = there ? bytes[k] : white[k];
        view_put_numbers(&message->json, "color", numbers, 4);
        return;
    }
    size_t at;
    unsigned char *out = view_block(message, 4 * system->count, &at);
    if (out == NULL) return;
    for (size_t i = 0; i < system->count; ++i) write_color(&colors, i, out + 4 * i);
    view_block_begin(message, "color", at, "u8", 4 * system->count);
    json_finish(&message->json, '}');
}

/* ---- motion while the shutter is open ---- */

/* "drift": metres along each axis as bytes, step times the number; nothing where no streak would be
 * longer than a fifth of a radius. */
static void put_drift(ViewMessage *message, const ViewFrame *input, const mote_FrameSystem *system,
                      const mote_Look *look, double radius)
{
    const mote_real *v[3];
    const double open = (double)input->def->camera.shutter * input->frame->dt;
    double fastest = 0;
    size_t at;
    if (!look->motion_blur || !(open > 0) || !find_planes(message, system, "velocity", 3, v))
        return;
    for (size_t k = 0; k < 3; ++k)
        for (size_t i = 0; i < system->count; ++i) {
            const double speed = fabs((double)v[k][i]);
            if (speed > fastest && speed < 1e30) fastest = speed;
        }
    const double step = open * fastest / 127;
    if (!(fastest * open > 0.2 * radius)) return;
    int8_t *out = view_block(message, 3 * system->count, &at);
    if (out == NULL) return;
    for (size_t k = 0; k < 3; ++k)
        for (size_t i = 0; i < system->count; ++i) {
            const double part = 127 * (double)v[k][i] / fastest;
            out[3 * i + k] = fabs(part) <= 127 ? (int8_t)(part < 0 ? part - 0.5 : part + 0.5) : 0;
        }
    view_block_begin(message, "drift", at, "i8", 3 * system->count);
    json_put_double(&message->json, "step", step);
    json_finish(&message->json, '}');
}

/* ---- systems ---- */

/* What of a system is drawn, as the renderer chooses; true: its particles. */
static bool put_draw(ViewMessage *message, const mote_Frame *frame, size_t system, mote_Draw draw)
{
    bool triangles = false, links = false, around = false;
    for (size_t m = 0; m < frame->mesh_count; ++m) {
        if (frame->meshes[m].system != system) continue;
        triangles = triangles || frame->meshes[m].triangle_count > 0;
        links = links || frame->meshes[m].link_count > 0;
    }
    for (size_t i = 0; i < frame->surface_count; ++i)
        around = around ||
                 (frame->surfaces[i].system == system && frame->surfaces[i].triangle_count > 0);
    if (draw == MOTE_DRAW_AUTO)
        draw = triangles || around ? MOTE_DRAW_SURFACE
               : links             ? MOTE_DRAW_LINES
                                   : MOTE_DRAW_PARTICLES;
    const bool all = draw == MOTE_DRAW_ALL, particles = all || draw == MOTE_DRAW_PARTICLES;
    json_put_bool(&message->json, "particles", particles);
    json_put_bool(&message->json, "lines", all || draw == MOTE_DRAW_LINES);
    json_put_bool(&message->json, "triangles", all || draw == MOTE_DRAW_SURFACE);
    return particles;
}

static void put_system(ViewMessage *message, const ViewFrame *input, size_t number)
{
    const mote_FrameSystem *system = &input->frame->systems[number];
    const mote_Look look = view_look_of(input->def, system->name);
    JsonWriter *json = &message->json;
    ViewPoints points = {.count = system->count, .stride = 1, .planar = true};
    json_begin(json, NULL, '{');
    json_put_text(json, "name", system->name);
    json_put_text(json, "profile", look.profile);
    json_put_bool(json, "add", look.blend == MOTE_BLEND_ADD);
    json_put_bool(json, "lit", look.lit);
    json_put_double(json, "line", (double)look.line);
    const bool particles = put_draw(message, input->frame, number, look.draw);
    const bool placed =
        system->count > 0 && find_planes(message, system, "position", 3, points.planes);
    json_put_u64(json, "count", placed ? system->count : 0);
    if (placed) {
        const double radius = put_radius(message, system, (double)look.size);
        points.fine = 0.1 * radius;
        put_colors(message, system, (double)look.brightness);
        view_put_points(message, "position", &points);
        if (particles) put_drift(message, input, system, &look, radius);
        if (look.trail > 0) view_put_trail(message, input, number, &look);
    }
    json_finish(json, '}');
}

void view_put_systems(ViewMessage *message, const ViewFrame *input)
{
    json_begin(&message->json, "systems", '[');
    for (size_t i = 0; i < input->frame->system_count; ++i) put_system(message, input, i);
    json_finish(&message->json, ']');
}

/* ---- surfaces ---- */

static void put_normals(ViewMessage *message, const mote_FrameSurface *surface)
{
    size_t at;
    int8_t *out = view_block(message, 4 * surface->vertex_count, &at);
    if (out == NULL) return;
    for (size_t i = 0; i < surface->vertex_count; ++i) {
        const mote_Vec3 n = surface->normals[i];
        const mote_real parts[4] = {n.x, n.y, n.z, 0};
        for (int k = 0; k < 4; ++k) {
            const mote_real part = parts[k] > -1 ? parts[k] < 1 ? parts[k] : 1 : -1;
            out[4 * i + (size_t)k] = (int8_t)(127 * part);
        }
    }
    view_block_begin(message, "normals", at, "i8", 4 * surface->vertex_count);
    json_finish(&message->json, '}');
}

void view_put_surfaces(ViewMessage *message, const mote_Frame *frame)
{
    JsonWriter *json = &message->json;
    json_begin(json, "surfaces", '[');
    for (size_t i = 0; i < frame->surface_count; ++i) {
        const mote_FrameSurface *surface = &frame->surfaces[i];
        if (surface->vertex_count == 0 || surface->triangle_count == 0) continue;
        const mote_Vec3 *v = surface->vertices;
        const ViewPoints points = {.planes = {&v->x, &v->y, &v->z},
                                   .count = surface->vertex_count,
                                   .stride = 3,
                                   .planar = false};
        json_begin(json, NULL, '{');
        json_put_text(json, "name", surface->name);
        json_put_u64(json, "system", surface->system);
        view_put_points(message, "vertices", &points);
        put_normals(message, surface);
        view_put_block(message, "triangles", "u32", surface->triangles,
                       3 * surface->triangle_count);
        json_finish(json, '}');
    }
    json_finish(json, ']');
}
