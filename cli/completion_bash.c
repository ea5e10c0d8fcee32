/* Completion for bash: a function that looks at the command, the option before the word and the
 * number of words before it. */
#include "cli/completion.h"

#include <stdio.h>

/* What completes to a word of this kind, as a command of the function. */
static void print_reply(Words kind)
{
    if (kind == WORDS_SCENE)
        fputs("_mote_scenes", stdout);
    else if (kind == WORDS_SETTING)
        fputs("_mote_settings", stdout);
    else if (kind == WORDS_FOLDER)
        fputs("_mote_folders", stdout);
    else if (words_at(kind, 0) == NULL)
        fputs("COMPREPLY=()", stdout);
    else {
        fputs("COMPREPLY=($(compgen -W '", stdout);
        completion_words(kind);
        fputs("' -- \"$word\"))", stdout);
    }
}

static void print_values(const Command *command)
{
    for (const Option *o = command_options(command); o->name != NULL; ++o) {
        if (o->argument == NULL) continue;
        printf("        %s:--%s", command->name, o->name);
        if (o->letter != '\0') printf("|%s:-%c", command->name, o->letter);
        fputs(") ", stdout);
        print_reply(o->words);
        puts("; return ;;");
    }
}

static void print_options(const Command *command)
{
    printf("        %s) options='--help", command->name);
    for (const Option *o = command_options(command); o->name != NULL; ++o) printf(" --%s", o->name);
    fputs("'; takes='", stdout);
    for (const Option *o = command_options(command); o->name != NULL; ++o) {
        if (o->argument == NULL) continue;
        printf(" --%s", o->name);
        if (o->letter != '\0') printf(" -%c", o->letter);
    }
    puts(" ' ;;");
}

static void print_arguments(const Command *command)
{
    const Argument *argument;
    for (size_t i = 0; (argument = completion_argument(command, i)) != NULL; ++i) {
        printf("        %s:%zu) ", command->name, i);
        print_reply(argument->words);
        puts(" ;;");
    }
}

static void print_each(void (*print)(const Command *command))
{
    const Command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; ++i) print(command);
}

static const char opening[] = "# bash completion for " PROGRAM "\n"
                              "_mote_folders() {\n"
                              "    local IFS=$'\\n'\n"
                              "    COMPREPLY=($(compgen -d -- \"$word\"))\n"
                              "    compopt -o filenames\n"
                              "}\n"
                              "_mote_scenes() {\n"
                              "    local IFS=$'\\n'\n"
                              "    _mote_folders\n"
                              "    COMPREPLY+=($(compgen -f -X '!*.json5' -- \"$word\"))\n"
                              "    [[ $word != */* ]] && COMPREPLY+=($(compgen -W '";
static const char settings[] = "' -- \"$word\"))\n"
                               "}\n"
                               "_mote_settings() {\n"
                               "    compopt -o nospace\n"
                               "    COMPREPLY=($(compgen -W '";
static const char completing[] =
    "' -- \"$word\"))\n"
    "}\n"
    "_mote() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local command=${COMP_WORDS[1]} options='' takes='' count=0 i\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        COMPREPLY=($(compgen -W '";
static const char counting[] =
    "    if [[ $word == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); return\n"
    "    fi\n"
    "    for ((i = 2; i < COMP_CWORD; ++i)); do\n"
    "        [[ ${COMP_WORDS[i]} == [-=]* || ${COMP_WORDS[i-1]} == = ]] && continue\n"
    "        [[ $takes == *\" ${COMP_WORDS[i-1]} \"* ]] || ((++count))\n"
    "    done\n";

void completion_bash(void)
{
    fputs(opening, stdout);
    completion_lines(WORDS_EXAMPLE); /* between which files' names may have spaces */
    fputs(settings, stdout);
    completion_words(WORDS_SETTING);
    fputs(completing, stdout);
    completion_words(WORDS_COMMAND);
    puts(" --help --version' -- \"$word\")); return\n    fi\n    case $command:$before in");
    print_each(print_values);
    puts("    esac\n    case $command in");
    print_each(print_options);
    puts("    esac");
    fputs(counting, stdout);
    puts("    case $command:$count in");
    print_each(print_arguments);
    puts("    esac\n}\ncomplete -F _mote " PROGRAM);
}
