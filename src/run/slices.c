/* Slices of a run: seen straight on, with a legend of their colours. */
#include "run/pictures.h"

#include <stdio.h>
#include <string.h>

static const char speed_of[] = "velocity"; /* whose length it is */

/* "pressure (Pa)": what is before a point is the column, which has a unit. */
static void name_quantity(const mote_Frame *frame, const mote_Slice *slice, char *title,
                          size_t size)
{
    const char *name = slice->column != NULL ? slice->column : "speed", *unit = "";
    char column[64];
    snprintf(column, sizeof column, "%.*s", (int)strcspn(name, "."), name);
    if (strcmp(column, "speed") == 0) memcpy(column, speed_of, sizeof speed_of);
    for (size_t i = 0; i < frame->system_count; ++i) {
        const mote_Column *found = mote_frame_column(&frame->systems[i], column);
        if (found != NULL && found->unit != NULL) unit = found->unit;
    }
    if (unit[0] != '\0')
        snprintf(title, size, "%.60s (%.20s)", name, unit);
    else
        snprintf(title, size, "%.60s", name);
}

mote_Status picture_slice(const Pictures *pictures, const mote_Frame *frame, PictureSlice *words,
                          mote_RenderDef *def, mote_Error *error)
{
    mote_Slice *slice = &words->slice;
    mote_Vec3 low = pictures->low, high = pictures->high;
    const double aspect =
        (double)mote_image_width(pictures->image) / mote_image_height(pictures->image);
    const mote_Camera given = def->camera;
    *slice = *pictures->slice;
    mote_Status status = MOTE_OK;
    if (!(slice->low < slice->high))
        status = mote_slice_range(frame, slice, &slice->low, &slice->high, error);
    if (status == MOTE_OK)
        status = mote_slice_camera(slice, low, high, frame->up_axis, aspect, &def->camera, error);
    if (status != MOTE_OK) return status;
    if (given.height > 0) { /* a part of it: around what the camera looks at */
        const mote_Vec3 moved = {given.to.x - def->camera.to.x, given.to.y - def->camera.to.y,
                                 given.to.z - def->camera.to.z};
        def->camera.to = given.to, def->camera.height = given.height;
        def->camera.from.x += moved.x, def->camera.from.y += moved.y, def->camera.from.z += moved.z;
    }
    name_quantity(frame, slice, words->title, sizeof words->title);
    words->legend = (mote_Legend){words->title, slice->map != NULL ? slice->map : "viridis",
                                  slice->low, slice->high};
    def->slice = slice, def->legends = &words->legend, def->legend_count = 1;
    return MOTE_OK;
}
