/* Tables blended in advance. All particles of an integrator's stage ask for the same moment, so
 * that two tables can be blended once instead of for every particle: reading one table instead of
 * two makes splines up to three times faster. What is worth it shows in the sub-step before. The
 * bits are the same with and without. */
#include "fields/spectral.h"

#include "fields/field.h"

/* The stages of the integrators: Euler, midpoint, Heun, Ralston and Runge-Kutta. */
static const double nodes[SPECTRAL_NODES] = {0, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 1};

/* Blending costs about as much as is saved on this part of the table's points. */
enum { WORTH = 16, GRAIN = 1 << 14 };

void spectral_note(Spectral *s, double t, size_t count)
{
    for (int i = 0; i < SPECTRAL_NODES; ++i)
        if (t == s->start + nodes[i] * s->step) {
            atomic_fetch_add_explicit(&s->asked[i], count, memory_order_relaxed);
            return;
        }
}

typedef struct BlendJob {
    SpectralBlend *blend;
    SpectralView view;
    float *to;
} BlendJob;

static void blend_part(void *context, size_t begin, size_t end, int worker)
{
    const BlendJob *job = context;
    (void)worker;
    job->blend(end - begin, job->view.before + begin, job->view.after + begin,
               (float)job->view.blend, job->to + begin);
}

/* The end of a sub-step is the start of the next: its table moves to the other node. */
static bool take_over(SpectralGrid *grid, int node, double t)
{
    for (int i = 0; i < SPECTRAL_NODES; ++i)
        if (grid->ready[i] != NULL && grid->ready_time[i] == t) {
            float *table = grid->ready[i];
            grid->ready[i] = grid->ready[node], grid->ready[node] = table;
            grid->ready_time[i] = grid->ready_time[node], grid->ready_time[node] = t;
            return true;
        }
    return false;
}

static void make_ready(Spectral *s, int number, int node, double t, SpectralBlend *blend)
{
    SpectralGrid *grid = &s->grids[number];
    const size_t floats = spectral_table_floats(&s->setup);
    if (take_over(grid, node, t)) return;
    if (grid->ready[node] == NULL)
        grid->ready[node] = memory_take(s->memory, floats * sizeof(float));
    if (grid->ready[node] == NULL) return; /* it goes without */
    BlendJob job = {blend, spectral_view_moments(s, number, t), grid->ready[node]};
    mote_parallel_for(s->tasks, floats, GRAIN, blend_part, &job);
    grid->ready_time[node] = t;
}

void spectral_make_ready(Spectral *s, double t, double dt, SpectralBlend *blend)
{
    const size_t worth = spectral_plane_floats(&s->setup) / WORTH;
    s->start = t, s->step = dt;
    if (sizeof(mote_real) > sizeof(float) || dt == 0) return; /* floats would round */
    for (int i = 0; i < SPECTRAL_NODES; ++i) {
        size_t asked = atomic_exchange_explicit(&s->asked[i], 0, memory_order_relaxed);
        for (int g = 0; g < s->setup.grid_count && asked > worth; ++g)
            make_ready(s, g, i, t + nodes[i] * dt, blend);
    }
}
