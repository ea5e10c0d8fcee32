/* What scenes write as expressions: forces, columns with a birth and a rate, masses that change,
 * and links between any two particles; against rows of the same law and exact solutions. */
#include "scene/loading.h"

#include "scene/scene.h"

#define REAL_4 (sizeof(mote_real) == 4)

static double at(const Loading *loading, const char *column, int component)
{
    return setup_at(mote_world_system(loading->world, "s"), column, component, 0);
}

/* ---- forces ---- */

static Loading orbit(const char *integrator, const char *force, int frames)
{
    char text[1200];
    snprintf(text, sizeof text,
             "{mote: 1, params: {gm: 1}, world: {gravity: [0, 0, 0], fps: 20, max_step: 0.01},"
             " systems: [{name: 's', solver: {integrator: '%s'}}],"
             " emitters: [{system: 's', burst: 1, at: [1, 0.2, -0.1], velocity: [0, 0.9, 0.2],"
             "             spread: 0, mass: 2}], forces: [%s]}",
             integrator, force);
    Loading loading = loading_world(text);
    loading_step(&loading, frames);
    return loading;
}

static void check_same(const char *integrator, const char *row, const char *formula, double miss)
{
    Loading by_row = orbit(integrator, row, 40), own = orbit(integrator, formula, 40);
    for (int c = 0; c < 3; ++c) {
        CHECK_NEAR(at(&own, "position", c), at(&by_row, "position", c), miss);
        CHECK_NEAR(at(&own, "velocity", c), at(&by_row, "velocity", c), miss);
    }
    loading_end(&by_row), loading_end(&own);
}

#define PULL                                                                                       \
    "{type: 'expression', acceleration: ['=-gm*x/(x^2+y^2+z^2)^1.5', "                             \
    "'=-gm*y/(x^2+y^2+z^2)^1.5', '=-gm*z/(x^2+y^2+z^2)^1.5']}"
#define WELL "{type: 'expression', potential: '=-mass*gm/sqrt(x^2+y^2+z^2)'}"

static void forces_are_those_of_rows(void)
{
    static const char *const schemes[] = {"symplectic-euler", "leapfrog", "rk4", "dormand-prince"};
    const char *row = "{type: 'attractor', strength: 1, softening: 0}";
    for (size_t i = 0; i < COUNT_OF(schemes); ++i) {
        check_same(schemes[i], row, PULL, REAL_4 ? 2e-5 : 1e-13);
        check_same(schemes[i], row, WELL, REAL_4 ? 2e-5 : 1e-13);
    }
    check_same("rk4", "{type: 'drag', linear: 0.3, quadratic: 0.5}",
               "{type: 'expression', acceleration: ['=-(0.3+0.5*speed)*vx', "
               "'=-(0.3+0.5*speed)*vy', '=-(0.3+0.5*speed)*vz']}",
               REAL_4 ? 2e-5 : 1e-13);
}

/* Implicit schemes need the derivatives: with differences Newton's steps would be as many or more,
 * and a wrong slope would show in their number. */
static void slopes_serve_implicit_schemes(void)
{
    static const char *const forces[] = {"{type: 'spring-to', stiffness: 400, damping: 3}",
                                         "{type: 'expression', acceleration: "
                                         "['=-(400*x+3*vx)/mass', '=-(400*y+3*vy)/mass', "
                                         "'=-(400*z+3*vz)/mass']}"};
    mote_StepReport report[2];
    double end[2];
    for (int i = 0; i < 2; ++i) {
        Loading loading = orbit("crank-nicolson", forces[i], 9);
        report[i] = setup_step(loading.world);
        end[i] = at(&loading, "position", 0);
        loading_end(&loading);
    }
    CHECK(report[1].newton_iterations <= report[0].newton_iterations &&
          report[1].newton_iterations > 0);
    CHECK_NEAR(end[1], end[0], REAL_4 ? 1e-4 : 1e-8);
}

/* The energy of a potential is in the report, and leapfrog keeps it. */
static void potentials_have_energy(void)
{
    Loading loading = orbit("leapfrog", WELL, 1);
    double first = setup_step(loading.world).potential, r = 0;
    for (int c = 0; c < 3; ++c) r += pow(at(&loading, "position", c), 2);
    CHECK_NEAR(first, -2 / sqrt(r), 1e-5);
    loading_end(&loading);
}

static void fields_are_sampled(void)
{
    Loading loading = loading_world(
        "{mote: 1, world: {gravity: [0, 0, 0], fps: 10, max_step: 0.1},"
        " fields: [{name: 'wind', type: 'uniform', value: [3, 0, -1]}],"
        " systems: [{name: 's'}], emitters: [{system: 's', burst: 1}],"
        " forces: [{type: 'expression', field: 'wind', acceleration: ['=2*fx', 0, '=fz+t']}]}");
    loading_step(&loading, 1);
    CHECK_NEAR(at(&loading, "velocity", 0), 0.6, 1e-6);
    CHECK_NEAR(at(&loading, "velocity", 2), -0.1, 1e-6);
    loading_end(&loading);
}

/* ---- columns ---- */

static Loading decay(const char *integrator, double step, const char *column)
{
    char text[1000];
    snprintf(text, sizeof text,
             "{mote: 1, world: {gravity: [0, 0, 0], fps: 1, max_step: %.17g},"
             " systems: [{name: 's', solver: {integrator: '%s', absolute_tolerance: 1e30},"
             "            columns: [%s]}],"
             " emitters: [{system: 's', burst: 1, mass: 3, at: [2, 0, 0], velocity: [0, 0, 0],"
             "             spread: 0}]}",
             step, integrator, column);
    return loading_world(text);
}

typedef struct Scheme {
    const char *name;
    int order;
} Scheme;

static const Scheme schemes[] = {{"euler", 1},   {"symplectic-euler", 1}, {"midpoint", 2},
                                 {"heun", 2},    {"ralston", 2},          {"rk4", 4},
                                 {"rk4-3/8", 4}, {"dormand-prince", 5}};

/* The slope of log error over log step, from steps of 1/8 and 1/32 s over two seconds. */
static double order_of(const char *integrator, const char *columns, const char *what, int component,
                       double exact)
{
    double errors[2];
    for (int i = 0; i < 2; ++i) {
        Loading loading = decay(integrator, i == 0 ? 0.125 : 0.03125, columns);
        loading_step(&loading, 2);
        errors[i] = fabs(at(&loading, what, component) - exact);
        loading_end(&loading);
    }
    return log2(errors[0] / errors[1]) / 2;
}

/* y' = -y sin t, y(0) = 2. */
static void rates_have_the_integrators_order(void)
{
    const double exact = 2 * exp(cos(2.0) - 1);
    for (size_t i = 0; i < COUNT_OF(schemes) && !REAL_4; ++i) {
        double order =
            order_of(schemes[i].name, "{name: 'heat', birth: '=x', rate: '=-heat*sin(t)'}", "heat",
                     0, exact);
        CHECK(order > schemes[i].order - 0.3 && order < schemes[i].order + 0.9);
        if (!(order > schemes[i].order - 0.3 && order < schemes[i].order + 0.9))
            fprintf(stderr, "  %s: %g\n", schemes[i].name, order);
    }
    Loading loading = decay("rk4", 0.03125, "{name: 'heat', birth: '=x', rate: '=-heat*sin(t)'}");
    loading_step(&loading, 2);
    CHECK_NEAR(at(&loading, "heat", 0), exact, 1e-6);
    loading_end(&loading);
}

/* ---- a rocket ---- */

#define ROCKET "{name: 'mass', rate: '=-0.5*mass', exhaust: [0, -40, '=10']}"

/* Tsiolkovsky: v = -u ln(m0 / m1), here u t / 2. */
static void rockets_fly_by_tsiolkovsky(void)
{
    for (size_t i = 0; i < COUNT_OF(schemes) && !REAL_4; ++i) {
        if (schemes[i].order < 2) continue; /* u dm/dt / m is constant: those are exact */
        Loading loading = decay(schemes[i].name, 0.03125, ROCKET);
        loading_step(&loading, 2);
        CHECK_NEAR(at(&loading, "velocity", 1), 40, 1e-9);
        loading_end(&loading);
    }
    Loading loading = decay("rk4", 0.01, ROCKET);
    loading_step(&loading, 2);
    CHECK_NEAR(at(&loading, "mass", 0), 3 * exp(-1.0), 1e-5);
    CHECK_NEAR(at(&loading, "velocity", 1), 40 * log(3 / at(&loading, "mass", 0)), 1e-3);
    CHECK_NEAR(at(&loading, "velocity", 2), -10, 1e-4);
    loading_end(&loading);
}

/* A constant burn, m = 3 - t: v = 40 ln(3 / m), to the integrator's order. */
static void a_constant_burn_has_the_order(void)
{
    for (size_t i = 0; i < COUNT_OF(schemes) && !REAL_4; ++i) {
        double order = order_of(schemes[i].name, "{name: 'mass', rate: -1, exhaust: [0, -40, 0]}",
                                "velocity", 1, 40 * log(3.0));
        CHECK(order > schemes[i].order - 0.3 && order < schemes[i].order + 1.2);
        if (!(order > schemes[i].order - 0.3))
            fprintf(stderr, "  %s: %g\n", schemes[i].name, order);
    }
}

/* Rows that bounce are solved again from their start; what they have burnt, they burn once. */
static void bounces_burn_once(void)
{
    Loading loading =
        loading_world("{mote: 1, world: {fps: 10, max_step: 0.02},"
                      " systems: [{name: 's', solver: {integrator: 'rk4'},"
                      "            columns: [{name: 'mass', rate: -0.5, exhaust: [0, -1, 0]}]}],"
                      " colliders: [{shape: {type: 'plane'}, restitution: 0.9}],"
                      " forces: [{type: 'drag', linear: 0.1}],"
                      " emitters: [{system: 's', burst: 1, mass: 3, at: [0, 0.5, 0], spread: 0}]}");
    loading_step(&loading, 30);
    CHECK_NEAR(at(&loading, "mass", 0), 1.5, 1e-4);
    loading_end(&loading);
}

/* ---- the same bits ---- */

static const char busy[] =
    "{mote: 1, world: {fps: 25, max_step: 0.02},"
    " systems: [{name: 's', solver: {integrator: 'heun'},"
    "            columns: [{name: 'heat', birth: '=1+id%7', rate: '=speed-heat'},"
    "                      {name: 'mass', birth: '=1+heat/9', rate: '=-0.1*mass',"
    "                       exhaust: ['=sin(id)', '=-heat', 0]}]}],"
    " colliders: [{shape: {type: 'plane'}}],"
    " forces: [{type: 'expression', acceleration: ['=-x*heat', 0, '=cos(3*t)-z']}],"
    " emitters: [{system: 's', rate: 900, at: [0, 1, 0], velocity: [0, 2, 0]}]}";

static uint64_t busy_hash(int threads, bool reload)
{
    Loading loading = loading_good(busy);
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks;
    def.threads = threads;
    SETUP_OK(mote_tasks_create(&def, &tasks, &loading.error), loading.error);
    loading.scene->world.def.reload_always = reload;
    SETUP_OK(mote_scene_world(loading.scene, tasks, &loading.world, &loading.error), loading.error);
    loading_step(&loading, 30);
    uint64_t hash = mote_frame_hash(mote_world_frame(loading.world));
    loading_end(&loading);
    mote_tasks_destroy(tasks);
    return hash;
}

static void threads_and_reloading_change_nothing(void)
{
    const uint64_t one = busy_hash(1, false);
    CHECK(busy_hash(3, false) == one);
    CHECK(busy_hash(1, true) == one);
}

/* ---- links between any two ---- */

/* Two masses and a spring: w^2 = k f (1/m1 + 1/m2), k f = 50 * 0.25 * 2 N/m. */
static void two_masses_swing(void)
{
    Loading loading =
        loading_world("{mote: 1, world: {gravity: [0, 0, 0], fps: 100, max_step: 0.001},"
                      " systems: [{name: 's', solver: {integrator: 'velocity-verlet'}}],"
                      " links: [{system: 's', stiffness: 50, pattern: {type: 'pairs', mass: 0.5,"
                      "          points: [[0, 0, 0], [9, 9, 9], [2, 0, 0]], marks: {end: 2},"
                      "          links: [[0, 'end']], rest: [1.5], factor: '=0.25*l+i'}}]}");
    const double w = sqrt(25 * (1 / 0.5 + 1 / 0.5));
    for (int frame = 1; frame <= 60; ++frame) {
        loading_step(&loading, 1);
        CHECK_NEAR(at(&loading, "position", 0), 0.25 * (1 - cos(w * frame / 100)), 2e-4);
    }
    CHECK_NEAR(setup_at(mote_world_system(loading.world, "s"), "position", 1, 1), 9, 0);
    loading_end(&loading);
}

/* Ends of two chains of one system, and an anchor among own particles. */
static void pairs_join_patterns(void)
{
    Loading loading = loading_world(
        "{mote: 1, world: {fps: 50}, systems: [{name: 's', solver: {integrator: "
        "'implicit-euler'}}],"
        " links: [{system: 's', stiffness: 1e4, pattern: {type: 'chain', segments: 4,"
        "          from: [0, 1, 0], to: [1, 1, 0], pin: 'first'}},"
        "         {system: 's', stiffness: 1e4, damping: 20, pattern: {type: 'pairs', mass: 0.1,"
        "          points: [[1.2, 1, 0]], pin: [0], links: [[4, 5]]}}]}");
    loading_step(&loading, 100);
    CHECK_NEAR(setup_at(mote_world_system(loading.world, "s"), "position", 0, 5), 1.2, 1e-6);
    double x = setup_at(mote_world_system(loading.world, "s"), "position", 0, 4);
    CHECK(x > 0.9 && x < 1.2); /* held from both sides */
    loading_end(&loading);
}

/* ---- what is wrong is said with its place ---- */

typedef struct Wrong {
    const char *text, *message;
} Wrong;

#define EMITTER "emitters: [{system: 's', burst: 3, spread: 0, mass: 1}]"
#define SYSTEM  "systems: [{name: 's'}]"

static void check_reading(const Wrong *wrong, bool reads)
{
    Loading loading = loading_with(wrong->text, NULL);
    const char *said = loading.status != MOTE_OK ? mote_scene_messages(loading.scene, false) : "";
    CHECK((loading.status == MOTE_OK) == reads);
    if (!reads) CHECK_HOLDS(said, wrong->message);
    if (reads) {
        mote_Status status = mote_scene_world(loading.scene, NULL, &loading.world, &loading.error);
        for (int i = 0; i < 60 && status == MOTE_OK; ++i)
            status = mote_world_step(loading.world, NULL, &loading.error);
        CHECK(status != MOTE_OK);
        CHECK_HOLDS(loading.error.message, wrong->message);
        CHECK_HOLDS(loading.error.message, "scene.json5:");
    }
    loading_end(&loading);
}

static void mistakes_in_texts_are_told(void)
{
    static const Wrong wrong[] = {
        {"{mote: 1, " SYSTEM ", forces: [{type: 'expression', acceleration: ['=vel', 0, 0]}]}",
         "vel"},
        {"{mote: 1, " SYSTEM ", forces: [{type: 'expression', acceleration: ['=x', 0]}]}",
         "[x, y, z], numbers or expressions"},
        {"{mote: 1, " SYSTEM ", forces: [{type: 'expression', acceleration: ['=1/0', 0, 0]}]}",
         "finite"},
        {"{mote: 1, systems: [{name: 's', columns: [{name: 'speed', rate: 1}]}]}",
         "cannot be called `speed`"},
        {"{mote: 1, systems: [{name: 's', columns: [{name: 'h', rate: 1, exhaust: [0, 1, 0]}]}]}",
         "exhaust belongs to the column mass"},
        {"{mote: 1, systems: [{name: 's', columns: [{rate: 1}]}]}", "name"},
        {"{mote: 1, " SYSTEM ", links: [{system: 's', pattern: {type: 'pairs', links: [[3, 3]]}}]}",
         "not 3 to itself"},
        {"{mote: 1, " SYSTEM ", links: [{system: 's', pattern: {type: 'pairs', links: [[0, "
         "'hook']]}}]}",
         "there is no mark `hook`"},
        {"{mote: 1, " SYSTEM ", links: [{system: 's', pattern: {type: 'pairs', links: [[0, 1]], "
         "rest: [1, 2]}}]}",
         "2 rest lengths for 1 links"},
        {"{mote: 1, " SYSTEM ", links: [{system: 's', pattern: {type: 'pairs', points: [[0, 0, "
         "0]], pin: [1], links: []}}]}",
         "cannot be pinned"},
        {"{mote: 1, fields: [{name: 'n', type: 'noise', f: '=x'}], " SYSTEM "}", "x"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) check_reading(&wrong[i], false);
}

static void mistakes_of_values_are_told(void)
{
    static const Wrong wrong[] = {
        {"{mote: 1, " SYSTEM ", " EMITTER ", forces: [{type: 'expression', acceleration: ['=1/x', "
         "0, 0]}]}",
         "the acceleration of particle 0"},
        {"{mote: 1, " SYSTEM ", " EMITTER ", forces: [{type: 'expression', acceleration: ['=fx', "
         "0, 0]}]}",
         "fx, fy and fz are of a field"},
        {"{mote: 1, systems: [{name: 's', columns: [{name: 'h', rate: '=1/h'}]}], " EMITTER "}",
         "the rate of h of particle 0"},
        {"{mote: 1, systems: [{name: 's', columns: [{name: 'h', birth: '=log(-1-id)'}]}], " EMITTER
         "}",
         "h of particle 0 of system s is"},
        {"{mote: 1, systems: [{name: 's', columns: [{name: 'mass', birth: '=1-id'}]}], " EMITTER
         "}",
         "above 0 kg"},
        {"{mote: 1, systems: [{name: 's', columns: [{name: 'mass', rate: '=-2'}]}], " EMITTER "}",
         "mass of particle 0 of system s would be"},
        {"{mote: 1, systems: [{name: 's', solver: {integrator: 'leapfrog'}, columns: [{name: 'h', "
         "rate: 1}]}], " EMITTER "}",
         "integrator leapfrog cannot follow the rate of column h"},
        {"{mote: 1, systems: [{name: 's', columns: [{name: 'radius', rate: 1}]}], " EMITTER "}",
         "cannot be called `radius`"},
        {"{mote: 1, systems: [{name: 's'}, {name: 'r', columns: [{name: 'h', birth: 1}]}], " EMITTER
         ", forces: [{type: 'expression', acceleration: ['=h', 0, 0]}]}",
         "uses column h, which system s does not have"},
        {"{mote: 1, " SYSTEM ", links: [{system: 's', pattern: {type: 'pairs', points: [[0, 0, "
         "0]], links: [[0, 7]]}}]}",
         "link 0 joins particle 7, but system s has no such particle"},
        {"{mote: 1, " SYSTEM ", links: [{system: 's', pattern: {type: 'pairs', points: [[0, 0, "
         "0], [1, 0, 0]], links: [[0, 1]], factor: '=-l'}}]}",
         "factor of link 0"},
        {"{mote: 1, fields: [{name: 'n', type: 'noise', f: '=1/n'}], " SYSTEM "}",
         "must be finite from n = -1 to 1"},
        {"{mote: 1, fields: [{name: 'w', type: 'spectral-wind', E: '=1-k'}], " SYSTEM "}",
         "must be a number that is not negative"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        check_reading(&wrong[i], strstr(wrong[i].message, "called") == NULL);
}

/* Where particles act on each other, rates cannot be followed. */
static void linked_systems_refuse_rates(void)
{
    Loading loading =
        loading_good("{mote: 1, systems: [{name: 's', columns: [{name: 'h', rate: 1}]}],"
                     " links: [{system: 's', pattern: {type: 'chain'}}]}");
    mote_Status status = mote_scene_world(loading.scene, NULL, &loading.world, &loading.error);
    if (status == MOTE_OK) status = mote_world_step(loading.world, NULL, &loading.error);
    CHECK(status == MOTE_BAD_VALUE);
    CHECK_HOLDS(loading.error.message, "the rate of h cannot be followed");
    loading_end(&loading);
}

TESTS({"forces_are_those_of_rows", forces_are_those_of_rows},
      {"slopes_serve_implicit_schemes", slopes_serve_implicit_schemes},
      {"potentials_have_energy", potentials_have_energy},
      {"fields_are_sampled", fields_are_sampled},
      {"rates_have_the_integrators_order", rates_have_the_integrators_order},
      {"rockets_fly_by_tsiolkovsky", rockets_fly_by_tsiolkovsky},
      {"a_constant_burn_has_the_order", a_constant_burn_has_the_order},
      {"bounces_burn_once", bounces_burn_once},
      {"threads_and_reloading_change_nothing", threads_and_reloading_change_nothing},
      {"two_masses_swing", two_masses_swing}, {"pairs_join_patterns", pairs_join_patterns},
      {"mistakes_in_texts_are_told", mistakes_in_texts_are_told},
      {"mistakes_of_values_are_told", mistakes_of_values_are_told},
      {"linked_systems_refuse_rates", linked_systems_refuse_rates})
