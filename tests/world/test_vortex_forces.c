/* Forces three ways on one body in one flow: the impulse of what panels shed, the pressure on them,
 * and what a penalty takes of momentum. */
#include "world/air.h"

/* A way to have forces. */
typedef struct ForceWay {
    int boundary, coupling;
} ForceWay;

enum { WAYS = 3, PANELS = 1, PENALISED = 2 };
static const ForceWay ways[WAYS] = {
    {PANELS, MOTE_COUPLED_BY_IMPULSE},
    {PANELS, MOTE_COUPLED_BY_PRESSURE},
    {PENALISED, MOTE_COUPLED_BY_IMPULSE},
};

/* Air of density 1, for bodies of about 1 m of which panels are an eighth of a metre, or cells a
 * twelfth; a penalty needs some viscosity. */
static mote_World *make_pool(const ForceWay *way, double dt)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    mote_System *vortons;
    p.boundary = way->boundary, p.coupling = way->coupling, p.density = 1, p.buoyancy = 0;
    p.viscosity = way->boundary == PENALISED ? (mote_real)1e-3 : 0;
    p.panels = 120, p.resolution = (mote_real)0.05;
    p.remesh_spacing = (mote_real)(1.0 / 12), p.remesh_overlap = 1, p.remesh_cut = (mote_real)1e-3;
    return make_vortons(&p, dt, &vortons);
}

/* A plate of 1 m, a tenth as thick, that meets the air with its face. */
static void put_plate(mote_World *world)
{
    mote_ColliderDef def = mote_collider_def();
    mote_BoxShape box = mote_box_shape_def();
    mote_Error error;
    box.size = setup_vec(0.1, 1, 1);
    def.name = "plate", def.shape = "box", def.shape_params = &box, def.measure = true;
    def.motion.velocity = setup_vec(1, 0, 0), def.motion.at = setup_vec(0.02, 0.03, 0.01);
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
}

/* From half of its side on to one and a half of them, when its ring of vortices grows behind it:
 * the mean force. No experiment is asked here, each is the other's. */
static double face_on(const ForceWay *way)
{
    enum { FIRST = 20, LAST = 60 };
    const double dt = 0.025;
    mote_World *world = make_pool(way, dt);
    double sum = 0;
    put_plate(world);
    for (int k = 0; k < LAST; ++k) {
        mote_ColliderLoad load;
        mote_Error error;
        setup_step(world);
        CHECK_OK(mote_world_collider_load(world, "plate", &load, &error), error);
        if (k >= FIRST) sum += load.impulse[0] / dt / (LAST - FIRST);
    }
    mote_world_destroy(world);
    return sum;
}

static void three_forces_agree(void)
{
    double force[WAYS];
    if (TEST_SANITIZED) return; /* the same code as elsewhere, for long */
    for (int k = 0; k < WAYS; ++k) force[k] = face_on(&ways[k]);
    for (int k = 0; k < WAYS; ++k) {
        CHECK(force[k] < 0);
        CHECK_NEAR(force[k] / force[(k + 1) % WAYS], 1, 0.1);
    }
}

/* A flat wing of aspect ratio 2 at 5 degrees, some chords after its start: what it leaves behind
 * costs C_L^2 / (pi A) of drag (Prandtl 1918). By the impulse of a wake that would be closed it is
 * none at all. */
static void wings_have_induced_drag(void)
{
    const double dt = 0.05, aspect = 2;
    const ForceWay way = {PANELS, MOTE_COUPLED_BY_IMPULSE};
    mote_ColliderDef def = mote_collider_def();
    mote_BoxShape box = mote_box_shape_def();
    mote_Error error;
    double force[2] = {0, 0}, unit = 0.5 * aspect;
    if (TEST_SANITIZED) return;
    mote_World *world = make_pool(&way, dt);
    box.size = setup_vec(1, 0.1, aspect);
    def.name = "wing", def.shape = "box", def.shape_params = &box, def.measure = true;
    def.motion.velocity = setup_vec(1, 0, 0), def.motion.rotate = setup_vec(0, 0, 5);
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    for (int k = 0; k < 120; ++k) {
        mote_ColliderLoad load;
        setup_step(world);
        CHECK_OK(mote_world_collider_load(world, "wing", &load, &error), error);
        for (int c = 0; c < 2 && k >= 100; ++c) force[c] += load.impulse[c] / dt / 20 / unit;
    }
    CHECK_NEAR(-force[0] / (force[1] * force[1] / (PI * aspect)), 1, 0.2);
    mote_world_destroy(world);
}

TESTS({"three_forces_agree", three_forces_agree},
      {"wings_have_induced_drag", wings_have_induced_drag})
