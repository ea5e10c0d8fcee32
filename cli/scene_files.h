/* The scenes that come with the program: those of the folder scenes/, by name. */
#ifndef CLI_SCENE_FILES_H
#define CLI_SCENE_FILES_H

#include "cli/families.h"

/* Its name, and what its first comment says. */
FamilyEntry scene_file_at(size_t i);

/* The text of a scene; NULL when there is none of that name. */
const char *scene_file_text(const char *name);

#endif
