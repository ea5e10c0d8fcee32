/* Text for people: did-you-mean, sizes. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Edit distance (insert, delete, replace, swap of neighbours) with letters' case ignored; words of
 * more than 63 letters are far from everything. */
int text_distance(const char *a, const char *b);

/* The name nearest to `word`, or NULL when none is near enough to be meant. `name(context, i)`
 * gives the i-th candidate, NULL after the last. */
const char *text_nearest(const char *word, const char *(*name)(const void *context, size_t i),
                         const void *context);

/* ---- numbers of bytes ---- */

enum { SIZE_TEXT = 32 };

/* "512 bytes", "1.5 MB": powers of 1000. */
void size_text(uint64_t bytes, char text[SIZE_TEXT]);

#endif
