/* Worlds with links, for the tests. */
#ifndef TESTS_LINKS_CLOTH_H
#define TESTS_LINKS_CLOTH_H

#include "setup.h"

static inline void setup_links(mote_World *world, const mote_LinksDef *def)
{
    mote_Error error;
    SETUP_OK(mote_world_add_links(world, def, &error), error);
}

/* Links between rows that are there. */
static inline mote_LinksDef setup_pairs(const mote_PairsPattern *pairs)
{
    mote_LinksDef def = mote_links_def();
    def.name = "springs", def.system = "points";
    def.pattern = "pairs", def.pattern_params = pairs;
    return def;
}

/* Two particles of masses m, m2 on the x axis at distance `apart`, with one spring. */
static inline mote_World *setup_dumbbell(double dt, const char *integrator, double apart,
                                         const mote_LinksDef *like)
{
    static const uint64_t a = 0, b = 1;
    static mote_real rest;
    mote_WorldDef def = setup_def(dt);
    def.record_events = true;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "points", integrator, NULL);
    setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    setup_particle(system, setup_vec(apart, 0, 0), setup_vec(0, 0, 0));
    rest = like->rest;
    mote_PairsPattern pairs = {.a = &a, .b = &b, .rest = &rest, .count = 1};
    mote_LinksDef links = setup_pairs(&pairs);
    links.form = like->form, links.stiffness = like->stiffness, links.damping = like->damping;
    links.breaking = like->breaking;
    setup_links(world, &links);
    return world;
}

#endif
