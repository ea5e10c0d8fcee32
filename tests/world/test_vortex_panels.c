/* Bodies of panels in air without a vorton: they make their own. */
#include "world/air.h"

/* Air of density 1 and nothing in it. */
static Air make_empty_air(mote_Tasks *tasks, int coupling, double viscosity)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    p.boundary = 1, p.panels = 120, p.density = 1, p.coupling = coupling;
    p.viscosity = (mote_real)viscosity;
    Air air = make_air_of(&p, tasks, 0, 0, 0);
    stop_emitters(&air);
    return air;
}

/* Mean force over some frames. */
static void force_over(Air *air, const char *name, int frames, double force[3])
{
    mote_ColliderLoad load;
    mote_Error error;
    force[0] = force[1] = force[2] = 0;
    for (int k = 0; k < frames; ++k) {
        setup_step(air->world);
        CHECK_OK(mote_world_collider_load(air->world, name, &load, &error), error);
        for (int c = 0; c < 3; ++c) force[c] += load.impulse[c] * 30 / frames;
    }
}

/* ---- plates ---- */

/* A square plate of 0.6 m towed with 1 m/s for three chords: the force over the last of them. */
static void tow(double incidence, int coupling, double force[3])
{
    Air air = make_empty_air(NULL, coupling, 0);
    add_collider(&air, "box", setup_vec(1, 0, 0), setup_vec(0, 0, incidence), setup_vec(0, 0, 0));
    force_over(&air, "body", 36, force);
    CHECK(air.vortons->count > 20);
    force_over(&air, "body", 18, force);
    mote_world_destroy(air.world);
}

/* Lift of a square wing is 2 pi a A / (2 + sqrt(4 + A^2)), A = 1 (Helmbold 1942). By the impulse of
 * what is shed and by the pressure on the panels it is the same to 30 %, as vortons keep no more of
 * their impulse in their own flow. Sanitizers see the same code in balls and in bits_stay. */
static void plates_lift_without_vortons(void)
{
    double impulse[3], pressure[3], wing = 0.5 * 0.36 * 2 * PI * PI / 18 / (2 + sqrt(5));
    if (TEST_SANITIZED) return;
    tow(10, 0, impulse), tow(10, 2, pressure);
    CHECK_NEAR(impulse[1] / wing, 1, 0.3);
    CHECK_NEAR(impulse[1] / pressure[1], 1, 0.3);
    CHECK(impulse[0] < 0 && fabs(impulse[2]) < 0.02 * impulse[1]);
}

/* Face-on the coefficient of drag is that of plates, 1.1 to 1.2, by impulse and by pressure. */
static void plates_face_on_drag(void)
{
    double impulse[3], pressure[3], unit = 0.5 * 0.36;
    if (TEST_SANITIZED) return;
    tow(90, 0, impulse), tow(90, 2, pressure);
    CHECK_NEAR(-pressure[0] / unit, 1.15, 0.15);
    CHECK_NEAR(-impulse[0] / unit, 1.15, 0.15);
    CHECK_NEAR(impulse[0] / pressure[0], 1, 0.1);
    CHECK(fabs(impulse[1]) < 0.02 * -impulse[0]);
}

/* Lift has the sign of the incidence, is the same both ways and none without. MOTE_LONG: it is
 * three more plates. */
static void lift_is_symmetric(void)
{
    double up[3], down[3], flat[3];
    if (getenv("MOTE_LONG") == NULL) return;
    tow(10, 0, up), tow(-10, 0, down), tow(0, 0, flat);
    CHECK_NEAR(-down[1] / up[1], 1, 0.02);
    CHECK(fabs(flat[1]) < 0.02 * up[1] && down[0] < 0);
}

/* ---- balls ---- */

static mote_Status speed_up(void *context, double t, mote_Motion *motion, mote_Error *error)
{
    (void)context, (void)error;
    motion->at = setup_vec(t * t / 2, 0, 0);
    return MOTE_OK;
}

/* A ball that gets faster by 1 m/s^2 is held back by half the mass of the air it displaces, by both
 * ways; at constant speed by nothing, where nothing is shed. */
static void balls_have_their_added_mass(void)
{
    for (int coupling = 0; coupling <= 2; coupling += 2) {
        mote_ColliderDef def = mote_collider_def();
        mote_SphereShape sphere = mote_sphere_shape_def();
        mote_Error error;
        double force[3], half = 0.5 * 4.18879020478639 * 0.027;
        Air air = make_empty_air(NULL, coupling, 0);
        sphere.radius = (mote_real)0.3;
        def.name = "body", def.shape = "sphere", def.shape_params = &sphere, def.measure = true;
        def.path = speed_up;
        SETUP_OK(mote_world_add_collider(air.world, &def, &error), error);
        force_over(&air, "body", 3, force);
        force_over(&air, "body", 10, force);
        CHECK_NEAR(-force[0] / half, 1, 0.02);
        mote_world_destroy(air.world);
        air = make_empty_air(NULL, coupling, 0);
        add_collider(&air, "sphere", setup_vec(1, 0, 0), setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        force_over(&air, "body", 10, force);
        CHECK_NEAR(force[0] / half, 0, 1e-3);
        CHECK(air.vortons->count == 0);
        mote_world_destroy(air.world);
    }
}

static void add_named_ball(Air *air, const char *name, double z)
{
    mote_ColliderDef def = mote_collider_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_Error error;
    sphere.radius = (mote_real)0.3;
    def.name = name, def.shape = "sphere", def.shape_params = &sphere, def.measure = true;
    def.motion.at = setup_vec(0, 0, z), def.motion.velocity = setup_vec(1, 0, 0);
    SETUP_OK(mote_world_add_collider(air->world, &def, &error), error);
}

/* Two balls side by side attract each other with 3 pi rho a^6 U^2 / d^4 (Lamb, Hydrodynamics, 138),
 * further terms of a / d being left out. */
static void balls_abreast_attract(void)
{
    for (int coupling = 0; coupling <= 2; coupling += 2) {
        double a[3], b[3], theory = 3 * PI * pow(0.3, 6) / pow(1.2, 4);
        Air air = make_empty_air(NULL, coupling, 0);
        add_named_ball(&air, "a", 0), add_named_ball(&air, "b", 1.2);
        force_over(&air, "a", 3, a);
        force_over(&air, "a", 3, a);
        force_over(&air, "b", 3, b);
        CHECK_NEAR(a[2] / theory, 1, 0.15);
        CHECK_NEAR(b[2] / -a[2], 1, 0.02);
        mote_world_destroy(air.world);
    }
}

/* A free plate that is thrown: what it loses of its momentum, sheet and wake have. The rest of the
 * 5 % is what vortons do to each other's impulse; `classical` stretching is the best of three
 * there. */
static void plates_keep_momentum_with_their_wake(void)
{
    mote_BodyDef def = mote_body_def();
    mote_BoxShape box = mote_box_shape_def();
    mote_BodyState state;
    mote_Error error;
    double first[3] = {0}, size = 0, speed = 0;
    mote_VortexSolver p = mote_vortex_solver_def();
    p.boundary = 1, p.panels = 120, p.density = 1, p.stretching = 1;
    Air air = make_air_of(&p, NULL, 0, 0, 0);
    stop_emitters(&air);
    box.size = setup_vec(0.6, 0.1, 0.6);
    def.name = "ball", def.shape = "box", def.shape_params = &box, def.free = true;
    def.mass = 0.1, def.gravity = false, def.motion.velocity = setup_vec(0.3, 1, 0);
    SETUP_OK(mote_world_add_body(air.world, &def, &error), error);
    setup_step(air.world);
    const Vortex *vortex = ((Solver *)air.world->solvers.items[0])->state;
    const Sheet *sheet = &vortex->sheets.items[0];
    for (int k = 0; k < 20; ++k) {
        mote_VortexSums sums = {.impulse = {0}};
        CHECK_OK(mote_world_body(air.world, "ball", &state, &error), error);
        if (air.vortons->count > 0)
            CHECK_OK(mote_vortex_sums(air.vortons, 0, &sums, &error), error);
        for (size_t i = 0; i < vortex->sheets.shed_count; ++i) {
            const double *s = vortex->sheets.shed + i * SHED_NUMBERS;
            for (int c = 0; c < 3; ++c) {
                int d = (c + 1) % 3, e = (c + 2) % 3;
                sums.impulse[c] += 0.5 * (s[d] * s[3 + e] - s[e] * s[3 + d]);
            }
        }
        for (int c = 0; c < 3; ++c) {
            double fluid = sheet->kept[SHEET_IMPULSE + c] -
                           sheet->panels.volume * sheet->kept[SHEET_VELOCITY + c];
            double all = state.momentum[c] + fluid + sums.impulse[c];
            if (k == 0) first[c] = all, size += all * all, speed = state.velocity[1];
            CHECK_NEAR((all - first[c]) / sqrt(size), 0, 0.05);
        }
        setup_step(air.world);
    }
    CHECK(state.velocity[1] < 0.8 * speed && state.velocity[1] > 0);
    mote_world_destroy(air.world);
}

/* ---- bits ---- */

/* Plates and balls that shed, by any number of threads, saved and loaded in every sub-step. */
static void bits_stay(void)
{
    mote_VortexSums first = {.energy = 0}, sums;
    for (int k = 0; k < 4; ++k) {
        mote_Tasks *tasks = setup_tasks(k == 2 ? 3 : 1);
        mote_Error error;
        Air air = make_empty_air(tasks, 0, 1e-3);
        air.world->def.reload_always = k == 3;
        add_collider(&air, "box", setup_vec(1, 0, 0), setup_vec(0, 0, 30), setup_vec(0, 0, 0));
        add_named_ball(&air, "other", 0.8);
        for (int frame = 0; frame < 8; ++frame) setup_step(air.world);
        CHECK_OK(mote_vortex_sums(air.vortons, 0, &sums, &error), error);
        if (k == 0) first = sums;
        CHECK(memcmp(&sums, &first, sizeof sums) == 0);
        mote_world_destroy(air.world);
        mote_tasks_destroy(tasks);
    }
    CHECK(first.enstrophy > 0);
}

TESTS({"plates_lift_without_vortons", plates_lift_without_vortons},
      {"plates_face_on_drag", plates_face_on_drag}, {"lift_is_symmetric", lift_is_symmetric},
      {"balls_have_their_added_mass", balls_have_their_added_mass},
      {"balls_abreast_attract", balls_abreast_attract},
      {"plates_keep_momentum_with_their_wake", plates_keep_momentum_with_their_wake},
      {"bits_stay", bits_stay})
