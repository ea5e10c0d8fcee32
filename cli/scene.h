/* The parts of `mote scene`. */
#ifndef CLI_SCENE_H
#define CLI_SCENE_H

#include <stddef.h>

const char *scene_part_name(size_t i); /* "print", "schema"; NULL after the last */

#endif
