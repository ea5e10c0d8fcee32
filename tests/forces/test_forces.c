/* Forces and fields against formulas written here in double, through the world: one explicit Euler
 * step of a known length turns an acceleration into a change of velocity. */
#include "setup.h"

#include "forces/force.h"

enum { POINTS = 300 };

static const double SMALL = sizeof(mote_real) == 4 ? 2e-6 : 1e-13;

typedef struct Point {
    double x[3], v[3], mass;
} Point;

static void add3(double a[3], double s, const double b[3])
{
    for (int c = 0; c < 3; ++c) a[c] += s * b[c];
}

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The part of x - center across the axis, turned: axis x (x - center), axis made a unit vector. */
static void turned(mote_Vec3 axis, mote_Vec3 center, const double x[3], double out[3])
{
    double n[3] = {(double)axis.x, (double)axis.y, (double)axis.z}, length = sqrt(dot3(n, n));
    double d[3] = {x[0] - (double)center.x, x[1] - (double)center.y, x[2] - (double)center.z};
    for (int c = 0; c < 3; ++c) n[c] /= length;
    cross3(n, d, out);
}

/* ---- closed forms ---- */

static void vortex(const mote_VortexField *p, const double x[3], double u[3])
{
    double w[3];
    turned(p->axis, p->center, x, w);
    double r = sqrt(dot3(w, w)), core = (double)p->core, speed = (double)p->speed;
    double along = r < core ? speed * r / core : speed * core / r;
    for (int c = 0; c < 3; ++c) u[c] = r > 0 ? along * w[c] / r : 0;
}

static void gravity_formula(const void *raw, const Point *p, double a[3])
{
    const mote_GravityForce *g = raw;
    const double acceleration[3] = {(double)g->acceleration.x, (double)g->acceleration.y,
                                    (double)g->acceleration.z};
    (void)p;
    add3(a, 1, acceleration);
}

static const mote_VortexField wind = {.center = {(mote_real)0.5, 0, (mote_real)-0.25},
                                      .axis = {1, 2, -1},
                                      .speed = 3,
                                      .core = (mote_real)0.75};

static void drag_formula(const void *raw, const Point *p, double a[3])
{
    const mote_DragForce *d = raw;
    double w[3] = {p->v[0], p->v[1], p->v[2]}, u[3] = {0, 0, 0};
    if (d->wind != NULL) vortex(&wind, p->x, u);
    add3(w, -1, u);
    double k = (double)d->linear + (double)d->quadratic * sqrt(dot3(w, w));
    add3(a, -k / (d->by_mass ? p->mass : 1), w);
}

static void attractor_formula(const void *raw, const Point *p, double a[3])
{
    const mote_AttractorForce *f = raw;
    double d[3] = {p->x[0] - (double)f->center.x, p->x[1] - (double)f->center.y,
                   p->x[2] - (double)f->center.z};
    double q = dot3(d, d) + (double)f->softening * (double)f->softening;
    add3(a, -(double)f->strength / pow(q, 1.5), d);
}

/* Who else is there, for forces between particles; one at the point's own place is the point. */
static const Point *crowd;
static size_t crowd_count;

static void mutual_formula(const void *raw, const Point *p, double a[3])
{
    const mote_MutualGravityForce *f = raw;
    for (size_t j = 0; j < crowd_count; ++j) {
        double d[3] = {crowd[j].x[0] - p->x[0], crowd[j].x[1] - p->x[1], crowd[j].x[2] - p->x[2]};
        double q = dot3(d, d) + (double)f->softening * (double)f->softening;
        if (dot3(d, d) > 0) add3(a, f->G * crowd[j].mass / pow(q, 1.5), d);
    }
}

static void swirl_formula(const void *raw, const Point *p, double a[3])
{
    const mote_SwirlForce *f = raw;
    double w[3];
    turned(f->axis, f->center, p->x, w);
    add3(a, (double)f->strength / (dot3(w, w) + (double)f->radius * (double)f->radius), w);
}

static void callback(void *context, size_t first, size_t count, const mote_real *const x[3],
                     const mote_real *const v[3], const mote_real *mass, double t,
                     mote_real *const a[3])
{
    (void)first;
    for (size_t i = 0; i < count; ++i) {
        a[0][i] += *(mote_real *)context * x[1][i];
        a[1][i] -= v[2][i];
        a[2][i] += mass[i] + (mote_real)t;
    }
}

static mote_Status callback_for_all(void *context, const mote_ForceArrays *rows, mote_Error *error)
{
    (void)error;
    CHECK(rows->count == POINTS);
    callback(context, 0, rows->count, rows->x, rows->v, rows->mass, rows->t, rows->a);
    return MOTE_OK;
}

static void callback_formula(const void *raw, const Point *p, double a[3])
{
    const double add[3] = {2.5 * p->x[1], -p->v[2], p->mass};
    (void)raw;
    add3(a, 1, add);
}

static void spring_formula(const void *raw, const Point *p, double a[3])
{
    const mote_SpringToForce *s = raw;
    double d[3] = {p->x[0] - (double)s->point.x, p->x[1] - (double)s->point.y,
                   p->x[2] - (double)s->point.z};
    double length = sqrt(dot3(d, d));
    add3(a, -(double)s->stiffness * (length - (double)s->rest) / (length * p->mass), d);
    add3(a, -(double)s->damping / p->mass, p->v);
}

/* ---- the table of cases ---- */

static mote_real factor = (mote_real)2.5;
static const mote_GravityForce gravity = {{1, (mote_real)-9.81, (mote_real)0.5}};
static const mote_DragForce linear_drag = {.linear = (mote_real)1.5};
static const mote_DragForce full_drag = {.linear = (mote_real)0.5, .quadratic = 2};
static const mote_DragForce heavy_drag = {
    .linear = 1, .quadratic = (mote_real)0.5, .by_mass = true};
static const mote_DragForce windy_drag = {.linear = 2, .wind = "storm"};
static const mote_DragForce windy_full = {
    .linear = 1, .quadratic = (mote_real)0.3, .by_mass = true, .wind = "storm"};
static const mote_AttractorForce soft = {{1, 0, (mote_real)0.5}, 4, (mote_real)0.5};
static const mote_AttractorForce hard = {{0, 5, 0}, -3, 0};
static const mote_MutualGravityForce cluster = {.G = 0.5, .softening = (mote_real)0.25};
static const mote_MutualGravityForce tree = {.G = 0.01,
                                             .softening = (mote_real)0.1,
                                             .method = MOTE_GRAVITY_TREE,
                                             .opening = (mote_real)0.05};
static const mote_MutualGravityForce direct = {.G = 0.01, .method = MOTE_GRAVITY_DIRECT};
static const mote_SwirlForce swirl = {{0, 1, 0}, {1, (mote_real)0.5, 2}, 3, (mote_real)0.75};
static const mote_SpringToForce spring = {.stiffness = 5,
                                          .damping = (mote_real)0.5,
                                          .rest = (mote_real)0.75,
                                          .point = {(mote_real)0.5, -1, 0}};
static const mote_SpringToForce undamped = {.stiffness = 3, .point = {0, 0, 1}};
static const mote_CallbackForce user = {callback, &factor};
static const mote_WholeCallbackForce user_of_all = {callback_for_all, &factor};

static const struct {
    const char *type;
    const void *params;
    void (*formula)(const void *params, const Point *point, double a[3]);
} cases[] = {
    {"gravity", &gravity, gravity_formula},
    {"drag", &linear_drag, drag_formula},
    {"drag", &full_drag, drag_formula},
    {"drag", &heavy_drag, drag_formula},
    {"drag", &windy_drag, drag_formula},
    {"drag", &windy_full, drag_formula},
    {"attractor", &soft, attractor_formula},
    {"attractor", &hard, attractor_formula},
    {"mutual-gravity", &cluster, mutual_formula},
    {"mutual-gravity", &direct, mutual_formula},
    {"mutual-gravity", &tree, mutual_formula},
    {"swirl", &swirl, swirl_formula},
    {"callback", &user, callback_formula},
    {"spring-to", &spring, spring_formula},
    {"spring-to", &undamped, spring_formula},
    {"whole-callback", &user_of_all, callback_formula},
};

static void add_wind(mote_World *world)
{
    mote_FieldDef def = mote_field_def();
    def.name = "storm", def.type = "vortex", def.params = &wind;
    mote_Error error;
    SETUP_OK(mote_world_add_field(world, &def, &error), error);
}

static void scatter(mote_System *system, size_t count, Point *points)
{
    uint64_t state = 3;
    for (size_t i = 0; i < count; ++i) {
        size_t row = setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        mote_real mass = (mote_real)setup_uniform(&state, 0.5, 4);
        setup_reals(system, "mass", 0)[row] = mass;
        points[i].mass = (double)mass;
        for (int c = 0; c < 3; ++c) {
            mote_real x = (mote_real)setup_uniform(&state, -2, 2);
            mote_real v = (mote_real)setup_uniform(&state, -2, 2);
            setup_reals(system, "position", c)[row] = x;
            setup_reals(system, "velocity", c)[row] = v;
            points[i].x[c] = (double)x, points[i].v[c] = (double)v;
        }
    }
}

/* dt = 1, so that v1 - v0 is the acceleration. */
static void accelerations_match_formulas(void)
{
    static Point points[POINTS];
    for (size_t n = 0; n < COUNT_OF(cases); ++n) {
        mote_WorldDef def = setup_def(1);
        mote_World *world = setup_world(&def);
        add_wind(world);
        mote_System *system = setup_system(world, "dust", "euler", NULL);
        setup_force(world, cases[n].type, cases[n].params);
        scatter(system, POINTS, points);
        crowd = points, crowd_count = POINTS;
        setup_step(world);
        for (size_t i = 0; i < POINTS; ++i) {
            double a[3] = {0, 0, 0};
            cases[n].formula(cases[n].params, &points[i], a);
            double size = 3 + sqrt(dot3(a, a));
            for (int c = 0; c < 3; ++c)
                CHECK_NEAR(setup_at(system, "velocity", c, i) - points[i].v[c], a[c], SMALL * size);
        }
        mote_world_destroy(world);
    }
}

/* What scenes alone can give; tests/world/test_formulas.c has its cases. */
static bool has_formulas(const mote_Row *row)
{
    for (size_t i = 0; i < row->param_count; ++i)
        if (row->params[i].type == MOTE_PARAM_FORMULA) return true;
    return false;
}

/* Every row of the table has a case. */
static void every_row_has_a_case(void)
{
    size_t count;
    const mote_Row *const *rows = force_rows(ISA_V1, &count);
    for (size_t i = 0; i < count; ++i) {
        bool found = has_formulas(rows[i]);
        for (size_t n = 0; n < COUNT_OF(cases); ++n)
            found = found || strcmp(cases[n].type, rows[i]->name) == 0;
        CHECK(found);
        CHECK(rows[i]->doc != NULL && strlen(rows[i]->doc) > 10);
    }
}

/* ---- energies ---- */

/* Three that stay where they are, so that forces between particles have something to act on. */
static const Point companions[] = {{.x = {1.5, -0.5, 0.25}, .mass = 2},
                                   {.x = {-1, 0.75, 1}, .mass = 0.5},
                                   {.x = {0.25, 1.25, -1.5}, .mass = 3}};

static void add_point(mote_System *system, const double x[3], double mass)
{
    size_t row = setup_particle(system, setup_vec(x[0], x[1], x[2]), setup_vec(0, 0, 0));
    setup_reals(system, "mass", 0)[row] = (mote_real)mass;
}

/* Potential energy of a particle and its companions, by the report of a step of no length to speak
 * of. */
static double potential_at(const char *type, const void *params, const double x[3], double mass)
{
    mote_WorldDef def = setup_def(1e-9);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", "euler", NULL);
    setup_force(world, type, params);
    add_point(system, x, mass);
    for (size_t i = 0; i < COUNT_OF(companions); ++i)
        add_point(system, companions[i].x, companions[i].mass);
    double energy = setup_step(world).potential;
    mote_world_destroy(world);
    return energy;
}

static bool has_potential(const char *type)
{
    size_t count;
    const mote_Row *const *rows = force_rows(ISA_V1, &count);
    for (size_t i = 0; i < count; ++i)
        if (strcmp(rows[i]->name, type) == 0) return ((const ForceRow *)rows[i])->potential != NULL;
    return false;
}

static void energy_gradients(void)
{
    if (sizeof(mote_real) == 4) return; /* differences need double */
    uint64_t state = 8;
    int tested = 0;
    crowd = companions, crowd_count = COUNT_OF(companions);
    for (size_t n = 0; n < COUNT_OF(cases); ++n) {
        if (!has_potential(cases[n].type)) continue;
        for (int i = 0; i < 20; ++i, ++tested) {
            Point p = {.mass = setup_uniform(&state, 0.5, 3)};
            double a[3] = {0, 0, 0}, h = 1e-4;
            for (int c = 0; c < 3; ++c) p.x[c] = setup_uniform(&state, -2, 2);
            cases[n].formula(cases[n].params, &p, a);
            for (int c = 0; c < 3; ++c) {
                double low[3] = {p.x[0], p.x[1], p.x[2]}, high[3] = {p.x[0], p.x[1], p.x[2]};
                low[c] -= h, high[c] += h;
                double slope = (potential_at(cases[n].type, cases[n].params, high, p.mass) -
                                potential_at(cases[n].type, cases[n].params, low, p.mass)) /
                               (2 * h);
                CHECK_NEAR(slope, -p.mass * a[c], 1e-5 * (1 + p.mass * sqrt(dot3(a, a))));
            }
        }
    }
    CHECK(tested >= 40);
}

/* At the very centre of an unsoftened attractor there is no direction, and so no force. */
static void attractor_centre_is_harmless(void)
{
    static const double strengths[] = {1, -1, 400, 1e10};
    for (size_t s = 0; s < COUNT_OF(strengths); ++s) {
        mote_AttractorForce point = {{1, 2, 3}, (mote_real)strengths[s], 0};
        mote_WorldDef def = setup_def(1);
        mote_World *world = setup_world(&def);
        mote_System *system = setup_system(world, "dust", "euler", NULL);
        setup_force(world, "attractor", &point);
        setup_particle(system, point.center, setup_vec(0, 0, 0));
        setup_step(world);
        for (int c = 0; c < 3; ++c) CHECK(setup_at(system, "velocity", c, 0) == 0);
        mote_world_destroy(world);
    }
}

/* Far away a^2 fits a float, though the cube of the distance does not. */
static void attractor_far_away(void)
{
    mote_AttractorForce sun = {{0, 0, 0}, (mote_real)1.327e20, 0};
    mote_WorldDef def = setup_def(1);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", "euler", NULL);
    setup_force(world, "attractor", &sun);
    setup_particle(system, setup_vec(1e14, 0, 0), setup_vec(0, 0, 0));
    setup_step(world);
    CHECK_NEAR(setup_at(system, "velocity", 0, 0) / -1.327e-8, 1, 1e-5);
    mote_world_destroy(world);
}

/* ---- groups, systems, references ---- */

static void forces_act_on_their_group(void)
{
    mote_WorldDef def = setup_def(1);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", "euler", NULL);
    mote_GravityForce up = {{0, 1, 0}}, right = {{1, 0, 0}};
    mote_ForceDef defs[] = {mote_force_def(), mote_force_def()};
    defs[0].name = "up", defs[0].params = &up, defs[0].group = 6;
    defs[1].name = "right", defs[1].params = &right;
    mote_Error error;
    for (int i = 0; i < 2; ++i) SETUP_OK(mote_world_add_force(world, &defs[i], &error), error);
    uint32_t groups[] = {0, 1, 2, 3, 4, 8, 12, 0xffffffffu};
    for (size_t i = 0; i < 40 * COUNT_OF(groups); ++i) {
        size_t row = setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        ((uint32_t *)mote_system_column(system, "group")->data)[row] = groups[i % 8];
    }
    setup_step(world);
    for (size_t i = 0; i < 40 * COUNT_OF(groups); ++i) {
        CHECK(setup_at(system, "velocity", 0, i) == 1);
        CHECK(setup_at(system, "velocity", 1, i) == ((groups[i % 8] & 6) != 0 ? 1 : 0));
    }
    mote_world_destroy(world);
}

static void forces_act_on_their_systems(void)
{
    mote_WorldDef def = setup_def(1);
    mote_World *world = setup_world(&def);
    mote_System *a = setup_system(world, "a", "euler", NULL);
    mote_System *b = setup_system(world, "b", "euler", NULL);
    const char *const names[] = {"b"};
    mote_GravityForce up = {{0, 1, 0}};
    mote_ForceDef force = mote_force_def();
    force.type = "gravity", force.params = &up, force.systems = names, force.system_count = 1;
    mote_Error error;
    SETUP_OK(mote_world_add_force(world, &force, &error), error);
    mote_System *c = setup_system(world, "c", "euler", NULL);
    mote_System *all[] = {a, b, c};
    for (int i = 0; i < 3; ++i) setup_particle(all[i], setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    setup_step(world);
    for (int i = 0; i < 3; ++i) CHECK(setup_at(all[i], "velocity", 1, 0) == (i == 1));
    mote_world_destroy(world);
}

static void unknown_wind_is_named(void)
{
    mote_WorldDef def = setup_def(1);
    mote_World *world = setup_world(&def);
    mote_Error error = {0};
    add_wind(world);
    mote_DragForce drag = mote_drag_force_def();
    mote_ForceDef force = mote_force_def();
    force.name = "air", force.type = "drag", force.params = &drag;
    drag.wind = "strom";
    CHECK(mote_world_add_force(world, &force, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "air");
    CHECK_MESSAGE(error, "there is no field `strom`; did you mean `storm`?");
    char copy[] = "storm"; /* the name is not kept */
    drag.wind = copy;
    CHECK_OK(mote_world_add_force(world, &force, &error), error);
    memset(copy, 'x', 5);
    mote_System *system = setup_system(world, "dust", "euler", NULL);
    setup_particle(system, setup_vec(0, 0, 0), setup_vec(1, 1, 1));
    setup_step(world);
    mote_world_destroy(world);
}

static void fields_are_sampled(void)
{
    static Point points[POINTS];
    mote_WorldDef def = setup_def(1);
    mote_World *world = setup_world(&def);
    add_wind(world);
    mote_System *system = setup_system(world, "dust", "euler", "storm");
    scatter(system, POINTS, points);
    setup_step(world);
    for (size_t i = 0; i < POINTS; ++i) {
        double u[3];
        vortex(&wind, points[i].x, u);
        for (int c = 0; c < 3; ++c)
            CHECK_NEAR(setup_at(system, "position", c, i) - points[i].x[c], u[c], 10 * SMALL);
    }
    mote_world_destroy(world);
}

static void bad_parameters(void)
{
    static const mote_VortexField no_axis = {.speed = 1, .core = 1}, no_core = {.axis = {0, 1, 0}};
    static const mote_SwirlForce still = {.radius = 1};
    static const mote_AttractorForce nan_place = {.center = {0, (mote_real)NAN, 0}};
    static const struct {
        bool field;
        const char *type;
        const void *params;
        const char *text;
    } bad[] = {
        {true, "vortex", &no_axis, "axis is zero"},
        {true, "vortex", &no_core, "core is 0"},
        {true, "callback", NULL, "sample"},
        {true, "vrotex", NULL, "`vortex`"},
        {false, "swirl", &still, "axis is zero"},
        {false, "callback", NULL, "accelerate"},
        {false, "whole-callback", NULL, "accelerate"},
        {false, "attractor", &nan_place, "center"},
        {false, "drg", NULL, "`drag`"},
    };
    mote_WorldDef def = setup_def(1);
    mote_World *world = setup_world(&def);
    for (size_t i = 0; i < COUNT_OF(bad); ++i) {
        mote_Error error = {0};
        mote_FieldDef field = mote_field_def();
        field.name = "f", field.type = bad[i].type, field.params = bad[i].params;
        mote_ForceDef force = mote_force_def();
        force.name = "f", force.type = bad[i].type, force.params = bad[i].params;
        CHECK((bad[i].field ? mote_world_add_field(world, &field, &error)
                            : mote_world_add_force(world, &force, &error)) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, bad[i].text);
    }
    mote_world_destroy(world);
}

TESTS({"accelerations_match_formulas", accelerations_match_formulas},
      {"every_row_has_a_case", every_row_has_a_case}, {"energy_gradients", energy_gradients},
      {"attractor_centre_is_harmless", attractor_centre_is_harmless},
      {"attractor_far_away", attractor_far_away},
      {"forces_act_on_their_group", forces_act_on_their_group},
      {"forces_act_on_their_systems", forces_act_on_their_systems},
      {"unknown_wind_is_named", unknown_wind_is_named}, {"fields_are_sampled", fields_are_sampled},
      {"bad_parameters", bad_parameters})
