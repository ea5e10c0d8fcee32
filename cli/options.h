/* Options of commands: a table in front of getopt_long. Values are written into the command's own
 * struct; help, man page and completion read the same table. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum OptionType {
    OPTION_FLAG,   /* bool */
    OPTION_COUNT,  /* int64_t between min and max */
    OPTION_TEXT,   /* const char * */
    OPTION_LIST,   /* TextList: may be given again and again */
    OPTION_FRAMES, /* FrameRange */
} OptionType;

typedef struct Option {
    const char *name;     /* without dashes; NULL ends a table */
    char letter;          /* '\0': none */
    const char *argument; /* its name in help; NULL for flags */
    const char *doc;
    OptionType type;
    size_t offset; /* of the value in the command's struct */
    double min, max;
    Words words; /* what the argument may be, for completion */
} Option;

typedef struct TextList {
    const char **items;
    size_t count;
} TextList;

/* "a:b", "a:", ":b" or "n"; what is not given is -1. */
typedef struct FrameRange {
    int64_t first, last;
    bool single; /* "n": first and last are n */
} FrameRange;

#define OPTION_HERE(S, member) .offset = offsetof(S, member)

typedef struct OptionsRead {
    const char *command; /* for messages */
    const Option *table; /* ended by a NULL name */
    void *values;        /* the command's struct, with its defaults */
    const char **list;   /* room for the texts of its list options, one option behind the other */
    size_t room;         /* texts of each: as many as there are words */
    bool help;           /* out: --help was given */
    int count;           /* out: words that are no options */
    char **words;        /* out */
} OptionsRead;

enum { OPTIONS_LISTS = 2 }; /* of a command at most */

/* False when an option is wrong; the message has been printed. */
bool options_read(OptionsRead *read, int argc, char **argv);
/* Whether a setting has lost its value to the words, as in --set rate 5; says so. */
bool options_lost_setting(const OptionsRead *read);

#endif
