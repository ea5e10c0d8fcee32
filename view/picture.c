/* How a frame is drawn, as JSON: camera, sky, ground, lights, tone and legends. */
#include "view/message.h"

#include "base/math.h"

#include <stdio.h>
#include <string.h>

enum { LEGEND_COLORS = 32 };

static void put_camera(JsonWriter *json, const mote_Camera *camera)
{
    json_begin(json, "camera", '{');
    view_put_vec(json, "from", camera->from);
    view_put_vec(json, "to", camera->to);
    view_put_vec(json, "up", camera->up);
    json_put_double(json, "fov", (double)camera->fov);
    json_put_double(json, "height", (double)camera->height);
    json_put_double(json, "near", (double)camera->near);
    json_put_double(json, "orbit", (double)camera->orbit);
    json_put_double(json, "dolly", (double)camera->dolly);
    json_finish(json, '}');
}

static void put_surroundings(JsonWriter *json, const mote_RenderDef *def)
{
    json_begin(json, "sky", '{');
    view_put_vec(json, "horizon", def->backdrop.horizon);
    view_put_vec(json, "zenith", def->backdrop.zenith);
    view_put_vec(json, "glow", def->backdrop.glow);
    json_finish(json, '}');
    json_begin(json, "ground", '{');
    json_put_bool(json, "visible", def->ground.visible);
    json_begin(json, "colors", '[');
    for (int i = 0; i < 2; ++i) view_put_vec(json, NULL, def->ground.colors[i]);
    json_finish(json, ']');
    json_put_double(json, "square", (double)def->ground.square);
    json_put_double(json, "fade", (double)def->ground.fade);
    json_put_double(json, "shadow", (double)def->ground.shadow);
    json_finish(json, '}');
}

static void put_lights(JsonWriter *json, const mote_RenderDef *def)
{
    json_begin(json, "lights", '[');
    for (size_t i = 0; i < def->light_count; ++i) {
        const mote_Light *light = &def->lights[i];
        const mote_real k = light->intensity;
        json_begin(json, NULL, '{');
        json_put_bool(json, "point", light->type == MOTE_LIGHT_POINT);
        view_put_vec(json, "toward", light->toward);
        view_put_vec(json, "at", light->at);
        view_put_vec(json, "color",
                     (mote_Vec3){k * light->color.x, k * light->color.y, k * light->color.z});
        json_put_double(json, "size", (double)light->size);
        json_put_bool(json, "shadows", light->shadows);
        json_finish(json, '}');
    }
    json_finish(json, ']');
    view_put_vec(json, "ambient", def->ambient);
}

static unsigned code(float light)
{
    return (unsigned)(255 * math_srgb_code((double)light) + 0.5);
}

static void put_legend(JsonWriter *json, const mote_Legend *legend)
{
    double values[LEGEND_COLORS];
    float colors[LEGEND_COLORS][3];
    char text[8];
    for (int i = 0; i < LEGEND_COLORS; ++i) values[i] = (i + 0.5) / LEGEND_COLORS;
    if (mote_colormap(legend->map, values, LEGEND_COLORS, colors, NULL) != MOTE_OK) return;
    json_begin(json, NULL, '{');
    json_put_text(json, "title", legend->title);
    json_put_double(json, "low", legend->low);
    json_put_double(json, "high", legend->high);
    json_begin(json, "colors", '[');
    for (int i = 0; i < LEGEND_COLORS; ++i) {
        const float *c = colors[i];
        snprintf(text, sizeof text, "#%02x%02x%02x", code(c[0]) & 255, code(c[1]) & 255,
                 code(c[2]) & 255);
        json_put_text(json, NULL, text);
    }
    json_finish(json, ']');
    json_finish(json, '}');
}

void view_put_picture(ViewMessage *message, const mote_RenderDef *def)
{
    static const char *const tones[] = {[MOTE_TONE_LINEAR] = "linear",
                                        [MOTE_TONE_FILMIC] = "filmic",
                                        [MOTE_TONE_NATURAL] = "natural"};
    JsonWriter *json = &message->json;
    put_camera(json, &def->camera);
    put_surroundings(json, def);
    put_lights(json, def);
    json_put_double(json, "exposure", (double)def->exposure);
    json_put_double(json, "bloom", (double)def->bloom);
    json_put_text(json, "tone", tones[def->tone]);
    json_begin(json, "legends", '[');
    for (size_t i = 0; i < def->legend_count; ++i)
        if (def->legends[i].title != NULL) put_legend(json, &def->legends[i]);
    json_finish(json, ']');
}
