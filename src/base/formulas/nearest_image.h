/* The nearest image of a difference along a periodic axis. A formula: it includes nothing, and is
 * compiled for the processor (base/lanes.h) and for devices (device/lanes.cl). */
#ifndef BASE_FORMULAS_NEAREST_IMAGE_H
#define BASE_FORMULAS_NEAREST_IMAGE_H

EIGHT_INLINE Eight eight_nearest_image(Eight d, mote_real period)
{
    const mote_real most = period / 2;
    d = d - eight_where(EIGHT_MASK(d > most), eight_all(period));
    return d + eight_where(EIGHT_MASK(d < -most), eight_all(period));
}

#endif
