/* Sums over layers that are alike, eight of them at a time: see trace_denoise.c for the method. */
#include "render/average.h"

#include "render/kernels/kernels.h"
#include "render/kernels/paths.h"

#define PATIENCE 2.0f /* deviations that chance explains */

/* Some member of eight layers: four numbers of each. */
#define LOAD_LAYERS(array, others, member, out)                                                    \
    do {                                                                                           \
        const float *from_[8];                                                                     \
        for (int i_ = 0; i_ < 8; ++i_)                                                             \
            from_[i_] = (const float *)(const void *)&(array)[(others)[i_]] member;                \
        load_fours(from_, out);                                                                    \
    } while (0)

/* How unlike surfaces are to one; 0: the same plane of the same colour. The paths of each, of both
 * kinds of light, go to `paths`. */
INLINE V8 unlike(const LayerForm *forms, const LayerForm *here, const uint32_t *others,
                 V8 paths[TRACE_KINDS])
{
    const float shape = 16, paint = 50, plane = 0.1f;
    V8 normal[4], albedo[4], place[4], own[3], turn[3], color[3], apart[3];
    LOAD_LAYERS(forms, others, .normal, normal);
    LOAD_LAYERS(forms, others, .albedo, albedo);
    LOAD_LAYERS(forms, others, .place, place);
    for (int k = 0; k < 3; ++k) {
        own[k] = all8(here->normal[k]);
        turn[k] = normal[k] - here->normal[k], color[k] = albedo[k] - here->albedo[k];
        apart[k] = place[k] - here->place[k];
    }
    const V8 off = dot8(apart, own);
    paths[TRACE_DIRECT] = normal[3], paths[TRACE_REST] = albedo[3];
    return shape * dot8(turn, turn) + paint * dot8(color, color) +
           off * off / (plane * dot8(apart, apart) + here->place[3]);
}

/* exp(-x) as weights, x from 0 to OTHER: right to 0.0002 of it, and it falls without a step. 2^-t
 * is the whole part of t as an exponent, times a cubic in the rest that is least wrong and right at
 * both ends. */
INLINE V8 likeness(V8 x)
{
    const V8 t = 1.442695041f * x;
    const I8 whole = __builtin_convertvector(t, I8);
    const V8 rest = t - __builtin_convertvector(whole, V8);
    const V8 scale = (V8)((127 - whole) << 23);
    return scale * (1 + rest * (-0.69241488f + rest * (0.23313015f - 0.04071527f * rest)));
}

/* How much lights differ beyond what chance explains. (difference^2 - its variance) over a few
 * variances: what noise alone explains counts as alike. `noise`: of both. */
INLINE V8 lights_apart(V8 apart, V8 noise, float slack)
{
    const V8 more = apart * apart - noise;
    return where((I8)(more > 0), more / (PATIENCE * PATIENCE * noise + slack));
}

/* In one order for every instruction set. */
INLINE float sum_of(V8 a)
{
    const float even = (a[0] + a[4]) + (a[2] + a[6]), odd = (a[1] + a[5]) + (a[3] + a[7]);
    return even + odd;
}

/* Eight layers' light of one kind, weighed. */
INLINE void add_eight(const V8 light[4], V8 weight, V8 sums[5])
{
    for (int k = 0; k < 3; ++k) sums[k] += weight * light[k];
    sums[3] += weight * weight * light[3], sums[4] += weight;
}

void ISA(average_layers)(const AverageJob *job, LayerSums *out)
{
    const LayersAround *around = &job->around;
    const V4 here = job->guides[around->at], slack = 1e-6f * here * here + 1e-12f;
    V8 sums[TRACE_KINDS][5] = {{all8(0)}};
    for (size_t n = 0; n < around->count; n += 8) {
        const uint32_t *others = around->others + n;
        V8 paths[TRACE_KINDS], guides[4];
        const V8 shape = unlike(job->forms, &job->forms[around->at], others, paths);
        if (!any((I8)(shape < OTHER))) continue;
        LOAD_LAYERS(job->guides, others, , guides);
        for (int kind = 0; kind < TRACE_KINDS; ++kind) {
            V8 light[4];
            LOAD_LAYERS(job->lights, others, [kind], light);
            const V8 away = shape + lights_apart(guides[kind] - here[kind],
                                                 guides[kind + 2] + here[kind + 2], slack[kind]);
            const I8 counts = (I8)(away < OTHER) & (I8)(light[3] < UNKNOWN);
            const V8 bell = load8(around->bells + n), alike = likeness(where(counts, away));
            add_eight(light, where(counts, bell * paths[kind] * alike), sums[kind]);
        }
    }
    for (int kind = 0; kind < TRACE_KINDS; ++kind) {
        for (int k = 0; k < 4; ++k) out->light[kind][k] = sum_of(sums[kind][k]);
        out->weights[kind] = sum_of(sums[kind][4]);
    }
}

/* How unlike the layers around are, and their weights by that alone. */
void ISA(weigh_layers)(const AverageJob *job, LayerWeights *out)
{
    const LayersAround *around = &job->around;
    V8 paths[TRACE_KINDS];
    for (size_t n = 0; n < around->count; n += 8) {
        const V8 shape = unlike(job->forms, &job->forms[around->at], around->others + n, paths);
        const I8 counts = (I8)(shape < OTHER);
        store8(out->unlike + n, shape);
        store8(out->alike + n, where(counts, likeness(where(counts, shape))));
    }
}

void ISA(guide_layers)(const AverageJob *job, GuideSums *out)
{
    const LayersAround *around = &job->around;
    V8 luminance = all8(0), independent = all8(0), same = all8(0), weight = all8(0);
    for (size_t n = 0; n < around->count; n += 8) {
        V8 paths[TRACE_KINDS], light[4];
        const uint32_t *others = around->others + n;
        const V8 shape = unlike(job->forms, &job->forms[around->at], others, paths);
        LOAD_LAYERS(job->lights, others, [TRACE_REST], light);
        const I8 is = (I8)(load8(around->bells + n) > 0) & (I8)(shape < OTHER);
        const I8 counts = is & (I8)(light[3] < UNKNOWN);
        const V8 w = where(counts, likeness(where(counts, shape)) * paths[TRACE_REST]);
        luminance += w * (0.2126f * light[0] + 0.7152f * light[1] + 0.0722f * light[2]);
        independent += w * w * light[3], same += w * light[3], weight += w;
    }
    *out = (GuideSums){sum_of(luminance), sum_of(independent), sum_of(same), sum_of(weight)};
}
