/* Gradient noise: n is 0 at the points of a lattice and has a random gradient G there, blended in
 * between: n = lerp3(fade(f), G_h . (f - corner)). Perlin, An Image Synthesizer, 1985; Improving
 * Noise, 2002.
 *
 * The gradients are eight axes, each in both directions, so that a table of eight stays in one
 * register. Those of "perlin" are unit vectors with the second moments of the sphere, away from the
 * lattice's axes and diagonals (scripts/fit-gradients.py); those of 2002 are the cube's edges, of
 * which, as in the original, some stand twice.
 *
 * The rms values are integrals over a cell for independent isotropic gradients: with W0 = 1 - u,
 * W1 = u, I = int W0^2 + W1^2 and J = int W0^2 t^2 + W1^2 (1 - t)^2, <n^2> = J I^(d-1). */
#include "noise/lattice.h"

/* V(x, y, z, t) for each of the eight. */
#define UNIT3(V)                                                                                   \
    V(-0.78375001324295479, 0.54225532926602371, 0.30281194597350997, 0)                           \
    V(-0.27579183858827122, -0.92720156896352424, -0.25344844106776421, 0)                         \
    V(0.83583236262570504, -0.21472338936228427, 0.50525055927559781, 0)                           \
    V(0.39434869656235261, -0.27034799520130931, -0.87829440793517888, 0)                          \
    V(-0.88821323058529256, -0.4231371267524407, 0.17897549825863385, 0)                           \
    V(0.25522913359021915, 0.52038432459739359, -0.81489768933290074, 0)                           \
    V(-0.24367582525071457, 0.90085288286845988, -0.35928564627043968, 0)                          \
    V(0.45691583388548168, 0.36379804733505366, 0.8117135587754688, 0)

#define UNIT4(V)                                                                                   \
    V(0.19062109724504922, -0.39861209278918952, 0.040969044742004398, -0.89615486057948923)       \
    V(0.81534396691596644, -0.41432723082072931, 0.39499785806282928, -0.086740149526841753)       \
    V(-0.27235456157582266, -0.67791079445698132, 0.62420065011756698, 0.2768275563240632)         \
    V(0.59293282686571291, -0.27426551822057943, -0.68952416413349837, -0.31267477579144798)       \
    V(-0.84212772799774238, -0.34880892077859887, 0.03074105330615079, -0.41013194726119262)       \
    V(-0.22612451766036304, -0.8927715491221806, -0.38934296069171598, 0.015450648875005326)       \
    V(0.2721076539591003, -0.45384214160141101, 0.029738146504974694, 0.84799786426969714)         \
    V(0.19691976253972812, 0.099878425434852536, 0.90764022583140092, -0.35698197112273805)

#define EDGES3(V)                                                                                  \
    V(1, 1, 0, 0)                                                                                  \
    V(1, -1, 0, 0)                                                                                 \
    V(1, 0, 1, 0)                                                                                  \
    V(1, 0, -1, 0)                                                                                 \
    V(0, 1, 1, 0)                                                                                  \
    V(0, 1, -1, 0)                                                                                 \
    V(1, 1, 0, 0)                                                                                  \
    V(0, 1, -1, 0)

/* Vectors with one zero: for each place of the zero, two patterns of signs. */
#define EDGES4(V)                                                                                  \
    V(0, 1, 1, 1)                                                                                  \
    V(0, 1, -1, 1)                                                                                 \
    V(1, 0, 1, -1)                                                                                 \
    V(1, 0, -1, 1)                                                                                 \
    V(1, -1, 0, 1)                                                                                 \
    V(-1, 1, 0, 1)                                                                                 \
    V(1, 1, 1, 0)                                                                                  \
    V(1, -1, 1, 0)

#define ROW(x, y, z, t) {(mote_real)(x), (mote_real)(y), (mote_real)(z), (mote_real)(t)},
#define X(x, y, z, t)   (mote_real)(x),
#define Y(x, y, z, t)   (mote_real)(y),
#define Z(x, y, z, t)   (mote_real)(z),
#define T(x, y, z, t)   (mote_real)(t),
#define TABLE(name, LIST)                                                                          \
    static const LaneTable name __attribute__((aligned(64))) = {                                   \
        .component = {{LIST(X) LIST(X)}, {LIST(Y) LIST(Y)}, {LIST(Z) LIST(Z)}, {LIST(T) LIST(T)}}, \
        .row = {LIST(ROW)}}

TABLE(unit3, UNIT3);
TABLE(unit4, UNIT4);
TABLE(edges3, EDGES3);
TABLE(edges4, EDGES4);

LATTICE_KERNELS(unit, &unit3, &unit4, false)
LATTICE_KERNELS(unit_cubic, &unit3, &unit4, true)
LATTICE_KERNELS(edges, &edges3, &edges4, false)

const NoiseRow ISA(noise_perlin) = {
    .head = ROW_PLAIN("perlin", "unit gradients at lattice points, quintic fade: smooth to "
                                "the second derivative (Perlin 1985, 2002)"),
    .largest = {0.8660254037844387, 1},
    .rms = {0.190944, 0.169020},
    .rms_slope = {0.498095, 0.414537},
    .continuous = 2,
    .lattice_slope = {1, 1},
    LATTICE_CALLBACKS(unit),
};

const NoiseRow ISA(noise_perlin_1985) = {
    .head = ROW_PLAIN("perlin-1985", "unit gradients, cubic fade: its second derivative jumps "
                                     "at cell faces (Perlin 1985)"),
    .largest = {0.8660254037844387, 1},
    .rms = {0.182443, 0.157246},
    .rms_slope = {0.444776, 0.360816},
    .continuous = 1,
    .lattice_slope = {1, 1},
    LATTICE_CALLBACKS(unit_cubic),
};

const NoiseRow ISA(noise_perlin_2002) = {
    .head = ROW_PLAIN("perlin-2002", "gradients along the edges of a cube, quintic fade "
                                     "(Perlin, Improving Noise, 2002)"),
    .largest = {1.2247448713915890, 1.7320508075688772},
    .rms = {0.270035, 0.292751},
    .rms_slope = {0.704412, 0.717998},
    .continuous = 2,
    .lattice_slope = {1.4142135623730951, 1.7320508075688772},
    LATTICE_CALLBACKS(edges),
};

/* Value noise: random values in [-1, 1) at the points of a lattice, blended by the quintic fade.
 * Its spectrum reaches down to zero, and its cells show; it is the cheapest. */

LATTICE_KERNELS(value, NULL, NULL, false)

const NoiseRow ISA(noise_value) = {
    .head = ROW_PLAIN("value", "random values at lattice points, quintic fade"),
    .largest = {1, 1},
    .rms = {0.400442, 0.354464},
    .rms_slope = {0.764666, 0.676870},
    .continuous = 2,
    LATTICE_CALLBACKS(value),
};
