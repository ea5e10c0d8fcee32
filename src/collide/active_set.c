/* min |x - wish|^2 subject to normal_i . x >= offset_i.
 *
 * In three dimensions at most three planes hold the solution, and with few planes all sets of one,
 * two and three can be tried: the point that a set determines, x = wish + N^T push with
 * (N N^T) push = offset - N wish, is the solution as soon as every push is positive and no plane is
 * violated (Karush, Kuhn and Tucker). Alternating projections, in contrast, need thousands of
 * rounds in a narrow wedge. */
#include "collide/contact.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double determinant(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Cramer's rule for the first n rows and columns; the rest of the matrix is the unit matrix. 1e-14:
 * planes that are parallel up to rounding determine no point; a smaller set will. */
static bool solve_small(int n, double m[3][3], const double right[3], double out[3])
{
    double whole = determinant(m);
    if (!(whole > 1e-14 || whole < -1e-14)) return false;
    for (int k = 0; k < n; ++k) {
        double replaced[3][3];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) replaced[i][j] = j == k ? right[i] : m[i][j];
        out[k] = determinant(replaced) / whole;
    }
    return true;
}

/* The point that these planes determine; false when they do not, or pull. */
static bool try_set(const ContactPlane *planes, const double wish[3], ActiveSet *set)
{
    double gram[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, right[3] = {0, 0, 0};
    for (int i = 0; i < set->count; ++i) {
        const ContactPlane *a = &planes[set->of[i]];
        for (int j = 0; j < set->count; ++j) gram[i][j] = dot(a->normal, planes[set->of[j]].normal);
        right[i] = a->offset - dot(a->normal, wish);
    }
    if (!solve_small(set->count, gram, right, set->push)) return false;
    for (int c = 0; c < 3; ++c) set->x[c] = wish[c];
    for (int i = 0; i < set->count; ++i) {
        if (!(set->push[i] >= 0)) return false;
        for (int c = 0; c < 3; ++c) set->x[c] += set->push[i] * planes[set->of[i]].normal[c];
    }
    return true;
}

static bool is_allowed(const ContactPlane *planes, int count, double slack, const double x[3])
{
    for (int i = 0; i < count; ++i)
        if (!(dot(planes[i].normal, x) >= planes[i].offset - slack)) return false;
    return true;
}

/* The next subset of `size` of `count` numbers in lexicographic order. */
static bool next_subset(int *of, int size, int count)
{
    for (int i = size - 1; i >= 0; --i) {
        if (of[i] >= count - size + i) continue;
        ++of[i];
        for (int j = i + 1; j < size; ++j) of[j] = of[j - 1] + 1;
        return true;
    }
    return false;
}

bool active_set_solve(const ContactPlane *planes, int count, const double wish[3], double slack,
                      ActiveSet *set)
{
    *set = (ActiveSet){.x = {wish[0], wish[1], wish[2]}};
    if (is_allowed(planes, count, 0, wish)) return true;
    for (int size = 1; size <= MOST_ACTIVE && size <= count; ++size) {
        set->count = size;
        for (int i = 0; i < size; ++i) set->of[i] = i;
        do {
            if (try_set(planes, wish, set) && is_allowed(planes, count, slack, set->x)) return true;
        } while (next_subset(set->of, size, count));
    }
    set->count = 0;
    return false;
}
