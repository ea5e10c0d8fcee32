/* Compositions of leapfrog steps in drift-kick-drift form: half a step of x, a full step of v with
 * the forces in the middle, half a step of x. One such step is leapfrog, of order 2; three of
 * lengths w1, w0, w1 with w1 = 1 / (2 - 2^(1/3)), w0 = 1 - 2 w1 have order 4 and are symplectic and
 * reversible too. Forest and Ruth, Physica D 43, 1990; Yoshida, Phys. Lett. A 150, 1990. Forces
 * that depend on velocity see the velocity before the kick, which leaves order 1 for them. */
#include "base/loop.h"
#include "integrate/integrator.h"

/* Kick k advances v by kick[k] of the step, the drift after it x by drift[k + 1]. */
typedef struct Composition {
    double drift[4], kick[3];
} Composition;

static void drift(const Range *r, double part)
{
    const mote_real dt = (mote_real)(part * r->dt);
    for (int c = 0; c < 3; ++c) {
        mote_real *x = r->x[c];
        const mote_real *v = r->v[c];
        FOR_ROWS (i, r->count) x[i] += dt * v[i];
    }
}

static void open(const IntegratorRow *row, const Range *r)
{
    drift(r, ((const Composition *)row->scheme)->drift[0]);
}

static void stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const Composition *scheme = row->scheme;
    const mote_real dt = (mote_real)(scheme->kick[k] * r->dt);
    (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *v = r->v[c];
        const mote_real *a = r->a[c];
        FOR_ROWS (i, r->count) v[i] += dt * a[i];
    }
    drift(r, scheme->drift[k + 1]);
}

/* A row that is nothing but drifts and kicks. */
#define COMPOSITION(steps)                                                                         \
    .symplectic = true, .reversible = true, .bounded_energy = true, .scheme = &(steps),            \
    .open = open, .stage = stage

static const Composition once = {.drift = {0.5, 0.5}, .kick = {1}};
static const double middle_of_step[] = {0.5};

const IntegratorRow ISA(integrator_leapfrog) = {
    .head = ROW_PLAIN(
        "leapfrog", "leapfrog (drift-kick-drift): order 2, one evaluation, symplectic, reversible"),
    INTEGRATOR_STAGES(1, middle_of_step),
    INTEGRATOR_ORDERS(2, 1, 0.08),
    INTEGRATOR_STEPS(2, 2),
    COMPOSITION(once),
};

#define W1 1.3512071919596578  /* 1 / (2 - 2^(1/3)) */
#define W0 -1.7024143839193153 /* 1 - 2 W1 */

static const Composition thrice = {.drift = {W1 / 2, (W1 + W0) / 2, (W0 + W1) / 2, W1 / 2},
                                   .kick = {W1, W0, W1}};
static const double three_middles[] = {W1 / 2, 0.5, 1 - W1 / 2};

const IntegratorRow ISA(integrator_yoshida4) = {
    .head = ROW_PLAIN(
        "yoshida4", "Forest-Ruth and Yoshida: order 4, three evaluations, symplectic, reversible"),
    INTEGRATOR_STAGES(3, three_middles),
    INTEGRATOR_ORDERS(4, 1, 0.04),
    INTEGRATOR_STEPS(1.573, 1.573),
    COMPOSITION(thrice),
};
