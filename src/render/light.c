/* Light on surfaces: Lambert's cosine law, highlights by Blinn's half vector with the lobe
 * normalised, Schlick's approximation of Fresnel's reflectance, and light from all around that is
 * weaker from below. Lights pass solids, triangles and smoke on their way.
 *
 * Names: n is `normal`, l is `toward`, v is `toward_eye`, h = (l + v) / |l + v| is `half`; the
 * diffuse part is colour times n . l, the highlight F (k + 8) / 8 (n . h)^k, with Schlick's F = F0
 * + (1 - F0) (1 - h . v)^5 and F0 = 0.04, that of a refractive index of 1.5. */
#include "render/light.h"

#include "base/math.h"
#include "base/status.h"
#include "render/facets.h"
#include "render/float3.h"
#include "render/smoke.h"
#include "render/tables.h"
#include "render/trace_optics.h"

#include <math.h>
#include <stdio.h>

/* Where no lights are given, a level ground gets light 1: this much from the sky. */
#define SKY_PART 0.42f

mote_Light mote_light_def(void)
{
    size_t count;
    mote_Light light;
    mote_row_defaults(light_rows(ISA_V1, &count)[MOTE_LIGHT_SUN], &light);
    light.type = MOTE_LIGHT_SUN;
    return light;
}

/* ---- making ready ---- */

static mote_Status check_light(const mote_Light *light, size_t i, mote_Error *error)
{
    size_t count;
    const mote_Row *const *rows = light_rows(ISA_V1, &count);
    char where[32];
    snprintf(where, sizeof where, "lights.%zu", i);
    if ((size_t)light->type >= count)
        return status_fail(error, MOTE_BAD_VALUE, "%s: its type is %d, but must be sun or point",
                           where, (int)light->type);
    if (light->type == MOTE_LIGHT_SUN && !(vec3_length(light->toward) > 0))
        return status_fail(error, MOTE_BAD_VALUE, "%s: toward is zero, but must be a direction",
                           where);
    return mote_row_check(rows[light->type], where, light, error);
}

/* What directions to places of a sun are made from. */
static void light_aim(Light *light)
{
    light->cosine = 1 / sqrtf(1 + light->size * light->size);
    across3(light->toward, light->across[0], light->across[1]);
}

static Light light_read(const mote_Light *def, const View *view)
{
    Light light = {
        .point = def->type == MOTE_LIGHT_POINT, .size = (float)def->size, .shadows = def->shadows};
    read3(def->toward, light.toward);
    unit3(light.toward);
    read3(vec3_scale(def->color, def->intensity), light.color);
    read3(vec3_sub(def->at, view->from), light.at);
    if (!light.point) light.size = (float)math_tan((double)def->size * 3.14159265358979 / 180);
    light_aim(&light);
    return light;
}

/* A sun over the left shoulder: up, and a little from the camera's left. */
static Light default_light(const View *view)
{
    Light light = {.size = 0.03f, .shadows = true};
    for (int k = 0; k < 3; ++k)
        light.toward[k] = view->up[k] - 0.45f * view->axis[0][k] - 0.35f * view->axis[2][k];
    unit3(light.toward);
    float level = dot3(light.toward, view->up);
    for (int k = 0; k < 3; ++k) light.color[k] = (1 - SKY_PART) / (level > 0.2f ? level : 0.2f);
    light_aim(&light);
    return light;
}

mote_Status lights_make(const mote_RenderDef *def, const View *view, const RenderSolids *solids,
                        Lights *lights, mote_Error *error)
{
    *lights = (Lights){.solids = solids, .count = def->light_count};
    if (def->light_count > MOTE_LIGHTS_MOST)
        return status_fail(error, MOTE_BAD_VALUE, "lights: there are %zu, but must be at most %d",
                           def->light_count, MOTE_LIGHTS_MOST);
    for (int k = 0; k < 3; ++k) lights->up[k] = view->up[k];
    for (size_t i = 0; i < def->light_count; ++i) {
        mote_Status status = check_light(&def->lights[i], i, error);
        if (status != MOTE_OK) return status;
        lights->lights[i] = light_read(&def->lights[i], view);
    }
    read3(def->ambient, lights->ambient);
    if (def->light_count > 0) return MOTE_OK;
    lights->plain = true;
    if (def->backdrop.panorama != NULL && def->trace.samples > 0) return MOTE_OK; /* all there is */
    lights->count = 1;
    lights->lights[0] = default_light(view);
    for (int k = 0; k < 3; ++k) lights->ambient[k] = SKY_PART;
    return MOTE_OK;
}

/* ---- light at a point ---- */

void light_reach(const Light *light, const float place[3], float toward[3], float color[3])
{
    float fall = 1;
    if (light->point) {
        madd3(light->at, -1, place, toward);
        /* The inverse square law, up to half of the lamp's size: nearer by it would go to infinity,
         * and a lamp is not a point. */
        float d2 = dot3(toward, toward), least = 0.25f * light->size * light->size + 1e-8f;
        fall = 1 / (d2 > least ? d2 : least);
        unit3(toward);
    } else {
        for (int k = 0; k < 3; ++k) toward[k] = light->toward[k];
    }
    for (int k = 0; k < 3; ++k) color[k] = light->color[k] * fall;
}

float light_through(const Lights *lights, const Light *light, const Surfel *surfel,
                    const float toward[3])
{
    if (!light->shadows) return 1;
    float reach = 1e8f, slope = light->size;
    if (light->point) {
        float to[3];
        madd3(light->at, -1, surfel->place, to);
        reach = length3(to);
        slope = light->size / (reach > 1e-6f ? reach : 1e-6f);
    }
    const SolidPoint from = {surfel->place, surfel->own, surfel->solid};
    float through = solids_let_through(lights->solids, &from, toward, slope, reach);
    const size_t number = (size_t)(light - lights->lights);
    if (through > 0 && lights->facets != NULL)
        through *= facets_let_through(&lights->facets[number], surfel->place, surfel->normal);
    if (through > 0 && lights->smoke != NULL)
        through *= smoke_lets_through(lights->smoke, number, surfel->place);
    return through;
}

/* Blinn's lobe with exponent k integrates to 1 with the factor (k + 8) / 8 pi; light colours hold
 * the pi. The exponent k = 2 / a^2 - 1 stands for a roughness a = roughness^2, as in Disney's model
 * (Burley 2012): equal steps of roughness look equal. */
static float lobe(const Surfel *s, const float toward[3], float roughness)
{
    float half[3], r2 = roughness * roughness, k = 2 / (r2 * r2) - 1;
    for (int i = 0; i < 3; ++i) half[i] = toward[i] + s->toward_eye[i];
    unit3(half);
    float across = dot3(s->normal, half), facing = dot3(half, s->toward_eye);
    if (!(across > 0)) return 0;
    float f = 1 - facing, f2 = f * f, fresnel = 0.04f + 0.96f * f2 * f2 * f;
    return fresnel * 0.125f * (k + 8) * math_powf(across, k);
}

void light_on(const Lights *lights, const Surfel *s, float roughness, float diffuse[3],
              float highlight[3])
{
    float open = solids_openness(lights->solids, s->place, s->normal, s->solid);
    float sky = (0.8f + 0.2f * dot3(s->normal, lights->up)) * open;
    if (lights->smoke != NULL) sky *= smoke_lets_sky_through(lights->smoke, s->place);
    for (int k = 0; k < 3; ++k) diffuse[k] = lights->ambient[k] * sky, highlight[k] = 0;
    for (size_t i = 0; i < lights->count; ++i) {
        float toward[3], color[3];
        light_reach(&lights->lights[i], s->place, toward, color);
        float facing = dot3(s->normal, toward);
        if (!(facing > 0)) continue;
        float through = light_through(lights, &lights->lights[i], s, toward) * facing;
        if (!(through > 0)) continue;
        float shine = roughness > 0 ? lobe(s, toward, roughness) : 0;
        for (int k = 0; k < 3; ++k) {
            diffuse[k] += color[k] * through;
            highlight[k] += color[k] * through * shine;
        }
    }
}

Shading shading_make(const Lights *lights, const View *view)
{
    const float middle[3] = {0, 0, 0};
    Shading shading = {.count = (int)lights->count};
    for (int k = 0; k < 3; ++k) shading.ambient[k] = lights->ambient[k];
    for (size_t i = 0; i < lights->count; ++i) {
        float toward[3];
        light_reach(&lights->lights[i], middle, toward, shading.lights[i].color);
        for (int k = 0; k < 3; ++k) shading.lights[i].toward[k] = dot3(view->axis[k], toward);
    }
    return shading;
}

/* Henyey and Greenstein's p = (1 - g^2) / (1 + g^2 - 2 g cos)^(3/2), without the 1 / 4 pi: its mean
 * over all directions is 1. */
float phase_of(float cosine, float g)
{
    float below = 1 + g * g - 2 * g * cosine;
    return (1 - g * g) / (below * __builtin_sqrtf(below));
}
