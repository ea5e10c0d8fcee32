/* Averages of the denoiser over layers that are alike, against the same sums in double precision
 * with the exponential itself; by every instruction set the same bits. */
#include "check.h"

#include "base/isa.h"
#include "render/average.h"
#include "render/scene.h"
#include "render/splat.h"

enum { LAYERS = 40, TURNS = 100 };

/* Layers of much the same surface in much the same light; of some nothing is known. */
typedef struct Layers {
    LayerForm forms[LAYERS];
    LayerLight lights[LAYERS];
    V4 guides[LAYERS];
    AverageJob job;
} Layers;

static float about(uint64_t *n, double middle, double off)
{
    return (float)(middle + off * (2 * scene_random((*n)++) - 1));
}

static void layers_set(Layers *l, uint64_t turn)
{
    uint64_t n = 40 * LAYERS * turn;
    LayersAround *around = &l->job.around;
    memset(l, 0, sizeof *l);
    for (size_t i = 0; i < LAYERS; ++i) {
        const bool known = i % 7 != 3;
        l->forms[i] = (LayerForm){
            {about(&n, 0, 0.1), about(&n, 1, 0.1), about(&n, 0, 0.1), about(&n, 4, 4)},
            {about(&n, 0.5, 0.1), about(&n, 0.4, 0.1), about(&n, 0.3, 0.1), about(&n, 4, 4)},
            {about(&n, 3, 1), about(&n, -1, 0.02), about(&n, 5, 1), 1e-4f}};
        for (int kind = 0; kind < TRACE_KINDS; ++kind)
            l->lights[i][kind] =
                (V4){about(&n, 1, 0.2), about(&n, 1, 0.2), about(&n, 1, 0.2),
                     kind == TRACE_DIRECT || known ? about(&n, 0.02, 0.01) : UNKNOWN};
        l->guides[i] = (V4){about(&n, 1, 0.3), about(&n, 1, 0.3), about(&n, 0.02, 0.01),
                            about(&n, 0.02, 0.01)};
    }
    around->at = turn % 5, around->count = 20 + turn % 13;
    for (size_t i = 0; i < 40; ++i) {
        const bool filled = i < around->count;
        around->others[i] = filled ? (uint32_t)(i + 5) : (uint32_t)around->at;
        around->bells[i] = filled ? about(&n, 0.2, 0.1) : 0;
    }
    l->job.forms = l->forms, l->job.lights = (const LayerLight *)l->lights;
    l->job.guides = l->guides;
}

static double unlike(const LayerForm *a, const LayerForm *b)
{
    double turn = 0, color = 0, off = 0, away = 0;
    for (int k = 0; k < 3; ++k) {
        const double apart = (double)(b->place[k] - a->place[k]);
        turn += pow((double)(b->normal[k] - a->normal[k]), 2);
        color += pow((double)(b->albedo[k] - a->albedo[k]), 2);
        off += apart * (double)a->normal[k], away += apart * apart;
    }
    return 16 * turn + 50 * color + off * off / (0.1 * away + (double)a->place[3]);
}

/* How much a layer counts by its surface and by its light of one kind. */
static double weight_of(const Layers *l, size_t n, int kind)
{
    const size_t at = l->job.around.at, other = l->job.around.others[n];
    const V4 here = l->guides[at], there = l->guides[other];
    const double noise = (double)(here[kind + 2] + there[kind + 2]);
    const double more = pow((double)(there[kind] - here[kind]), 2) - noise;
    const double slack = 1e-6 * (double)(here[kind] * here[kind]);
    const double away =
        unlike(&l->forms[at], &l->forms[other]) + (more > 0 ? more / (4 * noise + slack) : 0);
    const LayerForm *form = &l->forms[other];
    const double paths = (double)(kind == TRACE_DIRECT ? form->normal[3] : form->albedo[3]);
    if (!(l->lights[other][kind][3] < UNKNOWN)) return 0;
    return (double)l->job.around.bells[n] * paths * exp(-away);
}

static void check_average(const Layers *l, const LayerSums *found)
{
    for (int kind = 0; kind < TRACE_KINDS; ++kind) {
        double sums[4] = {0, 0, 0, 0}, all = 0;
        for (size_t n = 0; n < l->job.around.count; ++n) {
            const double w = weight_of(l, n, kind);
            const V4 light = l->lights[l->job.around.others[n]][kind];
            for (int k = 0; k < 3; ++k) sums[k] += w * (double)light[k];
            if (w > 0) sums[3] += w * w * (double)light[3];
            all += w;
        }
        for (int k = 0; k < 4; ++k) CHECK_NEAR((double)found->light[kind][k] / sums[k], 1, 1e-3);
        CHECK_NEAR((double)found->weights[kind] / all, 1, 1e-3);
    }
}

static void check_guide(const Layers *l, const GuideSums *found, const LayerWeights *weights)
{
    double luminance = 0, independent = 0, same = 0, all = 0;
    for (size_t n = 0; n < l->job.around.count; ++n) {
        const size_t other = l->job.around.others[n];
        const V4 light = l->lights[other][TRACE_REST];
        const double shape = unlike(&l->forms[l->job.around.at], &l->forms[other]);
        const double w = exp(-shape) * (double)l->forms[other].albedo[3];
        CHECK_NEAR((double)weights->unlike[n] / shape, 1, 1e-3);
        CHECK_NEAR((double)weights->alike[n] / exp(-shape), 1, 1e-3);
        if (!(light[3] < UNKNOWN)) continue;
        luminance +=
            w * (0.2126 * (double)light[0] + 0.7152 * (double)light[1] + 0.0722 * (double)light[2]);
        independent += w * w * (double)light[3], same += w * (double)light[3], all += w;
    }
    CHECK_NEAR((double)found->luminance / luminance, 1, 1e-3);
    CHECK_NEAR((double)found->independent / independent, 1, 1e-3);
    CHECK_NEAR((double)found->same / same, 1, 1e-3);
    CHECK_NEAR((double)found->weight / all, 1, 1e-3);
}

/* All sums of one turn. */
typedef struct Sums {
    LayerSums light;
    GuideSums guide;
    LayerWeights weights;
} Sums;

static void sum_all(const Layers *l, Isa isa, Sums *out)
{
    const RenderKernels *kernels = render_kernels_of(isa);
    memset(out, 0, sizeof *out);
    kernels->average(&l->job, &out->light);
    kernels->guide(&l->job, &out->guide);
    kernels->weigh(&l->job, &out->weights);
}

static void averages_are_right(void)
{
    static Layers l;
    static Sums first, other;
    for (uint64_t turn = 0; turn < TURNS; ++turn) {
        layers_set(&l, turn);
        sum_all(&l, ISA_V1, &first);
        check_average(&l, &first.light);
        check_guide(&l, &first.guide, &first.weights);
        for (int isa = 1; isa <= (int)isa_pick(); ++isa) {
            sum_all(&l, (Isa)isa, &other);
            CHECK(memcmp(&first, &other, sizeof first) == 0);
        }
    }
}

TESTS({"averages are right", averages_are_right})
