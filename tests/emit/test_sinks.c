/* Sinks: colliders that take particles out. */
#include "setup.h"

#include "particles/system.h"

/* A row of ten particles that moves along x through a box from x = 1 to 2. */
static void takes_what_comes_in(void)
{
    mote_WorldDef def = setup_def(0.125);
    def.record_events = true;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    mote_System *other = setup_system(world, "other", NULL, NULL);
    mote_BoxShape box = {{1, 1, 1}};
    mote_ColliderDef drain = mote_collider_def();
    mote_Error error;
    drain.name = "drain", drain.shape = "box", drain.shape_params = &box, drain.sink = true;
    drain.motion.at = setup_vec(1.5, 0, 0);
    drain.systems = (const char *const[]){"dust"}, drain.system_count = 1;
    SETUP_OK(mote_world_add_collider(world, &drain, &error), error);
    for (int k = 0; k < 2; ++k) {
        mote_System *s = k == 0 ? system : other;
        size_t row;
        SETUP_OK(mote_system_add_rows(s, 10, &row, &error), error);
        for (size_t i = 0; i < 10; ++i) {
            column_real(&s->columns[COLUMN_POSITION], 0)[i] = (mote_real)(-0.1 * (double)i);
            column_real(&s->columns[COLUMN_POSITION], 1)[i] = i == 3 ? 2 : 0; /* passes above */
            column_real(&s->columns[COLUMN_VELOCITY], 0)[i] = 1;
        }
    }
    uint64_t died = 0;
    for (int frame = 1; frame <= 24; ++frame) {
        mote_StepReport report = setup_step(world);
        mote_ColliderLoad load;
        size_t events;
        CHECK_OK(mote_world_collider_load(world, "drain", &load, &error), error);
        const mote_Event *event = mote_world_events(world, &events);
        CHECK(load.particles == report.died && events == report.died);
        for (size_t i = 0; i < events; ++i) CHECK(event[i].kind == MOTE_EVENT_DEATH);
        died += report.died;
        size_t right = 0; /* particle i is at t - 0.1 i */
        for (int i = 0; i < 10; ++i) right += i != 3 && 0.125 * frame - 0.1 * i > 1 + 1e-6;
        CHECK(died == right);
        CHECK(mote_system_count(system) == 10 - right && mote_system_count(other) == 10);
    }
    CHECK(mote_system_find(system, 3) == 0); /* the one above is left, and has not bounced */
    CHECK_NEAR(column_real(&system->columns[COLUMN_POSITION], 0)[0], 3 - 0.3, 1e-5);
    mote_world_destroy(world);
}

/* A sink that moves takes what it comes over. */
static void moves(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    mote_SphereShape ball = {(mote_real)0.5};
    mote_ColliderDef mouth = mote_collider_def();
    mote_Error error;
    size_t row;
    mouth.shape = "sphere", mouth.shape_params = &ball, mouth.sink = true;
    mouth.motion.velocity = setup_vec(1, 0, 0);
    SETUP_OK(mote_world_add_collider(world, &mouth, &error), error);
    SETUP_OK(mote_system_add_rows(system, 1, &row, &error), error);
    column_real(&system->columns[COLUMN_POSITION], 0)[0] = (mote_real)1.45;
    for (int frame = 1; frame <= 10; ++frame) {
        setup_step(world);
        CHECK(mote_system_count(system) == (frame * 0.1 + 0.5 > 1.45 ? 0 : 1));
    }
    mote_world_destroy(world);
}

TESTS({"takes what comes in", takes_what_comes_in}, {"moves", moves})
