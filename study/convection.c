/* Convection in a full box: where rolls begin between a warm floor and a cold lid (Rayleigh and
 * Benard), and how much heat a box carries that is heated from the side (de Vahl Davis 1983).
 *
 * Rolls: two pairs in 4.03 heights, nu = kappa, begin small, with the velocities that go with them,
 * and grow or decay as exp(s t). Near the onset s goes with Ra - 1708 (Chandrasekhar 1961), so that
 * a line through the rates at some Ra is 0 there. They begin with a twentieth of the temperatures'
 * difference: that is less than a hundredth of Ra away from infinitely small ones, and moves
 * particles by many spacings, past what a lattice would hold. What the layers weigh at rest is
 * taken off by a force of y alone. To a liquid that is a pressure, and changes nothing; but
 * particles under pressure are a glass, and with it small rolls are held up to Ra = 1940. */
#include "study/cases.h"

#include "base/math.h"
#include "study/files.h"

#include <mote/collide.h>

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double kappa = 0.01, span = 20; /* m^2/s, K */

enum { RAYLEIGHS = 5 };
static const double rayleighs[RAYLEIGHS] = {1400, 1550, 1700, 1850, 2000};
static const double onset = 1707.76;

/* 1 m high; Ra = g beta dT L^3 / (nu kappa). beta dT is 10, so that g, and with it the pressure
 * that would make a glass of the liquid, is small. */
#define BOX(world, walls)                                                                          \
    "{ mote: 1, params: { n: 16, wide: 64, g: 1, nu: 0.01, each: 0.2, cfl: 1 },\n"                 \
    "  world: { dimension: 2, fps: '=1/each', max_step: '=each', gravity: [0, '=-g']" world        \
    " },\n"                                                                                        \
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=1/n', support: 2.4,\n"        \
    "      kernel: 'wendland-c2', divergence: 'linear', shifting: 1, viscosity: '=nu',\n"          \
    "      artificial: 0, clamp: false, heat: 'conduction', conductivity: 10, capacity: 1,\n"      \
    "      reference: 300, expansion: 0.5, cfl: '=cfl' } } ],\n"                                   \
    "  colliders: [ " walls

static const char rolls_text[] =
    BOX(", periodic_x: true, box_min: [0, -1], box_max: ['=wide/n', 2]",
        "{ name: 'floor', temperature: 310, shape: { type: 'plane', normal: [0, 1] } },\n"
        "    { name: 'lid', temperature: 290, shape: { type: 'plane', normal: [0, -1] },\n"
        "      motion: { at: [0, 1] } } ],\n"
        "  forces: [ { type: 'expression', acceleration: [0, '=g-10*g*(0.5-y)'] } ] }\n");
static const char side_text[] =
    BOX("", "{ name: 'floor', shape: { type: 'plane', normal: [0, 1] } },\n"
            "    { name: 'lid', shape: { type: 'plane', normal: [0, -1] }, motion: { at: [0, 1] } "
            "},\n"
            "    { name: 'hot', temperature: 310, measure: true, shape: { type: 'plane', normal:\n"
            "      [1, 0] } }, { name: 'cold', temperature: 290, shape: { type: 'plane', normal:\n"
            "      [-1, 0] }, motion: { at: [1, 0] } } ] }\n");

typedef struct Box {
    const char *name, *text;
    int high, wide; /* particles */
    double rayleigh, nu, each, cfl;
} Box;

/* Of a lattice, of the system's columns: writable, before the first step. */
static mote_real *plane(const LiquidRun *run, const char *column, int component)
{
    const mote_Column *c = mote_system_column(mote_world_system(run->world, "water"), column);
    return (mote_real *)c->data + (size_t)component * c->stride;
}

static mote_Status open_box(LiquidRun *run, const Box *box, mote_Error *error)
{
    const LiquidBlock block = {
        .spacing = 1.0 / box->high, .density = 1000, .count = {box->wide, box->high, 0}};
    case_begin(box->name, "dfsph");
    liquid_set(run, "n=%d", box->high);
    liquid_set(run, "wide=%d", box->wide);
    liquid_set(run, "nu=%.9g", box->nu);
    liquid_set(run, "g=%.9g", box->rayleigh * box->nu * kappa / 10);
    liquid_set(run, "each=%.9g", box->each);
    liquid_set(run, "cfl=%.9g", box->cfl);
    mote_Status status = liquid_open(run, box->name, box->text, error);
    return status == MOTE_OK ? liquid_fill(run, "water", &block, error) : status;
}

/* ---- rolls ---- */

/* w = W cos(k x) sin^2(pi y) and the u that goes with it; T by sin(pi y). The two amplitudes are
 * those of a roll that neither grows nor decays: w dT/L = kappa (k^2 + pi^2) T. */
static void set_rolls(LiquidRun *run, double k)
{
    const mote_real *x = plane(run, "position", 0), *y = plane(run, "position", 1);
    const double theta = 0.05, fast = theta * kappa * (k * k + pi * pi);
    mote_System *water = mote_world_system(run->world, "water");
    for (size_t i = 0; i < mote_system_count(water); ++i) {
        const double along = k * (double)x[i], up = pi * (double)y[i];
        const double s = math_sin(up), c = math_cos(up);
        plane(run, "velocity", 0)[i] = (mote_real)(-fast / k * math_sin(along) * 2 * pi * s * c);
        plane(run, "velocity", 1)[i] = (mote_real)(fast * math_cos(along) * s * s);
        plane(run, "temperature", 0)[i] =
            (mote_real)(300 + span * (0.5 - (double)y[i]) + theta * span * math_cos(along) * s);
    }
    mote_system_edited(water);
}

/* The size of the rolls, wherever along x they are. */
static double size_of_rolls(const LiquidRun *run, double k)
{
    size_t rows;
    const mote_real *x = liquid_plane(run, "water", "position", 0, &rows);
    const mote_real *y = liquid_plane(run, "water", "position", 1, &rows);
    const mote_real *w = liquid_plane(run, "water", "velocity", 1, &rows);
    double c = 0, s = 0;
    for (size_t i = 0; i < rows; ++i) {
        const double shape = math_sin(pi * (double)y[i]), along = k * (double)x[i];
        c += (double)w[i] * shape * shape * math_cos(along);
        s += (double)w[i] * shape * shape * math_sin(along);
    }
    return sqrt(c * c + s * s) / (double)rows;
}

/* 1/s, between 0.2 and 0.6 L^2/kappa: other shapes are gone by then. */
static mote_Status growth_at(const StudyOptions *options, const Box *box, double *rate,
                             mote_Error *error)
{
    LiquidRun run = {.options = options};
    const double k = 2 * 2 * pi * box->high / box->wide, from = 0.2 / kappa, to = 0.6 / kappa;
    mote_Status status = open_box(&run, box, error);
    if (status == MOTE_OK) set_rolls(&run, k);
    if (status == MOTE_OK) status = liquid_advance(&run, from, error);
    const double first = status == MOTE_OK ? size_of_rolls(&run, k) : 1;
    if (status == MOTE_OK) status = liquid_advance(&run, to, error);
    if (status == MOTE_OK) {
        *rate = math_log(size_of_rolls(&run, k) / first) / (to - from);
        case_end(&run);
        fprintf(stderr, "  Ra %g: %.4f kappa/L^2\n", box->rayleigh, *rate / kappa);
    }
    liquid_close(&run);
    return status;
}

/* Where the line through the rates is 0, by least squares. */
static double zero_of(const double rates[RAYLEIGHS])
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < RAYLEIGHS; ++i) x += rayleighs[i] / RAYLEIGHS, y += rates[i] / RAYLEIGHS;
    for (int i = 0; i < RAYLEIGHS; ++i) {
        xx += (rayleighs[i] - x) * (rayleighs[i] - x);
        xy += (rayleighs[i] - x) * (rates[i] - y);
    }
    return x - y * xx / xy;
}

static mote_Status rolls(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    const int high = options->quick ? 16 : 40;
    Box box = {.name = "rayleigh-benard",
               .text = rolls_text,
               .high = high,
               .wide = (int)(4.03 * high + 0.5),
               .nu = kappa,
               .each = 0.2,
               .cfl = 1};
    double rates[RAYLEIGHS];
    mote_Status status = MOTE_OK;
    if (!case_wanted(options, box.name, "dfsph")) return MOTE_OK;
    for (int i = 0; i < RAYLEIGHS && status == MOTE_OK; ++i) {
        box.rayleigh = rayleighs[i];
        status = growth_at(options, &box, &rates[i], error);
    }
    if (status != MOTE_OK) return status;
    Finding f = finding_make(box.name, "dfsph", "Ra at which rolls neither grow nor decay", 0.05);
    f.measured = zero_of(rates), f.reference = onset;
    f.off = fabs(f.measured / onset - 1);
    findings_add(findings, f);
    return MOTE_OK;
}

/* ---- heated from the side ---- */

static void set_sides(LiquidRun *run)
{
    const mote_real *x = plane(run, "position", 0);
    mote_System *water = mote_world_system(run->world, "water");
    for (size_t i = 0; i < mote_system_count(water); ++i)
        plane(run, "temperature", 0)[i] = (mote_real)(300 + span * (0.5 - (double)x[i]));
    mote_system_edited(water);
}

/* Heat through the warm side over that of conduction alone, k dT = 10 x 20 W, in the last third. */
static mote_Status nusselt(const StudyOptions *options, const Box *box, double until, double *nu,
                           mote_Error *error)
{
    LiquidRun run = {.options = options};
    double sum = 0, frames = 0;
    mote_Status status = open_box(&run, box, error);
    if (status == MOTE_OK) set_sides(&run);
    for (double t = box->each; status == MOTE_OK && t < until + box->each / 2; t += box->each) {
        mote_ColliderLoad load;
        status = liquid_advance(&run, t, error);
        if (status == MOTE_OK) status = mote_world_collider_load(run.world, "hot", &load, error);
        if (status != MOTE_OK || t < until * 2 / 3) continue;
        sum -= load.heat / (10 * span * box->each), frames += 1;
    }
    if (status == MOTE_OK) case_end(&run), *nu = sum / frames;
    liquid_close(&run);
    return status;
}

static mote_Status sides(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    static const struct {
        const char *name, *quantity;
        double rayleigh, each, cfl, until, wanted, tolerance;
    } cases[] = {{"vahl-davis-1e4", "Nu at Ra 1e4", 1e4, 0.1, 0.25, 30, 2.243, 0.03},
                 {"vahl-davis-1e5", "Nu at Ra 1e5", 1e5, 0.05, 0.25, 15, 4.519, 0.05}};
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && status == MOTE_OK; ++i) {
        const int high = options->quick ? 24 : 40;
        const Box box = {cases[i].name,     side_text,    high,          high,
                         cases[i].rayleigh, 0.71 * kappa, cases[i].each, cases[i].cfl};
        Finding f = finding_make(box.name, "dfsph", cases[i].quantity, cases[i].tolerance);
        if (!case_wanted(options, box.name, "dfsph")) continue;
        status = nusselt(options, &box, cases[i].until, &f.measured, error);
        f.reference = cases[i].wanted, f.off = fabs(f.measured / f.reference - 1);
        if (status == MOTE_OK) findings_add(findings, f);
    }
    return status;
}

static mote_Status convection_cases(const StudyOptions *options, Findings *findings,
                                    mote_Error *error)
{
    const mote_Status status = rolls(options, findings, error);
    return status == MOTE_OK ? sides(options, findings, error) : status;
}

mote_Status study_convection(const StudyOptions *options, mote_Error *error)
{
    printf("Convection in a full box, 1 m high: the onset of rolls, and a box heated from the "
           "side (Pr = 0.71).\n\n");
    return cases_study(convection_cases, "convection", options, error);
}
