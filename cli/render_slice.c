/* mote render --slice: what its options say. */
#include "cli/render_slice.h"

#include "base/number.h"
#include "base/row.h"
#include "cli/exit.h"

#include <mote/scene.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "z=0.3" */
static bool read_plane(const char *text, mote_Slice *slice)
{
    double at;
    const bool axis = text[0] >= 'x' && text[0] <= 'z' && text[1] == '=';
    if (!axis || !number_parse(text + 2, &at) || !isfinite(at)) return false;
    slice->axis = text[0] - 'x', slice->at = (mote_real)at;
    return true;
}

/* "0:5000" */
static bool read_range(const char *text, mote_Slice *slice)
{
    char low[NUMBER_SIZE];
    const char *colon = strchr(text, ':');
    if (colon == NULL || (size_t)(colon - text) >= sizeof low) return false;
    snprintf(low, sizeof low, "%.*s", (int)(colon - text), text);
    return number_parse(low, &slice->low) && number_parse(colon + 1, &slice->high) &&
           slice->low < slice->high && isfinite(slice->high - slice->low);
}

/* "water.pressure": a system's name is what stands before the first point, where the frames have
 * one of that name; without it all of it is a column. */
static void read_quantity(const char *text, Slice *out)
{
    mote_Slice *slice = &out->def;
    const char *point = text != NULL ? strchr(text, '.') : NULL;
    slice->column = text;
    if (point == NULL || (point[1] >= 'x' && point[1] <= 'z' && point[2] == '\0')) return;
    snprintf(out->system, sizeof out->system, "%.*s", (int)(point - text), text);
    slice->system = out->system, slice->column = point + 1;
}

static bool is_map(const char *name)
{
    size_t count;
    mote_Error error;
    const mote_Row *const *rows = mote_family_rows("colormaps", &count);
    const bool known = row_find(rows, count, "--map", "colour map", name, &error) != NULL;
    if (!known) message("%s", error.message);
    return known;
}

bool slice_read(const SliceOptions *o, Slice *slice)
{
    *slice = (Slice){.def = {.column = NULL}};
    if (o->plane == NULL) {
        const char *alone = o->of != NULL      ? "of"
                            : o->range != NULL ? "range"
                            : o->map != NULL   ? "map"
                            : o->lines > 0     ? "lines"
                            : o->arrows > 0    ? "arrows"
                                               : NULL;
        if (alone != NULL) message("--%s: that is of a slice; --slice z=0 draws one", alone);
        return alone == NULL;
    }
    if (!read_plane(o->plane, &slice->def)) {
        message("--slice: expected an axis and a coordinate in metres as z=0.5, found `%s`",
                o->plane);
        return false;
    }
    if (o->range != NULL && !read_range(o->range, &slice->def)) {
        message("--range: expected two numbers that rise as 0:5000, found `%s`", o->range);
        return false;
    }
    if (o->map != NULL && !is_map(o->map)) return false;
    read_quantity(o->of, slice);
    slice->def.map = o->map;
    slice->def.lines = (uint32_t)o->lines, slice->def.arrows = (uint32_t)o->arrows;
    return true;
}
