/* Forces three ways on one body in one flow: the impulse of the vorticity that panels shed, the
 * pressure on them by Bernoulli's theorem for flow that changes, and the momentum that a penalty on
 * a mesh takes. A square plate is set in motion with its face ahead; its ring of vortices grows. */
#include "study/forces.h"

#include "study/files.h"

#include <math.h>

/* Of 1 m, with 1 m/s through air of 1 kg/m^3. */
static const char plate_text[] =
    "{ mote: 1, params: { cells: 16, panels: 200, steps: 40, nu: 0 },\n"
    "  world: { duration: 2, fps: '=steps', max_step: 1, gravity: [0, 0, 0] },\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', boundary: 'panels',\n"
    "    panels: '=panels', density: 1, viscosity: '=nu', remesh_spacing: '=1/cells',\n"
    "    remesh_overlap: 1, remesh_cut: 1e-3, resolution: 0.05 } } ],\n"
    "  colliders: [ { name: 'plate', shape: { type: 'box', size: [0.1, 1, 1] }, measure: true,\n"
    "      motion: { velocity: [1, 0, 0] } } ],\n"
    "  probes: [ { name: 'load', type: 'load', collider: 'plate' } ] }\n";

typedef struct ForceWay {
    const char *name, *boundary, *coupling;
    double viscosity; /* m^2/s: a penalty needs some */
} ForceWay;

/* The last is what the others are compared with. */
static const ForceWay ways[] = {
    {"impulse", "panels", "impulse", 0},
    {"penalty", "penalised", "impulse", 1e-3},
    {"pressure", "panels", "pressure", 0},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* Mean force against the way from half of the plate's side on, N. */
static mote_Status push_plate(const StudyOptions *options, const ForceWay *way, double *force,
                              mote_Error *error)
{
    const double end = options->quick ? 0.8 : 1.5;
    LiquidRun run = {.options = options};
    liquid_set(&run, "nu=%g", way->viscosity);
    liquid_set(&run, "systems.vortons.solver.boundary=%s", way->boundary);
    liquid_set(&run, "systems.vortons.solver.coupling=%s", way->coupling);
    if (options->quick) liquid_set(&run, "panels=%d", 60);
    if (options->quick) liquid_set(&run, "cells=%d", 10);
    mote_Status status = liquid_open(&run, "three forces", plate_text, error);
    if (status == MOTE_OK) status = liquid_advance(&run, end, error);
    if (status == MOTE_OK) {
        const Record *load = liquid_record(&run, "load");
        *force = -record_mean(load, 0, (size_t)((double)load->count * (1 - 0.5 / end)));
        case_end(&run);
    }
    liquid_close(&run);
    return status;
}

mote_Status force_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    double force[WAYS];
    if (!case_wanted(options, "three forces", "plate")) return MOTE_OK;
    for (int k = 0; k < WAYS; ++k) {
        case_begin("three forces", ways[k].name);
        mote_Status status = push_plate(options, &ways[k], &force[k], error);
        if (status != MOTE_OK) return status;
    }
    for (int k = 0; k + 1 < WAYS; ++k) {
        Finding f = finding_make("three forces", ways[k].name, "force, beside pressure (N)", 0.1);
        f.measured = force[k], f.reference = force[WAYS - 1];
        f.off = fabs(f.measured / f.reference - 1);
        findings_add(findings, f);
    }
    return MOTE_OK;
}
