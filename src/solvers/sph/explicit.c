/* What rows with an equation of state share. */
#include "solvers/sph/explicit.h"

#include "base/loop.h"
#include "base/math.h"

#include <math.h>

static const double slowest = 1e-6; /* m/s, so that a liquid at rest has a speed of sound */

static double sound_wanted(const SphState *state, const ExplicitSound *sound, double gravity)
{
    double fall = sqrt(2 * gravity * state->drop), speed = state->fastest;
    double ripples = sph_ripple_speed(state);
    if (sound->given > 0) return sound->given;
    if (fall > speed) speed = fall;
    if (ripples > speed) speed = ripples;
    return sound->mach * (speed > slowest ? speed : slowest);
}

/* A liquid that is made stiffer while it is compressed gets energy from nowhere: springs in a
 * collision would throw out more than came in. So sound follows what is wanted over twenty times
 * that it takes through the liquid; but it is never below a third of it. */
double explicit_sound(const SphState *state, const ExplicitSound *sound, double gravity)
{
    const double wanted = sound_wanted(state, sound, gravity);
    if (sound->given > 0 || !(sound->kept > 0)) return wanted;
    return sound->kept > wanted / 3 ? sound->kept : wanted / 3;
}

double explicit_next_sound(const SphStep *step, const ExplicitSound *sound)
{
    const double gravity = sph_gravity(step->outer);
    const double now = explicit_sound(step->state, sound, gravity);
    double wanted = sound_wanted(step->state, sound, gravity);
    double across = math_pow((double)step->particles, step->flat ? 1.0 / 2 : 1.0 / 3);
    double time = 20 * across * (double)step->params->spacing / wanted;
    double share = (double)step->dt / time;
    return now + (share < 1 ? share : 1) * (wanted - now);
}

size_t explicit_saved(void *own, mote_StateArray *arrays)
{
    arrays[0] = (mote_StateArray){"sound", MOTE_ARRAY_F64, 1, 1, 1, &((ExplicitOwn *)own)->sound};
    return 1;
}

/* Courant, Friedrichs and Lewy: neither sound nor particles may cross the kernel in a sub-step. */
double explicit_limit(const SphState *state, const SolverStep *step, const ExplicitSound *sound,
                      double speed)
{
    double c = explicit_sound(state, sound, sph_gravity(step));
    double own = 0.25 * (double)state->kernel.support / (c + speed);
    double common = sph_common_limit(state);
    return own < common ? own : common;
}

/* Velocities first, and places by the new ones (step.c): symplectic Euler. */
static void kick(SphStep *step, size_t begin, size_t end, int worker)
{
    const mote_real dt = step->dt;
    (void)worker;
    for (int c = 0; c < 3; ++c) {
        mote_real *v = step->v[c] + begin;
        const mote_real *a = step->a[c] + begin;
        FOR_ROWS (i, end - begin) v[i] += dt * a[i];
    }
}

mote_Status explicit_finish(SphStep *step, WallPush *push, mote_Error *error)
{
    if (!sph_friction_is_implicit(step)) return sph_press_walls(step, push, kick, error);
    mote_Status status = sph_push_walls(step, push, error);
    if (status == MOTE_OK) sph_load_walls(step), status = sph_rub(step, error);
    sph_for_places(step, kick);
    return status;
}
