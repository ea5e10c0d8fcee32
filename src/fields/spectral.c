/* Spectral fields: opening and closing, and the tables around a moment.
 *
 * Streaming keeps the tables of two successive moments, multiples of the interval, and blends them.
 * A table depends on its moment alone, so nothing needs saving: after a restart the same tables are
 * made again. */
#include "fields/spectral.h"

#include "base/math.h"
#include "base/status.h"

#include <math.h>

#define TWO_PI 6.28318530717958647693

/* ---- the way of the mean wind ---- */

void spectral_travelled(const Field *field, mote_Vec3 mean, double t, double way[3])
{
    const double velocity[3] = {(double)mean.x, (double)mean.y, (double)mean.z};
    for (int c = 0; c < 3; ++c)
        way[c] =
            field->saved[SPECTRAL_TRAVELLED + c] + velocity[c] * (t - field->saved[SPECTRAL_SINCE]);
}

void spectral_travel(Field *field, mote_Vec3 mean, double until)
{
    spectral_travelled(field, mean, until, &field->saved[SPECTRAL_TRAVELLED]);
    field->saved[SPECTRAL_SINCE] = until;
}

/* ---- which tables ---- */

static mote_Status grow_tables(Spectral *s, SpectralGrid *grid, size_t wanted, mote_Error *error)
{
    const size_t old = grid->table_count, bytes = spectral_table_floats(&s->setup) * sizeof(float);
    if (wanted <= old) return MOTE_OK;
    float **tables = memory_zeroed(s->memory, wanted * sizeof *tables);
    int64_t *moments = memory_take(s->memory, wanted * sizeof *moments);
    bool room = tables != NULL && moments != NULL;
    for (size_t i = 0; i < wanted && room; ++i) {
        tables[i] = i < old ? grid->tables[i] : memory_take(s->memory, bytes);
        moments[i] = -1; /* tables are found by moment modulo their number */
        room = tables[i] != NULL;
    }
    if (room) {
        memory_free(s->memory, grid->tables, old * sizeof *tables);
        memory_free(s->memory, grid->moments, old * sizeof *moments);
        grid->tables = tables, grid->moments = moments, grid->table_count = wanted;
        return MOTE_OK;
    }
    for (size_t i = old; tables != NULL && i < wanted; ++i)
        memory_free(s->memory, tables[i], bytes);
    memory_free(s->memory, tables, wanted * sizeof *tables);
    memory_free(s->memory, moments, wanted * sizeof *moments);
    return status_no_memory(error, "tables of a spectral field", wanted * bytes);
}

static void make_moment(const Spectral *s, int number, int64_t moment)
{
    const SpectralGrid *grid = &s->grids[number];
    size_t slot = (size_t)moment % grid->table_count;
    if (grid->moments[slot] == moment) return;
    grid->moments[slot] = moment;
    spectral_make_table(s, number, moment, grid->tables[slot]);
}

/* Rounding must not lead beyond the tables that were made. */
#define MOMENT_MARGIN 1e-6

/* Negative times stand still at the start. */
static int64_t moment_of(double t, double interval)
{
    double moment = floor(t / interval);
    return moment > 0 ? (int64_t)fmin(moment, 0x1p52) : 0;
}

enum { MOST_MOMENTS = 64 };

static mote_Status stream(Spectral *s, double t, double dt, mote_Error *error)
{
    const double interval = s->setup.interval, margin = MOMENT_MARGIN * interval;
    int64_t first = moment_of(t - margin, interval),
            last = moment_of(t + dt + margin, interval) + 1;
    if (last - first >= MOST_MOMENTS)
        return status_fail(error, MOTE_BAD_VALUE,
                           "spectral field: a step of %g s spans more than %d tables at intervals "
                           "of %g s; lower max_step, or raise interval",
                           dt, (int)MOST_MOMENTS, interval);
    for (int g = 0; g < s->setup.grid_count; ++g) {
        mote_Status status = grow_tables(s, &s->grids[g], (size_t)(last - first + 1), error);
        if (status != MOTE_OK) return status;
        for (int64_t moment = first; moment <= last; ++moment) make_moment(s, g, moment);
    }
    return MOTE_OK;
}

mote_Status spectral_prepare(Spectral *s, double t, double dt, SpectralBlend *blend,
                             mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (s->setup.time == MOTE_TIME_FROZEN) return MOTE_OK;
    if (s->setup.time == MOTE_TIME_STREAMING) status = stream(s, t, dt, error);
    if (status == MOTE_OK) spectral_make_ready(s, t, dt, blend);
    return status;
}

/* The table of a moment; the nearest that there is when it was not prepared. */
static const float *find_table(const SpectralGrid *grid, int64_t moment)
{
    size_t slot = (size_t)moment % grid->table_count;
    return grid->moments[slot] == moment ? grid->tables[slot] : NULL;
}

static void view_moment(const SpectralGrid *grid, int64_t moment, int64_t next, SpectralView *view)
{
    const float *before = find_table(grid, moment), *after = find_table(grid, next);
    view->before = before != NULL ? before : after != NULL ? after : grid->tables[0];
    view->after = after != NULL ? after : view->before;
}

SpectralView spectral_view_moments(const Spectral *s, int number, double t)
{
    const SpectralSetup *setup = &s->setup;
    const SpectralGrid *grid = &s->grids[number];
    const size_t row = spectral_row(setup) * SPECTRAL_LANES;
    SpectralView view = {.row = row,
                         .plane = setup->flat ? 0 : row * spectral_row(setup),
                         .points = (mote_real)setup->points,
                         .inverse = (mote_real)((double)setup->points / setup->grids[number].size)};
    double at = 0;
    int64_t moment = 0, count = (int64_t)grid->table_count;
    if (setup->time == MOTE_TIME_PERIODIC) {
        at = t / setup->grids[number].period;
        at = (at - floor(at)) * (double)count;
        moment = at < (double)count ? (int64_t)at : 0;
        view_moment(grid, moment, (moment + 1) % count, &view);
    } else if (setup->time == MOTE_TIME_STREAMING) {
        at = t > 0 ? t / setup->interval : 0;
        moment = moment_of(t, setup->interval);
        view_moment(grid, moment, moment + 1, &view);
    } else {
        view_moment(grid, 0, 0, &view);
    }
    view.blend = (mote_real)(at - floor(at));
    return view;
}

SpectralView spectral_view(const Spectral *s, int number, double t)
{
    const SpectralGrid *grid = &s->grids[number];
    SpectralView view = spectral_view_moments(s, number, t);
    for (int i = 0; i < SPECTRAL_NODES; ++i)
        if (grid->ready[i] != NULL && grid->ready_time[i] == t) {
            view.before = view.after = grid->ready[i];
            view.blend = 0;
        }
    return view;
}

/* ---- opening and closing ---- */

/* Turned about a skew axis by multiples of the golden angle, so that no axes line up; in two
 * dimensions about z. Rodrigues' formula; the rows are the grid's axes. */
static void set_turn(SpectralGrid *grid, int number, bool flat)
{
    static const double skew[3] = {0.26726124191242440, 0.53452248382484880, 0.80178372573727320};
    static const double upright[3] = {0, 0, 1};
    const double *n = flat ? upright : skew;
    double s, c;
    math_sincos(2.39996322972865332 * number, &s, &c);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double value = n[i] * n[j] * (1 - c) + (i == j ? c : 0);
            if (j == (i + 1) % 3) value -= s * n[(i + 2) % 3];
            if (j == (i + 2) % 3) value += s * n[(i + 1) % 3];
            grid->turn[i][j] = (mote_real)(number == 0 ? (i == j) : value);
        }
}

static mote_Status open_grid(Spectral *s, int number, const FieldSite *site, RandomKey key,
                             mote_Error *error)
{
    SpectralGrid *grid = &s->grids[number];
    const bool periodic = s->setup.time == MOTE_TIME_PERIODIC;
    set_turn(grid, number, s->setup.flat);
    mote_Status status = spectral_modes_make(&s->setup, number, key, site, &grid->modes, error);
    if (status == MOTE_OK && periodic) status = spectral_make_series(s, number, key, site, error);
    size_t tables = periodic ? s->setup.slices : s->setup.time == MOTE_TIME_FROZEN ? 1 : 2;
    return status == MOTE_OK ? grow_tables(s, grid, tables, error) : status;
}

/* Half of the mean square of all grids together. */
static double total_energy(const Spectral *s)
{
    double total = 0;
    for (int g = 0; g < s->setup.grid_count; ++g) {
        double weight = s->setup.grids[g].weight;
        total += weight * weight * s->grids[g].modes.energy;
    }
    return total;
}

static mote_Status open_memory(Spectral *s, const FieldSite *site, mote_Error *error)
{
    const SpectralSetup *setup = &s->setup;
    const size_t n = setup->points, plane = spectral_plane_floats(setup) * sizeof(float);
    FftShape shape = {.axes = setup->flat ? 2 : 3, .length = {n, n, n}};
    mote_Status status = fft_open(&shape, s->memory, s->tasks, site->isa, &s->fft, error);
    if (status != MOTE_OK) return status;
    s->filter = memory_take(s->memory, n * sizeof *s->filter);
    if (s->filter == NULL) return status_no_memory(error, site->where, n * sizeof *s->filter);
    for (size_t i = 0; i < n; ++i) {
        /* What sampling by cubic B-splines does to a wave of this number: (1, 4, 1) / 6 at the
         * nodes. Coefficients are divided by it, so that values at the nodes are right. */
        double wave = (4 + 2 * math_cos(TWO_PI * (double)i / (double)n)) / 6;
        s->filter[i] = setup->sampling == MOTE_SAMPLING_LINEAR ? 1 : 1 / wave;
    }
    for (int p = 0; p < 4; ++p) {
        s->planes[p] = memory_take(s->memory, plane);
        if (s->planes[p] == NULL) return status_no_memory(error, site->where, plane);
    }
    return MOTE_OK;
}

/* What only making tables needs. */
static void free_workshop(Spectral *s)
{
    for (int g = 0; g < SPECTRAL_MOST_GRIDS; ++g)
        for (int part = 0; part < 2; ++part) {
            SpectralGrid *grid = &s->grids[g];
            memory_free(s->memory, grid->series[part], spectral_series_bytes(s, grid));
            grid->series[part] = NULL;
        }
    for (int p = 0; p < 4; ++p) {
        memory_free(s->memory, s->planes[p], spectral_plane_floats(&s->setup) * sizeof(float));
        s->planes[p] = NULL;
    }
    fft_close(s->fft);
    s->fft = NULL;
}

static void set_amplitudes(Spectral *s)
{
    double total = total_energy(s), scale = s->setup.unit && total > 0 ? sqrt(0.5 / total) : 1;
    for (int g = 0; g < s->setup.grid_count; ++g)
        s->grids[g].amplitude = s->setup.grids[g].weight * scale;
}

static mote_Status make_first_tables(Spectral *s, mote_Error *error)
{
    if (s->setup.time == MOTE_TIME_STREAMING) return stream(s, 0, 0, error);
    for (int g = 0; g < s->setup.grid_count; ++g)
        for (size_t i = 0; i < s->grids[g].table_count; ++i) make_moment(s, g, (int64_t)i);
    free_workshop(s);
    return MOTE_OK;
}

mote_Status spectral_open(const FieldSite *site, const SpectralSetup *setup, RandomKey key,
                          Spectral **out, mote_Error *error)
{
    Spectral *s = memory_zeroed(site->memory, sizeof *s);
    *out = NULL;
    if (s == NULL) return status_no_memory(error, site->where, sizeof *s);
    s->setup = *setup, s->memory = site->memory, s->tasks = site->tasks;
    mote_Status status = open_memory(s, site, error);
    for (int g = 0; g < setup->grid_count && status == MOTE_OK; ++g)
        status = open_grid(s, g, site, key, error);
    set_amplitudes(s);
    if (status == MOTE_OK) status = make_first_tables(s, error);
    if (status == MOTE_OK)
        *out = s;
    else
        spectral_close(site->memory, s);
    return status;
}

void spectral_close(Memory *memory, void *spectral)
{
    Spectral *s = spectral;
    const size_t table = spectral_table_floats(&s->setup) * sizeof(float);
    free_workshop(s);
    for (int g = 0; g < SPECTRAL_MOST_GRIDS; ++g) {
        SpectralGrid *grid = &s->grids[g];
        for (size_t i = 0; i < grid->table_count; ++i) memory_free(memory, grid->tables[i], table);
        for (int i = 0; i < SPECTRAL_NODES; ++i) memory_free(memory, grid->ready[i], table);
        memory_free(memory, grid->tables, grid->table_count * sizeof *grid->tables);
        memory_free(memory, grid->moments, grid->table_count * sizeof *grid->moments);
        spectral_modes_free(memory, &grid->modes);
    }
    memory_free(memory, s->filter, s->setup.points * sizeof *s->filter);
    memory_free(memory, s, sizeof *s);
}
