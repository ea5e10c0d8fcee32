/* The colour of hot bodies: Planck's law, seen by the CIE 1931 standard observer, as linear sRGB.
 *
 * The observer is the sum of Gaussian lobes with two widths by C. Wyman, P.-P. Sloan and P.
 * Shirley, "Simple analytic approximations to the CIE XYZ color matching functions", JCGT 2013. */
#include "render/colormap.h"

#include "base/math.h"

#define PLANCK_C2        1.438776877e-2 /* m K: h c / k */
#define REFERENCE_KELVIN 2000.0         /* where the luminance is 1 */
#define KELVIN_LEAST     200.0
#define KELVIN_MOST      1e6
#define KELVIN_TABLE     20000.0
enum { SHORTEST = 360, LONGEST = 830, STEP = 10 }; /* nm */
enum { STEPS = (LONGEST - SHORTEST) / STEP + 1 };

/* A lobe: height, middle in nm, 1 / width on either side. */
typedef struct Lobe {
    double height, middle, below, above;
} Lobe;

static const Lobe observer[3][3] = {
    {{1.056, 599.8, 0.0264, 0.0323},
     {0.362, 442.0, 0.0624, 0.0374},
     {-0.065, 501.1, 0.0490, 0.0382}},
    {{0.821, 568.8, 0.0213, 0.0247}, {0.286, 530.9, 0.0613, 0.0322}, {0, 0, 0, 0}},
    {{1.217, 437.0, 0.0845, 0.0278}, {0.681, 459.0, 0.0385, 0.0725}, {0, 0, 0, 0}},
};

static double response(const Lobe lobes[3], double nm)
{
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        double t =
            (nm - lobes[i].middle) * (nm < lobes[i].middle ? lobes[i].below : lobes[i].above);
        sum += lobes[i].height * math_exp(-0.5 * t * t);
    }
    return sum;
}

/* The observer at every step of the spectrum. */
typedef struct Observer {
    double response[STEPS][3];
} Observer;

static Observer observer_make(void)
{
    Observer o;
    for (int i = 0; i < STEPS; ++i)
        for (int k = 0; k < 3; ++k)
            o.response[i][k] = STEP * response(observer[k], SHORTEST + i * STEP);
    return o;
}

/* Spectral radiance at a wavelength, relative to that at 560 nm of a body at REFERENCE_KELVIN.
 * Planck's B = 2 h c^2 / l^5 / (exp(c2 / l T) - 1) over that of the reference; factors that both
 * have cancel. */
static double planck(double nm, double kelvin)
{
    double m = nm * 1e-9, ratio = 560 / nm, reference = PLANCK_C2 / (560e-9 * REFERENCE_KELVIN);
    double x = PLANCK_C2 / (m * kelvin);
    double share = math_exp(reference - x) * (1 - math_exp(-reference)) / (1 - math_exp(-x));
    return ratio * ratio * ratio * ratio * ratio * share;
}

static void xyz_of(const Observer *o, double kelvin, double xyz[3])
{
    kelvin = kelvin > KELVIN_LEAST ? kelvin < KELVIN_MOST ? kelvin : KELVIN_MOST : KELVIN_LEAST;
    for (int k = 0; k < 3; ++k) xyz[k] = 0;
    for (int i = 0; i < STEPS; ++i) {
        double power = planck(SHORTEST + i * STEP, kelvin);
        for (int k = 0; k < 3; ++k) xyz[k] += power * o->response[i][k];
    }
}

/* IEC 61966-2-1. From XYZ to linear sRGB of white D65. */
static void color_of(const Observer *o, double kelvin, double luminance, float color[3])
{
    static const double matrix[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                                        {-0.9692660, 1.8760108, 0.0415560},
                                        {0.0556434, -0.2040259, 1.0572252}};
    double xyz[3];
    xyz_of(o, kelvin, xyz);
    for (int k = 0; k < 3; ++k) {
        double value = matrix[k][0] * xyz[0] + matrix[k][1] * xyz[1] + matrix[k][2] * xyz[2];
        color[k] = value > 0 ? (float)(value / luminance) : 0; /* negative: what no screen shows */
    }
}

void mote_blackbody(double kelvin, float color[3])
{
    Observer o = observer_make();
    double reference[3];
    xyz_of(&o, REFERENCE_KELVIN, reference);
    color_of(&o, kelvin, reference[1], color);
}

/* By 1 / T, because that is what the logarithm of the light is nearly linear in. */
void blackbody_table_make(ColorTable *table)
{
    Observer o = observer_make();
    double reference[3];
    xyz_of(&o, REFERENCE_KELVIN, reference);
    for (int i = 0; i <= COLOR_TABLE; ++i) {
        double t = (double)i / COLOR_TABLE;
        color_of(&o, 1 / (1 / KELVIN_LEAST + t * (1 / KELVIN_TABLE - 1 / KELVIN_LEAST)),
                 reference[1], table->colors[i]);
    }
}

void blackbody_table_at(const ColorTable *table, double kelvin, float color[3])
{
    double t = (1 / kelvin - 1 / KELVIN_LEAST) / (1 / KELVIN_TABLE - 1 / KELVIN_LEAST);
    color_table_at(table, kelvin > 0 ? t : 0, color);
}
