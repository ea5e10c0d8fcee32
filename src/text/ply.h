/* PLY (Turk 1994), text and binary of both byte orders: a reader says which properties it wants and
 * gets the rows that have some; other elements and properties are passed over. */
#ifndef TEXT_PLY_H
#define TEXT_PLY_H

#include "text/lines.h"

enum { PLY_ROLES = 8, PLY_LONGEST_LIST = 256 };

typedef struct PlyRow {
    const char *element;
    double values[PLY_ROLES]; /* by the roles of the element's numbers */
    double list[PLY_LONGEST_LIST];
    size_t length; /* of the list that has a role */
} PlyRow;

typedef struct PlyReader {
    void *context;
    /* What a property is for, below PLY_ROLES; -1: nothing. */
    int (*role)(void *context, const char *element, const char *property, bool list);
    /* After the head: is everything there? */
    mote_Status (*head)(void *context, mote_Error *error);
    mote_Status (*row)(void *context, const PlyRow *row, mote_Error *error);
} PlyReader;

mote_Status ply_read(TextLines *text, const PlyReader *reader, mote_Error *error);

#endif
