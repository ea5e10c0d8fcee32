/* Lines: links, trails and wireframes as splats, so that they are sorted with the particles. */
#ifndef RENDER_LINE_H
#define RENDER_LINE_H

#include "base/memory.h"
#include "render/splat.h"

typedef struct Line {
    float ends[2][3]; /* m, relative to the eye */
    float width;      /* m; negative: px */
    float lift;       /* px, towards the eye, from what it lies on; 0: it lies on nothing */
    float alpha, color[3];
} Line;

typedef struct Lines {
    Line *items;
    size_t count, capacity;
    Arena *arena;
    bool failed; /* out of memory: lines are missing */
} Lines;

Lines lines_make(Arena *arena);
void lines_add(Lines *lines, const Line *line);
/* The line in pieces that are short enough to be sorted by their middles. */
void lines_add_long(Lines *lines, const Line *line, int pieces);

/* A source of these lines; blend as given. */
SplatSource lines_source(const Lines *lines, float occlusion);

/* Trails of a system's particles through earlier frames. */
void trails_add(Lines *lines, const mote_RenderDef *def, const mote_Look *look, const View *view,
                const mote_FrameSystem *system, const SplatSource *source);

/* Links of frame->systems[system]. */
void links_add(Lines *lines, const mote_Frame *frame, size_t system, const mote_Look *look,
               const View *view, const SplatSource *source);

/* Edges of shapes, bounds and axes: what def->show and the shapes' looks ask for. */
struct RenderSolids;
void wires_add(Lines *lines, const mote_RenderDef *def, const mote_Frame *frame, const View *view,
               const struct RenderSolids *solids);

/* All lines of a picture. */
typedef struct PictureLines {
    Lines flat, glows; /* that hide what is behind, and that add light */
    Lines tubes;       /* of traced pictures: links, which light falls on */
} PictureLines;

/* Trails, links and wires. False when out of memory. */
bool lines_collect(PictureLines *lines, const mote_RenderDef *def, const mote_Frame *frame,
                   const View *view, const SplatSource *sources, const struct RenderSolids *solids);

#endif
