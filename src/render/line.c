/* Lines as splats. A line of width w px and length l px is a capsule whose profile has the
 * deviation s across, with the pixel's filter in it; its opacity w / (line s) at the peak (line:
 * integral of the profile in deviations) and its length, shortened by what the caps add, give it
 * the area w l. So lines thinner than a pixel become faint instead of broken. */
#include "render/line.h"

#include "render/float3.h"

#include <string.h>

#define PIXEL_VARIANCE 0.375f
#define SHARP          3.0f /* px: wider lines have an edge */
#define FARTHEST       1e6f /* px */

Lines lines_make(Arena *arena)
{
    return (Lines){.arena = arena};
}

/* Old blocks stay in the arena until the picture is done. */
static bool make_room(Lines *lines)
{
    if (lines->count < lines->capacity) return true;
    size_t more = lines->capacity < 1024 ? 1024 : 2 * lines->capacity;
    Line *items = arena_take(lines->arena, more * sizeof *items);
    if (items == NULL) {
        lines->failed = true;
        return false;
    }
    if (lines->count > 0) memcpy(items, lines->items, lines->count * sizeof *items);
    lines->items = items;
    lines->capacity = more;
    return true;
}

void lines_add(Lines *lines, const Line *line)
{
    bool finite = dot3(line->ends[0], line->ends[0]) < 1e30f &&
                  dot3(line->ends[1], line->ends[1]) < 1e30f && line->alpha > 0;
    if (finite && make_room(lines)) lines->items[lines->count++] = *line;
}

void lines_add_long(Lines *lines, const Line *line, int pieces)
{
    Line piece = *line;
    float way[3];
    madd3(line->ends[1], -1, line->ends[0], way);
    for (int i = 0; i < pieces; ++i) {
        madd3(line->ends[0], (float)i / (float)pieces, way, piece.ends[0]);
        madd3(line->ends[0], (float)(i + 1) / (float)pieces, way, piece.ends[1]);
        lines_add(lines, &piece);
    }
}

/* ---- projection ---- */

/* Ends in camera axes, cut off before the near plane. False when all of it is. */
static bool camera_ends(const View *view, const Line *line, float ends[2][3])
{
    float least = view->near;
    for (int e = 0; e < 2; ++e)
        for (int k = 0; k < 3; ++k) ends[e][k] = dot3(view->axis[k], line->ends[e]);
    if (ends[0][2] < least && ends[1][2] < least) return false;
    for (int e = 0; e < 2; ++e) {
        float *behind = ends[e], *before = ends[1 - e];
        if (behind[2] >= least) continue;
        float part = (least - behind[2]) / (before[2] - behind[2]);
        for (int k = 0; k < 3; ++k) behind[k] += part * (before[k] - behind[k]);
    }
    return true;
}

static uint32_t extent_code(float extent)
{
    float quarters = extent * 4 + 1;
    return quarters < (float)EXTENT_MOST ? (uint32_t)quarters : EXTENT_MOST;
}

static float magnitude(float x)
{
    return x < 0 ? -x : x;
}

/* Profile, reach and opacity of a line across. */
typedef struct Stroke {
    Profile profile;
    float reach, half, alpha; /* px; half: of the capsule's straight part */
} Stroke;

static Stroke stroke_make(float width, float length)
{
    size_t rows;
    const KernelRow *gaussian = &kernel_rows(&rows)[0];
    Stroke stroke = {.profile = PROFILE_GAUSSIAN};
    if (width > SHARP) {
        stroke.profile = PROFILE_DISC;
        stroke.reach = 0.5f * width + DISC_EDGE;
        stroke.half = 0.5f * length;
        stroke.alpha = 1;
        return stroke;
    }
    float own = width / gaussian->line, s = __builtin_sqrtf(own * own + PIXEL_VARIANCE);
    float caps = 3.14159265f * s / gaussian->line;
    stroke.reach = gaussian->reach * s;
    stroke.half = 0.5f * length > caps ? 0.5f * length - caps : 0;
    float area = gaussian->line * s * 2 * stroke.half + 6.2831853f * s * s;
    stroke.alpha = width * length / area;
    return stroke;
}

static bool line_splat(const View *view, const Line *line, Splat *out)
{
    float ends[2][3], at[2][2];
    if (!camera_ends(view, line, ends)) return false;
    for (int e = 0; e < 2; ++e)
        for (int k = 0; k < 2; ++k)
            at[e][k] =
                view->center[k] + view->focal * ends[e][k] / (view->orthographic ? 1 : ends[e][2]);
    float depth = 0.5f * (ends[0][2] + ends[1][2]);
    float dx = at[1][0] - at[0][0], dy = at[1][1] - at[0][1];
    float length = __builtin_sqrtf(dx * dx + dy * dy);
    if (!(magnitude(at[0][0]) + magnitude(at[0][1]) + magnitude(at[1][0]) + magnitude(at[1][1]) <
          FARTHEST) ||
        !(length > 1e-4f))
        return false;
    float width = line->width < 0 ? -line->width
                                  : line->width * view->focal / (view->orthographic ? 1 : depth);
    Stroke s = stroke_make(width, length);
    float ux = dx / length, uy = dy / length, alpha = s.alpha * (line->alpha < 1 ? line->alpha : 1);
    alpha = alpha < 1 ? alpha : 1;
    *out =
        (Splat){.x = 0.5f * (at[0][0] + at[1][0]),
                .y = 0.5f * (at[0][1] + at[1][1]),
                .depth = depth,
                .u = {ux / s.reach, uy / s.reach},
                .m = s.half / s.reach,
                .alpha = alpha,
                .color = {alpha * line->color[0], alpha * line->color[1], alpha * line->color[2]}};
    float ex = s.reach + s.half * magnitude(ux), ey = s.reach + s.half * magnitude(uy);
    out->shape = shape_pack(extent_code(ex), extent_code(ey), s.profile, FORM_CAPSULE);
    return width > 0 && out->x + ex > 0 && out->x - ex < (float)view->width && out->y + ey > 0 &&
           out->y - ey < (float)view->height;
}

size_t lines_project(const ProjectJob *job, size_t first, size_t count, Splat *out)
{
    const Lines *lines = job->source->lines;
    size_t written = 0;
    for (size_t i = first; i < first + count; ++i) {
        Splat *splat = &out[written];
        if (!line_splat(job->view, &lines->items[i], splat)) continue;
        splat->id = (uint32_t)i;
        splat->alpha *= job->source->occlusion;
        ++written;
    }
    return written;
}

Source lines_source(const Lines *lines, float occlusion)
{
    return (Source){
        .count = lines->count, .occlusion = occlusion, .lines = lines, .project = lines_project};
}
