/* A picture of all directions: even steps of longitude and of latitude (an equirectangular map). */
#include "render/panorama.h"

#include "base/math.h"
#include "render/image.h"
#include "render/texture.h"
#include "render/trace_optics.h"

#include <string.h>

#define HALF_TURN 3.14159265f

/* Ahead is away from who looks along the world's usual view: -z where y is up, y where z is. */
Panorama panorama_make(const mote_Backdrop *sky, const float up[3])
{
    Panorama p = {.image = sky->panorama, .light = (float)sky->light};
    float aside[3], ahead[3];
    const double angle = (double)sky->turn * 3.14159265358979 / 180;
    const float c = (float)math_cos(angle), s = (float)math_sin(angle);
    across3(up, aside, ahead);
    for (int k = 0; k < 3; ++k) {
        p.axis[0][k] = c * aside[k] + s * ahead[k];
        p.axis[1][k] = c * ahead[k] - s * aside[k];
        p.axis[2][k] = up[k];
    }
    return p;
}

void panorama_look(const Panorama *p, const float direction[3], float out[3])
{
    const float aside = dot3(direction, p->axis[0]), ahead = dot3(direction, p->axis[1]);
    const float up = dot3(direction, p->axis[2]);
    const float flat = __builtin_sqrtf(aside * aside + ahead * ahead);
    const float across = 0.5f + math_atan2f(aside, ahead) / (2 * HALF_TURN);
    const float down = 0.5f - math_atan2f(up, flat) / HALF_TURN;
    texture_between(p->image, across * (float)p->image->width, down * (float)p->image->height,
                    false, p->light, out);
}
