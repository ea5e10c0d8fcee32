/* The kernels of links, which come from several files. */
#ifndef LINKS_KERNELS_TABLE_H
#define LINKS_KERNELS_TABLE_H

#include "links/kernel.h"

void ISA(link_pull)(const LinkView *view, const LinkSegment *segments, size_t count, size_t first,
                    mote_real *const f[3]);
double ISA(link_energy)(const LinkView *view, const LinkSegment *segments, size_t count);
size_t ISA(link_snap)(const LinkView *view, mote_real limit, const LinkSegment *segments,
                      size_t count, uint8_t *broken);
void ISA(link_linearise)(const LinkView *view, const mote_real by[2], const LinkSegment *segments,
                         size_t count, mote_real *const derivative[LINK_DERIVATIVE_PLANES]);
void ISA(link_diagonal)(mote_real *const derivative[LINK_DERIVATIVE_PLANES],
                        const LinkSegment *segments, size_t count, size_t first,
                        mote_real *const d[SYMMETRIC_PLANES]);
void ISA(link_times)(mote_real *const derivative[LINK_DERIVATIVE_PLANES],
                     const LinkSegment *segments, size_t count, size_t first, mote_real *const p[3],
                     mote_real *const q[3]);
void ISA(link_press)(const AirView *view, const TriangleSegment *segments, size_t count,
                     size_t first, mote_real *const f[3]);
void ISA(link_press_diagonal)(const AirView *view, mote_real by, const TriangleSegment *segments,
                              size_t count, size_t first, mote_real *const d[SYMMETRIC_PLANES]);

#endif
