/* Columns of vortons and of tracers. */
#include "solvers/vortex/solver.h"

static const struct {
    const char *name, *unit;
    int components;
    bool tracers; /* have it too */
} columns[VORTON_COLUMNS] = {
    {"strength", "m^3/s", 3, false}, {"stretched", "m^3/s", 1, false},
    {"volume", "m^3", 1, false},     {"temperature", "K", 1, true},
    {"fuel", "", 1, true},           {"flame", "", 1, true},
    {"smoke", "", 1, true},
};

static double column_fallback(const mote_VortexSolver *p, int column)
{
    mote_real born = p->born_temperature > 0 ? p->born_temperature : p->temperature;
    const double fallbacks[VORTON_COLUMNS] = {0,
                                              0,
                                              (double)p->born_volume,
                                              (double)born,
                                              (double)p->born_fuel,
                                              0,
                                              1 - (double)p->born_fuel};
    return fallbacks[column];
}

mote_Status vortex_add_columns(mote_System *system, const mote_VortexSolver *p, bool tracers,
                               mote_Error *error)
{
    for (int k = 0; k < VORTON_COLUMNS; ++k) {
        mote_Column column = {.name = columns[k].name,
                              .unit = columns[k].unit,
                              .stage = "solve",
                              .type = MOTE_COLUMN_REAL,
                              .components = columns[k].components,
                              .fallback = tracers ? 0 : column_fallback(p, k)};
        if (tracers && k == COLUMN_TEMPERATURE) column.fallback = (double)p->temperature;
        if (tracers && !columns[k].tracers) continue;
        mote_Status status = mote_system_add_column(system, &column, error);
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

mote_real *vortex_plane(const mote_System *system, int column, int component)
{
    return column_real(mote_system_column(system, columns[column].name), component);
}

VortonRows vortex_rows(const mote_System *system, size_t count)
{
    VortonRows rows = {.count = count};
    for (int c = 0; c < 3; ++c) {
        rows.x[c] = column_real(&system->columns[COLUMN_POSITION], c);
        rows.v[c] = column_real(&system->columns[COLUMN_VELOCITY], c);
        rows.strength[c] = vortex_plane(system, COLUMN_STRENGTH, c);
    }
    rows.stretched = vortex_plane(system, COLUMN_STRETCHED, 0);
    rows.radius = column_real(&system->columns[COLUMN_RADIUS], 0);
    rows.lifetime = column_real(&system->columns[COLUMN_LIFETIME], 0);
    rows.volume = vortex_plane(system, COLUMN_VOLUME, 0);
    rows.temperature = vortex_plane(system, COLUMN_TEMPERATURE, 0);
    rows.fuel = vortex_plane(system, COLUMN_FUEL, 0);
    rows.flame = vortex_plane(system, COLUMN_FLAME, 0);
    rows.smoke = vortex_plane(system, COLUMN_SMOKE, 0);
    return rows;
}
