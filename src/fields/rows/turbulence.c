/* Noise and turbulence as fields: a scalar sum of octaves, and a vector of three. See
 * noise/turbulence.h. */
#include "base/loop.h"
#include "base/row.h"
#include "base/status.h"
#include "expression/formula.h"
#include "fields/octaves.h"

NOISE_NAMES(noises);
TURBULENCE_FUNCTION_NAMES(functions);
static const char *const of_noise[] = {"n", NULL};

#define SHARED_PARAMS(octaves_, unit, amplitude_doc)                                               \
    PARAM_CHOICE(mote_NoiseField, noise, "which noise the octaves are made of", noises, 0),        \
        PARAM_CHOICE(mote_NoiseField, function, "what is summed: n, |n| or (1 - |n|)^2",           \
                     functions, TURBULENCE_PLAIN),                                                 \
        PARAM_FORMULA(mote_NoiseField, f, "", "an own function of the noise n in its place", 1,    \
                      of_noise, 0),                                                                \
        PARAM_COUNT(mote_NoiseField, octaves, "number of octaves", octaves_, 1, OCTAVES_MOST),     \
        PARAM_REAL(mote_NoiseField, scale, "m", "size of a cell of the first octave", 1,           \
                   PARAM_POSITIVE, PARAM_LARGEST),                                                 \
        PARAM_REAL(mote_NoiseField, amplitude, unit, amplitude_doc, 1, -PARAM_LARGEST,             \
                   PARAM_LARGEST),                                                                 \
        PARAM_REAL(mote_NoiseField, ratio, "", "how much finer each octave is (beta)", 2, 1, 16),  \
        PARAM_REAL(mote_NoiseField, exponent, "", "octaves weigh ratio^(-i exponent)", 1, -8, 8),  \
        PARAM_BOOL(mote_NoiseField, rotate, "turn and move the octaves against each other", 1),    \
        PARAM_REAL(mote_NoiseField, resolution, "m",                                               \
                   "distance of samples: finer octaves fade out; 0: none does", 0, 0,              \
                   PARAM_LARGEST),                                                                 \
        PARAM_DOUBLE(mote_NoiseField, period, "s",                                                 \
                     "time in which the first octave changes; 0: steady", 0, 0, PARAM_LARGEST),    \
        PARAM_COUNT(mote_NoiseField, seed, "another one gives another noise", 0, 0, 1e15)

static const mote_Param noise_params[] = {
    SHARED_PARAMS(1, "", "factor on the first octave"),
};

static const mote_Param turbulence_params[] = {
    SHARED_PARAMS(5, "m/s", "factor on the first octave"),
    PARAM_VEC3(mote_NoiseField, mean, "m/s", "mean wind", 0, 0, 0),
};

static void describe(const void *params, TurbulenceDef *def)
{
    const mote_NoiseField *p = params;
    def->noise = p->noise, def->function = (TurbulenceFunction)p->function;
    def->user = p->user, def->context = p->context;
    if (p->f != NULL) def->user = formula_apply, def->context = (void *)(uintptr_t)p->f;
    def->octaves = p->octaves, def->scale = (double)p->scale;
    def->amplitude = (double)p->amplitude, def->ratio = (double)p->ratio;
    def->exponent = (double)p->exponent, def->rotate = p->rotate;
    def->resolution = (double)p->resolution, def->period = p->period;
    def->seed = p->seed;
}

/* Noises stay between -1 and 1. */
static mote_Status check(const void *params, const char *where, mote_Error *error)
{
    enum { PLACES = 512 };
    const mote_NoiseField *p = params;
    for (int i = 0; p->f != NULL && i <= PLACES; ++i) {
        const double n = (double)(2 * i - PLACES) / PLACES, value = formula_value(p->f, n);
        if (value - value == 0) continue; /* it is finite */
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: f of %s is %g at n = %g, but must be finite from n = -1 to 1",
                           p->f->place, where, value, n);
    }
    return MOTE_OK;
}

static mote_Status open_scalar(const FieldSite *site, Field *field, mote_Error *error)
{
    return octaves_open(site, field, 1, describe, error);
}

static mote_Status open_vector(const FieldSite *site, Field *field, mote_Error *error)
{
    return octaves_open(site, field, 3, describe, error);
}

static void sample_scalar(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const FieldOctaves *octaves = field->state;
    octaves_sample(&octaves->sum[0], points, out[0], NULL);
}

static void sample_vector(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_NoiseField *p = field->object.params;
    const FieldOctaves *octaves = field->state;
    const mote_real mean[3] = {p->mean.x, p->mean.y, p->mean.z};
    for (int c = 0; c < 3; ++c) {
        mote_real *o = out[c], add = mean[c];
        octaves_sample(&octaves->sum[c], points, o, NULL);
        FOR_ROWS (i, points->count) o[i] += add;
    }
}

const FieldRow ISA(field_noise) = {
    .head = ROW_HEAD("noise", "a scalar noise, or a sum of its octaves (Perlin 1985)", noise_params,
                     mote_NoiseField),
    .components = 1,
    OCTAVES_CALLBACKS(sample_scalar, open_scalar),
    .check = check,
};

const FieldRow ISA(field_turbulence) = {
    .head = ROW_HEAD("turbulence",
                     "a vector of three sums of dilated noises: gusts, not free of divergence "
                     "(Perlin 1985)",
                     turbulence_params, mote_NoiseField),
    .components = 3,
    OCTAVES_CALLBACKS(sample_vector, open_vector),
    .check = check,
};
