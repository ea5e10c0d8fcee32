/* Checks of a forecast: random fields whose tables are too coarse in space or in time for the
 * eddies that they are asked for, by the sampling conditions of fields/spectral.h. */
#include "scene/forecast.h"

#include "fields/spectral.h"

#include <string.h>

static bool read_setup(const Forecast *f, const mote_FieldDef *def, SpectralSetup *setup)
{
    const mote_Row *row = forecast_row("fields", def->type);
    const bool flat = f->scene->world.def.dimension == 2;
    ParamsCopy copy;
    if (row == NULL) return false;
    forecast_params(f, "field", def->name, def->params, row, &copy);
    if (strcmp(def->type, "spectral-wind") == 0)
        return spectral_wind_setup((const void *)copy.bytes, flat, "", setup, NULL) == MOTE_OK;
    if (strcmp(def->type, "spectral-noise") == 0)
        return spectral_noise_setup((const void *)copy.bytes, flat, "", setup, NULL) == MOTE_OK;
    return false;
}

void check_spectra(const Forecast *f)
{
    const mote_FieldDef *fields = f->scene->fields.items;
    for (size_t i = 0; i < f->scene->fields.count; ++i) {
        SpectralSetup setup;
        SpectralLimit limits[SPECTRAL_LIMITS];
        if (!read_setup(f, &fields[i], &setup)) continue;
        size_t count = spectral_limits(&setup, limits);
        for (size_t l = 0; l < count; ++l)
            WARN(f, "fields.%s: %s: %.4g needed, %.4g given; %s %.4g\n", fields[i].name,
                 limits[l].what, limits[l].needed, limits[l].given, limits[l].advice,
                 limits[l].better);
    }
}
