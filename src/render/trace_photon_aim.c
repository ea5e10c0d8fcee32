/* Where a light is shot to find what bends it: each light has a map of its directions, and what
 * bends light marks the cells behind which it is. All marked cells are shot through alike, so
 * that a map which is too coarse costs photons, but no light is lost or doubled. */
#include "render/trace_photon.h"

#include "base/math.h"
#include "render/float3.h"
#include "render/trace_optics.h"

#include <math.h>
#include <string.h>

#define FULL_TURN 6.283185307179586

/* ---- marking ---- */

/* Rows and columns of cells from first to last; columns go around. */
typedef struct CellSpan {
    float row[2], column[2]; /* in cells */
} CellSpan;

static int within(float at, int first, int last)
{
    return at > (float)first ? at < (float)last ? (int)at : last : first;
}

static void mark_span(PhotonAim *aim, const CellSpan *span)
{
    const bool all = !(span->column[1] - span->column[0] < AIM_SIDE - 1);
    const int side = AIM_SIDE;
    const int first = all ? 0 : (int)floorf(span->column[0]);
    const int last = all ? side - 1 : (int)floorf(span->column[1]);
    for (int y = within(span->row[0], 0, side - 1); y <= within(span->row[1], 0, side - 1); ++y)
        for (int x = first; x <= last; ++x) aim->marked[y * side + (x + 2 * side) % side] = true;
}

/* The sun's square is wider than the ball around everything, by its disc's edge too. */
static float half_side(const PhotonAim *aim)
{
    return 1.01f * aim->reach * (1 + aim->light->size);
}

/* A ball before or behind the square is met by what passes it aside. */
static CellSpan sun_sees(const PhotonAim *aim, const float at[3], float radius)
{
    const float half = half_side(aim), cells = AIM_SIDE / (2 * half);
    float arm[3], place[2];
    madd3(at, -1, aim->middle, arm);
    const float away = __builtin_fabsf(dot3(arm, aim->axis[2]));
    const float wide = 1.001f * radius + (away + radius) * aim->light->size;
    for (int k = 0; k < 2; ++k) place[k] = dot3(arm, aim->axis[k]) + half;
    return (CellSpan){{cells * (place[1] - wide), cells * (place[1] + wide)},
                      {cells * (place[0] - wide), cells * (place[0] + wide)}};
}

/* The cap of directions in which a lamp sees a ball, in rows of height and columns of turn. */
static CellSpan lamp_sees(const PhotonAim *aim, const float at[3], float radius)
{
    const CellSpan everywhere = {{0, AIM_SIDE}, {0, AIM_SIDE}};
    float arm[3];
    madd3(at, -1, aim->light->at, arm);
    const float away = length3(arm), wide = 1.001f * (radius + aim->light->size);
    if (!(wide < 0.99f * away)) return everywhere;
    const double cap = math_atan2((double)wide, sqrt((double)(away * away - wide * wide)));
    const double height = (double)(dot3(arm, aim->axis[2]) / away);
    const double down =
        math_atan2(sqrt(height < 1 && height > -1 ? 1 - height * height : 0), height);
    const double turn =
        math_atan2((double)dot3(arm, aim->axis[1]), (double)dot3(arm, aim->axis[0]));
    const double low = down + cap, high = down - cap, pi = FULL_TURN / 2, half = AIM_SIDE / 2.0;
    CellSpan span = {{(float)(half * (1 + (low < pi ? math_cos(low) : -1))) - 1,
                      (float)(half * (1 + (high > 0 ? math_cos(high) : 1))) + 1},
                     {0, AIM_SIDE}};
    if (!(low < pi) || !(high > 0)) return span;
    const double sine = math_sin(cap) / math_sin(down);
    const double aside = math_atan2(sine, sqrt(sine < 1 ? 1 - sine * sine : 0));
    span.column[0] = (float)(AIM_SIDE * (turn - aside) / FULL_TURN) - 1;
    span.column[1] = (float)(AIM_SIDE * (turn + aside) / FULL_TURN) + 1;
    return span;
}

static void mark_target(void *context, const PhotonTarget *target)
{
    PhotonAim *aim = context;
    float at[3], half[3];
    for (int k = 0; k < 3; ++k) {
        at[k] = 0.5f * (target->low[k] + target->high[k]);
        half[k] = 0.5f * (target->high[k] - target->low[k]);
    }
    const CellSpan span =
        aim->light->point ? lamp_sees(aim, at, length3(half)) : sun_sees(aim, at, length3(half));
    mark_span(aim, &span);
}

/* ---- making ---- */

static void widen(void *context, const PhotonTarget *target)
{
    PhotonTarget *all = context;
    for (int k = 0; k < 3; ++k) {
        if (target->low[k] < all->low[k]) all->low[k] = target->low[k];
        if (target->high[k] > all->high[k]) all->high[k] = target->high[k];
    }
}

/* A ball around all targets; false: there are none. */
static bool enclose(PhotonAim *aim, const TraceScene *scene)
{
    PhotonTarget all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    trace_scene_targets(scene, widen, &all);
    if (!(all.low[0] <= all.high[0])) return false;
    for (int k = 0; k < 3; ++k) aim->middle[k] = 0.5f * (all.low[k] + all.high[k]);
    madd3(all.high, -1, aim->middle, all.high);
    aim->reach = length3(all.high) + 1e-6f;
    return true;
}

bool photon_aim_make(const Light *light, const TraceScene *scene, PhotonAim *aim)
{
    const float up[3] = {0, 0, 1};
    memset(aim, 0, sizeof *aim);
    aim->light = light;
    memcpy(aim->axis[2], light->point ? up : light->toward, sizeof aim->axis[2]);
    across3(aim->axis[2], aim->axis[0], aim->axis[1]);
    if (!enclose(aim, scene)) return false;
    trace_scene_targets(scene, mark_target, aim);
    for (uint32_t i = 0; i < AIM_CELLS; ++i)
        if (aim->marked[i]) aim->cells[aim->count++] = i;
    const float side = 2 * half_side(aim);
    const float cell = (light->point ? (float)(2 * FULL_TURN) : side * side) / AIM_CELLS;
    for (int k = 0; k < 3; ++k) aim->power[k] = (float)aim->count * cell * light->color[k];
    return true;
}

/* ---- shooting ---- */

static void shoot_sun(const PhotonAim *aim, const float at[2], const float u[2], TraceRay *ray)
{
    const Light *light = aim->light;
    const float half = half_side(aim), step = 2 * half / AIM_SIDE;
    float toward[3];
    around3(light->toward, 1 - u[0] * (1 - light->cosine), u[1], toward);
    madd3(aim->middle, step * at[0] - half, aim->axis[0], ray->origin);
    madd3(ray->origin, step * at[1] - half, aim->axis[1], ray->origin);
    madd3(ray->origin, 1.1f * aim->reach / dot3(toward, aim->axis[2]), toward, ray->origin);
    for (int k = 0; k < 3; ++k) ray->direction[k] = -toward[k];
}

/* From a disc across the direction: from everywhere the lamp looks like the same ball. */
static void shoot_lamp(const PhotonAim *aim, const float at[2], const float u[2], TraceRay *ray)
{
    float a[3], b[3], sine, cosine;
    around3(aim->axis[2], 2 * at[1] / AIM_SIDE - 1, at[0] / AIM_SIDE, ray->direction);
    across3(ray->direction, a, b);
    turn_sincos(u[1], &sine, &cosine);
    const float away = aim->light->size * __builtin_sqrtf(u[0]);
    madd3(aim->light->at, away * cosine, a, ray->origin);
    madd3(ray->origin, away * sine, b, ray->origin);
}

/* The word for the cell is as even within it as it is over all of them. */
float photon_aim_shoot(const PhotonAim *aim, const uint32_t cell[2], const float u[2],
                       TraceRay *ray)
{
    const uint64_t among = (uint64_t)cell[0] * aim->count;
    const uint32_t at = aim->cells[among >> 32];
    const float unit = 1.0f / 4294967296.0f;
    const float place[2] = {(float)(at % AIM_SIDE) + unit * (float)(uint32_t)among,
                            (float)(at / AIM_SIDE) + unit * (float)cell[1]};
    if (aim->light->point) {
        shoot_lamp(aim, place, u, ray);
        return 1;
    }
    shoot_sun(aim, place, u, ray);
    return -dot3(ray->direction, aim->axis[2]);
}
