/* A row of sky and ground: what its kernel is given and gives. */
#ifndef RENDER_GROUND_H
#define RENDER_GROUND_H

#include "base/loop.h"
#include "render/view.h"

typedef struct GroundRow {
    const View *view;
    float x, y;   /* px: middle of the first pixel */
    size_t count; /* at most BLOCK_ROWS */
    float horizon[3], zenith[3];
    /* the plane; none without `visible` */
    bool visible;
    float normal[3], offset; /* relative to the eye, which is above */
    int axes[2];             /* along which the checker lies */
    float phase[2];          /* of the checker at the eye */
    float squares;           /* per m; 0: plain */
    float haze;              /* 1 / fade^2; 0: none */
    /* out */
    float sky[3][BLOCK_ROWS];
    float point[3][BLOCK_ROWS]; /* of the plane, relative to the eye */
    float part[BLOCK_ROWS];     /* of the second colour */
    float clear[BLOCK_ROWS];    /* how much ground is seen; 0: none is there */
} GroundRow;

#endif
