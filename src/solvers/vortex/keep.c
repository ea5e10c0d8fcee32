/* The sum of strengths and the impulse of vortons, and how they get back what they lost of them. */
#include "solvers/vortex/keep.h"

#include "solvers/vortex/shed.h"

void add_impulse(mote_Vec3 x, mote_Vec3 strength, double sign, D3 *impulse)
{
    *impulse = d3_madd(*impulse, sign / 2, d3_cross(d3_of(x), d3_of(strength)));
}

void rows_add_impulse(const VortonRows *rows, double sign, D3 *impulse)
{
    for (size_t i = 0; i < rows->count; ++i)
        add_impulse(row_vector(rows->x, i), row_vector(rows->strength, i), sign, impulse);
}

D3 rows_strength(const VortonRows *rows, double *size)
{
    D3 sum = d3(0, 0, 0);
    *size = 0;
    for (size_t i = 0; i < rows->count; ++i) {
        D3 strength = d3_of(row_vector(rows->strength, i));
        sum = d3_add(sum, strength), *size += d3_length(strength);
    }
    return sum;
}

/* A flow without sources makes no vorticity in sum; vortons whose lines have ends, and stretching
 * that is bounded, do, and then an impulse depends on where the origin is. So each gives back its
 * share. */
void rows_balance(const VortonRows *rows, D3 before)
{
    double size;
    D3 more = d3_sub(rows_strength(rows, &size), before);
    for (size_t i = 0; i < rows->count && size > 0; ++i) {
        D3 strength = d3_of(row_vector(rows->strength, i));
        strength = d3_madd(strength, -d3_length(strength) / size, more);
        set_row(rows->strength, i, d3_real(strength));
    }
}

RowSums rows_sum(const VortonRows *rows)
{
    RowSums sums = {.impulse = d3(0, 0, 0)};
    double size;
    sums.strength = rows_strength(rows, &size);
    rows_add_impulse(rows, 1, &sums.impulse);
    return sums;
}

static D3 mean_place(const VortonRows *rows, double size)
{
    D3 mean = d3(0, 0, 0);
    for (size_t i = 0; i < rows->count; ++i) {
        const double weight = d3_length(d3_of(row_vector(rows->strength, i))) / size;
        mean = d3_madd(mean, weight, d3_of(row_vector(rows->x, i)));
    }
    return mean;
}

/* Second moments xi^2 - xi xi about a place, weighted by the sizes of strengths. */
static void find_moments(const VortonRows *rows, double size, D3 about, D3 column[3])
{
    column[0] = column[1] = column[2] = d3(0, 0, 0);
    for (size_t i = 0; i < rows->count; ++i) {
        const double weight = d3_length(d3_of(row_vector(rows->strength, i))) / size;
        const D3 xi = d3_sub(d3_of(row_vector(rows->x, i)), about);
        const double of[3] = {xi.x, xi.y, xi.z};
        for (int c = 0; c < 3; ++c) {
            D3 part = d3_scale(d3(c == 0, c == 1, c == 2), d3_dot(xi, xi));
            column[c] = d3_madd(column[c], weight, d3_madd(part, -of[c], xi));
        }
    }
}

/* Vortons that induce each other keep the sum of their strengths and their impulse; sums over lines
 * that are cut in pieces do so to some per cent. What is missing is put back as w (b x xi), a swirl
 * of vorticity about their middle that is the least for its impulse b . (xi^2 - xi xi) / 2. 1e-9:
 * vortons on one line have no b at all that gives an impulse along it, and the matrix no inverse.
 */
void rows_keep(const VortonRows *rows, const RowSums *before)
{
    double size;
    D3 m[3];
    rows_balance(rows, before->strength);
    rows_strength(rows, &size);
    if (rows->count == 0 || !(size > 0)) return;
    const D3 missing = d3_scale(d3_sub(before->impulse, rows_sum(rows).impulse), 2);
    const D3 mean = mean_place(rows, size);
    find_moments(rows, size, mean, m);
    const double whole = d3_dot(m[0], d3_cross(m[1], m[2]));
    if (!(whole > 1e-9 * d3_dot(m[0], m[0]) * d3_length(m[1]))) return; /* on a line */
    const D3 b =
        d3_scale(d3(d3_dot(missing, d3_cross(m[1], m[2])), d3_dot(missing, d3_cross(m[2], m[0])),
                    d3_dot(missing, d3_cross(m[0], m[1]))),
                 1 / whole);
    for (size_t i = 0; i < rows->count; ++i) {
        const D3 alpha = d3_of(row_vector(rows->strength, i));
        const D3 xi = d3_sub(d3_of(row_vector(rows->x, i)), mean);
        set_row(rows->strength, i,
                d3_real(d3_madd(alpha, d3_length(alpha) / size, d3_cross(b, xi))));
    }
}
