/* Bodies in water, by every pressure solver: the force on one that is held (Archimedes), one that
 * falls in turned and floats, and one as heavy as water.
 *
 * Particles at rest freeze like a glass and hold a little shear, some hundredths of the pressure
 * there: a body that is held still keeps what force the settling liquid left on it. So the held one
 * is moved up and down by a spacing, and its force is the mean over whole periods. */
#include "study/cases.h"

#include <math.h>

#define SPACING 0.02
#define GRAVITY 9.81

/* A tank with sides four spacings off a body `edge` across. */
static const char text[] =
    "{ mote: 1, params: { spacing: 0.02, edge: 0.16, side: 0.32, bob: 0.02, tilt: 0,\n"
    "    start: 0.16, relative: 0.5 },\n"
    "  world: { fps: 50, max_step: 0.004 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', artificial: 0.1 } "
    "}\n"
    "  ],\n"
    "  colliders: [ { name: 'tank', friction: 0, shape: { type: 'inverted', shape: { type: 'box',\n"
    "      size: ['=side', 2, '=side'] } }, motion: { at: ['=side/2', 1, '=side/2'] } } ],\n"
    "  bodies: [ { name: 'box', free: false, density: '=1000*relative', friction: 0,\n"
    "      shape: { type: 'box', size: ['=edge', '=edge', '=edge'] },\n"
    "      motion: { at: ['=side/2', '=start', '=side/2'],\n"
    "        rotate: ['=0.7*tilt', '=0.3*tilt', '=tilt'] } } ],\n"
    "  probes: [ { name: 'load', type: 'load', collider: 'box' } ] }\n";

/* One body: what it is, and how long it is watched. */
typedef struct Float {
    const char *name;
    bool is_ball; /* or a box */
    bool is_free;
    double relative;     /* density, of the liquid's */
    double deep, start;  /* depth, and height of its middle, in edges beyond the gap */
    double tilt;         /* degrees */
    double until, watch; /* s: the end, and the part of it that is measured */
} Float;

typedef struct Floating {
    LiquidRun run;
    const Float *body;
    double edge, side; /* m */
    int across;        /* spacings */
} Floating;

static double volume_of(const Floating *f)
{
    double cube = f->edge * f->edge * f->edge;
    return f->body->is_ball ? cube * 3.141592653589793 / 6 : cube;
}

static void set_shape(Floating *f)
{
    liquid_set(&f->run, "bodies.box.free=%s", f->body->is_free ? "true" : "false");
    if (!f->body->is_free)
        liquid_set(&f->run, "bodies.box.motion.at=['=side/2','=start+bob*sin(tau*t)','=side/2']");
    if (f->body->is_ball)
        liquid_set(&f->run, "bodies.box.shape={ type: 'sphere', radius: %g }", f->edge / 2);
    else
        liquid_set(&f->run, "tilt=%g", f->body->tilt);
}

static mote_Status open_float(Floating *f, const char *pressure, mote_Error *error)
{
    const int gap = 4, wide = f->across + 2 * gap;
    const int high = (int)(f->body->deep * f->across + 0.5) + gap;
    LiquidBlock block = {.spacing = SPACING, .density = 1000, .count = {wide, high, wide}};
    f->edge = SPACING * f->across, f->side = SPACING * wide;
    liquid_set(&f->run, "edge=%g", f->edge);
    liquid_set(&f->run, "side=%g", f->side);
    liquid_set(&f->run, "relative=%g", f->body->relative);
    liquid_set(&f->run, "start=%g", f->body->start * f->edge + SPACING * gap);
    liquid_set(&f->run, "systems.water.solver.pressure=%s", pressure);
    set_shape(f);
    mote_Status status = liquid_open(&f->run, f->body->name, text, error);
    return status == MOTE_OK ? liquid_fill(&f->run, "water", &block, error) : status;
}

/* ---- what is found ---- */

static void find_force(Floating *f, const char *pressure, Findings *findings)
{
    const char *quantity = f->body->is_ball ? "force on a ball, of rho g V" : "force on a box";
    Finding found = finding_make(f->body->name, pressure, quantity, 0.03);
    double force = record_mean(liquid_record(&f->run, "load"), 1, (size_t)(50 * f->body->watch));
    found.measured = force / (1000 * GRAVITY * volume_of(f)), found.reference = 1;
    found.off = fabs(found.measured - 1);
    findings_add(findings, found);
}

/* The height of a box that floats upright: the level that the liquid takes beside it, less what is
 * under water, plus half of it. */
static double floating_height(const Floating *f, size_t rows)
{
    double floor = f->side * f->side, draught = f->body->relative * f->edge;
    double level =
        ((double)rows * SPACING * SPACING * SPACING + f->edge * f->edge * draught) / floor;
    return level - draught + f->edge / 2;
}

static void find_height(Floating *f, const char *pressure, double height, Findings *findings)
{
    Finding found = finding_make(f->body->name, pressure, "height it floats at (m)", 0.03);
    size_t rows;
    liquid_plane(&f->run, "water", "position", 0, &rows);
    found.measured = height, found.reference = floating_height(f, rows);
    found.off = fabs(height - found.reference) / f->edge;
    findings_add(findings, found);
}

static void find_drift(Floating *f, const char *pressure, double way, Findings *findings)
{
    Finding found = finding_make(f->body->name, pressure, "drift in 2 s, of its edge", 0.03);
    found.measured = way / f->edge, found.off = fabs(found.measured);
    findings_add(findings, found);
}

/* Mean height over the part that is measured, and by how much it rose in it. */
static mote_Status watch(Floating *f, double *height, double *rise, mote_Error *error)
{
    const double begin = f->body->until - f->body->watch;
    const int frames = (int)(50 * f->body->watch);
    mote_BodyState state;
    mote_Status status = liquid_advance(&f->run, begin, error);
    if (status == MOTE_OK) status = mote_world_body(f->run.world, "box", &state, error);
    double first = status == MOTE_OK ? state.position[1] : 0;
    *height = 0;
    for (int k = 0; k < frames && status == MOTE_OK; ++k) {
        status = liquid_advance(&f->run, begin + (k + 1) / 50.0, error);
        if (status == MOTE_OK) status = mote_world_body(f->run.world, "box", &state, error);
        if (status == MOTE_OK) *height += state.position[1] / frames;
    }
    *rise = status == MOTE_OK ? state.position[1] - first : 0;
    return status;
}

static mote_Status run_float(const StudyOptions *options, const Float *body, const char *pressure,
                             Findings *findings, mote_Error *error)
{
    Floating f = {.run = {.options = options}, .body = body, .across = options->quick ? 4 : 8};
    double height, rise;
    case_begin(body->name, pressure);
    mote_Status status = open_float(&f, pressure, error);
    if (status == MOTE_OK) status = watch(&f, &height, &rise, error);
    if (status == MOTE_OK && !body->is_free) find_force(&f, pressure, findings);
    if (status == MOTE_OK && body->is_free && body->relative < 1)
        find_height(&f, pressure, height, findings);
    if (status == MOTE_OK && body->is_free && !(body->relative < 1))
        find_drift(&f, pressure, rise, findings);
    if (status == MOTE_OK) case_end(&f.run);
    liquid_close(&f.run);
    return status;
}

mote_Status floating_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    static const Float bodies[] = {
        {"archimedes", false, false, 1, 1.5, 0.5, 0, 3, 2},
        {"archimedes-ball", true, false, 1, 1.5, 0.5, 0, 3, 2},
        {"floating", false, true, 0.5, 1, 1.5, 30, 5, 1},
        {"neutral", false, true, 1, 1.5, 0.5, 0, 3, 2},
    };
    mote_Status status = MOTE_OK;
    for (size_t b = 0; b < sizeof bodies / sizeof bodies[0]; ++b)
        for (size_t i = 0; case_pressure(i) != NULL && status == MOTE_OK; ++i)
            if (case_wanted(options, bodies[b].name, case_pressure(i)))
                status = run_float(options, &bodies[b], case_pressure(i), findings, error);
    return status;
}

mote_Status study_floating(const StudyOptions *options, mote_Error *error)
{
    printf("Bodies in water, %d spacings across.\n\n", options->quick ? 4 : 8);
    return cases_study(floating_cases, "floating", options, error);
}
