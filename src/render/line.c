/* Lines: kept as a list, projected to strokes piece by piece. */
#include "render/line.h"

#include "render/float3.h"
#include "render/render.h"

#include <string.h>

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

static size_t line_splat(const View *view, const Line *line, uint32_t id, bool added, Splat *out)
{
    float ends[2][3];
    Stroke stroke = {.alpha = line->alpha, .id = id, .added = added};
    if (!camera_ends(view, line, ends)) return 0;
    for (int e = 0; e < 2; ++e)
        for (int k = 0; k < 2; ++k)
            stroke.ends[e][k] =
                view->center[k] + view->focal * ends[e][k] / (view->orthographic ? 1 : ends[e][2]);
    stroke.depth = 0.5f * (ends[0][2] + ends[1][2]);
    float scale = view->focal / (view->orthographic ? 1 : stroke.depth);
    /* A stroke has one depth: with that of its nearer end it is nowhere below its surface. */
    if (line->lift > 0)
        stroke.depth = (ends[0][2] < ends[1][2] ? ends[0][2] : ends[1][2]) - line->lift / scale;
    stroke.width = line->width < 0 ? -line->width : line->width * scale;
    memcpy(stroke.color, line->color, sizeof stroke.color);
    return stroke_splat(view, &stroke, out);
}

/* What bins call for a source of lines. */
static size_t lines_project(const ProjectJob *job, size_t first, size_t count, Splat *out,
                            uint32_t *cells)
{
    const Lines *lines = job->source->lines;
    const bool added = !(job->source->occlusion > 0);
    size_t written = 0;
    for (size_t i = first; i < first + count; ++i)
        written += line_splat(job->view, &lines->items[i], (uint32_t)i, added, out + written);
    for (size_t i = 0; i < written; ++i) cells[i] = CELL_ASK;
    return written;
}

SplatSource lines_source(const Lines *lines, float occlusion)
{
    return (SplatSource){
        .count = lines->count, .occlusion = occlusion, .lines = lines, .project = lines_project};
}

bool lines_collect(PictureLines *lines, const mote_RenderDef *def, const mote_Frame *frame,
                   const View *view, const SplatSource *sources, const struct RenderSolids *solids)
{
    const bool traced = def->trace.samples > 0;
    for (size_t s = 0; s < frame->system_count; ++s) {
        const SplatSource *source = &sources[s];
        const bool hides = source->occlusion > 0;
        mote_Look look = look_of(def, frame->systems[s].name);
        if (look.trail > 0 && def->history_count > 0)
            trails_add(hides ? &lines->flat : &lines->glows, def, &look, view, &frame->systems[s],
                       source);
        if (source->linked || (def->show & MOTE_SHOW_LINKS) != 0)
            links_add(!hides   ? &lines->glows
                      : traced ? &lines->tubes
                               : &lines->flat,
                      frame, s, &look, view, source);
    }
    wires_add(&lines->flat, def, frame, view, solids);
    return !lines->flat.failed && !lines->glows.failed && !lines->tubes.failed;
}
