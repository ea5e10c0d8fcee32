/* mote man: the manual page in roff (man(7)), from the tables. */
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/families.h"
#include "cli/help.h"

#include <mote/base.h>

#include <ctype.h>
#include <stdio.h>

/* Text for roff: no requests, no escapes, dashes that can be copied. */
static void put_text(const char *text)
{
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (; *text != '\0'; ++text) {
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '~')
            fputs("\\(ti", stdout);
        else if (*text == '`')
            fputs("\\(ga", stdout);
        else
            putchar(*text);
    }
}

static void put_line(const char *request, const char *text)
{
    if (request != NULL) printf("%s ", request);
    put_text(text);
    putchar('\n');
}

/* .TP with a bold tag. */
static void put_item(const char *tag, const char *text)
{
    fputs(".TP\n\\fB", stdout);
    put_text(tag);
    fputs("\\fR\n", stdout);
    put_line(NULL, text);
}

static void put_options(const Command *command)
{
    for (const Option *o = command_options(command); o->name != NULL; ++o) {
        char head[OPTION_HEAD_SIZE];
        help_option_head(o, head);
        put_item(head + (o->letter == '\0' ? 4 : 0), o->doc);
    }
}

static void put_command(const Command *command)
{
    char usage[USAGE_SIZE];
    help_usage(command, usage);
    fputs(".SS \"" PROGRAM " ", stdout);
    put_text(usage);
    puts("\"");
    put_line(NULL, command->doc);
    if (command->details != NULL) put_line(NULL, command->details);
    put_options(command);
}

static void put_examples(void)
{
    const Command *command;
    puts(".SH EXAMPLES");
    for (size_t i = 0; (command = command_at(i)) != NULL; ++i)
        for (const Example *e = command->examples; e->words != NULL; ++e) {
            char tag[160];
            snprintf(tag, sizeof tag, PROGRAM " %s", e->words);
            put_item(tag, e->doc);
        }
}

static void put_families(void)
{
    const char *family;
    puts(".SH FAMILIES\nWhat scenes can be built from; each row has a page in `" PROGRAM " help`.");
    for (size_t f = 0; (family = family_name(f)) != NULL; ++f) {
        FamilyEntry entry;
        put_line(".SS", family);
        for (size_t i = 0; (entry = family_entry(family, i)).name != NULL; ++i)
            put_item(entry.name, entry.doc);
    }
}

static void put_exit_codes(void)
{
    puts(".SH EXIT STATUS");
    for (size_t i = 0; exit_code_at(i).doc != NULL; ++i) {
        char code[16];
        snprintf(code, sizeof code, "%d", exit_code_at(i).code);
        put_item(code, exit_code_at(i).doc);
    }
}

typedef struct ManItem {
    const char *tag, *text;
} ManItem;

static const ManItem environment[] = {
    {"NO_COLOR", "when set and not empty, nothing is coloured"},
    {"COLUMNS", "width of help where standard output is no terminal"},
    {"MOTE_ISA", "instruction set of the kernels: baseline, x86-64-v3 or x86-64-v4; the results "
                 "are the same bits"},
    {"MOTE_DEVICE", "what --device says where it is not given: cpu, gpu, auto, or a part of a "
                    "device's name; the results are the same bits"},
    {0}};
static const ManItem files[] = {{"FOLDER/manifest.json", "what ran, with hashes"},
                                {"FOLDER/frames/frame_000000.npz", "the frames, for numpy.load"},
                                {"FOLDER/checkpoints/", "what --resume goes on from"},
                                {"FOLDER/images/frame_000000.png", "the pictures"},
                                {"FOLDER/video.mp4", "the video"},
                                {0}};

static void put_section(const char *title, const ManItem *items)
{
    put_line(".SH", title);
    for (; items->tag != NULL; ++items) put_item(items->tag, items->text);
}

/* Of the release, not of the build: the same source gives the same page. */
#define RELEASE_DATE "2026-11-19"

static void put_title(void)
{
    fputs(".TH ", stdout);
    for (const char *c = PROGRAM; *c != '\0'; ++c) putchar(toupper((unsigned char)*c));
    printf(" 1 \"" RELEASE_DATE "\" \"mote %s\" \"User Commands\"\n", mote_version());
}

static int man_run(const void *options, Given given)
{
    const Command *command;
    (void)options, (void)given;
    put_title();
    puts(".SH NAME\n" PROGRAM " \\- simulate particles and draw them");
    puts(".SH SYNOPSIS\n.B " PROGRAM "\n.I command\n[\\fIoptions\\fR]");
    puts(".SH DESCRIPTION\nA scene file goes in; moving particles, pictures, video and caches come "
         "out. Without arguments it shows three commands to start with.");
    puts(".SH COMMANDS");
    for (size_t i = 0; (command = command_at(i)) != NULL; ++i) put_command(command);
    put_examples();
    put_families();
    put_section("FILES", files);
    put_section("ENVIRONMENT", environment);
    put_exit_codes();
    return EXIT_DONE;
}

static const Example examples[] = {
    {"man | man -l -", "read the manual page"}, {"man > " PROGRAM ".1", "write it to a file"}, {0}};
const Command command_man = {.name = "man",
                             .doc = "Print the manual page, made from the same tables as help.",
                             .examples = examples,
                             .run = man_run};
