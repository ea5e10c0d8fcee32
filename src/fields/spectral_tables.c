/* Tables of a spectral field, by Fourier transform of its waves at a moment.
 *
 * Two real components go through one complex transform: the transform of U_x + i U_y has u_x and
 * u_y as its real and imaginary parts. What is put into the table depends on how it is read:
 *
 *   linear  U
 *   cubic   U / F, F the product over the axes of (4 + 2 cos(k h)) / 6: the transform of the
 *           B-spline, so that the spline goes through the points (Unser, IEEE SPM 16, 1999)
 *   curl    A / F with the vector potential A = i k x U / k^2, whose curl is U */
#include "base/math.h"
#include "base/status.h"
#include "fields/field.h"
#include "fields/spectral.h"

#include <stdlib.h>
#include <string.h>

#define TWO_PI 6.28318530717958647693

size_t spectral_plane_floats(const SpectralSetup *setup)
{
    return setup->points * setup->points * (setup->flat ? 1 : setup->points);
}

size_t spectral_row(const SpectralSetup *setup)
{
    return setup->points + SPECTRAL_MARGIN;
}

size_t spectral_table_floats(const SpectralSetup *setup)
{
    size_t row = spectral_row(setup);
    return row * row * (setup->flat ? 1 : row) * SPECTRAL_LANES;
}

/* ---- one table ---- */

typedef struct TableJob {
    const Spectral *spectral;
    const SpectralGrid *grid;
    int number;     /* of the grid */
    int64_t moment; /* number of the slice */
    float *table;
} TableJob;

/* U at the moment of the table. */
static void mode_now(const TableJob *job, size_t i, double u[3][2])
{
    const SpectralSetup *setup = &job->spectral->setup;
    const SpectralMode *mode = &job->grid->modes.items[i];
    double s = 0, c = 1;
    if (setup->time == MOTE_TIME_PERIODIC) {
        size_t at = ((size_t)job->moment * job->grid->modes.count + i) * 3;
        for (int d = 0; d < 3; ++d) {
            u[d][0] = (double)job->grid->series[0][at + (size_t)d];
            u[d][1] = (double)job->grid->series[1][at + (size_t)d];
        }
        return;
    }
    if (setup->time == MOTE_TIME_STREAMING)
        math_sincos(mode->w * (setup->interval * (double)job->moment), &s, &c);
    for (int d = 0; d < 3; ++d) {
        u[d][0] = mode->u[d][0] * c - mode->u[d][1] * s;
        u[d][1] = mode->u[d][0] * s + mode->u[d][1] * c;
    }
}

/* A = i k x U / k^2 */
static void to_potential(const SpectralSetup *setup, int grid, const SpectralMode *mode,
                         double u[3][2])
{
    double unit = TWO_PI / setup->grids[grid].size, k[3], cross[3][2];
    for (int d = 0; d < 3; ++d) k[d] = unit * mode->index[d] / (mode->k * mode->k);
    for (int part = 0; part < 2; ++part)
        for (int d = 0; d < 3; ++d) {
            int e = (d + 1) % 3, f = (d + 2) % 3;
            cross[d][part] = k[e] * u[f][part] - k[f] * u[e][part];
        }
    for (int d = 0; d < 3; ++d) u[d][0] = -cross[d][1], u[d][1] = cross[d][0];
}

static size_t wrapped(int index, size_t points)
{
    return index < 0 ? points - (size_t)-index : (size_t)index;
}

static size_t place_of(const SpectralSetup *setup, const int index[3], int sign)
{
    size_t n = setup->points;
    size_t x = wrapped(sign * index[0], n), y = wrapped(sign * index[1], n);
    return (wrapped(sign * index[2], n) * n + y) * n + x;
}

/* U_x + i U_y and U_z at k, the same of the conjugates at -k. */
static void put_mode(const TableJob *job, const SpectralMode *mode, double u[3][2])
{
    float *const *planes = job->spectral->planes;
    for (int sign = 1; sign >= -1; sign -= 2) {
        size_t at = place_of(&job->spectral->setup, mode->index, sign);
        planes[0][at] = (float)(u[0][0] - sign * u[1][1]);
        planes[1][at] = (float)(sign * u[0][1] + u[1][0]);
        planes[2][at] = (float)u[2][0];
        planes[3][at] = (float)(sign * u[2][1]);
    }
}

static void put_modes(void *context, size_t begin, size_t end, int worker)
{
    const TableJob *job = context;
    const Spectral *spectral = job->spectral;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const SpectralMode *mode = &job->grid->modes.items[i];
        double u[3][2], factor = job->grid->amplitude;
        mode_now(job, i, u);
        if (spectral->setup.sampling == MOTE_SAMPLING_CURL)
            to_potential(&spectral->setup, job->number, mode, u);
        for (int d = 0; d < 3; ++d) factor *= spectral->filter[abs(mode->index[d])];
        for (int d = 0; d < 3; ++d) u[d][0] *= factor, u[d][1] *= factor;
        put_mode(job, mode, u);
    }
}

/* One z of the table, with its margins. */
static void interleave(void *context, size_t begin, size_t end, int worker)
{
    const TableJob *job = context;
    const size_t n = job->spectral->setup.points, row = n + SPECTRAL_MARGIN;
    float *const *planes = job->spectral->planes;
    (void)worker;
    for (size_t z = begin; z < end; ++z)
        for (size_t y = 0; y < row; ++y) {
            float *to = job->table + (z * row + y) * row * SPECTRAL_LANES;
            size_t plane = job->spectral->setup.flat ? 0 : (z + n - SPECTRAL_BEFORE) % n;
            size_t from = (plane * n + (y + n - SPECTRAL_BEFORE) % n) * n;
            for (size_t x = 0; x < row; ++x, to += SPECTRAL_LANES) {
                size_t at = from + (x + n - SPECTRAL_BEFORE) % n;
                to[0] = planes[0][at], to[1] = planes[1][at], to[2] = planes[2][at], to[3] = 0;
            }
        }
}

void spectral_make_table(const Spectral *s, int number, int64_t moment, float *table)
{
    TableJob job = {s, &s->grids[number], number, moment, table};
    const size_t bytes = spectral_plane_floats(&s->setup) * sizeof(float);
    /* a flat wind has no z, a flat potential only z, noise only x */
    bool first = !(s->setup.flat && s->setup.sampling == MOTE_SAMPLING_CURL);
    bool second = !s->setup.scalar && (!s->setup.flat || !first);
    for (int p = 0; p < 4; ++p) memset(s->planes[p], 0, bytes);
    mote_parallel_for(s->tasks, job.grid->modes.count, 256, put_modes, &job);
    if (first) fft_backward(s->fft, s->planes[0], s->planes[1]);
    if (second) fft_backward(s->fft, s->planes[2], s->planes[3]);
    mote_parallel_for(s->tasks, s->setup.flat ? 1 : spectral_row(&s->setup), 1, interleave, &job);
}

/* ---- periodic time: every mode's amplitude in every slice ---- */

typedef struct SeriesJob {
    const Spectral *spectral;
    SpectralGrid *grid;
    int number;
    RandomKey key;
} SeriesJob;

static void draw_series(void *context, size_t begin, size_t end, int worker)
{
    const SeriesJob *job = context;
    const SpectralSetup *setup = &job->spectral->setup;
    const int most = spectral_most_m(setup->slices);
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const SpectralMode *mode = &job->grid->modes.items[i];
        double sum = 0, u[3][2];
        for (int m = -most; m <= most; ++m) sum += spectral_share(setup, job->number, mode->k, m);
        for (int m = -most; m <= most; ++m) {
            double share = spectral_share(setup, job->number, mode->k, m) / sum;
            size_t at = (wrapped(m, setup->slices) * job->grid->modes.count + i) * 3;
            spectral_draw(setup, job->number, job->key, mode, m, mode->strength * share, u);
            for (size_t d = 0; d < 3; ++d) {
                job->grid->series[0][at + d] = (float)u[d][0];
                job->grid->series[1][at + d] = (float)u[d][1];
            }
        }
    }
}

size_t spectral_series_bytes(const Spectral *s, const SpectralGrid *grid)
{
    return s->setup.slices * grid->modes.count * 3 * sizeof(float);
}

mote_Status spectral_make_series(Spectral *s, int number, RandomKey key, const FieldSite *site,
                                 mote_Error *error)
{
    SpectralGrid *grid = &s->grids[number];
    SeriesJob job = {s, grid, number, key};
    const size_t bytes = spectral_series_bytes(s, grid);
    FftShape shape = {.axes = 2, .length = {s->setup.slices, grid->modes.count * 3}, .along = 1};
    for (int part = 0; part < 2; ++part) {
        grid->series[part] = memory_zeroed(s->memory, bytes);
        if (grid->series[part] == NULL) return status_no_memory(error, site->where, bytes);
    }
    mote_parallel_for(s->tasks, grid->modes.count, 16, draw_series, &job);
    Fft *fft;
    mote_Status status = fft_open(&shape, s->memory, s->tasks, site->isa, &fft, error);
    if (status != MOTE_OK) return status;
    fft_backward(fft, grid->series[0], grid->series[1]);
    fft_close(fft);
    return MOTE_OK;
}

/* ---- tables blended in advance ---- */

/* Tables blended in advance. All particles of an integrator's stage ask for the same moment, so
 * that two tables can be blended once instead of for every particle: reading one table instead of
 * two makes splines up to three times faster. What is worth it shows in the sub-step before. The
 * bits are the same with and without. */

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
