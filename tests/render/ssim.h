/* How alike two pictures are: the mean structural similarity of their luminance (Wang, Bovik,
 * Sheikh, Simoncelli, IEEE Trans. Image Processing 13, 2004), 11 x 11 Gaussian window of deviation
 * 1.5 px, in double, written for the tests alone. */
#ifndef TESTS_RENDER_SSIM_H
#define TESTS_RENDER_SSIM_H

#include <math.h>
#include <stddef.h>

enum { SSIM_REACH = 5 };

static inline void ssim_window(double w[2 * SSIM_REACH + 1])
{
    double sum = 0;
    for (int i = -SSIM_REACH; i <= SSIM_REACH; ++i) sum += w[i + SSIM_REACH] = exp(-i * i / 4.5);
    for (int i = 0; i <= 2 * SSIM_REACH; ++i) w[i] /= sum;
}

/* At the middle of a window; a and b are planes of values up to 1. */
static inline double ssim_at(const double *a, const double *b, int width, int x, int y,
                             const double w[])
{
    const double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
    double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
    for (int j = -SSIM_REACH; j <= SSIM_REACH; ++j) {
        for (int i = -SSIM_REACH; i <= SSIM_REACH; ++i) {
            double weight = w[i + SSIM_REACH] * w[j + SSIM_REACH];
            double p = a[(y + j) * width + x + i], q = b[(y + j) * width + x + i];
            ma += weight * p, mb += weight * q;
            aa += weight * p * p, bb += weight * q * q, ab += weight * p * q;
        }
    }
    aa -= ma * ma, bb -= mb * mb, ab -= ma * mb;
    return (2 * ma * mb + c1) * (2 * ab + c2) / ((ma * ma + mb * mb + c1) * (aa + bb + c2));
}

static inline double ssim(const double *a, const double *b, int width, int height)
{
    double w[2 * SSIM_REACH + 1], sum = 0;
    ssim_window(w);
    for (int y = SSIM_REACH; y < height - SSIM_REACH; ++y)
        for (int x = SSIM_REACH; x < width - SSIM_REACH; ++x) sum += ssim_at(a, b, width, x, y, w);
    return sum / ((width - 2.0 * SSIM_REACH) * (height - 2.0 * SSIM_REACH));
}

#endif
