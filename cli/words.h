/* Words that may stand at a place of the command line: for checks, did-you-mean and completion. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum Words {
    WORDS_ANY,     /* no list */
    WORDS_SCENE,   /* a scene file */
    WORDS_FOLDER,  /* a folder */
    WORDS_COMMAND, /* "run" */
    WORDS_FAMILY,  /* "integrators" */
    WORDS_TOPIC,   /* commands, families, and the rows of all families */
    WORDS_FORMAT,  /* of exports */
    WORDS_BENCH,   /* benchmarks */
    WORDS_STUDY,   /* studies */
    WORDS_EXAMPLE, /* scenes that come with the program */
    WORDS_SHELL,   /* that completion is written for */
    WORDS_FIELD,   /* ways to make a surface of particles */
    WORDS_SETTING, /* for --set, of keys that every scene has: "camera.fov=", "output.video=gif" */
    WORDS_AXIS,    /* x, y, z */
    WORDS_MAP,     /* maps of colours */
    WORDS_PART,    /* of `scene`: "print", and the scenes that come with the program */
} Words;

/* The i-th word; NULL after the last, and for kinds without a list. */
const char *words_at(Words kind, size_t i);
bool words_have(Words kind, const char *word);

/* Prints "unknown WHAT `word`; did you mean ...?" and returns the exit code. */
int words_fail(Words kind, const char *what, const char *word);

#endif
