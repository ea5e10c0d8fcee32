/* What the checks of a forecast ask about a scene's objects. */
#include "scene/forecast.h"

#include <string.h>

const SceneSystem *forecast_systems(const Forecast *f)
{
    return f->scene->systems.items;
}

const mote_EmitterDef *forecast_emitters(const Forecast *f)
{
    return f->scene->emitters.items;
}

const mote_ForceDef *forecast_forces(const Forecast *f)
{
    return f->scene->forces.items;
}

bool forecast_acts_on(const char *const *names, size_t count, const char *system)
{
    if (names == NULL) return true;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(names[i], system) == 0) return true;
    return false;
}

const SceneSystem *forecast_system(const Forecast *f, const char *name)
{
    for (size_t i = 0; i < f->scene->systems.count; ++i)
        if (strcmp(forecast_systems(f)[i].def.name, name) == 0) return &forecast_systems(f)[i];
    return NULL;
}

bool forecast_params(const Forecast *f, const char *kind, const char *name, const void *params,
                     const mote_Row *row, ParamsCopy *copy)
{
    if (row->params_size > sizeof copy->bytes) return false;
    if (params != NULL)
        memcpy(copy->bytes, params, row->params_size);
    else
        mote_row_defaults(row, copy->bytes);
    forecast_bind(f, kind, name, 0, copy->bytes, NULL);
    return true;
}
