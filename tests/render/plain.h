/* A picture without a mood of its own, for tests that compare light with formulas: linear, without
 * glow, under a pale sky, seen from the front. */
#ifndef TESTS_RENDER_PLAIN_H
#define TESTS_RENDER_PLAIN_H

#include <mote/render.h>

static inline mote_Camera plain_camera(void)
{
    mote_Camera camera = mote_camera_def();
    camera.from = (mote_Vec3){0, 1, 5};
    camera.to = (mote_Vec3){0, 0, 0};
    return camera;
}

static inline mote_RenderDef plain_def(void)
{
    const mote_real light = (mote_real)0.30, dark = (mote_real)0.22;
    mote_RenderDef def = mote_render_def();
    def.camera = plain_camera();
    def.backdrop.horizon = (mote_Vec3){(mote_real)0.52, (mote_real)0.60, (mote_real)0.70};
    def.backdrop.zenith = (mote_Vec3){(mote_real)0.10, (mote_real)0.20, (mote_real)0.42};
    def.ground.colors[0] = (mote_Vec3){light, light, light};
    def.ground.colors[1] = (mote_Vec3){dark, dark, dark};
    def.ground.fade = 40, def.ground.shadow = (mote_real)0.8;
    def.ambient = (mote_Vec3){0, 0, 0};
    def.bloom = 0;
    def.tone = MOTE_TONE_LINEAR;
    def.trace.denoise = false;
    return def;
}

#endif
