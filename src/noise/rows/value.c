/* Value noise: random values in [-1, 1) at the points of a lattice, blended by the quintic fade.
 * Its spectrum reaches down to zero, and its cells show; it is the cheapest. */
#include "noise/lattice.h"

LATTICE_KERNELS(value, NULL, NULL, false)

const NoiseRow ISA(noise_value) = {
    .head = {.name = "value", .doc = "random values at lattice points, quintic fade"},
    .largest = {1, 1},
    .rms = {0.400442, 0.354464},
    .rms_slope = {0.764666, 0.676870},
    .continuous = 2,
    LATTICE_CALLBACKS(value),
};
