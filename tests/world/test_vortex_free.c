/* Free bodies of panels: momentum, added inertia, bodies that are lighter than the air they move.
 */
#include "world/air.h"

/* A free plate that is thrown: what it loses of its momentum, sheet and wake have. */
static void plates_keep_momentum_with_their_wake(void)
{
    mote_BodyDef def = mote_body_def();
    mote_BoxShape box = mote_box_shape_def();
    mote_BodyState state;
    mote_Error error;
    double first[3] = {0}, size = 0, speed = 0;
    mote_VortexSolver p = mote_vortex_solver_def();
    p.boundary = 1, p.panels = 120, p.density = 1;
    Air air = make_air_of(&p, NULL, 0, 0, 0);
    stop_emitters(&air);
    box.size = setup_vec(0.6, 0.1, 0.6);
    def.name = "ball", def.shape = "box", def.shape_params = &box, def.free = true;
    def.mass = 0.1, def.gravity = false, def.motion.velocity = setup_vec(0.3, 1, 0);
    SETUP_OK(mote_world_add_body(air.world, &def, &error), error);
    setup_step(air.world);
    const Sheets *sheets = sheets_of(&air);
    const Sheet *sheet = &sheets->items[0];
    for (int k = 0; k < 20; ++k) {
        mote_VortexSums sums = {.impulse = {0}};
        CHECK_OK(mote_world_body(air.world, "ball", &state, &error), error);
        if (air.vortons->count > 0)
            CHECK_OK(mote_vortex_sums(air.vortons, 0, &sums, &error), error);
        for (size_t i = 0; i < sheets->shed_count; ++i) {
            const double *s = sheets->shed + i * SHED_NUMBERS;
            for (int c = 0; c < 3; ++c) {
                int d = (c + 1) % 3, e = (c + 2) % 3;
                sums.impulse[c] += 0.5 * (s[d] * s[3 + e] - s[e] * s[3 + d]);
            }
        }
        for (int c = 0; c < 3; ++c) {
            double fluid = sheet->kept[SHEET_IMPULSE + c] -
                           sheet->panels.volume * sheet->kept[SHEET_VELOCITY + c];
            double all = state.momentum[c] + fluid + sums.impulse[c];
            all +=
                sheet->kept[SHEET_YIELDED + c]; /* which the sheet takes with the next sub-step */
            if (k == 0) first[c] = all, size += all * all, speed = state.velocity[1];
            CHECK_NEAR((all - first[c]) / sqrt(size), 0, 0.002);
        }
        setup_step(air.world);
    }
    CHECK(state.velocity[1] < 0.8 * speed && state.velocity[1] > 0);
    mote_world_destroy(air.world);
}

/* The added moments of a disc of radius 1: its sheet's with so many panels. */
static Sheet disc_sheet(uint64_t panels)
{
    mote_ColliderDef def = mote_collider_def();
    mote_CylinderShape disc = mote_cylinder_shape_def();
    mote_Error error;
    Air air = make_fine_air(NULL, 0, 0, panels);
    disc.radius = 1, disc.height = (mote_real)0.02;
    def.name = "disc", def.shape = "cylinder", def.shape_params = &disc;
    SETUP_OK(mote_world_add_collider(air.world, &def, &error), error);
    setup_step(air.world);
    const Sheet sheet = sheets_of(&air)->items[0];
    mote_world_destroy(air.world);
    return sheet;
}

/* A disc that turns about a diameter takes 16/45 rho a^5 with it, one that moves along its axis 8/3
 * rho a^3 (Lamb, Hydrodynamics, 102 and 108). Lines at the rim make a disc of panels too large by a
 * part of a panel's side: with four times the panels half of that is gone, and the rest is right.
 */
static void discs_have_their_added_inertia(void)
{
    const Sheet few = disc_sheet(100), many = disc_sheet(400);
    CHECK_NEAR((2 * many.turned[0] - few.turned[0]) / (16.0 / 45), 1, 0.05);
    CHECK_NEAR((2 * many.added[1] - few.added[1]) / (8.0 / 3), 1, 0.05);
    CHECK_NEAR(many.turned[2] / many.turned[0], 1, 1e-6);
    CHECK_NEAR(many.turned[1], 0, 1e-6);
}

/* A coin of 0.03 kg at a tilt: the air that goes with it, 8/3 rho a^3, is 0.09 kg. */
static Air drop_coin(int coupling)
{
    mote_BodyDef def = mote_body_def();
    mote_CylinderShape disc = mote_cylinder_shape_def();
    mote_VortexSolver p = mote_vortex_solver_def();
    mote_Error error;
    p.boundary = 1, p.panels = 60, p.coupling = coupling, p.shed_lifetime = 1;
    Air air = make_air_of(&p, NULL, 0, 0, 0);
    stop_emitters(&air);
    disc.radius = (mote_real)0.3, disc.height = (mote_real)0.02;
    def.name = "coin", def.shape = "cylinder", def.shape_params = &disc, def.free = true;
    def.mass = 0.03, def.motion.rotate = setup_vec(0, 0, 25);
    SETUP_OK(mote_world_add_body(air.world, &def, &error), error);
    return air;
}

/* It falls by either force, and never has more energy than it lost of height: the frame of 1/30 s
 * is cut in shorter sub-steps as it gets faster. In whole ones it gains energy. */
static void light_coins_fall(void)
{
    for (int coupling = 0; coupling <= 2; coupling += 2) {
        mote_BodyState state;
        mote_Error error;
        Air air = drop_coin(coupling);
        for (int k = 0; k < (TEST_SANITIZED ? 5 : 40); ++k) {
            setup_step(air.world);
            CHECK_OK(mote_world_body(air.world, "coin", &state, &error), error);
            CHECK(state.kinetic <= 1.02 * 0.03 * 9.81 * -state.position[1]);
        }
        if (!TEST_SANITIZED) CHECK(state.position[1] < -0.5);
        mote_world_destroy(air.world);
    }
}

/* A coin that sheds, falls and turns, saved and loaded in every sub-step. */
static void coins_are_saved_whole(void)
{
    mote_BodyState state[2];
    for (int k = 0; k < 2; ++k) {
        mote_Error error;
        Air air = drop_coin(0);
        air.world->def.reload_always = k == 1;
        for (int frame = 0; frame < 8; ++frame) setup_step(air.world);
        CHECK_OK(mote_world_body(air.world, "coin", &state[k], &error), error);
        mote_world_destroy(air.world);
    }
    CHECK(memcmp(&state[0], &state[1], sizeof state[0]) == 0);
}

/* One vorton alone at a body of panels is put outside of it, and keeps its strength. */
static void lone_vortons_stay_finite(void)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    mote_ColliderDef def = mote_collider_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_System *vortons;
    mote_Error error;
    size_t row;
    p.boundary = 1, p.panels = 60;
    mote_World *world = make_vortons(&p, 0.01, &vortons);
    sphere.radius = (mote_real)0.3;
    def.name = "ball", def.shape = "sphere", def.shape_params = &sphere;
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    SETUP_OK(mote_system_add_rows(vortons, 1, &row, &error), error);
    const VortonRows rows = vortex_rows(vortons, 1);
    rows.x[0][0] = (mote_real)0.31, rows.radius[0] = (mote_real)0.1;
    rows.strength[1][0] = (mote_real)0.01;
    mote_system_edited(vortons);
    setup_step(world);
    CHECK_NEAR((double)vortex_rows(vortons, 1).strength[1][0], 0.01, 0.005);
    mote_world_destroy(world);
}

TESTS({"plates_keep_momentum_with_their_wake", plates_keep_momentum_with_their_wake},
      {"discs_have_their_added_inertia", discs_have_their_added_inertia},
      {"light_coins_fall", light_coins_fall},
      {"lone_vortons_stay_finite", lone_vortons_stay_finite},
      {"coins_are_saved_whole", coins_are_saved_whole})
