/* Sprites: squares that show a cell of a sheet, turned in the picture's plane. For blend.c alone.
 *
 * Of the second slot u and half are those of a streak, scale is the number of the cell among those
 * of all sheets, from 1, and sharp is the sprite's own axis to the right, in px, y upward. */
#ifndef RENDER_KERNELS_SPRITE_H
#define RENDER_KERNELS_SPRITE_H

#include "render/kernels/small_splats.h"
#include "render/sheet.h"

typedef struct Sprite {
    const Sheet *sheet;
    uint32_t cell;
    float half[2], turn[2]; /* px; cosine and sine */
    float scale[2], fine;   /* 1 / its size in px; pixels of the cell on one of the picture */
    float sharp, aside;     /* 1 / the broader part of a pixel's side on its axes; px */
    int moments;            /* of the shutter that are drawn, `step` px apart */
    float first[2], step[2];
} Sprite;

/* Moments are a sixteenth of its size or half a pixel apart. */
INLINE void sprite_move(Sprite *s, const Streak *k, float radius)
{
    const float gap = radius > 4 ? 0.125f * radius : 0.5f, moments = 2 * k->half / gap;
    s->moments = moments < 256 ? (int)moments + 1 : 256;
    const float step = 2 * k->half / (float)s->moments, first = 0.5f * step - k->half;
    for (int i = 0; i < 2; ++i) s->step[i] = step * k->u[i], s->first[i] = first * k->u[i];
}

INLINE Sprite sprite_make(const Streak *k, const SheetList *sheets)
{
    const float radius = __builtin_sqrtf(k->sharp[0] * k->sharp[0] + k->sharp[1] * k->sharp[1]);
    const uint32_t number = (uint32_t)k->scale - 1;
    const Sheet *sheet = sheets->items;
    while (number - sheet->first >= sheet->count) ++sheet;
    Sprite s = {.sheet = sheet, .cell = number - sheet->first};
    for (int i = 0; i < 2; ++i) {
        s.half[i] = radius * sheet->half[i];
        s.turn[i] = k->sharp[i] / radius, s.scale[i] = 0.5f / s.half[i];
    }
    const float c = s.turn[0] < 0 ? -s.turn[0] : s.turn[0];
    const float d = s.turn[1] < 0 ? -s.turn[1] : s.turn[1];
    s.sharp = 1 / (c > d ? c : d), s.aside = 0.28867513f * (c > d ? d : c);
    s.fine = (float)sheet->levels[0].cell[0] * s.scale[0];
    sprite_move(&s, k, radius);
    return s;
}

/* The part of a pixel that lies within `half` of 0 across an axis that its square is turned
 * against: as seen along the axis the square is the convolution of two boxes, the narrower one by
 * Gauss's two points (as at the edges of discs, see weights.h). */
INLINE V8 overlap(const Sprite *s, V8 x, float half)
{
    V8 sum = all8(0);
    for (int i = 0; i < 2; ++i) {
        V8 at = x + (i == 0 ? -s->aside : s->aside);
        sum += clamped((at + half) * s->sharp + 0.5f) - clamped((at - half) * s->sharp + 0.5f);
    }
    return 0.5f * sum;
}

/* Adds what eight pixels see of the sprite, from its middle to theirs. */
INLINE void sprite_show(const Sprite *s, V8 dx, float dy, float texels[4][RUN])
{
    const V8 u = dx * s->turn[0] - dy * s->turn[1], v = dx * s->turn[1] + dy * s->turn[0];
    float part[RUN], across[RUN], down[RUN];
    store8(part, overlap(s, u, s->half[0]) * overlap(s, v, s->half[1]));
    store8(across, u * s->scale[0] + 0.5f);
    store8(down, v * s->scale[1] + 0.5f);
    for (int i = 0; i < RUN; ++i) {
        float texel[4];
        if (!(part[i] > 0)) continue;
        sheet_texel(s->sheet, s->cell, (const float[2]){across[i], down[i]}, s->fine, texel);
        for (int k = 0; k < 4; ++k) texels[k][i] += part[i] * texel[k];
    }
}

INLINE void sprite_run(const Sprite *s, const Brush *brush, const BlendCursor *cursor, int column,
                       V8 dx, float dy)
{
    float texels[4][RUN];
    V8 color[3], w = all8(1 / (float)s->moments);
    memset(texels, 0, sizeof texels);
    for (int m = 0; m < s->moments; ++m)
        sprite_show(s, dx - (s->first[0] + (float)m * s->step[0]),
                    dy - (s->first[1] + (float)m * s->step[1]), texels);
    for (int k = 0; k < 3; ++k) color[k] = brush->color[k] * load8(texels[k]);
    if (cursor->z != NULL) w *= in_front(brush, cursor->z + column);
    blend8(color, brush->alpha * load8(texels[3]), cursor->at + column, cursor->stride, w);
}

static void paint_sprite(const Batch *batch, int i, Tile *tile, SplatBounds b)
{
    const Brush brush = brush_make(PROFILE_SPRITE, false, batch, i, tile);
    const Sprite sprite = sprite_make(splat_streak(brush.splat), tile->sheets);
    BlendCursor cursor = cursor_make(tile, (SplatBounds){tile->box.x0, b.y0, b.x1, b.y1});
    for (int y = b.y0; y < b.y1; ++y) {
        for (int x = b.x0; x < b.x1; x += RUN)
            sprite_run(&sprite, &brush, &cursor, x - tile->box.x0, pixel_offsets(x, brush.x),
                       ((float)y + 0.5f) - brush.y);
        cursor.at += 4 * cursor.stride;
        if (cursor.z != NULL) cursor.z += cursor.stride;
    }
}

#endif
