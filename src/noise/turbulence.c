/* Making the octaves of turbulence. */
#include "noise/turbulence.h"

#include "base/math.h"
#include "base/random.h"

ISA_KERNELS(turbulence_kernels, TurbulenceKernels, turbulence)

enum { PURPOSE_TURN, PURPOSE_OFFSET };

double turbulence_band_limit(double cell, double resolution)
{
    if (!(resolution > 0) || cell >= 4 * resolution) return 1;
    if (cell <= 2 * resolution) return 0;
    double r = cell / (2 * resolution) - 1;
    return r * r * (3 - 2 * r);
}

/* In [0, 1). */
static double unit_of(uint32_t word)
{
    return (double)word * 0x1p-32;
}

/* A uniform random rotation: Shoemake, Uniform Random Rotations, Graphics Gems III, 1992. */
static void random_rotation(Random4 draw, double r[3][3])
{
    double u = unit_of(draw.word[0]), a = __builtin_sqrt(1 - u), b = __builtin_sqrt(u);
    double angle1 = 6.283185307179586 * unit_of(draw.word[1]);
    double angle2 = 6.283185307179586 * unit_of(draw.word[2]);
    double x = a * math_sin(angle1), y = a * math_cos(angle1);
    double z = b * math_sin(angle2), w = b * math_cos(angle2);
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r[i][j] = rows[i][j];
}

/* Offsets of a cell or two are enough: lattices of other octaves have other seeds. */
static void place_octave(const TurbulenceDef *def, uint64_t number, double cell, Octave *octave)
{
    RandomKey key = random_key(def->seed, "octaves");
    double r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Random4 move = random_draw(key, number, 0, PURPOSE_OFFSET);
    bool moved = def->rotate && number > 0;
    if (moved) random_rotation(random_draw(key, number, 0, PURPOSE_TURN), r);
    for (int i = 0; i < 3; ++i) {
        octave->offset[i] = moved ? (mote_real)unit_of(move.word[i]) : 0;
        for (int j = 0; j < 3; ++j) octave->turn[i][j] = (mote_real)(r[i][j] / cell);
    }
    octave->phase = moved ? unit_of(move.word[3]) : 0;
}

void turbulence_make(const TurbulenceDef *def, uint64_t stream, Turbulence *turbulence)
{
    double cell = def->scale, weight = def->amplitude;
    double fall = math_pow(def->ratio, -def->exponent), quicken = math_pow(def->ratio, 2.0 / 3.0);
    double rate = def->period > 0 ? 1 / def->period : 0;
    *turbulence = (Turbulence){.noise = noise_row(def->isa, def->noise),
                               .kernels = turbulence_kernels(def->isa),
                               .function = def->function,
                               .user = def->user,
                               .context = def->context,
                               .moves = def->period > 0};
    for (uint64_t i = 0; i < def->octaves && i < OCTAVES_MOST; ++i) {
        double left = turbulence_band_limit(cell, def->resolution);
        if (left == 0) break;
        Octave *octave = &turbulence->octave[turbulence->octaves++];
        place_octave(def, i, cell, octave);
        octave->rate = rate;
        octave->weight = (mote_real)(left * weight);
        octave->seed = noise_seed(def->seed, stream * OCTAVES_MOST + i);
        cell /= def->ratio, weight *= fall, rate *= quicken;
    }
}
