/* Force and torque on a collider: the impulses it got since the last sample, over that time. */
#include "probes/probe.h"

#include <math.h>
#include <string.h>

static const char *const collider_kind[] = {"collider", NULL};

static const mote_Param params[] = {
    PARAM_NAME(mote_LoadProbe, collider, "the collider", collider_kind),
};
static const mote_ProbeColumn columns[] = {{"fx", "N"},   {"fy", "N"},   {"fz", "N"},
                                           {"tx", "N m"}, {"ty", "N m"}, {"tz", "N m"}};

void probe_collect(Probe *probe)
{
    if (probe->collider == NULL) return;
    const mote_ColliderLoad *load = &probe->collider->load;
    double now[6];
    memcpy(now, load->impulse, sizeof load->impulse);
    memcpy(now + 3, load->angular, sizeof load->angular);
    for (int c = 0; c < 6; ++c) probe->saved[c] += now[c] - probe->seen[c];
    memcpy(probe->seen, now, sizeof now);
}

/* Before any time has passed there is no force to tell. */
static bool sample(Probe *probe, const ProbeSite *site, double *values)
{
    double *since = &probe->saved[6], span = site->t - *since;
    for (int c = 0; c < 6; ++c) {
        values[c] = span > 0 ? probe->saved[c] / span : (double)NAN;
        probe->saved[c] = 0;
    }
    *since = site->t;
    return true;
}

const ProbeRow probe_load = {
    .head = ROW_HEAD("load", "mean force and torque of particles on a collider", params,
                     mote_LoadProbe),
    PROBE_COLUMNS(columns),
    .sample = sample,
};
