/* Facets that cross the near plane are cut (I. Sutherland, G. Hodgman, "Reentrant polygon
 * clipping", CACM 17, 1974): the pieces are drawn in their place, while the whole still casts its
 * shadow. */
#include "render/facets.h"

#include "render/float3.h"

#include <string.h>

/* The plane lies where no corner is a million pixels away, if that is behind the near plane: what
 * is cut off then is thinner than a pixel, or beside the picture. */
static float cut_depth(const Facets *f)
{
    float most = 0;
    for (int k = 0; k < 3; ++k) {
        most = -f->low[k] > most ? -f->low[k] : most;
        most = f->high[k] > most ? f->high[k] : most;
    }
    float far = f->view->orthographic ? 0 : 4e-6f * f->view->focal * most;
    return far > f->view->near ? far : f->view->near;
}

static float depth_before(const Facets *f, uint32_t corner)
{
    return dot3(f->view->axis[2], f->corners[corner].place) - f->cut;
}

/* Whether a facet has corners on both sides of the plane, and cannot be drawn as it is. */
static bool is_cut(const Facets *f, const Facet *facet)
{
    int behind = 0, seen = 0;
    for (int k = 0; k < 3; ++k) {
        behind += depth_before(f, facet->corners[k]) >= 0;
        seen += f->corners[facet->corners[k]].seen;
    }
    return seen < 3 && behind > 0 && behind < 3;
}

/* A new corner where the edge between two meets the plane, the same from both of its sides. */
static uint32_t add_crossing(Facets *f, uint32_t a, uint32_t b)
{
    if (a > b) {
        uint32_t swap = a;
        a = b, b = swap;
    }
    const float da = depth_before(f, a), db = depth_before(f, b), part = da / (da - db);
    const FacetCorner *ca = &f->corners[a], *cb = &f->corners[b];
    FacetCorner c;
    for (int k = 0; k < 3; ++k) {
        c.place[k] = ca->place[k] + part * (cb->place[k] - ca->place[k]);
        c.normal[k] = ca->normal[k] + part * (cb->normal[k] - ca->normal[k]);
        c.color[k] = ca->color[k] + part * (cb->color[k] - ca->color[k]);
    }
    for (int k = 0; k < 2; ++k) c.uv[k] = ca->uv[k] + part * (cb->uv[k] - ca->uv[k]);
    float short_of = 1.00001f * f->cut - dot3(f->view->axis[2], c.place);
    madd3(c.place, short_of, f->view->axis[2], c.place); /* rounding must not lose it */
    unit3(c.normal);
    facet_corner_project(f->view, &c);
    f->corners[f->corner_count] = c;
    return (uint32_t)f->corner_count++;
}

static void add_pieces(Facets *f, const Facet *facet)
{
    uint32_t kept[4];
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        const uint32_t a = facet->corners[k], b = facet->corners[(k + 1) % 3];
        const bool inside = depth_before(f, a) >= 0;
        if (inside) kept[count++] = a;
        if (inside != (depth_before(f, b) >= 0)) kept[count++] = add_crossing(f, a, b);
    }
    for (int k = 2; k < count; ++k)
        f->items[f->count++] =
            (Facet){{kept[0], kept[k - 1], kept[k]}, facet->liquid, facet->paint};
}

bool facets_cut(Facets *f, Arena *arena)
{
    const size_t whole = f->count;
    size_t cut = 0;
    f->cut = cut_depth(f);
    for (size_t i = 0; i < whole; ++i) cut += is_cut(f, &f->items[i]);
    if (cut == 0) return true;
    FacetCorner *corners = arena_take(arena, (f->corner_count + 2 * cut) * sizeof *corners);
    Facet *items = arena_take(arena, (whole + 2 * cut) * sizeof *items);
    if (corners == NULL || items == NULL) return false;
    memcpy(corners, f->corners, f->corner_count * sizeof *corners);
    memcpy(items, f->items, whole * sizeof *items);
    f->corners = corners, f->items = items;
    for (size_t i = 0; i < whole; ++i)
        if (is_cut(f, &items[i])) add_pieces(f, &items[i]);
    return true;
}
