/* What of a scene bends light: liquids, glass and smooth mirrors, as small boxes around pieces. */
#include "render/trace_photon.h"

#include "render/trace_path.h"

bool photon_goes_on(TraceMatter matter, float roughness)
{
    return matter == TRACE_LIQUID || matter == TRACE_GLASS ||
           (matter == TRACE_METAL && !(roughness > ROUGH));
}

#if MOTE_WITH_EMBREE
#include "render/trace_tree.h"

#include "render/float3.h"

#include <math.h>
#include <string.h>

enum { PIECES = 24, COARSE = 8 }; /* along each side of a mesh and of other things */

typedef void Visit(void *context, const PhotonTarget *target);

/* Pieces of a box. */
typedef struct Dice {
    PhotonTarget whole;
    int pieces;
} Dice;

static PhotonTarget piece_of(const Dice *dice, const int at[3])
{
    PhotonTarget out;
    for (int k = 0; k < 3; ++k) {
        const float step = (dice->whole.high[k] - dice->whole.low[k]) / (float)dice->pieces;
        out.low[k] = dice->whole.low[k] + step * (float)at[k];
        out.high[k] = out.low[k] + step;
    }
    return out;
}

/* `wanted` NULL: all of them. */
static void visit_pieces(const Dice *dice, const bool *wanted, Visit *visit, void *context)
{
    const int n = dice->pieces;
    for (int i = 0; i < n * n * n; ++i) {
        if (wanted != NULL && !wanted[i]) continue;
        const PhotonTarget piece = piece_of(dice, (const int[3]){i % n, i / n % n, i / (n * n)});
        visit(context, &piece);
    }
}

/* ---- meshes ---- */

static void take_in(PhotonTarget *box, const float place[3])
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] = fminf(box->low[k], place[k]);
        box->high[k] = fmaxf(box->high[k], place[k]);
    }
}

/* Around a range of corners at both ends of the shutter. */
static PhotonTarget around_corners(const TraceInput *input, const mote_FrameSurface *s,
                                   const uint32_t *corners, size_t count)
{
    PhotonTarget box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t c = 0; c < count; ++c) {
        float ends[2][3];
        trace_liquid_corner(input, s, corners[c], ends);
        for (int m = 0; m < 2; ++m) take_in(&box, ends[m]);
    }
    return box;
}

static void mark_pieces(const Dice *dice, const PhotonTarget *box, bool *wanted)
{
    int first[3], last[3], n = dice->pieces;
    if (!(box->low[0] <= box->high[0])) return;
    for (int k = 0; k < 3; ++k) {
        const float wide = dice->whole.high[k] - dice->whole.low[k];
        const float by = wide > 0 ? (float)n / wide : 0;
        const float low = by * (box->low[k] - dice->whole.low[k]);
        const float high = by * (box->high[k] - dice->whole.low[k]);
        first[k] = low < (float)(n - 1) ? (int)low : n - 1;
        last[k] = high < (float)(n - 1) ? (int)high : n - 1;
    }
    for (int z = first[2]; z <= last[2]; ++z)
        for (int y = first[1]; y <= last[1]; ++y)
            for (int x = first[0]; x <= last[0]; ++x) wanted[(z * n + y) * n + x] = true;
}

static void visit_mesh(const TraceInput *input, const mote_FrameSurface *s, Visit *visit,
                       void *context)
{
    bool wanted[PIECES * PIECES * PIECES] = {false};
    const Dice dice = {around_corners(input, s, s->triangles, 3 * s->triangle_count), PIECES};
    for (size_t t = 0; t < s->triangle_count; ++t) {
        const PhotonTarget box = around_corners(input, s, s->triangles + 3 * t, 3);
        mark_pieces(&dice, &box, wanted);
    }
    visit_pieces(&dice, wanted, visit, context);
}

/* ---- other things ---- */

static void visit_solid(const TraceThing *thing, Visit *visit, void *context)
{
    Dice dice = {.pieces = COARSE};
    trace_solid_bounds(thing, dice.whole.low, dice.whole.high);
    visit_pieces(&dice, NULL, visit, context);
}

static void visit_panes(const AheadBox *box, Visit *visit, void *context)
{
    Dice dice = {.pieces = COARSE};
    for (int k = 0; k < 3; ++k) {
        float half = 1e-6f;
        for (int n = 0; n < 3; ++n) half += __builtin_fabsf(box->half[n] * box->axis[n][k]);
        dice.whole.low[k] = box->middle[k] - half, dice.whole.high[k] = box->middle[k] + half;
    }
    visit_pieces(&dice, NULL, visit, context);
}

void trace_scene_targets(const TraceScene *scene, Visit *visit, void *context)
{
    for (size_t i = 0; i < scene->count; ++i) {
        const TraceThing *thing = &scene->things[i];
        if (!photon_goes_on(thing->matter, thing->roughness)) continue;
        if (thing->surface != NULL) visit_mesh(scene->input, thing->surface, visit, context);
        if (thing->solid != NULL) visit_solid(thing, visit, context);
    }
    for (size_t i = 0; i < scene->ahead.box_count; ++i)
        visit_panes(&scene->ahead.boxes[i], visit, context);
}

void trace_scene_carry(TraceScene *scene)
{
    scene->carried = true;
}

#else

void trace_scene_targets(const TraceScene *scene,
                         void (*visit)(void *context, const PhotonTarget *target), void *context)
{
    (void)scene, (void)visit, (void)context;
}

void trace_scene_carry(TraceScene *scene)
{
    (void)scene;
}

#endif
