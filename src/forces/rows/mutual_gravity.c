/* Gravity between particles: a_i = sum over the others j of G m_j d / (d^2 + s^2)^(3/2), d = x_j -
 * x_i; energy -G m_i m_j / sqrt(d^2 + s^2) a pair. Newton, Principia, 1687; softening s by Plummer,
 * MNRAS 71, 1911: bodies are balls of half-mass radius 1.3 s.
 *
 * All rows are looked at once for every evaluation (`gather`) and the sums of all are taken there;
 * ranges then take theirs. Lengths and masses are scaled by powers of two, so that no unit of
 * length leaves the range of a float. */
#include "base/loop.h"
#include "base/row.h"
#include "base/status.h"
#include "forces/pull.h"

#include <math.h>

static const char *const methods[] = {"auto", "direct", "tree", NULL};

static const mote_Param params[] = {
    PARAM_DOUBLE(mote_MutualGravityForce, G, "m^3/(kg s^2)",
                 "the constant of gravity; 1 in units of one's own", 6.6743e-11, 0, PARAM_LARGEST),
    PARAM_REAL(mote_MutualGravityForce, softening, "m",
               "distance below which the pull of a particle levels off (Plummer)", 0, 0,
               PARAM_LARGEST),
    PARAM_CHOICE(mote_MutualGravityForce, method,
                 "every pair, or far cells of a tree as one; auto: a tree from some thousand on",
                 methods, MOTE_GRAVITY_AUTO),
    PARAM_REAL(mote_MutualGravityForce, opening, "",
               "of the tree: cells are opened until size over distance is below this", 0.9, 0, 1.5),
};

typedef bool Method(const PullRequest *request);
static Method *const pulls[] = {pull_by_size, pull_direct, pull_tree};

extern const PullKernels ISA(pull_sums);

static mote_Status gather(const Force *force, const ForceCrowd *crowd, mote_Error *error)
{
    const mote_MutualGravityForce *p = force->object.params;
    Gathered *all = force->state;
    const size_t rows = crowd->systems[0].count;
    if (!gathered_look(all, force, p->G, crowd))
        return status_no_memory(error, force->object.name, rows);
    double softening = (double)p->softening / all->length;
    all->request.kernels = &ISA(pull_sums);
    all->request.opening = p->opening;
    all->request.softening2 = (mote_real)(softening * softening);
    const bool done = pulls[p->method](&all->request);
    return done ? MOTE_OK : status_no_memory(error, force->object.name, rows);
}

static void accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const Gathered *all = force->state;
    const double unit = all->gm / (all->length * all->length);
    size_t place = gathered_place(all, r);
    Newcomers fresh;
    (void)t;
    if (place == SIZE_MAX) gathered_pull_newcomers(all, r, &fresh);
    for (int c = 0; c < 3; ++c) {
        const double *sum = place != SIZE_MAX ? all->request.out[c] + place : fresh.out[c];
        mote_real *to = a[c];
        FOR_ROWS (i, r->count) to[i] += (mote_real)(unit * sum[i]);
    }
}

/* Half of each pair's energy to each of the two. */
static void potential(const Force *force, const Range *r, double t, mote_real *energy)
{
    const Gathered *all = force->state;
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    const double unit = -0.5 * all->gm / all->length;
    size_t place = gathered_place(all, r);
    (void)t;
    if (place == SIZE_MAX) return;
    const double *sum = all->request.out[0] + place;
    FOR_ROWS (i, r->count) energy[i] += (mote_real)(unit * sum[i] * (double)mass[i]);
}

/* ---- before a run ---- */

#define MANY_DIRECT 2e4 /* particles whose pairs take longer than a tree by far */
#define MANY_HARD   20  /* particles that will come close to each other sooner or later */

/* The fastest motion around a particle has the frequency sqrt(G m / s^3). */
static void forecast_passes(const mote_MutualGravityForce *p, const Outlook *o)
{
    double s = (double)p->softening, heaviest = 0;
    for (size_t i = 0; i < o->start_count; ++i) heaviest = fmax(heaviest, o->starts[i].mass);
    double gm = p->G * heaviest;
    double period = gm > 0 ? sqrt(s * s * s / gm) : HUGE_VAL; /* s per radian */
    if (s > 0 && o->dt > 0.7 * period)
        OUTLOOK_WARN(o,
                     "forces.%s: sub-steps of %.3g s are too long for passes at the softening of "
                     "%.3g m; set world.max_step: %.2g or less, or a larger softening\n",
                     o->name, o->dt, s, 0.3 * period);
}

static void forecast(const void *raw, const Outlook *o)
{
    const mote_MutualGravityForce *p = raw;
    if (p->method == MOTE_GRAVITY_DIRECT && o->particles > MANY_DIRECT)
        OUTLOOK_WARN(o,
                     "forces.%s: about %.3g particles are %.2g pairs for every evaluation; set "
                     "method: \"tree\" or \"auto\"\n",
                     o->name, o->particles, o->particles * o->particles);
    if (!(p->softening > 0) && o->particles > MANY_HARD)
        OUTLOOK_WARN(o,
                     "forces.%s: about %.3g particles without softening throw each other out when "
                     "they come close; set softening to about the distance of neighbours\n",
                     o->name, o->particles);
    forecast_passes(p, o);
}

const ForceRow ISA(force_mutual_gravity) = {
    .head = ROW_HEAD("mutual-gravity", "gravity between all particles, with Plummer softening",
                     params, mote_MutualGravityForce),
    .accelerate = accelerate,
    .potential = potential,
    .gather = gather,
    .everywhere = true,
    .open = gathered_open,
    .close = gathered_close,
    .forecast = forecast,
};
