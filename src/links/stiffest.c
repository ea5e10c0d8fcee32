/* The fastest oscillation of a pattern's springs at rest: the largest eigenvalue of M^-1 K, K = sum
 * k [u u^T + (1 - rest) (I - u u^T)], by power iteration.
 *
 * Explicit schemes are stable for w h up to their `stable_to`, w^2 being that eigenvalue: a
 * forecast says so before a run bursts. */
#include "links/links.h"

#include <math.h>
#include <string.h>

enum { MOST_PARTICLES = 4000000 }; /* a forecast takes no longer than a blink */

typedef struct Modes {
    const mote_LinksDef *def;
    const Pattern *p;
    double *v, *w; /* three numbers a particle */
} Modes;

/* Unit vector from end to end; the length. */
static double direction(const Pattern *p, size_t link, double u[3])
{
    double square = 0;
    for (int c = 0; c < 3; ++c) {
        u[c] = (double)p->x[c][p->ends[1][link]] - (double)p->x[c][p->ends[0][link]];
        square += u[c] * u[c];
    }
    double length = sqrt(square);
    for (int c = 0; c < 3 && length > 0; ++c) u[c] /= length;
    return length;
}

static double stiffness_of(const Modes *m, size_t link, double length)
{
    const double factors[LINK_KINDS] = {1, (double)m->def->shear, (double)m->def->bend};
    double k = (double)m->def->stiffness * factors[m->p->kind[link]];
    return m->def->form == MOTE_LINKS_STRAIN ? k / ((double)m->def->rest * length) : k;
}

/* w = K v */
static void apply(const Modes *m)
{
    const Pattern *p = m->p;
    double across = 1 - (double)m->def->rest;
    if (across < 0) across = 0;
    memset(m->w, 0, 3 * p->particles * sizeof *m->w);
    for (size_t i = 0; i < p->links; ++i) {
        double u[3], along = 0, k = stiffness_of(m, i, direction(p, i, u));
        const double *a = m->v + 3 * p->ends[0][i], *b = m->v + 3 * p->ends[1][i];
        double *fa = m->w + 3 * p->ends[0][i], *fb = m->w + 3 * p->ends[1][i];
        for (int c = 0; c < 3; ++c) along += u[c] * (a[c] - b[c]);
        for (int c = 0; c < 3; ++c) {
            double f = k * ((1 - across) * along * u[c] + across * (a[c] - b[c]));
            fa[c] += f, fb[c] -= f;
        }
    }
}

/* v = w / |w|; |w|. Pinned particles do not swing. */
static double normalise(const Modes *m)
{
    double square = 0;
    for (size_t i = 0; i < 3 * m->p->particles; ++i) {
        if (m->p->pinned[i / 3] != 0) m->w[i] = 0;
        square += m->w[i] * m->w[i];
    }
    double length = sqrt(square);
    for (size_t i = 0; i < 3 * m->p->particles; ++i) m->v[i] = length > 0 ? m->w[i] / length : 0;
    return length;
}

static double largest_eigenvalue(const Modes *m)
{
    double found = 0;
    int most = m->p->links > 1000000 ? 8 : 60;
    for (size_t i = 0; i < 3 * m->p->particles; ++i) /* rough: stiff modes change sign */
        m->w[i] = (double)((i * 2654435761u >> 7) % 1000) - 499.5;
    normalise(m);
    for (int k = 0; k < most; ++k) {
        apply(m);
        found = normalise(m);
    }
    return 1.05 * found; /* power iteration comes from below */
}

/* Nothing is said about very large patterns. */
Stiffness links_stiffest(const mote_LinksDef *def, const PatternRow *row, const void *params,
                         Memory *memory)
{
    Arena arena = arena_make(memory);
    Pattern pattern = {0};
    Stiffness found = {0, 0};
    bool good = row->lay != NULL && (row->check == NULL || row->check(params, "", NULL) == MOTE_OK);
    if (good) row->lay(params, &pattern);
    if (good && pattern.particles <= MOST_PARTICLES &&
        pattern_make(row, params, &arena, &pattern)) {
        double *v = arena_take(&arena, 6 * pattern.particles * sizeof *v);
        Modes modes = {def, &pattern, v, v != NULL ? v + 3 * pattern.particles : NULL};
        if (v != NULL) found.stiffness = largest_eigenvalue(&modes) / (double)pattern.mass;
    }
    if (def->stiffness > 0)
        found.damping = found.stiffness * (double)def->damping / (double)def->stiffness;
    arena_free(&arena);
    return found;
}
