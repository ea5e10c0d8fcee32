/* What facets wear: a picture or a checker, as their corners lie on it. */
#include "render/facets.h"

#include "render/float3.h"
#include "render/texture.h"

#include <string.h>

uint32_t facets_add_paint(Facets *f, const SplatSource *s)
{
    if (s->texture == NULL && s->checker == 0) return 0;
    TexturePaint *paint = &f->paints[f->paint_count++];
    *paint = (TexturePaint){.image = s->texture, .repeats = true, .framed = true};
    paint->squares[0] = paint->squares[1] = (float)s->checker;
    memcpy(paint->colors[1], s->color2, sizeof paint->colors[1]);
    return (uint32_t)f->paint_count;
}

/* How much of the paint a pixel of the eye's covers there. */
static void paint_width(const Facets *f, size_t i, const FacetCorner *at, float width[2])
{
    float corners[3][3], uvs[3][2], a[3], b[3], normal[3], steps[2][3], moved[2][2];
    for (int k = 0; k < 3; ++k) {
        const FacetCorner *c = &f->corners[f->items[i].corners[k]];
        memcpy(corners[k], c->place, sizeof corners[k]), memcpy(uvs[k], c->uv, sizeof uvs[k]);
    }
    madd3(corners[1], -1, corners[0], a), madd3(corners[2], -1, corners[0], b);
    cross3(a, b, normal);
    unit3(normal);
    texture_steps(f->view, at->place, normal, steps);
    for (int k = 0; k < 2; ++k) {
        float next[3];
        madd3(at->place, 1, steps[k], next);
        texture_of_triangle((const float(*)[3])corners, (const float(*)[2])uvs, next, moved[k]);
    }
    texture_width(at->uv, (const float(*)[2])moved, width);
}

void facet_paint(const Facets *f, size_t i, FacetCorner *at, bool wide)
{
    float width[2] = {0, 0};
    if (f->items[i].paint == 0) return;
    TexturePaint paint = f->paints[f->items[i].paint - 1];
    memcpy(paint.colors[0], at->color, sizeof paint.colors[0]);
    if (wide) paint_width(f, i, at, width);
    texture_paint(&paint, at->uv, width, at->color);
}
