/* The table of marching cubes: all 256 cases, face by face. */
#include "surface/cases.h"

#include "check.h"

static CaseTable table;

/* Directed edges of a case's triangles, as a matrix of counts. */
static void count_edges(int number, int count[CELL_EDGES][CELL_EDGES])
{
    memset(count, 0, sizeof(int[CELL_EDGES][CELL_EDGES]));
    for (int t = 0; t < table.count[number]; ++t)
        for (int i = 0; i < 3; ++i) {
            const uint8_t *corner = &table.corner[number][3 * t];
            ++count[corner[i]][corner[(i + 1) % 3]];
        }
}

static void makes_all(void)
{
    CHECK(cases_make(&table));
    CHECK(table.count[0] == 0 && table.count[255] == 0);
    for (int number = 0; number < 256; ++number) CHECK(table.count[number] <= CASE_TRIANGLES);
}

/* Triangles use the edges whose ends differ, and no others. */
static void cuts_the_right_edges(void)
{
    for (int number = 0; number < 256; ++number) {
        int used = 0, wanted = 0;
        for (int i = 0; i < 3 * table.count[number]; ++i) used |= 1 << table.corner[number][i];
        for (int edge = 0; edge < CELL_EDGES; ++edge) {
            int low = case_edge_start(edge), high = low | 1 << edge / 4;
            wanted |= ((number >> low ^ number >> high) & 1) << edge;
        }
        CHECK(used == wanted);
    }
}

/* The edge of the neighbour's cell that lies where this one does, or -1 when it is not on the face.
 */
static int across(int edge, int face)
{
    int axis = face / 2, high = face % 2, start = case_edge_start(edge);
    if (edge / 4 == axis || (start >> axis & 1) != high) return -1;
    for (int other = 0; other < CELL_EDGES; ++other)
        if (other / 4 == edge / 4 && case_edge_start(other) == (start ^ 1 << axis)) return other;
    return -1;
}

/* Corners of a case on one face, moved to the other side along the axis. */
static int face_bits(int number, int face)
{
    int bits = 0, axis = face / 2;
    for (int corner = 0; corner < 8; ++corner)
        if ((corner >> axis & 1) == face % 2 && (number >> corner & 1))
            bits |= 1 << (corner & ~(1 << axis));
    return bits;
}

/* Two cells that share a face, with any signs elsewhere, have the same segments there, in opposite
 * directions: once each. */
static void faces_agree(void)
{
    static int here[CELL_EDGES][CELL_EDGES], there[CELL_EDGES][CELL_EDGES];
    for (int face = 0; face < 6; ++face)
        for (int number = 0; number < 256; ++number) {
            count_edges(number, here);
            for (int other = 0; other < 256; ++other) {
                if (face_bits(number, face) != face_bits(other, face ^ 1)) continue;
                count_edges(other, there);
                for (int a = 0; a < CELL_EDGES; ++a)
                    for (int b = 0; b < CELL_EDGES; ++b) {
                        int c = across(a, face), d = across(b, face);
                        if (c < 0 || d < 0) continue;
                        CHECK(here[a][b] == there[d][c]);
                        CHECK(here[a][b] <= 1);
                    }
            }
        }
}

/* Inside of a cell every edge of a triangle has two triangles, in opposite directions; one that has
 * only one lies in a face. */
static void closed_but_for_faces(void)
{
    static int count[CELL_EDGES][CELL_EDGES];
    for (int number = 0; number < 256; ++number) {
        count_edges(number, count);
        for (int a = 0; a < CELL_EDGES; ++a)
            for (int b = 0; b < CELL_EDGES; ++b) {
                bool in_face = false;
                for (int face = 0; face < 6; ++face)
                    in_face = in_face || (across(a, face) >= 0 && across(b, face) >= 0);
                if (in_face)
                    CHECK(count[a][b] + count[b][a] <= 1);
                else
                    CHECK(count[a][b] == count[b][a] && count[a][b] <= 1);
            }
    }
}

/* A single corner inside: the normal points away from it. */
static void outward(void)
{
    for (int corner = 0; corner < 8; ++corner) {
        double p[3][3], n[3], dot = 0;
        const uint8_t *edge = table.corner[1 << corner];
        CHECK(table.count[1 << corner] == 1);
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                p[i][k] = (case_edge_start(edge[i]) >> k & 1) + (edge[i] / 4 == k ? 0.5 : 0);
        for (int k = 0; k < 3; ++k) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            n[k] = (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) -
                   (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
            dot += n[k] * ((corner >> k & 1) ? -1 : 1);
        }
        CHECK(dot > 0);
    }
}

/* An ambiguous face separates its inside corners: two corners inside of a face's diagonal give two
 * triangles, one around each. */
static void separates_inside_corners(void)
{
    for (int a = 0; a < 8; ++a)
        for (int b = a + 1; b < 8; ++b)
            if (__builtin_popcount((unsigned)(a ^ b)) == 2)
                CHECK(table.count[1 << a | 1 << b] == 2);
}

TESTS({"makes all", makes_all}, {"cuts the right edges", cuts_the_right_edges},
      {"faces agree", faces_agree}, {"closed but for faces", closed_but_for_faces},
      {"outward", outward}, {"separates inside corners", separates_inside_corners})
