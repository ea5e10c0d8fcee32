/* The theta scheme by Newton's method with a line search.
 *
 * Letters of implicit.h: `known` is v0 + h (1 - theta) a0, x0 here the constant part x0 + h (1 -
 * theta) v0, `right` the right side, `step` dv. Teschner's slide on the theta scheme linearises
 * once, at the start of the step; here Newton goes on until dv is small. */
#include "integrate/implicit.h"

#include <math.h>
#include <string.h>

/* A thousandth of a step that helps nothing is no way to go on. */
enum { MOST_HALVINGS = 10 };

typedef struct Newton {
    const ImplicitProblem *p;
    VectorLoop loop;
    Vector x0, v0, known, base, step, right, z;
    Matrices inverse;
    mote_real share; /* of the step that is tried */
} Newton;

static Vector vector_at(const ImplicitProblem *p, size_t plane)
{
    Vector v;
    for (size_t c = 0; c < 3; ++c) v.plane[c] = p->planes + (plane + c) * p->stride;
    return v;
}

static Newton newton_make(const ImplicitProblem *p)
{
    Newton n = {.p = p, .loop = {p->tasks, p->rows, p->sums}};
    n.v0 = vector_at(p, IMPLICIT_START), n.x0 = vector_at(p, IMPLICIT_START + 3);
    n.known = vector_at(p, IMPLICIT_KNOWN), n.base = vector_at(p, IMPLICIT_BASE);
    n.step = vector_at(p, IMPLICIT_STEP), n.right = vector_at(p, IMPLICIT_RIGHT);
    n.z = vector_at(p, IMPLICIT_SCRATCH);
    for (size_t i = 0; i < MATRIX_PLANES; ++i)
        n.inverse.plane[i] = p->planes + (IMPLICIT_INVERSE + i) * p->stride;
    return n;
}

/* ---- passes over the rows ---- */

static bool is_pinned(const ImplicitProblem *p, size_t row)
{
    return p->pinned != NULL && p->pinned[row] != 0;
}

/* Pinned rows of `to` become those of `from`; NULL: 0. Few scenes pin rows, so loops over all leave
 * this to a second pass. */
static void settle_pinned(const ImplicitProblem *p, size_t first, size_t count, const Vector *from,
                          const Vector *to)
{
    if (p->pinned == NULL) return;
    for (int c = 0; c < 3; ++c)
        for (size_t i = first; i < first + count; ++i)
            if (is_pinned(p, i)) to->plane[c][i] = from != NULL ? from->plane[c][i] : 0;
}

/* What does not change during the step: v0, v0 + h (1 - theta) a0, x0 + h (1 - theta) v0; returns
 * the largest square of a speed. */
static double open_body(void *context, size_t first, size_t count)
{
    const Newton *n = context;
    const ImplicitProblem *p = n->p;
    const mote_real old = (mote_real)((1 - p->theta) * p->dt);
    for (int c = 0; c < 3; ++c)
        memcpy(n->v0.plane[c] + first, p->v.plane[c] + first, count * sizeof(mote_real));
    p->kernels->combine(first, count, old, &p->v, &p->a, &n->known);
    settle_pinned(p, first, count, &p->v, &n->known);
    p->kernels->combine(first, count, old, &p->x, &p->v, &n->x0);
    return p->kernels->largest(first, count, &p->v);
}

/* x = x0 + h theta v */
static double place_body(void *context, size_t first, size_t count)
{
    const Newton *n = context;
    const ImplicitProblem *p = n->p;
    p->kernels->combine(first, count, (mote_real)(p->theta * p->dt), &n->x0, &p->v, &p->x);
    return 0;
}

/* m [known + h theta a - v] and its square in the norm of the preconditioner. */
static double right_body(void *context, size_t first, size_t count)
{
    const Newton *n = context;
    const ImplicitProblem *p = n->p;
    p->kernels->combine(first, count, (mote_real)(p->theta * p->dt), &n->known, &p->a, &n->right);
    p->kernels->weigh(first, count, p->mass, &p->v, &n->right);
    settle_pinned(p, first, count, NULL, &n->right);
    p->kernels->multiply(first, count, &n->inverse, &n->right, &n->z);
    return p->kernels->dot(first, count, &n->right, &n->z);
}

static double invert_body(void *context, size_t first, size_t count)
{
    const Newton *n = context;
    n->p->kernels->invert(first, count, n->p->mass, &n->inverse);
    return 0;
}

static double step_size_body(void *context, size_t first, size_t count)
{
    const Newton *n = context;
    return n->p->kernels->largest(first, count, &n->step);
}

/* v = base + share step */
static double try_body(void *context, size_t first, size_t count)
{
    const Newton *n = context;
    for (int c = 0; c < 3; ++c)
        memcpy(n->p->v.plane[c] + first, n->base.plane[c] + first, count * sizeof(mote_real));
    n->p->kernels->add(first, count, n->share, &n->step, &n->p->v);
    return place_body(context, first, count);
}

static double speed_body(void *context, size_t first, size_t count)
{
    const Newton *n = context;
    return n->p->kernels->largest(first, count, &n->p->v);
}

static double keep_body(void *context, size_t first, size_t count)
{
    const Newton *n = context;
    for (int c = 0; c < 3; ++c)
        memcpy(n->base.plane[c] + first, n->p->v.plane[c] + first, count * sizeof(mote_real));
    return 0;
}

/* ---- the iteration ---- */

static double residual(Newton *n)
{
    n->p->accelerate(n->p->context, n->p->t + n->p->dt);
    return vector_sum(&n->loop, right_body, n);
}

static CgResult solve_linear(Newton *n)
{
    const ImplicitProblem *p = n->p;
    ConjugateGradient cg = {.kernels = p->kernels,
                            .loop = n->loop,
                            .times = p->times,
                            .context = p->context,
                            .inverse = n->inverse,
                            .x = n->step,
                            .r = n->right,
                            .z = vector_at(p, IMPLICIT_SCRATCH),
                            .p = vector_at(p, IMPLICIT_SCRATCH + 3),
                            .q = vector_at(p, IMPLICIT_SCRATCH + 6),
                            .tolerance = p->cg_tolerance,
                            .most = p->cg_most};
    return conjugate_gradient(&cg);
}

/* The longest allowed part of the step that lessens the residual, halved until it does; `small`: a
 * step so small that rounding may hide it. Returns the residual's square. 1e-4 is the usual
 * constant of Armijo's rule: any honest decrease will do. */
static double search(Newton *n, double before, bool small, bool *found)
{
    double after = before;
    vector_sum(&n->loop, keep_body, n);
    n->share = 1;
    if (n->p->limit != NULL) n->share = (mote_real)n->p->limit(n->p->context, &n->step);
    for (int k = 0; k <= MOST_HALVINGS; ++k) {
        vector_sum(&n->loop, try_body, n);
        after = residual(n);
        *found = after <= (1 - 1e-4 * (double)n->share) * before || (small && isfinite(after));
        if (*found) return after;
        n->share /= 2;
    }
    return after;
}

/* Blocks of A at the state, inverted; and the residual in their norm. */
static double linearise(Newton *n)
{
    const ImplicitProblem *p = n->p;
    double fresh = p->theta * p->dt;
    p->linearise(p->context, fresh * fresh, fresh, &n->inverse);
    vector_sum(&n->loop, invert_body, n);
    return vector_sum(&n->loop, right_body, n);
}

/* Newton steps are measured by the largest speed, at the start or now; accelerations would not do,
 * because those of stiff springs are never followed. */
static void iterate(Newton *n, double start_speed, ImplicitReport *report)
{
    const ImplicitProblem *p = n->p;
    bool found = true;
    while (report->newton < p->newton_most && !report->converged && found) {
        double before = linearise(n);
        CgResult linear = solve_linear(n);
        double size = sqrt(vector_max(&n->loop, step_size_body, n));
        double now = sqrt(vector_max(&n->loop, speed_body, n));
        double speed = now > start_speed ? now : start_speed;
        report->residual = size / speed;
        bool small = size <= 10 * p->tolerance * speed;
        ++report->newton;
        report->cg += linear.iterations;
        search(n, before, small, &found);
        report->converged = size <= p->tolerance * speed && linear.converged;
    }
}

/* v0 / theta, which leads from the velocity that leaves x where it is to v0. */
static double first_step_body(void *context, size_t first, size_t count)
{
    const Newton *n = context;
    const mote_real share = (mote_real)(1 / n->p->theta);
    for (int c = 0; c < 3; ++c)
        for (size_t i = first; i < first + count; ++i)
            n->step.plane[c][i] = is_pinned(n->p, i) ? 0 : share * n->v0.plane[c][i];
    return 0;
}

/* v0 less what leads into a wall. */
static double slow_body(void *context, size_t first, size_t count)
{
    const Newton *n = context;
    n->p->kernels->add(first, count, n->share - 1, &n->step, &n->p->v);
    return 0;
}

/* The iteration starts from v0, or from where it does not cross a wall on its way there. */
static void start_before_walls(Newton *n)
{
    if (n->p->limit == NULL || !(n->p->theta > 0)) return;
    vector_sum(&n->loop, first_step_body, n);
    n->share = (mote_real)n->p->limit(n->p->context, &n->step);
    if (n->share < 1) vector_sum(&n->loop, slow_body, n);
}

ImplicitReport theta_solve(const ImplicitProblem *p)
{
    Newton n = newton_make(p);
    ImplicitReport report = {.newton = 0};
    p->accelerate(p->context, p->t);
    double speed = sqrt(vector_max(&n.loop, open_body, &n));
    if (!(speed >= p->slowest)) speed = p->slowest;
    start_before_walls(&n);
    vector_sum(&n.loop, place_body, &n);
    p->accelerate(p->context, p->t + p->dt);
    iterate(&n, speed, &report);
    return report;
}
