/* Loading scenes for commands. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "cli/options.h"

#include <mote/scene.h>

#define OPTION_SET(S)                                                                              \
    {                                                                                              \
        .name = "set", .letter = 's', .argument = "KEY=VALUE",                                     \
        .doc = "change a param or any value of the scene, as world.gravity=[0,-1.6,0]; may be "    \
               "given again",                                                                      \
        .type = OPTION_LIST, OPTION_HERE(S, settings), .words = WORDS_SETTING                      \
    }

typedef struct LoadDef {
    const char *path; /* a file, or a scene that comes with the program; NULL: the demo */
    const TextList *settings;
    bool quiet; /* no warnings */
} LoadDef;

/* Returns EXIT_DONE, or another exit code after all messages; *scene is then NULL. Warnings go to
 * standard error too. */
int load_scene(const LoadDef *def, mote_Scene **scene);

/* Prints what is wrong with a scene, each with its place and text; the error then says that it was
 * printed. An error that blames an option stays as it is. Fits the `explain` callbacks; needs no
 * context. */
void load_explain(void *context, mote_Scene *scene, mote_Error *error);

#endif
